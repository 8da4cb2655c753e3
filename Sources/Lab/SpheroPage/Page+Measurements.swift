// The sensors of the page: the lanes with their filter, the motion screen, and offsets at rest.

import SpheroControls
import SpheroDrawing
import SpheroHost
import SpheroMotion
import SpheroOrientation
import SpheroProtocol

extension Page {
  /// The values that the page computes from samples.
  struct Measurements: Sendable {
    var filter = SignalFilter()
    var screen: MotionScreen?
    /// The measurement of the offsets, and when it ends without a result; nil if none is in progress.
    var rest: (calibrator: RestCalibrator, deadline: Duration)?
    /// The offsets that are subtracted; nil for none.
    var calibration: RestCalibration? {
      didSet { screen = screen.map { MotionScreen(unit: $0.unit, calibration: calibration) } }
    }
    var game: BalanceGame?
    /// Whether the game has switched the stabilization off.
    var hasDisabledStabilization = false

    mutating func restart() { (rest, calibration, game, hasDisabledStabilization) = (nil, nil, nil, false) }

    /// The fields that the measurements need in addition to the selected ones.
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

  mutating func restartMeasurements() {
    measurements.restart()
    recording.setCalibration(nil, at: now)
  }

  // MARK: Samples

  mutating func measure(_ sample: TimedSample) {
    measurements.screen?.append(sample)
    guard let reading = sample.sample.inertialSample(at: sample.time / .seconds(1), by: .sphero) else {
      return
    }
    measureRest(reading)
    let corrected = measurements.calibration?(reading) ?? reading
    measurements.game?.handleRobot(gravity: -corrected.acceleration, at: sample.time / .seconds(1))
  }

  // MARK: Filter

  mutating func selectFilter(_ words: inout CommandParser) throws(PageError) {
    let word = try words.next(of: ["low", "high", "off"])
    guard word != "off" else {
      try words.end {}
      measurements.filter = SignalFilter()
      return resetStream()
    }
    let stage: SignalFilter.Stage
    switch try words.next("factor or hertz") {
    case "factor":
      let number = try words.lastNumber(in: 0...1)
      guard number > 0, let factor = SmoothingFactor(number) else {
        throw PageError("a filter factor is above 0 and at most 1; a frequency is given in 'hertz'")
      }
      stage = word == "low" ? .low(LowPassFilter(factor: factor)) : .high(HighPassFilter(factor: factor))
    case "hertz":
      let number = try words.lastNumber(in: 0...200)
      guard let time = TimeConstant(cutoff: number) else {
        throw PageError("a frequency is above 0 Hz")
      }
      stage = word == "low" ? .lowPass(time) : .highPass(time)
    default: throw PageError("the filter is followed by factor or hertz, and a number")
    }
    measurements.filter = word == "low" ? SignalFilter(low: stage) : SignalFilter(high: stage)
    resetStream()
  }

  // MARK: Motion screen

  mutating func selectMotion(_ words: inout CommandParser) throws(PageError) {
    let unit = MotionScreen.Unit(rawValue: try words.next(of: ["degrees", "radians", "off"]))
    try words.end {}
    changeMeasurements { measurements in
      guard let unit else {
        measurements.screen = nil
        return
      }
      if measurements.screen == nil {
        measurements.screen = MotionScreen(unit: unit, calibration: measurements.calibration)
      }
      measurements.screen?.unit = unit
    }
  }

  // MARK: Offsets at rest

  private static let restTimeout = Duration.seconds(15)

  /// Measures, sets or removes the offsets; in `command`, the whole line, a stored text follows `set`.
  mutating func calibrate(_ words: inout CommandParser, _ command: String) throws(PageError) {
    switch try words.next(of: ["start", "cancel", "clear", "set"]) {
    case "start":
      try words.end {}
      guard connection.isOpen else {
        throw PageError("there is no robot that could be measured: connect one")
      }
      // A gap of more than a second restarts the detection of rest, and the clock of a robot may be slow.
      guard let rate = stream.rate, rate >= 1.25 else {
        throw PageError("the sensors are off or slower than 1.25 Hz: choose a higher rate first")
      }
      // The readings of two seconds of rest: at least 10 at a low rate, at most those at 400 Hz.
      let count = Int(min(max(rate * 2, 10), 800))
      let deadline = now + Self.restTimeout
      changeMeasurements {
        $0.rest = (RestCalibrator(sampleCount: count, limits: .offsetMeasurement), deadline)
      }
    case "cancel": try words.end { changeMeasurements { $0.rest = nil } }
    case "clear": try words.end { setCalibration(nil) }
    default:
      let text = command.split(separator: " ", maxSplits: 2).last ?? ""
      do throws(CalibrationError) { setCalibration(try RestCalibration(parsing: String(text))) } catch {
        throw PageError(error.message)
      }
    }
  }

  private mutating func setCalibration(_ calibration: RestCalibration?) {
    measurements.calibration = calibration
    _ = stream.columns.setCalibration(calibration)
    recording.setCalibration(calibration, at: now)
  }

  private mutating func measureRest(_ reading: InertialSample) {
    guard let result = measurements.rest?.calibrator(reading) else { return }
    changeMeasurements { $0.rest = nil }
    do throws(CalibrationError) { try result.validate() } catch {
      return reportError(error.message, error.advice)
    }
    setCalibration(result)
    events.append([
      "kind": "calibration", "message": "the offsets are measured", "offsets": .text(result.storedText),
    ])
  }

  /// Ends a measurement that has taken too long, since the ball moves or sends no samples.
  mutating func expireRest() {
    guard let rest = measurements.rest, rest.deadline <= now else { return }
    changeMeasurements { $0.rest = nil }
    let error = CalibrationError.notAtRest(within: Self.restTimeout)
    reportError(error.message, error.advice)
  }

  var calibrationView: FieldValue {
    [
      "progress": .decimal(measurements.rest?.calibrator.progress, digits: 2),
      "is_at_rest": .flag(measurements.rest?.calibrator.detector.isAtRest ?? false),
      "offsets": .text(measurements.calibration?.storedText),
    ]
  }
}

struct MotionScreen: Sendable {
  enum Unit: String, Sendable {
    case degrees, radians
  }

  var unit: Unit
  private var tracker: MotionTracker
  /// The unfiltered readings on the axes of the sensors, in g and rad/s; nil if they are not streamed.
  private(set) var accelerometer: Vector3?
  private(set) var gyroscope: Vector3?
  private(set) var motion: DeviceMotion?

  static let mask = SensorMask.motion.union([.accelRaw, .gyroRaw])

  /// Creates a screen; the offsets of `calibration` are subtracted from the readings of the motion, nil for none.
  init(unit: Unit, calibration: RestCalibration?) {
    (self.unit, tracker) = (unit, MotionTracker(calibration: calibration))
  }

  mutating func append(_ sample: TimedSample) {
    (accelerometer, gyroscope) = (sample.sample.unfilteredAccelerometer, sample.sample.unfilteredGyroscope)
    motion = tracker(sample) ?? motion
  }

  /// The groups of bars, each with its name, unit, limit of a bar, decimals, and the names and values of the bars.
  var view: FieldValue {
    let isDegrees = unit == .degrees
    let turn = isDegrees ? 180 / Double.pi : 1
    func group(
      _ name: String, _ unit: String, limit: Double, _ value: Vector3?, digits: Int,
      names: [String] = ["x", "y", "z"]
    ) -> FieldValue {
      let values: [FieldValue] = Axis.allCases.map { .decimal(value?[$0], digits: digits) }
      return [
        "name": .text(name), "unit": .text(unit), "limit": .decimal(limit, digits: 4),
        "digits": .count(digits), "names": .list(names.map { .text($0) }), "values": .list(values),
      ]
    }
    let angles = motion.map { Convention.sphero.pitchRollYaw(of: $0.attitude) }
    let attitude = angles.map { Vector3($0.pitch.radians, $0.roll.radians, $0.yaw.radians) * turn }
    let digits = isDegrees ? 1 : 3
    let rateUnit = isDegrees ? "°/s" : "rad/s"
    // Half a turn per second.
    let rateLimit = Double.pi * turn
    return .list([
      group("Raw accelerometer", "g", limit: 2, accelerometer, digits: 3),
      group("Raw gyroscope", rateUnit, limit: rateLimit, gyroscope.map { $0 * turn }, digits: digits),
      group(
        "Attitude", isDegrees ? "°" : "rad", limit: Double.pi * turn, attitude, digits: digits,
        names: ["pitch", "roll", "yaw"]),
      group("Gravity", "g", limit: 1, motion?.gravity, digits: 3),
      group("User acceleration", "g", limit: 2, motion?.userAcceleration, digits: 3),
      group(
        "Rotation rate", rateUnit, limit: rateLimit, motion.map { $0.rotationRate * turn }, digits: digits),
    ])
  }
}
