// How often samples are taken: as the divisor of the wire, or as a rate.

import SpheroProtocol
import SpheroSession

/// Samples a second, as they stand on the command line.
struct SampleRate: Argument {
  /// The rate that is asked for.
  let hertz: Double
  /// What the robot divides its 400 Hz by for the nearest rate that it can do.
  let divisor: Int

  init?(argument: String) {
    // What Double takes beyond that, like "nan" or "0x1p3", is not a rate.
    guard argument.allSatisfy({ "0123456789.".contains($0) }), let hertz = Double(argument),
      hertz >= Self.slowest, hertz <= Double(StreamRequest.sampleRate)
    else { return nil }
    (self.hertz, divisor) = (hertz, Int(StreamRequest(mask: .imu, hertz: hertz).divisor))
  }

  private static let slowest = 0.01
  var argumentText: String? { Frequency.text(hertz) }
  static var placeholder: String { "hz" }
  static var allowed: String? { "\(slowest)...\(StreamRequest.sampleRate)" }
}

/// The options that say how often samples are taken.
struct StreamRate: Sendable {
  private var stated: Whole<PositiveWord> = 20
  private var hertz: SampleRate?

  mutating func options(_ line: inout some OptionVisitor) throws(UsageError) {
    try line.option("divisor", "d", &stated, "A sample every divisor/400 s: 20 is 20 samples a second.")
    try line.option(
      "hz", nil, &hertz,
      "Samples a second instead, rounded to the nearest of 400, 200, 133.3, 100 and so on.")
    try line.conflict("divisor", "hz", "both say how often samples are taken")
  }

  /// What the robot divides its 400 Hz by.
  var divisor: Int { hertz?.divisor ?? stated.value }

  /// Which rate there is instead of the one that was asked for; nil where it is the same.
  var remark: String? {
    guard let hertz, hertz.hertz * Double(hertz.divisor) != Double(StreamRequest.sampleRate) else {
      return nil
    }
    let rate = Decimal.text(Double(StreamRequest.sampleRate) / Double(hertz.divisor), digits: 3)
    return "a robot samples at 400/n Hz: instead of \(Frequency.text(hertz.hertz)) Hz, "
      + "it takes \(rate) samples a second (divisor \(hertz.divisor))"
  }
}
