// Tables of streamed samples: the columns, and the values of each row.

package import SpheroHost
package import SpheroOrientation
package import SpheroProtocol

/// An additional time of a sample, beside the robot's own.
package enum SampleTime: String, CaseIterable, Sendable {
  /// When the sample was measured, since 1970.
  case wall
  /// When its packet arrived, since the first packet.
  case arrival

  package func value(of sample: TimedSample) -> FieldValue {
    switch self {
    case .wall: .seconds(sample.wallClock == .zero ? nil : sample.wallClock)
    case .arrival: .seconds(sample.arrival)
    }
  }
}

extension SensorField {
  /// Whether values of the field can be filtered: angles jump at ±180°, and a quaternion is not filtered word by word.
  package var isFilterable: Bool { scale.unit != .degrees && !SensorMask.quat.contains(SensorMask(self)) }
}

/// The columns of a table of samples.
package struct StreamColumnOptions: Sendable {
  package var mask: SensorMask
  /// The robot measures a sample every `divisor`/400 s, which determines the decimals of times.
  package var divisor: Int
  /// Whether attitude, gravity, user acceleration and rotation rate are added.
  package var hasMotion = false
  /// Whether fields are printed as the integers of the wire.
  package var isRaw = false
  /// Whether pitch, roll and yaw of the quaternion are added.
  package var isEuler = false
  /// The meaning of the robot's words.
  package var convention = Convention.sphero
  /// The convention in which motion and Euler angles are printed; nil for body axes right, ahead, up and the angles of ``convention``.
  package var reporting: Convention?
  /// Whether the attitude is computed from accelerometer and gyroscope even if the robot streams its quaternion.
  package var ignoresQuaternion = false
  package var filter = SignalFilter()
  /// The offsets that are subtracted from accelerometer and gyroscope before any filter.
  package var calibration: RestCalibration?
  /// Whether unfiltered values have columns, too; the names of the filtered ones then end in `_filtered`.
  package var showsUnfiltered = false
  /// The name of the robot for a separate column; nil for a table of a single robot.
  package var robot: String?
  package var clocks: [SampleTime] = []

  package init(mask: SensorMask, divisor: Int) { (self.mask, self.divisor) = (mask, divisor) }
}

/// Converts the samples of a stream to rows of a table.
package struct StreamColumns: Sendable {
  package private(set) var options: StreamColumnOptions
  private let fields: [SensorField]
  /// The offsets of the fields that have one, by the indices of the fields.
  private var offsets: [Int: Double] = [:]
  /// The fields as words of samples that have `wordsMask`.
  private var words: [WordColumn] = []
  private var wordsMask: SensorMask?
  package private(set) var timeDigits: Int
  /// The filters by index: those of the fields, followed by those of user acceleration and rotation rate.
  private var filters: [Int: SignalFilter] = [:]
  private var tracker: MotionTracker
  private var angles: PitchRollYaw?
  private var last: Duration?
  private var interval = 0.0
  /// The fields without which motion has no values.
  package static let motionInputs: SensorMask = [.accel, .gyro]
  private var mustReportMissingMotion: Bool
  private var mustReportMissingQuaternion: Bool
  private var mustReportMissingReference: Bool
  /// Detects rest until ``reportsContradiction()`` has returned a value.
  private var restDetector: RestDetector?
  private var contradiction: Double?

  /// The acceleration of a body at rest, in g, that no offset of an accelerometer explains.
  private static let contradictionLimit = 0.2
  /// The decimals that a filtered value has in addition to those of its field.
  private static let filterDigits = 2

  package init(_ options: StreamColumnOptions) {
    self.options = options
    fields = options.mask.fields
    // An odd divisor makes periods with half milliseconds.
    timeDigits = options.divisor % 2 == 0 ? 3 : 4
    tracker = Self.tracker(options)
    offsets = Self.offsets(of: fields, options)
    mustReportMissingMotion = options.hasMotion
    mustReportMissingQuaternion = options.isEuler || options.hasMotion || options.mask.isSuperset(of: .quat)
    mustReportMissingReference = options.reporting.map { $0.attitudeReference != .arbitrary } ?? false
    restDetector = options.isEuler || options.hasMotion && !options.ignoresQuaternion ? RestDetector() : nil
  }

  private static func tracker(_ options: StreamColumnOptions) -> MotionTracker {
    MotionTracker(
      by: options.convention, calibration: options.calibration, ignoresQuaternion: options.ignoresQuaternion)
  }

  private static func offsets(of fields: [SensorField], _ options: StreamColumnOptions) -> [Int: Double] {
    var offsets: [Int: Double] = [:]
    guard let calibration = options.calibration, !options.isRaw else { return offsets }
    for (index, field) in fields.enumerated() { offsets[index] = calibration.offset(of: field) }
    return offsets
  }

  /// Sets the offsets that are subtracted from now on; returns whether any column depends on them.
  package mutating func setCalibration(_ calibration: RestCalibration?) -> Bool {
    guard calibration != options.calibration else { return false }
    options.calibration = calibration
    offsets = Self.offsets(of: fields, options)
    tracker = Self.tracker(options)
    return options.hasMotion || !offsets.isEmpty
  }

  /// Continues with a stream of another period, whose times may have more decimals.
  package mutating func follow(divisor: Int) {
    if !divisor.isMultiple(of: 2) { timeDigits = 4 }
  }

  /// Discards the state of filters, angles and motion, since the next sample belongs to another recording.
  package mutating func restart() {
    (filters, angles, last) = ([:], nil, nil)
    tracker.reset()
  }

  /// Whether the first sample lacks the accelerometer or the gyroscope, without which motion has no values; false for later samples.
  package mutating func reportsMissingMotion(_ timed: TimedSample) -> Bool {
    guard mustReportMissingMotion else { return false }
    mustReportMissingMotion = false
    return !timed.sample.mask.isSuperset(of: Self.motionInputs)
  }

  /// Whether the first sample lacks the quaternion that some columns require; false for later samples.
  ///
  /// A firmware streams the quaternion in all samples or in none.
  package mutating func reportsMissingQuaternion(_ timed: TimedSample) -> Bool {
    guard mustReportMissingQuaternion else { return false }
    mustReportMissingQuaternion = false
    return timed.sample.rotation() == nil
  }

  /// The convention of the columns if it defines a reference that the samples lack; nil from the second call on.
  package mutating func reportsMissingReference() -> Convention? {
    guard mustReportMissingReference else { return nil }
    mustReportMissingReference = false
    return options.reporting
  }

  /// The acceleration of the robot at rest in g, if its attitude and its accelerometer contradict each other; returned once.
  package mutating func reportsContradiction() -> Double? {
    guard let contradiction else { return nil }
    self.contradiction = nil
    return contradiction
  }

  package var columns: [Column] {
    var columns = (options.robot == nil ? [] : [Column("robot")]) + [Column("time", .seconds)]
    columns += options.clocks.map { Column($0.rawValue, .seconds) }
    for field in fields {
      columns += self.columns(
        field.name, options.isRaw ? .one : field.scale.unit, isFiltered: !options.isRaw && field.isFilterable)
    }
    if options.isEuler { columns += ["pitch", "roll", "yaw"].map { Column("euler_\($0)", .degrees) } }
    guard options.hasMotion else { return columns }
    columns += ["w", "x", "y", "z"].map { Column("attitude_\($0)") }
    columns += Axis.allCases.map { Column("gravity_\($0)", .g) }
    for axis in Axis.allCases { columns += self.columns("user_acceleration_\(axis)", .g, isFiltered: true) }
    for axis in Axis.allCases {
      columns += self.columns("rotation_rate_\(axis)", .degreesPerSecond, isFiltered: true)
    }
    columns += Axis.allCases.map { Column("rotation_rate_bias_\($0)", .degreesPerSecond) }
    columns += Axis.allCases.map { Column("rotation_rate_bias_error_\($0)", .degreesPerSecond) }
    columns += [Column("attitude_reference"), Column("attitude_accuracy")]
    columns += [Column("heading_accuracy", .degrees), Column("tilt_accuracy", .degrees)]
    return columns
  }

  /// The column of a value, and another one if the unfiltered and the filtered value are printed.
  private func columns(_ name: String, _ unit: Quantity.Unit, isFiltered: Bool) -> [Column] {
    [Column(name, unit)] + (isFiltered && showsUnfiltered ? [Column("\(name)_filtered", unit)] : [])
  }

  private var showsUnfiltered: Bool { options.filter.isOn && options.showsUnfiltered }

  /// The values of the next sample, one for each column.
  package mutating func values(_ timed: TimedSample) -> [FieldValue] {
    var collector = ValueCollector()
    fill(&collector, with: timed)
    return collector.values
  }

  /// Collects the numbers of the next sample, one for each column.
  package mutating func add(_ timed: TimedSample, to numbers: inout NumberCollector) {
    fill(&numbers, with: timed)
  }

  /// Adds the values of the next sample to a row, one for each column.
  package mutating func add(_ timed: TimedSample, to row: inout RecordPrinter.Row) { fill(&row, with: timed) }

  // Not visible to other modules, so that the compiler specializes it for each row type.
  private mutating func fill(_ row: inout some ValueSink, with timed: TimedSample) {
    if options.filter.isOn {
      interval = last.map { (timed.time - $0) / .seconds(1) } ?? 0
      last = timed.time
    }
    if let robot = options.robot { row.add(.text(robot)) }
    row.add(timed.time, digits: timeDigits)
    for clock in options.clocks { row.add(clock.value(of: timed)) }
    // A constant for the sample would copy its 64 words.
    let mask = timed.sample.mask
    if mask != wordsMask {
      wordsMask = mask
      words = fields.map { WordColumn(place: mask.index(of: $0), scale: options.isRaw ? .count : $0.scale) }
    }
    if options.filter.isOn || !offsets.isEmpty {
      addProcessed(timed.sample, to: &row)
    } else {
      row.add(timed.sample.words, words)
    }
    if restDetector != nil { checkAttitude(timed) }
    if options.isEuler { addEuler(timed.sample, to: &row) }
    if options.hasMotion { addMotion(timed, to: &row) }
  }

  /// Adds the fields without their offsets, and filtered if there is a filter.
  private mutating func addProcessed(_ sample: Sample, to row: inout some ValueSink) {
    for (index, field) in fields.enumerated() {
      let isFiltered = options.filter.isOn && !options.isRaw && field.isFilterable
      let offset = offsets[index]
      // A difference has one more decimal, so that rounding does not add to its error.
      let digits = field.scale.digits + (offset == nil ? 0 : 1)
      let value = sample[field].map { $0 - (offset ?? 0) }
      if !isFiltered || showsUnfiltered {
        row.add(offset == nil ? words[index].value(of: sample.words) : .decimal(value, digits: digits))
      }
      if isFiltered { row.add(filtered(value, digits: field.scale.digits, index)) }
    }
  }

  private mutating func addEuler(_ sample: Sample, to row: inout some ValueSink) {
    let convention = options.reporting ?? options.convention
    angles = sample.rotation(by: options.convention).map {
      convention.pitchRollYaw(of: $0, previous: angles)
    }
    for angle in [angles?.pitch, angles?.roll, angles?.yaw] { row.add(.decimal(angle?.degrees, digits: 2)) }
  }

  private mutating func addMotion(_ timed: TimedSample, to row: inout some ValueSink) {
    let motion = tracker(timed)
    let reported = motion.map { (options.reporting ?? .bodyAxes).motion($0) }
    let attitude = reported?.attitude.quaternion.canonical
    for part in [attitude?.w, attitude?.x, attitude?.y, attitude?.z] { row.add(.decimal(part, digits: 4)) }
    let (gravity, acceleration) = (reported?.gravity, reported?.userAcceleration)
    for axis in Axis.allCases { row.add(.decimal(gravity?[axis], digits: 4)) }
    for (index, axis) in zip(fields.count..., Axis.allCases) {
      if showsUnfiltered { row.add(.decimal(acceleration?[axis], digits: 4)) }
      row.add(filtered(acceleration?[axis], digits: 4, index))
    }
    let rate = reported?.rotationRate
    for (index, axis) in zip((fields.count + Axis.allCases.count)..., Axis.allCases) {
      if showsUnfiltered { row.add(.decimal(Self.degrees(rate, axis), digits: 1)) }
      row.add(filtered(Self.degrees(rate, axis), digits: 1, index))
    }
    let (bias, error) = (reported?.rotationRateBias, reported?.rotationRateBiasError)
    for axis in Axis.allCases { row.add(.decimal(Self.degrees(bias, axis), digits: 2)) }
    for axis in Axis.allCases { row.add(.decimal(Self.degrees(error, axis), digits: 2)) }
    row.add(.text(motion?.attitudeReference.description))
    let accuracy = motion?.attitudeAccuracy.estimate
    row.add(.text(motion.map { _ in accuracy == nil ? "unknown" : "estimated" }))
    for angle in [accuracy?.heading, accuracy?.tilt] { row.add(.decimal(angle?.degrees, digits: 1)) }
  }

  /// Compares the quaternion with the accelerometer at rest; without a gyroscope, the rate of rotation counts as zero.
  private mutating func checkAttitude(_ timed: TimedSample) {
    let convention = options.convention
    guard restDetector != nil, let attitude = timed.sample.rotation(by: convention),
      let force = timed.sample.specificForce(by: convention)
    else { return }
    let reading = InertialSample(
      timestamp: timed.time / .seconds(1), rotationRate: timed.sample.rotationRate(by: convention) ?? .zero,
      acceleration: force)
    let acceleration = attitude.acceleration(specificForce: force).length
    guard restDetector?(reading) == true, acceleration > Self.contradictionLimit else { return }
    contradiction = acceleration
    restDetector = nil
  }

  private static func degrees(_ rate: Vector3?, _ axis: Axis) -> Double? {
    rate.map { Angle(radians: $0[axis]).degrees }
  }

  /// A value, filtered if there is a filter.
  private mutating func filtered(_ value: Double?, digits: Int, _ index: Int) -> FieldValue {
    guard options.filter.isOn, let value else {
      filters[index]?.skip(after: interval)
      return .decimal(value, digits: digits)
    }
    let result = filters[index, default: options.filter](value, after: interval)
    return .decimal(result, digits: digits + Self.filterDigits)
  }
}
