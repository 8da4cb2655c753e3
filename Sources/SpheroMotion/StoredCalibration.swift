// The stored text of a calibration at rest, and its offsets in the fields and axes of a stream.

public import SpheroOrientation
package import SpheroProtocol

/// An error of a calibration at rest: of its measurement, or of its stored text.
@nonexhaustive public enum CalibrationError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The robot was not at rest for long enough within the time limit.
  case notAtRest(within: Duration)
  /// The robot sent no readings of accelerometer and gyroscope within the time limit.
  case noReadings
  /// The stored text is not JSON; line and column count from 1, the column in bytes.
  case malformed(line: Int, column: Int, expected: String)
  /// The stored text is JSON, but a number of a calibration is missing.
  case missing(String)
  /// An offset is not finite, or larger than that of any sensor, in rad/s or g.
  case outOfRange(String, Double, limit: Double)
  /// The number of readings is not a positive integer.
  case invalidCount(Double)

  public var description: String { "\(message). \(advice)" }

  public var message: String {
    switch self {
    case .notAtRest(let limit): "the ball did not lie still within \(limit.text(digits: 0)) s"
    case .noReadings: "the robot sends no readings of accelerometer and gyroscope"
    case .malformed(let line, let column, let expected):
      "line \(line), column \(column): JSON has \(expected) here"
    case .missing(let name): "this is not a calibration: it has no number '\(name)'"
    case .outOfRange(let name, let value, let limit):
      "'\(name)' is \(value.numeral), but no sensor has an offset beyond \(limit.numeral)"
    case .invalidCount(let count): "'sampleCount' is \(count.numeral), but a whole number from 1 is needed"
    }
  }

  public var advice: String {
    switch self {
    case .notAtRest: "Lay it on a firm surface, and let it lie still until the measurement ends."
    case .noReadings: "Move closer to the robot, wake it, and try again."
    case .outOfRange: "Measure again with the ball at rest; if the offset stays, the sensor is faulty."
    case .malformed, .missing, .invalidCount: "Measure the offsets with 'sphero survey --offsets FILE'."
    }
  }
}

extension RestCalibration {
  /// The largest offset of a gyroscope about an axis in rad/s, 20 deg/s: the bound of `RateBiasEstimator`.
  private static let maximumRateOffset = 20 * Double.pi / 180
  /// The largest offset of an accelerometer along an axis in g.
  private static let maximumForceOffset = 0.5

  private static let rateKey = "rotationRateOffset"
  private static let forceKey = "accelerationOffset"
  private static let countKey = "sampleCount"

  /// The calibration as JSON on one line, in the form of its `Codable` conformance; nil if an offset is not finite.
  public var storedText: String? {
    guard rotationRateOffset.isFinite, accelerationOffset.isFinite else { return nil }
    func text(_ vector: Vector3) -> String {
      #"{"x": \#(vector.x), "y": \#(vector.y), "z": \#(vector.z)}"#
    }
    return
      #"{"\#(Self.rateKey)": \#(text(rotationRateOffset)), "\#(Self.forceKey)": \#(text(accelerationOffset)), "#
      + #""\#(Self.countKey)": \#(sampleCount)}"#
  }

  /// Parses the stored text; members with other names are ignored.
  ///
  /// - Throws: ``CalibrationError``.
  public init(parsing text: String) throws(CalibrationError) {
    let numbers: [[String]: Double]
    do throws(JSONError) { numbers = try JSONParser.numbers(in: text) } catch {
      throw .malformed(line: error.line, column: error.column, expected: error.expected)
    }
    func number(_ path: String...) throws(CalibrationError) -> Double {
      guard let number = numbers[path] else { throw .missing(path.joined(separator: ".")) }
      return number
    }
    func vector(_ key: String) throws(CalibrationError) -> Vector3 {
      Vector3(try number(key, "x"), try number(key, "y"), try number(key, "z"))
    }
    let (rate, force) = (try vector(Self.rateKey), try vector(Self.forceKey))
    let count = try number(Self.countKey)
    guard let readings = Int(exactly: count), readings >= 1 else { throw .invalidCount(count) }
    self.init(rotationRateOffset: rate, accelerationOffset: force, sampleCount: readings)
    try validate()
  }

  /// Throws ``CalibrationError/outOfRange(_:_:limit:)`` for an offset that is larger than that of any sensor.
  package func validate() throws(CalibrationError) {
    for (key, offset, limit) in [
      (Self.rateKey, rotationRateOffset, Self.maximumRateOffset),
      (Self.forceKey, accelerationOffset, Self.maximumForceOffset),
    ] {
      for axis in Axis.allCases where !(abs(offset[axis]) <= limit) {
        throw .outOfRange("\(key).\(axis)", offset[axis], limit: limit)
      }
    }
  }

  /// The offset of a field in its unit, on the axis of its sensor; nil for fields without one, such as raw readings.
  package func offset(of field: SensorField) -> Double? {
    let force = Convention.sphero.accelerometer(ofSpecificForce: accelerationOffset)
    let rate = Convention.sphero.gyroscope(ofRate: rotationRateOffset) * (180 / .pi)
    return switch field {
    case .accelX: force.x
    case .accelY: force.y
    case .accelZ: force.z
    case .gyroX: rate.x
    case .gyroY: rate.y
    case .gyroZ: rate.z
    default: nil
    }
  }

  /// The calibration on the axes right, ahead, up, as another convention converts the same readings to them.
  package func converted(to convention: Convention) -> RestCalibration {
    guard convention != .sphero else { return self }
    let force = Convention.sphero.accelerometer(ofSpecificForce: accelerationOffset)
    let rate = Convention.sphero.gyroscope(ofRate: rotationRateOffset)
    return RestCalibration(
      rotationRateOffset: convention.rate(ofGyroscope: rate),
      accelerationOffset: convention.specificForce(ofAccelerometer: force), sampleCount: sampleCount)
  }
}
