// The options and the text of events between the samples of a stream: packets that a robot sends unasked, and shakes.

import SpheroOrientation
import SpheroProtocol

struct EventOptions: Sendable {
  var isOn = false
  private var settings = ShakeDetector.Settings()

  mutating func options(_ line: inout Synopsis) throws(UsageError) {
    try line.flag(
      "events", nil, &isOn,
      "Also print collisions, shakes, battery and sleep warnings, between the samples.")
    try line.option(
      "shake-threshold", nil, &settings.threshold, as: .decimal(0.1...16, placeholder: "g"),
      "The acceleration in g that a shake exceeds in both directions.")
    try line.option(
      "shake-reversals", nil, &settings.reversals, as: .range(1...16),
      "How often the acceleration of a shake changes its direction.")
    var window = Duration.seconds(settings.window)
    try line.option("shake-window", nil, &window, "The time within which they occur, 100ms...10s.")
    settings.window = window / .seconds(1)
  }

  func validate(_ format: Format) throws(UsageError) {
    let defaults = ShakeDetector.Settings()
    let given = [
      ("--shake-threshold", settings.threshold != defaults.threshold),
      ("--shake-reversals", settings.reversals != defaults.reversals),
      ("--shake-window", settings.window != defaults.window),
    ]
    if !isOn, let option = given.first(where: { $0.1 })?.0 {
      throw UsageError("'\(option)' is for events, which are not printed: add '--events'")
    }
    guard (0.1...10).contains(settings.window) else {
      throw UsageError("'--shake-window' is 100 ms to 10 s")
    }
    if isOn, format == .csv {
      throw UsageError("'--events' have no columns; leave it out, or use '--format json'")
    }
  }

  /// The maximum divisor of the 400 Hz sample rate at which shakes are detected: 10 samples a second.
  private static let maximumDivisor = 40

  /// The fields that the detection of shakes adds to those of a stream.
  func additionalFields(of mask: SensorMask, divisor: Int) -> SensorMask {
    let hasAcceleration = mask.isSuperset(of: .accel) || mask.isSuperset(of: .accelRaw)
    return isOn && divisor <= Self.maximumDivisor && !hasAcceleration ? .accel : []
  }

  /// A remark if a stream is too slow for the detection of shakes; nil otherwise.
  func remark(divisor: Int) -> String? {
    guard isOn, divisor > Self.maximumDivisor else { return nil }
    return "shakes need 10 samples a second or more: sample with '--divisor \(Self.maximumDivisor)' or less"
  }

  /// A detector of shakes; nil if events are not printed.
  var shakeDetector: ShakeDetector? { isOn ? ShakeDetector(settings: settings) : nil }
}

extension Dissection {
  /// The line of an event; `time` is on the time scale of the samples, and `name` names one of several robots.
  func eventLine(at time: Duration?, of name: String? = nil, _ format: Format) -> String {
    var event = self
    event.time = time
    guard format == .json else { return (name.map { "\($0): " } ?? "") + event.description }
    let subject = name.map { [Field("robot", .text($0))] } ?? []
    let fields = subject + [Field("time", .seconds, .seconds(time))] + event.message
    return Sheet.text(fields, kind: event.kind.rawValue, .json)
  }
}

extension Shake {
  /// The values of the shake; the time is that of the sample that completes it.
  var fields: [Field] {
    [
      Field("time", .seconds, .decimal(timestamp, digits: 6)), Field("axis", .text("\(axis)")),
      Field("strength", .g, .decimal(strength, digits: 2)),
      Field("frequency", .hertz, .decimal(frequency, digits: 1)),
      Field("direction_x", .decimal(direction.x, digits: 2)),
      Field("direction_y", .decimal(direction.y, digits: 2)),
      Field("direction_z", .decimal(direction.z, digits: 2)),
    ]
  }

  /// The line of the shake, in the form of ``Dissection/eventLine(at:of:_:)``.
  func eventLine(of name: String? = nil, _ format: Format) -> String {
    guard format == .json else {
      let values = fields.dropFirst().map { "\($0.name)=\($0.value.printable)\($0.unit.symbol)" }
      var line = Array((name.map { "\($0): " } ?? "").utf8)
      Dissection.append(.seconds(timestamp), .robot, "shake", sequence: nil, to: &line)
      return String(decoding: line, as: UTF8.self) + values.joined(separator: " ")
    }
    let subject = name.map { [Field("robot", .text($0))] } ?? []
    return Sheet.text(subject + fields, kind: "shake", .json)
  }
}
