// sphero stream: sensor samples as they come.

import SpheroProtocol
import SpheroSession

struct Stream: Subcommand {
  static let name = "stream"
  static let abstract = "Prints sensor samples as they come."
  static let examples = [
    "sphero stream --mask accel,imu,quat --divisor 20", "sphero stream --mask yaw --count 100 --format csv",
    "sphero stream --port sim: --mask all --divisor 4 --for 10s --format json",
  ]

  var connection = Connection()
  var mask: SensorMask = [.accel, .imu, .quat]
  var divisor: Whole<PositiveWord> = 20
  var frames: Whole<PositiveWord> = 1
  var packets: Whole<PositiveByte> = 200
  var count: Whole<Positive>?
  var time: Duration?
  var format = Format.text
  var isRaw = false

  mutating func options(_ line: inout some OptionVisitor) throws(UsageError) {
    try line.option("mask", "m", &mask, "What to stream, joined by commas.")
    try line.option("divisor", "d", &divisor, "A sample every divisor/400 s: 20 is 20 samples a second.")
    try line.option("frames", nil, &frames, "Samples in each packet; more need less air, but come later.")
    try line.option("packets", nil, &packets, "The finite count of one request, renewed in time.")
    try line.option("count", "n", &count, "End after this many samples.")
    try line.option("for", "t", &time, "End after this time.")
    try line.option("format", "f", &format, "How to print.")
    try line.flag("raw", nil, &isRaw, "Print the integers of the wire instead of values in units.")
    try connection.options(&line)
  }

  func run(_ terminal: Terminal) async throws {
    let request = StreamRequest(
      mask: mask, divisor: UInt16(divisor.value), frames: UInt16(frames.value), packets: UInt8(packets.value))
    // Half milliseconds show where the period has them.
    let digits = divisor.value % 2 == 0 ? 3 : 4
    var records = Records(format)
    var left = count?.value
    try await connection.withRobot(terminal) { robot in
      let samples = try await robot.samples(request)
      for try await sample in samples {
        if let time, sample.time >= time { break }
        let seconds = Cell(name: "time", unit: "s", value: .number(sample.time / .seconds(1), digits: digits))
        for line in records.lines([seconds] + cells(sample.sample)) { try terminal.print(line) }
        if let remaining = left {
          left = remaining - 1
          if remaining == 1 { break }
        }
      }
      if samples.dropped > 0 {
        terminal.note("\(samples.dropped) samples were lost: the output was read too slowly", connection)
      }
    }
  }

  private func cells(_ sample: Sample) -> [Cell] {
    sample.mask.fields.map { field in
      guard let word = sample.word(field), let value = sample[field] else {
        return Cell(name: field.name, value: .missing)
      }
      if isRaw { return Cell(name: field.name, value: .integer(Int(word))) }
      return Cell(
        name: field.name, unit: field.scale.unit.rawValue, value: .number(value, digits: field.decimals))
    }
  }
}
