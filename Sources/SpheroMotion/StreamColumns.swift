// What there is of each sample of a stream: its columns, and a value for each of them.

package import SpheroHost
package import SpheroOrientation
package import SpheroProtocol

/// What is made of the samples of a stream for a table.
package struct StreamColumnOptions: Sendable {
  /// The fields of the wire.
  package var mask: SensorMask
  /// A frame is taken every `divisor`/400 s, which tells the digits of times.
  package var divisor: Int
  /// Whether there are columns of the motion that is made of other fields.
  package var hasMotion = false
  /// Whether values are the integers of the wire.
  package var isRaw = false
  /// Whether pitch, roll and yaw of the quaternion are added.
  package var isEuler = false
  /// What quaternion and sensors mean.
  package var convention = Convention.sphero
  /// What values are smoothed by, and what slow changes are taken off by.
  package var filter = SignalFilter()
  /// What names the robot, where there are several.
  package var robot: String?
  /// Which other times are told.
  package var clocks: [SampleTime] = []

  /// Makes options of values in units.
  package init(mask: SensorMask, divisor: Int) { (self.mask, self.divisor) = (mask, divisor) }
}

/// Makes the values of a record from each sample of a stream.
package struct StreamColumns: Sendable {
  private let options: StreamColumnOptions
  private let fields: [SensorField]
  /// The fields in samples of a mask.
  private var words: [WordColumn] = []
  private var placedMask: SensorMask?
  /// The decimals of times.
  package private(set) var timeDigits: Int
  /// By the place of the column.
  private var filters: [Int: SignalFilter] = [:]
  private var tracker: MotionTracker
  private var angles: PitchRollYaw?
  private var last: Duration?
  private var interval = 0.0
  private var mustSpeakOfQuaternion: Bool

  /// Decimals of a filtered value beyond those of the counts it was made of.
  private static let filterDigits = 2

  /// Prepares for samples.
  package init(_ options: StreamColumnOptions) {
    self.options = options
    fields = options.mask.fields
    // Half milliseconds show where the period has them.
    timeDigits = options.divisor % 2 == 0 ? 3 : 4
    tracker = MotionTracker(by: options.convention)
    mustSpeakOfQuaternion = options.isEuler || options.hasMotion
  }

  /// Goes on with a stream of another period, whose times may have more decimals.
  package mutating func follow(divisor: Int) {
    if !divisor.isMultiple(of: 2) { timeDigits = 4 }
  }

  /// Begins anew with the next sample, which is that of another recording.
  package mutating func restart() {
    (filters, angles, last) = ([:], nil, nil)
    tracker.reset()
  }

  /// Whether a sample lacks the quaternion of which some columns are made; that is told once.
  package mutating func lacksQuaternion(_ timed: TimedSample) -> Bool {
    guard mustSpeakOfQuaternion, timed.sample.rotation() == nil else { return false }
    mustSpeakOfQuaternion = false
    return true
  }

  /// What there is of each sample.
  package var columns: [Column] {
    var columns = (options.robot == nil ? [] : [Column("robot")]) + [Column("time", .seconds)]
    for clock in options.clocks { columns.append(Column(clock.rawValue, .seconds)) }
    for field in fields { columns.append(Column(field.name, options.isRaw ? .one : field.scale.unit)) }
    if options.isEuler { columns += ["pitch", "roll", "yaw"].map { Column("euler_\($0)", .degrees) } }
    guard options.hasMotion else { return columns }
    columns += ["w", "x", "y", "z"].map { Column("attitude_\($0)") }
    columns += Axis.allCases.map { Column("gravity_\($0)", .g) }
    columns += Axis.allCases.map { Column("user_acceleration_\($0)", .g) }
    columns += Axis.allCases.map { Column("rotation_rate_\($0)", .degreesPerSecond) }
    return columns
  }

  /// The values of the next sample, one for each column.
  package mutating func values(_ timed: TimedSample) -> [FieldValue] {
    var collector = ValueCollector()
    fill(&collector, with: timed)
    return collector.values
  }

  /// Adds the values of the next sample to a row, one for each column.
  package mutating func add(_ timed: TimedSample, to row: inout RecordPrinter.Row) { fill(&row, with: timed) }

  // Generic within this module alone, so that it is compiled for the row itself.
  private mutating func fill(_ row: inout some ValueSink, with timed: TimedSample) {
    if options.filter.isOn {
      interval = last.map { (timed.time - $0) / .seconds(1) } ?? 0
      last = timed.time
    }
    if let robot = options.robot { row.add(.text(robot)) }
    row.add(timed.time, digits: timeDigits)
    for clock in options.clocks { row.add(clock.value(of: timed)) }
    // Not by a constant, which would be a copy.
    if timed.sample.mask != placedMask { place(in: timed.sample.mask) }
    if options.filter.isOn { addFiltered(timed.sample, to: &row) } else { row.add(timed.sample, words) }
    if options.isEuler { addEuler(timed.sample, to: &row) }
    if options.hasMotion { addMotion(timed, to: &row) }
  }

  private mutating func place(in mask: SensorMask) {
    placedMask = mask
    words = fields.map { WordColumn(place: mask.index(of: $0), scale: options.isRaw ? .count : $0.scale) }
  }

  private mutating func addFiltered(_ sample: Sample, to row: inout some ValueSink) {
    for (column, field) in fields.enumerated() {
      if !options.isRaw, field.isFilterable, let value = sample[field] {
        row.add(filtered(value, digits: field.scale.digits, column))
      } else {
        row.add(words[column].value(of: sample))
      }
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
    // After the places of the fields.
    var column = fields.count
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
    guard options.filter.isOn, let value else { return .decimal(value, digits: digits) }
    let result = filters[column, default: options.filter](value, after: interval)
    return .decimal(result, digits: digits + Self.filterDigits)
  }
}
