// A cut-off frequency, as it stands on the command line.

import SpheroOrientation

/// A cut-off frequency in Hz.
struct Frequency: Argument, Comparable {
  /// The frequency in Hz, positive and finite.
  let hertz: Double
  /// The time constant of the first-order filter with this cut-off.
  let timeConstant: TimeConstant

  init?(argument: String) {
    // What Double takes beyond that, like "nan" or "0x1p3", is not a frequency.
    guard argument.allSatisfy({ "0123456789.".contains($0) }), let hertz = Double(argument), hertz.isFinite,
      let timeConstant = TimeConstant(cutoff: hertz)
    else { return nil }
    (self.hertz, self.timeConstant) = (hertz, timeConstant)
  }

  /// A number of Hz without needless decimals.
  static func text(_ hertz: Double) -> String {
    let text = "\(hertz)"
    return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
  }

  var argumentText: String? { Self.text(hertz) }
  static var placeholder: String { "hz" }
  static var allowed: String? { "a frequency above 0, at most half the sample rate" }
  static func < (a: Frequency, b: Frequency) -> Bool { a.hertz < b.hertz }
}
