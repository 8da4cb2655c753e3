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
    /// The filter of the sensor lanes.
    var filter = SignalFilter()
    /// The motion screen; nil if it is off.
    var screen: MotionScreen?
    /// The measurement of the offsets; nil if none is in progress.
    var rest: RestMeasurement?
    /// The offsets that are subtracted; nil for none.
    var calibration: RestCalibration? { didSet { screen?.restart(calibration: calibration) } }
    /// The balance game; nil if there is none.
    var game: BalanceGame?
    /// Whether the game has switched the stabilization off.
    var hasDisabledStabilization = false

    /// Discards the values that belong to the robot of the previous conversation.
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

  /// Discards the values and the offsets of the former robot.
  mutating func restartMeasurements() {
    measurements.restart()
    recording.setCalibration(nil, at: now)
  }

  // MARK: Samples

  /// Handles a sample.
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
    let word = try words.next("low, high or off")
    guard word != "off" else {
      try words.end {}
      measurements.filter = SignalFilter()
      return resetStream()
    }
    guard word == "low" || word == "high" else {
      throw PageError("'filter' is followed by low, high or off")
    }
    let stage: SignalFilter.Stage
    switch try words.next("factor or hertz") {
    case "factor":
      let number = try words.lastNumber(in: 0...1)
      guard number > 0, let factor = SmoothingFactor(number) else {
        throw PageError("a filter factor is above 0 and at most 1; a frequency is given in 'hertz'")
      }
      stage = word == "low" ? .lowPassFactor(factor) : .highPassFactor(factor)
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
      if measurements.screen == nil {
        measurements.screen = MotionScreen(unit: unit, calibration: measurements.calibration)
      }
      measurements.screen?.unit = unit
    }
  }

  // MARK: Offsets at rest

  /// Measures, sets or removes the offsets; in `command`, the whole line, a stored text follows `set`.
  mutating func calibrate(_ words: inout CommandParser, _ command: String) throws(PageError) {
    switch try words.next("start, cancel, clear or set") {
    case "start":
      try words.end {}
      guard connection.isOpen else {
        throw PageError("there is no robot that could be measured: connect one")
      }
      guard let rate = stream.rate else { throw PageError("the sensors are off: choose a rate first") }
      let rest = RestMeasurement(rate: rate, at: now)
      changeMeasurements { $0.rest = rest }
    case "cancel": try words.end { changeMeasurements { $0.rest = nil } }
    case "clear": try words.end { setCalibration(nil) }
    case "set":
      let text = command.split(separator: " ", maxSplits: 2).last ?? ""
      do throws(CalibrationError) { setCalibration(try RestCalibration(parsing: String(text))) } catch {
        throw PageError(error.message)
      }
    default: throw PageError("'calibrate' is followed by start, cancel, clear or set")
    }
  }

  /// Subtracts other offsets from all samples from now on.
  private mutating func setCalibration(_ calibration: RestCalibration?) {
    measurements.calibration = calibration
    _ = stream.columns.setCalibration(calibration)
    recording.setCalibration(calibration, at: now)
  }

  private mutating func measureRest(_ reading: InertialSample) {
    guard var rest = measurements.rest else { return }
    let result = rest.calibrator(reading)
    measurements.rest = rest
    guard let result else { return }
    changeMeasurements { $0.rest = nil }
    do throws(CalibrationError) { try result.validate() } catch {
      return reportError(error.message, error.advice)
    }
    setCalibration(result)
    events.append(
      "calibration",
      [Field("message", .text("the offsets are measured")), Field("offsets", .text(result.storedText))])
  }

  /// Ends a measurement that has taken too long, since the ball moves or sends no samples.
  mutating func expireRest() {
    guard let rest = measurements.rest, rest.deadline <= now else { return }
    changeMeasurements { $0.rest = nil }
    let error = CalibrationError.notAtRest(within: RestMeasurement.timeout)
    reportError(error.message, error.advice)
  }

  var calibrationView: FieldValue {
    .record([
      Field("progress", .decimal(measurements.rest?.calibrator.progress, digits: 2)),
      Field("is_at_rest", .flag(measurements.rest?.calibrator.detector.isAtRest ?? false)),
      Field("offsets", .text(measurements.calibration?.storedText)),
    ])
  }
}
