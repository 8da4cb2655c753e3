// Measures two implementations of the same work alternately, and formats the result.

import Workloads

/// The measured times of a row.
struct Measurement {
  /// The row of the table.
  let text: String

  /// Compares all values, then measures both implementations alternately.
  init(_ row: Comparison, isQuick: Bool) {
    if let difference = row.difference() {
      text = Row.line(row.work, "-", "-", "values differ: \(difference)", "at most \(row.limit.short)")
      return
    }
    let pairs = Self.times(
      of: [row.ours, row.baseline], rounds: isQuick ? 7 : 31, minimum: .milliseconds(isQuick ? 4 : 20))
    let each = pairs.map { pair in pair.map { $0 / Double(row.count) } }
    let (ours, baseline) = (each.map { $0[0] }.median, each.map { $0[1] }.median)
    let ratios = each.map { $0[0] / $0[1] }.sorted()
    let spread = "\(ratios[ratios.count / 4].short)-\(ratios[ratios.count * 3 / 4].short)"
    let name = row.baselineName == "C" ? "" : " (\(row.baselineName))"
    text = Row.line(
      row.work, "\(ours.short) ns a \(row.unit)", baseline.short + " ns" + name,
      "\((ours / baseline).short) (\(spread))",
      "at most \(row.limit.short)" + (ours <= row.limit * baseline ? "" : ", **missed**"))
  }

  /// The nanoseconds per call of each body, measured alternately; bodies shorter than `minimum` are called repeatedly.
  private static func times(of bodies: [() -> Void], rounds: Int, minimum: Duration) -> [[Double]] {
    let clock = ContinuousClock()
    let counts = bodies.map { body in
      body()
      let time = clock.measure(body)
      return max(1, Int(minimum / time))
    }
    return (0..<rounds).map { _ in
      zip(bodies, counts).map { body, count in
        clock.measure { for _ in 0..<count { body() } } / .nanoseconds(1) / Double(count)
      }
    }
  }
}

/// A row of the table.
enum Row {
  /// Formats the cells: the work, the library's time, the baseline's time, the ratio and the limit.
  static func line(_ cells: String...) -> String { "| " + cells.joined(separator: " | ") + " |" }
}

extension Double {
  /// The number rounded to three digits; all integer digits are kept.
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
  /// The median; for an even count, the upper of the two middle values.
  var median: Double { isEmpty ? .nan : sorted()[count / 2] }
}
