// The columns of a stream: fields of the wire, Euler angles and motion, filtered as asked for.

import SpheroOrientation
import SpheroProtocol
import SpheroSession

/// Makes the values of a record from each sample of a stream.
struct StreamColumns {
  private let mask: SensorMask
  private let fields: [SensorField]
  private let hasEuler: Bool
  private let hasMotion: Bool
  private let isRaw: Bool
  private let timeDigits: Int
  private let filter: SignalFilter?
  /// By the place of the column.
  private var filters: [Int: SignalFilter] = [:]
  private var tracker: MotionTracker
  private var angles: PitchRollYaw?
  private var last: Duration?
  private var interval = 0.0
  private var values: [FieldValue] = []

  /// Decimals of a filtered value beyond those of the counts it was made of.
  private static let filterDigits = 2

  init(_ stream: Stream) {
    (mask, hasEuler, isRaw) = (stream.fields.mask, stream.isEuler, stream.isRaw)
    (fields, hasMotion) = (mask.fields, stream.fields.hasMotion)
    // Half milliseconds show where the period has them.
    timeDigits = stream.divisor.value % 2 == 0 ? 3 : 4
    let isFiltered = stream.lowPass != nil || stream.highPass != nil
    filter = isFiltered ? SignalFilter(lowPass: stream.lowPass, highPass: stream.highPass) : nil
    tracker = MotionTracker(by: stream.convention?.convention ?? .sphero)
  }

  /// What there is of each sample.
  var columns: [Column] {
    var columns = [Column("time", .seconds)]
    for field in fields { columns.append(Column(field.name, isRaw ? .one : field.scale.unit)) }
    if hasEuler { columns += ["pitch", "roll", "yaw"].map { Column("euler_\($0)", .degrees) } }
    guard hasMotion else { return columns }
    columns += ["w", "x", "y", "z"].map { Column("attitude_\($0)") }
    columns += Axis.allCases.map { Column("gravity_\($0)", .g) }
    columns += Axis.allCases.map { Column("user_acceleration_\($0)", .g) }
    columns += Axis.allCases.map { Column("rotation_rate_\($0)", .degreesPerSecond) }
    return columns
  }

  /// The values of the next sample, one for each column.
  mutating func values(_ timed: TimedSample) -> [FieldValue] {
    interval = last.map { (timed.time - $0) / .seconds(1) } ?? 0
    last = timed.time
    values.removeAll(keepingCapacity: true)
    values.append(.seconds(timed.time, digits: timeDigits))
    for field in fields { values.append(value(field, of: timed.sample)) }
    if hasEuler { addEuler(timed.sample) }
    if hasMotion { addMotion(timed) }
    return values
  }

  private mutating func value(_ field: SensorField, of sample: Sample) -> FieldValue {
    guard let word = sample.word(field) else { return .missing }
    if isRaw { return .count(word) }
    let scale = field.scale
    guard filter != nil, field.isFilterable else { return .integer(Int64(word), scale) }
    return filtered(scale.value(of: word), digits: scale.digits)
  }

  private mutating func addEuler(_ sample: Sample) {
    let convention = tracker.convention
    angles = sample.rotation(by: convention).map { convention.pitchRollYaw(of: $0, previous: angles) }
    for angle in [angles?.pitch, angles?.roll, angles?.yaw] {
      values.append(.decimal(angle?.degrees, digits: 2))
    }
  }

  private mutating func addMotion(_ timed: TimedSample) {
    let motion = tracker(timed)
    let attitude = motion?.attitude.quaternion.canonical
    for part in [attitude?.w, attitude?.x, attitude?.y, attitude?.z] {
      values.append(.decimal(part, digits: 4))
    }
    for axis in Axis.allCases { values.append(.decimal(motion?.gravity[axis], digits: 4)) }
    for axis in Axis.allCases { values.append(filtered(motion?.userAcceleration[axis], digits: 4)) }
    for axis in Axis.allCases {
      values.append(filtered(motion.map { Angle(radians: $0.rotationRate[axis]).degrees }, digits: 1))
    }
  }

  /// A number that passes the filter of its column, the next one, if there is a filter.
  private mutating func filtered(_ value: Double?, digits: Int) -> FieldValue {
    guard let filter, let value else { return .decimal(value, digits: digits) }
    let result = filters[values.count, default: filter](value, after: interval)
    return .decimal(result, digits: digits + Self.filterDigits)
  }
}
