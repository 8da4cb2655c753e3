// The columns of samples by the options of the command line.

import SpheroMotion
import SpheroOrientation
import SpheroSession

extension StreamColumns {
  /// Prepares for the samples of a stream.
  ///
  /// - Parameters:
  ///   - stream: What to print, and how.
  ///   - robot: What names the robot, where there are several.
  init(_ stream: Stream, of robot: String? = nil) {
    var options = StreamColumnOptions(
      stream.fields, divisor: stream.rate.divisor, stream.printing, stream.clocks)
    options.robot = robot
    self.init(options)
  }

  /// Prepares for samples.
  ///
  /// - Parameters:
  ///   - fields: What to print.
  ///   - divisor: The rate, for the digits of times.
  ///   - printing: What to make of the values.
  ///   - clocks: Which other times to print.
  init(
    _ fields: StreamFields, divisor: Int, _ printing: SampleOptions, _ clocks: StreamClocks = StreamClocks()
  ) {
    self.init(StreamColumnOptions(fields, divisor: divisor, printing, clocks))
  }

  /// What to tell a person about a sample; each sentence comes once.
  mutating func remark(on sample: TimedSample) -> String? {
    guard lacksQuaternion(sample) else { return nil }
    return "the robot streams no quaternion (firmware before 1.20): '--euler' stays empty, "
      + "and the attitude of 'motion' is worked out from accelerometer and gyroscope"
  }
}

extension StreamColumnOptions {
  fileprivate init(
    _ fields: StreamFields, divisor: Int, _ printing: SampleOptions, _ clocks: StreamClocks
  ) {
    self.init(mask: fields.mask, divisor: divisor)
    self.clocks = clocks.clocks
    (hasMotion, isRaw, isEuler) = (fields.hasMotion, printing.isRaw, printing.isEuler)
    convention = printing.convention?.convention ?? .sphero
    filter = SignalFilter(
      lowPass: printing.lowPass?.timeConstant, highPass: printing.highPass?.timeConstant)
  }
}
