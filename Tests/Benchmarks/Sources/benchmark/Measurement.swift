// Times two that do the same by turns, and says what came out.

import Workloads

/// What a row's times were.
struct Measurement {
  /// The row of the table.
  let text: String

  /// Compares all values, then times both by turns.
  init(_ row: Comparison, isQuick: Bool) {
    if let difference = row.difference() {
      text = Row.line(row.work, "-", "-", "values differ: \(difference)", Self.wanted(row.wanted))
      return
    }
    let pairs = Self.times(
      of: [row.ours, row.twin], rounds: isQuick ? 7 : 31, least: .milliseconds(isQuick ? 4 : 20))
    let each = pairs.map { pair in pair.map { $0 / Double(row.count) } }
    let (ours, twin) = (each.map { $0[0] }.median, each.map { $0[1] }.median)
    let ratios = each.map { $0[0] / $0[1] }.sorted()
    let spread = "\(ratios[ratios.count / 4].short)-\(ratios[ratios.count * 3 / 4].short)"
    let isRight =
      switch row.wanted {
      case .times(let most): ours <= most * twin
      case .nanoseconds(let most): ours <= most
      }
    let name = row.twinName == "C" ? "" : " (\(row.twinName))"
    text = Row.line(
      row.work, "\(ours.short) ns a \(row.unit)", twin.short + " ns" + name,
      "\((ours / twin).short) (\(spread))", Self.wanted(row.wanted) + (isRight ? "" : ", **missed**"))
  }

  /// Nanoseconds of a call of each body, by turns; one that is shorter than `least` is called more often.
  private static func times(of bodies: [() -> Void], rounds: Int, least: Duration) -> [[Double]] {
    let clock = ContinuousClock()
    let counts = bodies.map { body in
      body()
      let time = clock.measure(body)
      return max(1, Int(least / time))
    }
    return (0..<rounds).map { _ in
      zip(bodies, counts).map { body, count in
        clock.measure { for _ in 0..<count { body() } } / .nanoseconds(1) / Double(count)
      }
    }
  }

  private static func wanted(_ wanted: Comparison.Wanted) -> String {
    switch wanted {
    case .times(let most): "at most \(most.short)"
    case .nanoseconds(let most): "at most \(most.short) ns"
    }
  }
}

/// A row of the table.
enum Row {
  /// Work, ours, the twin, the ratio, what is wanted.
  static func line(_ cells: String...) -> String { "| " + cells.joined(separator: " | ") + " |" }
}

extension Double {
  /// Three digits, or all of the whole number.
  var short: String {
    guard isFinite else { return "\(self)" }
    let decimals = self >= 100 ? 0 : (self >= 10 ? 1 : 2)
    let scale = decimals == 2 ? 100.0 : (decimals == 1 ? 10 : 1)
    let whole = Int((self * scale).rounded())
    guard decimals > 0 else { return "\(whole)" }
    let rest = String(whole % Int(scale))
    return "\(whole / Int(scale))." + String(repeating: "0", count: decimals - rest.count) + rest
  }
}

extension [Double] {
  /// The value in the middle; of an even count the upper one.
  var median: Double { isEmpty ? .nan : sorted()[count / 2] }
}
