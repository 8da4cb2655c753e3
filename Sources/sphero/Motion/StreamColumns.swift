// The columns of a stream: fields of the wire, Euler angles and motion, filtered as asked for.

import SpheroOrientation
import SpheroProtocol
import SpheroSession

/// Makes the cells of a record from each sample of a stream.
struct StreamColumns {
  private let fields: StreamFields
  private let hasEuler: Bool
  private let isRaw: Bool
  private let timeDigits: Int
  private let filter: SignalFilter?
  private var filters: [String: SignalFilter] = [:]
  private var tracker: MotionTracker
  private var angles: PitchRollYaw?
  private var last: Duration?
  private var interval = 0.0

  /// Decimals of a filtered value beyond those of the counts it was made of.
  private static let filterDigits = 2

  init(_ stream: Stream) {
    (fields, hasEuler, isRaw) = (stream.fields, stream.isEuler, stream.isRaw)
    // Half milliseconds show where the period has them.
    timeDigits = stream.divisor.value % 2 == 0 ? 3 : 4
    let isFiltered = stream.lowPass != nil || stream.highPass != nil
    filter = isFiltered ? SignalFilter(lowPass: stream.lowPass, highPass: stream.highPass) : nil
    tracker = MotionTracker(by: stream.convention?.convention ?? .sphero)
  }

  /// The cells of the next sample.
  mutating func cells(_ timed: TimedSample) -> [Cell] {
    interval = last.map { (timed.time - $0) / .seconds(1) } ?? 0
    last = timed.time
    var cells = [
      Cell(name: "time", unit: "s", value: .number(timed.time / .seconds(1), digits: timeDigits))
    ]
    for field in fields.mask.fields { cells.append(cell(field, of: timed.sample)) }
    if hasEuler { cells += euler(timed.sample) }
    if fields.hasMotion { cells += motion(timed) }
    return cells
  }

  private mutating func cell(_ field: SensorField, of sample: Sample) -> Cell {
    guard !isRaw else {
      return Cell(name: field.name, value: sample.word(field).map { .integer(Int($0)) } ?? .missing)
    }
    let (unit, digits) = (field.scale.unit.rawValue, field.decimals)
    return field.isFilterable
      ? filtered(field.name, unit, sample[field], digits: digits)
      : number(field.name, unit, sample[field], digits: digits)
  }

  private mutating func euler(_ sample: Sample) -> [Cell] {
    let convention = tracker.convention
    angles = sample.rotation(by: convention).map { convention.pitchRollYaw(of: $0, previous: angles) }
    return [("pitch", angles?.pitch), ("roll", angles?.roll), ("yaw", angles?.yaw)].map { name, angle in
      number("euler_\(name)", "deg", angle?.degrees, digits: 2)
    }
  }

  private mutating func motion(_ timed: TimedSample) -> [Cell] {
    let motion = tracker(timed)
    let attitude = motion?.attitude.quaternion.canonical
    let parts = [("w", attitude?.w), ("x", attitude?.x), ("y", attitude?.y), ("z", attitude?.z)]
    var cells = parts.map { number("attitude_\($0)", "", $1, digits: 4) }
    for axis in Axis.allCases {
      cells.append(number("gravity_\(axis)", "g", motion?.gravity[axis], digits: 4))
    }
    for axis in Axis.allCases {
      cells.append(filtered("user_acceleration_\(axis)", "g", motion?.userAcceleration[axis], digits: 4))
    }
    for axis in Axis.allCases {
      let rate = motion.map { Angle(radians: $0.rotationRate[axis]).degrees }
      cells.append(
        filtered("rotation_rate_\(axis)", SensorField.Unit.degreesPerSecond.rawValue, rate, digits: 1))
    }
    return cells
  }

  private func number(_ name: String, _ unit: String, _ value: Double?, digits: Int) -> Cell {
    Cell(name: name, unit: unit, value: value.map { .number($0, digits: digits) } ?? .missing)
  }

  /// A number that passes the filter of its column, if there is one.
  private mutating func filtered(_ name: String, _ unit: String, _ value: Double?, digits: Int) -> Cell {
    guard let filter, let value else { return number(name, unit, value, digits: digits) }
    let result = filters[name, default: filter](value, after: interval)
    return number(name, unit, result, digits: digits + Self.filterDigits)
  }
}
