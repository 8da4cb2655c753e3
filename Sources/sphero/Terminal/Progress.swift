// The progress line of a stream on the terminal.

import SpheroProcess
import SpheroSystem
import SpheroTransport

/// A progress line that overwrites itself.
struct Progress: Sendable {
  private let count: Int?
  private let time: Duration?
  private var next = Duration.zero

  private static let period = Duration.milliseconds(200)
  /// Whether the line is on the terminal.
  private static let isShown = Locked(false)

  /// Nil if the stream has no end, or if stderr is no terminal or also displays the samples.
  init?(count: Int?, time: Duration?, isQuiet: Bool) {
    guard count != nil || time != nil, !isQuiet, StandardStream.error.isTerminal,
      !StandardStream.output.isTerminal, Style.isCapable
    else { return nil }
    (self.count, self.time) = (count, time)
  }

  /// - Parameters:
  ///   - count: The number of samples at the end; nil if unknown.
  ///   - time: The time at the end; nil if unknown.
  init(count: Int?, time: Duration?) { (self.count, self.time) = (count, time) }

  /// Returns a line like `22 %: 45 of 200 samples`; nil before the next period.
  mutating func text(_ samples: Int, _ elapsed: Duration, at now: Duration) -> String? {
    guard now >= next else { return nil }
    next = now + Self.period
    let parts = [count.map { Double(samples) / Double($0) }, time.map { elapsed / $0 }].compactMap { $0 }
    let percent = Int((min(max(parts.max() ?? 0, 0), 1) * 100).rounded(.down))
    let noun = (count ?? samples) == 1 ? "sample" : "samples"
    return "\(percent) %: \(samples)\(count.map { " of \($0)" } ?? "") \(noun)"
  }

  /// Prints the line once a period.
  mutating func show(_ samples: Int, _ elapsed: Duration) async {
    guard let text = text(samples, elapsed, at: Program.time.now) else { return }
    Self.isShown.withLock { $0 = true }
    try? await StandardStream.error.write("\r\u{1B}[K\(text)")
  }

  /// Returns the escape sequence that removes the line; empty if there is none.
  static func takeBack() -> String {
    isShown.withLock { isShown in
      defer { isShown = false }
      return isShown ? "\r\u{1B}[K" : ""
    }
  }
}
