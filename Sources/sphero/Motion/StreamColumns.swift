// The columns of a stream: fields of the wire, Euler angles and motion, filtered as asked for.

import SpheroOrientation
import SpheroProtocol
import SpheroSession

/// Makes the values of a record from each sample of a stream.
struct StreamColumns {
  private let mask: SensorMask
  private let fields: [SensorField]
  /// Where the fields stand in samples of a mask: their place, scale, and whether they are filtered.
  private var places: [(place: Int?, scale: Quantity, isFiltered: Bool)] = []
  private var placedMask: SensorMask?
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
  private var mustSpeakOfQuaternion: Bool

  /// What names the robot, where there are several.
  private var robot: String?
  private var clocks: [StreamClocks.Clock] = []

  /// Decimals of a filtered value beyond those of the counts it was made of.
  private static let filterDigits = 2

  /// Prepares for the samples of a stream.
  ///
  /// - Parameters:
  ///   - stream: What to print, and how.
  ///   - robot: What names the robot, where there are several.
  init(_ stream: Stream, of robot: String? = nil) {
    self.init(stream.fields, divisor: stream.rate.divisor, stream.printing)
    (self.robot, clocks) = (robot, stream.clocks.clocks)
  }

  /// Prepares for samples.
  ///
  /// - Parameters:
  ///   - chosen: What to print.
  ///   - divisor: The rate, for the digits of times.
  ///   - options: What to make of the values.
  init(_ chosen: StreamFields, divisor: Int, _ options: SampleOptions) {
    (mask, hasEuler, isRaw) = (chosen.mask, options.isEuler, options.isRaw)
    (fields, hasMotion) = (mask.fields, chosen.hasMotion)
    // Half milliseconds show where the period has them.
    timeDigits = divisor % 2 == 0 ? 3 : 4
    let isFiltered = options.lowPass != nil || options.highPass != nil
    filter = isFiltered ? SignalFilter(lowPass: options.lowPass, highPass: options.highPass) : nil
    tracker = MotionTracker(by: options.convention?.convention ?? .sphero)
    mustSpeakOfQuaternion = hasEuler || hasMotion
  }

  /// Begins anew with the next sample, which is that of another recording.
  mutating func restart() {
    (filters, angles, last) = ([:], nil, nil)
    tracker.reset()
  }

  /// What to tell a person about a sample; each sentence comes once.
  mutating func remark(on timed: TimedSample) -> String? {
    guard mustSpeakOfQuaternion, timed.sample.rotation() == nil else { return nil }
    mustSpeakOfQuaternion = false
    return "the robot streams no quaternion (firmware before 1.20): '--euler' stays empty, "
      + "and the attitude of 'motion' is worked out from accelerometer and gyroscope"
  }

  /// What there is of each sample.
  var columns: [Column] {
    var columns = (robot == nil ? [] : [Column("robot")]) + [Column("time", .seconds)]
    for clock in clocks { columns.append(Column(clock.rawValue, .seconds)) }
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
    var collector = ValueCollector()
    add(timed, to: &collector)
    return collector.values
  }

  /// Adds the values of the next sample, one for each column.
  mutating func add(_ timed: TimedSample, to row: inout some ValueSink) {
    if filter != nil {
      interval = last.map { (timed.time - $0) / .seconds(1) } ?? 0
      last = timed.time
    }
    if let robot { row.add(.text(robot)) }
    row.add(.seconds(timed.time, digits: timeDigits))
    for clock in clocks { row.add(clock.value(of: timed)) }
    if timed.sample.mask != placedMask { place(in: timed.sample.mask) }
    let sample = timed.sample
    for column in places.indices { add(places[column], column, of: sample, to: &row) }
    if hasEuler { addEuler(sample, to: &row) }
    if hasMotion { addMotion(timed, to: &row) }
  }

  private mutating func place(in mask: SensorMask) {
    placedMask = mask
    places = fields.map { (mask.index(of: $0), $0.scale, filter != nil && $0.isFilterable) }
  }

  private mutating func add(
    _ field: (place: Int?, scale: Quantity, isFiltered: Bool), _ column: Int, of sample: Sample,
    to row: inout some ValueSink
  ) {
    guard let place = field.place else { return row.add(.missing) }
    let word = sample.rawWord(at: place)
    if isRaw {
      row.add(Int64(word), of: .count)
    } else if field.isFiltered {
      row.add(filtered(field.scale.value(of: word), digits: field.scale.digits, column))
    } else {
      row.add(Int64(word), of: field.scale)
    }
  }

  private mutating func addEuler(_ sample: Sample, to row: inout some ValueSink) {
    let convention = tracker.convention
    angles = sample.rotation(by: convention).map { convention.pitchRollYaw(of: $0, previous: angles) }
    for angle in [angles?.pitch, angles?.roll, angles?.yaw] {
      row.add(.decimal(angle?.degrees, digits: 2))
    }
  }

  private mutating func addMotion(_ timed: TimedSample, to row: inout some ValueSink) {
    let motion = tracker(timed)
    let attitude = motion?.attitude.quaternion.canonical
    for part in [attitude?.w, attitude?.x, attitude?.y, attitude?.z] {
      row.add(.decimal(part, digits: 4))
    }
    for axis in Axis.allCases { row.add(.decimal(motion?.gravity[axis], digits: 4)) }
    // Behind the places of the fields.
    var column = places.count
    for axis in Axis.allCases {
      row.add(filtered(motion?.userAcceleration[axis], digits: 4, column))
      column += 1
    }
    for axis in Axis.allCases {
      let rate = motion.map { Angle(radians: $0.rotationRate[axis]).degrees }
      row.add(filtered(rate, digits: 1, column))
      column += 1
    }
  }

  /// A number that passes the filter of its column, if there is a filter.
  private mutating func filtered(_ value: Double?, digits: Int, _ column: Int) -> FieldValue {
    guard let filter, let value else { return .decimal(value, digits: digits) }
    let result = filters[column, default: filter](value, after: interval)
    return .decimal(result, digits: digits + Self.filterDigits)
  }
}
