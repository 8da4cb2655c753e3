// How far a command has come, on a line of the terminal that is written over.

import SpheroProcess
import SpheroSystem
import SpheroTransport

/// Shows how far a stream has come, where it has an end and somebody looks at a terminal without its rows.
struct Progress: Sendable {
  private let count: Int?
  private let time: Duration?
  private var next = Duration.zero

  private static let period = Duration.milliseconds(200)
  /// Whether such a line is on the terminal.
  private static let isShown = Locked(false)

  /// Begins to show; nil where there is nothing to show, or nobody to see it.
  ///
  /// - Parameters:
  ///   - count: How many samples there will be; nil where that is not known.
  ///   - time: How long it will take; nil where that is not known.
  ///   - isQuiet: Whether nobody wants it.
  init?(count: Int?, time: Duration?, isQuiet: Bool) {
    guard count != nil || time != nil, !isQuiet, StandardStream.error.isTerminal,
      !StandardStream.output.isTerminal, Style.isCapable
    else { return nil }
    (self.count, self.time) = (count, time)
  }

  /// Begins to show without looking at a terminal.
  init(count: Int?, time: Duration?) { (self.count, self.time) = (count, time) }

  /// The line.
  ///
  /// - Parameters:
  ///   - samples: How many there are.
  ///   - elapsed: How long it has taken.
  ///   - now: The present time.
  /// - Returns: Like `22 %: 45 of 200 samples`; nil where the line before is not old enough.
  mutating func text(_ samples: Int, _ elapsed: Duration, at now: Duration) -> String? {
    guard now >= next else { return nil }
    next = now + Self.period
    let parts = [count.map { Double(samples) / Double($0) }, time.map { elapsed / $0 }].compactMap { $0 }
    let percent = Int((min(max(parts.max() ?? 0, 0), 1) * 100).rounded(.down))
    let noun = (count ?? samples) == 1 ? "sample" : "samples"
    return "\(percent) %: \(samples)\(count.map { " of \($0)" } ?? "") \(noun)"
  }

  /// Shows the line, where it is due.
  mutating func show(_ samples: Int, _ elapsed: Duration) async {
    guard let text = text(samples, elapsed, at: Program.time.now) else { return }
    Self.isShown.withLock { $0 = true }
    try? await StandardStream.error.write("\r\u{1B}[K\(text)")
  }

  /// What takes the line back, in front of anything else; empty where there is none.
  static func takeBack() -> String {
    isShown.withLock { isShown in
      defer { isShown = false }
      return isShown ? "\r\u{1B}[K" : ""
    }
  }
}
