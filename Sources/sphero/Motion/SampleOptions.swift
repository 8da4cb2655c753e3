// How samples are printed beside their fields: the same options for a live stream and a recorded one.

import SpheroMotion
import SpheroProtocol

/// What is made of the samples of a stream before they are printed.
struct SampleOptions: Sendable {
  var isRaw = false
  var isEuler = false
  var convention: ConventionName?
  var lowPass: Frequency?
  var highPass: Frequency?

  mutating func options(_ line: inout some OptionVisitor) throws(UsageError) {
    try line.flag("raw", nil, &isRaw, "Print the integers of the wire instead of values in units.")
    try line.flag(
      "euler", nil, &isEuler, "Also print pitch, roll and yaw of the quaternion, to 0.01 degrees.")
    try line.option(
      "convention", nil, &convention,
      "What quaternion and sensors mean, sphero by default, for '--euler' and motion; 'sphero calibrate --conventions' finds it."
    )
    try line.option(
      "low-pass", nil, &lowPass,
      "Low-pass filter for all but angles and attitudes; the -3 dB cut-off frequency in Hz.")
    try line.option(
      "high-pass", nil, &highPass, "High-pass filter for the same values; the -3 dB cut-off frequency in Hz.")
  }

  /// The first option that is used, as it is written.
  var used: String? {
    if isRaw { return "--raw" }
    if isEuler { return "--euler" }
    if convention != nil { return "--convention" }
    if lowPass != nil { return "--low-pass" }
    return highPass == nil ? nil : "--high-pass"
  }

  /// Makes sure that the options make sense together.
  ///
  /// - Parameters:
  ///   - fields: What is printed; nil where it is not known yet.
  ///   - divisor: The rate; nil where it is not known yet.
  /// - Throws: ``UsageError`` with the option that is wrong.
  func validate(_ fields: StreamFields?, divisor: Int?) throws(UsageError) {
    let hasMotion = fields?.hasMotion ?? false
    if convention != nil, !isEuler, !hasMotion {
      throw UsageError("'--convention' has nothing to read: add '--euler' or '--mask motion'")
    }
    if isRaw {
      if hasMotion { throw UsageError("'--raw' prints what is on the wire; 'motion' is not") }
      if isEuler { throw UsageError("'--raw' prints what is on the wire; Euler angles are not") }
    }
    for (name, cutoff) in [("--low-pass", lowPass), ("--high-pass", highPass)] {
      guard let cutoff else { continue }
      if isRaw { throw UsageError("'--raw' prints what is on the wire; leave out '\(name)'") }
      if let limit = divisor.map({ 200 / Double($0) }), cutoff.hertz > limit {
        throw UsageError(
          "'\(name)' is above half the sample rate, which is \(Frequency.text(limit)) Hz; "
            + "lower it, or sample faster with a smaller '--divisor'")
      }
      if let fields, !hasMotion, !fields.mask.fields.contains(where: \.isFilterable) {
        throw UsageError(
          "'\(name)' has nothing to filter: angles and quaternions are left alone; "
            + "try '--mask accel,gyro' or '--mask motion'")
      }
    }
    if let lowPass, let highPass, highPass >= lowPass {
      throw UsageError("'--high-pass' must be below '--low-pass': between them is what is left")
    }
  }
}
