// The sensors of the page: the lanes with their filter, the motion screen, and offsets at rest.

import SpheroControls
import SpheroDrawing
import SpheroHost
import SpheroMotion
import SpheroOrientation
import SpheroProtocol

extension Page {
  /// What the page computes from the samples beside their fields.
  struct Measurements: Sendable {
    var filter: LaneFilter?
    /// The states of the filter, in the order of the filtered fields.
    var states: [LaneFilterState] = []
    var lastTime: Duration?
    var screen: MotionScreen?
    var rest: RestMeasurement?
    /// The offsets that are subtracted; nil for none.
    var calibration: RestCalibration? { didSet { screen?.restart() } }
    var game: BalanceGame?
    /// Whether the game has switched the stabilization off.
    var mustStabilize = false

    /// The fields that the measurements need beside the selected ones.
    var mask: SensorMask {
      var mask: SensorMask = []
      if screen != nil { mask.formUnion(MotionScreen.mask) }
      if rest != nil || game?.player == .robot { mask.formUnion(.motion) }
      return mask
    }
  }

  /// Changes the measurements, and the stream if they need other fields.
  mutating func changeMeasurements(_ change: (inout Measurements) -> Void) {
    let former = measurements.mask
    change(&measurements)
    if measurements.mask != former { subscribe() }
  }

  // MARK: Samples

  /// Handles a sample, and returns its values for the lanes.
  mutating func measure(_ sample: TimedSample) -> [FieldValue] {
    let reading = sample.sample.inertialSample(at: sample.time / .seconds(1), by: .sphero)
    if let reading { measureRest(reading) }
    let corrected = reading.map { measurements.calibration?($0) ?? $0 }
    measurements.screen?.append(sample.sample, corrected, attitude: sample.sample.rotation(by: .sphero))
    if let force = corrected?.acceleration {
      measurements.game?.handleRobot(gravity: -force, at: sample.time / .seconds(1))
    }
    return laneValues(of: sample)
  }

  /// The fields of the lanes that are filtered.
  var filteredFields: [SensorField] {
    measurements.filter == nil ? [] : shown.fields.filter { $0.isFilterable }
  }

  /// The values of the columns, without the offsets at rest, followed by those of the filtered fields.
  private mutating func laneValues(of sample: TimedSample) -> [FieldValue] {
    var values = columns.values(sample)
    if let calibration = measurements.calibration {
      // The first column is the time.
      for (index, field) in zip(1..., shown.fields) where index < values.count {
        guard let offset = Self.offset(of: field, calibration), let value = values[index].number else {
          continue
        }
        values[index] = .decimal(value - offset, digits: field.scale.digits + 1)
      }
    }
    guard measurements.filter != nil else { return values }
    let interval = measurements.lastTime.map { (sample.time - $0) / .seconds(1) } ?? 0
    measurements.lastTime = sample.time
    var state = 0
    for (index, field) in zip(1..., shown.fields) where field.isFilterable {
      defer { state += 1 }
      guard index < values.count, measurements.states.indices.contains(state),
        let value = values[index].number
      else {
        values.append(.missing)
        continue
      }
      values.append(
        .decimal(measurements.states[state](value, after: interval), digits: field.scale.digits + 2))
    }
    return values
  }

  /// The offset of a field in its own unit and on its own axis; nil for fields without one.
  private static func offset(of field: SensorField, _ calibration: RestCalibration) -> Double? {
    let convention = Convention.sphero
    let force = convention.accelerometer(ofSpecificForce: calibration.accelerationOffset)
    let rate = convention.gyroscope(ofRate: calibration.rotationRateOffset) * (180 / .pi)
    switch field {
    case .accelX: return force.x
    case .accelY: return force.y
    case .accelZ: return force.z
    case .gyroX: return rate.x
    case .gyroY: return rate.y
    case .gyroZ: return rate.z
    default: return nil
    }
  }

  // MARK: Filter

  mutating func selectFilter(_ words: inout CommandParser) throws(PageError) {
    let word = try words.next("low, high or off")
    guard word != "off" else {
      try words.end {}
      measurements.filter = nil
      return resetStream()
    }
    guard let pass = LaneFilter.Pass(rawValue: word) else {
      throw PageError("'filter' is followed by low, high or off")
    }
    switch try words.next("factor or hertz") {
    case "factor":
      let number = try words.lastNumber(in: 0...1)
      guard number > 0, let factor = SmoothingFactor(number) else {
        throw PageError("a filter factor is above 0 and at most 1; a frequency is given in 'hertz'")
      }
      measurements.filter = .factor(pass, factor)
    case "hertz":
      let number = try words.lastNumber(in: 0...200)
      guard let time = TimeConstant(cutoff: number) else {
        throw PageError("a frequency is above 0 Hz")
      }
      measurements.filter = .cutoff(pass, time)
    default: throw PageError("the filter is followed by factor or hertz, and a number")
    }
    resetStream()
  }

  // MARK: Motion screen

  mutating func selectMotion(_ words: inout CommandParser) throws(PageError) {
    let word = try words.next("degrees, radians or off")
    try words.end {}
    let unit = MotionScreen.Unit(rawValue: word)
    guard unit != nil || word == "off" else {
      throw PageError("'motion' is followed by degrees, radians or off")
    }
    changeMeasurements { measurements in
      guard let unit else {
        measurements.screen = nil
        return
      }
      if measurements.screen == nil { measurements.screen = MotionScreen(unit: unit) }
      measurements.screen?.unit = unit
    }
  }

  // MARK: Offsets at rest

  mutating func calibrate(_ words: inout CommandParser) throws(PageError) {
    switch try words.next("start, cancel, clear or set") {
    case "start":
      try words.end {}
      guard link == .open else { throw PageError("there is no robot that could be measured: connect one") }
      guard let request else { throw PageError("the sensors are off: choose a rate first") }
      let rate = Double(StreamRequest.sampleRate) / Double(request.divisor)
      let rest = RestMeasurement(rate: rate, at: now)
      changeMeasurements { $0.rest = rest }
    case "cancel": try words.end { changeMeasurements { $0.rest = nil } }
    case "clear": try words.end { measurements.calibration = nil }
    case "set":
      let (rate, force) = (try words.vector(in: -10...10), try words.vector(in: -2...2))
      let count = Int(try words.lastNumber(in: 1...1e9))
      measurements.calibration = RestCalibration(
        meanRotationRate: rate, meanAcceleration: Vector3(0, 0, 1), sampleCount: count)
      measurements.calibration?.accelerationOffset = force
    default: throw PageError("'calibrate' is followed by start, cancel, clear or set")
    }
  }

  private mutating func measureRest(_ reading: InertialSample) {
    guard var rest = measurements.rest else { return }
    let result = rest.calibrator(reading)
    measurements.rest = rest
    if let result {
      changeMeasurements { ($0.rest, $0.calibration) = (nil, result) }
      let offsets = Self.view(of: result)
      events.append(
        "calibration", [Field("message", .text("the offsets are measured")), Field("offsets", offsets)])
    }
  }

  /// Ends a measurement that has taken too long, since the ball moves or sends no samples.
  mutating func expireRest() {
    guard let rest = measurements.rest, now - rest.start > RestMeasurement.timeout else { return }
    changeMeasurements { $0.rest = nil }
    events.append(
      "error",
      [
        Field("message", .text("the ball was not at rest, so its offsets are not measured")),
        Field("advice", .text("Lay it still on a firm surface, and measure again.")),
        Field("weight", .text("warning")),
      ])
  }

  /// A calibration in the form that Docs/Storing.md describes.
  private static func view(of calibration: RestCalibration) -> FieldValue {
    func vector(_ vector: Vector3) -> FieldValue {
      .record([
        Field("x", .decimal(vector.x, digits: 9)), Field("y", .decimal(vector.y, digits: 9)),
        Field("z", .decimal(vector.z, digits: 9)),
      ])
    }
    return .record([
      Field("rotationRateOffset", vector(calibration.rotationRateOffset)),
      Field("accelerationOffset", vector(calibration.accelerationOffset)),
      Field("sampleCount", .count(calibration.sampleCount)),
    ])
  }

  var calibrationView: FieldValue {
    .record([
      Field("progress", .decimal(measurements.rest?.calibrator.progress, digits: 2)),
      Field("is_at_rest", .flag(measurements.rest?.calibrator.detector.isAtRest ?? false)),
      Field("offsets", measurements.calibration.map { Self.view(of: $0) } ?? .missing),
    ])
  }
}
