// The columns of tables of samples, and the values of their rows.

package import SpheroHost
package import SpheroOrientation
package import SpheroProtocol

/// An additional column with a time of the sample, in seconds.
package enum SampleTime: String, CaseIterable, Sendable {
  /// The time of the measurement since 1970.
  case wall
  /// The time at which the packet of the sample arrived, since the first packet.
  case arrival

  package func value(of sample: TimedSample) -> FieldValue {
    switch self {
    case .wall: .seconds(sample.wallClock == .zero ? nil : sample.wallClock)
    case .arrival: .seconds(sample.arrival)
    }
  }
}

extension SensorField {
  /// Whether filters apply to the field; they do not apply to angles, which jump at ±180°, nor to quaternions.
  package var isFilterable: Bool { scale.unit != .degrees && !SensorMask.quat.contains(SensorMask(self)) }
}

/// The selection of the columns of a table of samples, and their processing.
package struct StreamColumnOptions: Sendable {
  package var mask: SensorMask
  /// The robot measures a sample every `divisor`/400 s; the period determines the decimals of times.
  package var divisor: Int
  /// Attitude, gravity, user acceleration and rotation rate.
  package var hasMotion = false
  /// Whether fields are printed as the integers of the wire.
  package var isRaw = false
  /// Whether there are columns for pitch, roll and yaw of the quaternion.
  package var isEuler = false
  /// The convention by which the robot's quaternion and sensor values are interpreted.
  package var convention = Convention.sphero
  /// The convention in which motion and Euler angles are printed. If it is nil, motion is on the body axes right, ahead
  /// and up, and the angles are those of ``convention``.
  package var reporting: Convention?
  /// Whether the attitude is computed from accelerometer and gyroscope even if the robot streams its quaternion.
  package var ignoresQuaternion = false
  package var filter = SignalFilter()
  /// The offsets that are subtracted from accelerometer and gyroscope before any filter.
  package var calibration: RestCalibration?
  /// Whether unfiltered values also have columns; the names of the filtered ones then end in `_filtered`.
  package var showsUnfiltered = false
  /// The value of the column `robot`; nil for a table of a single robot, which has no such column.
  package var robot: String?
  package var clocks: [SampleTime] = []

  package init(mask: SensorMask, divisor: Int) { (self.mask, self.divisor) = (mask, divisor) }
}

/// Converts the samples of a stream to the rows of a table.
package struct StreamColumns: Sendable {
  package private(set) var options: StreamColumnOptions
  private let fields: [SensorField]
  /// The offsets that are subtracted from fields, by the index of the field.
  private var offsets: [Int: Double] = [:]
  /// The positions of the fields in samples with the fields `wordsMask`.
  private var words: [WordColumn] = []
  private var wordsMask: SensorMask?
  package private(set) var timeDigits: Int
  /// The filter of each field by its index, then those of the axes of user acceleration and of rotation rate.
  private var filters: [Int: SignalFilter] = [:]
  private var tracker = MotionTracker()
  private var angles: PitchRollYaw?
  /// The time of the last sample, and the seconds since the sample before it; known only with a filter.
  private var last: Duration?
  private var interval = 0.0
  /// The fields that motion requires.
  package static let motionInputs: SensorMask = [.accel, .gyro]
  private var isFirst = true
  /// Nil if no column is computed from the quaternion, and after a contradiction has been found.
  private var restDetector: RestDetector?
  private var contradiction: Double?

  /// The minimum acceleration at rest, in g, that counts as a contradiction; the offset of an accelerometer is smaller.
  private static let contradictionLimit = 0.2
  /// The number of decimals that filtered values have in addition to those of unfiltered ones.
  private static let filterDigits = 2

  package init(_ options: StreamColumnOptions) {
    self.options = options
    fields = options.mask.fields
    // The period is divisor/400 s: a multiple of 2.5 ms.
    timeDigits = options.divisor % 2 == 0 ? 3 : 4
    restDetector = options.isEuler || options.hasMotion && !options.ignoresQuaternion ? RestDetector() : nil
    calibrate()
  }

  /// Prepares the offsets of the fields and the motion for the calibration of ``options``.
  private mutating func calibrate() {
    let calibration = options.isRaw ? nil : options.calibration
    for (index, field) in fields.enumerated() { offsets[index] = calibration?.offset(of: field) }
    tracker = MotionTracker(
      by: options.convention, calibration: options.calibration, ignoresQuaternion: options.ignoresQuaternion)
  }

  /// Changes the offsets for the samples that follow; returns whether a column depends on the new ones.
  package mutating func setCalibration(_ calibration: RestCalibration?) -> Bool {
    guard calibration != options.calibration else { return false }
    options.calibration = calibration
    calibrate()
    return options.hasMotion || !offsets.isEmpty
  }

  /// Continues with a stream of another divisor, whose times may have more decimals.
  package mutating func follow(divisor: Int) {
    if !divisor.isMultiple(of: 2) { timeDigits = 4 }
  }

  /// Discards the state of filters, angles and motion, before the first sample of another recording.
  package mutating func restart() {
    (filters, angles, last) = ([:], nil, nil)
    tracker.reset()
  }

  /// Returns true, and false in later calls: remarks on the first sample apply to all.
  package mutating func takeFirst() -> Bool {
    defer { isFirst = false }
    return isFirst
  }

  /// Whether a sample lacks the quaternion, which a firmware streams in all samples or in none, although some columns
  /// require it.
  package func lacksQuaternion(_ timed: TimedSample) -> Bool {
    let computesFromQuaternion = options.isEuler || options.hasMotion && !options.ignoresQuaternion
    return (computesFromQuaternion || options.mask.isSuperset(of: .quat)) && timed.sample.rotation() == nil
  }

  /// Returns the acceleration, in g, that quaternion and accelerometer state for a robot at rest, if it exceeds 0.2 g;
  /// nil in later calls.
  package mutating func takeContradiction() -> Double? {
    defer { contradiction = nil }
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

  private func columns(_ name: String, _ unit: Quantity.Unit, isFiltered: Bool) -> [Column] {
    [Column(name, unit)] + (isFiltered && showsUnfiltered ? [Column("\(name)_filtered", unit)] : [])
  }

  private var showsUnfiltered: Bool { options.filter.isOn && options.showsUnfiltered }

  package mutating func values(_ timed: TimedSample) -> [FieldValue] {
    var values: [FieldValue] = []
    fill(&values, with: timed)
    return values
  }

  package mutating func add(_ timed: TimedSample, to numbers: inout NumberCollector) {
    fill(&numbers, with: timed)
  }

  package mutating func add(_ timed: TimedSample, to row: inout RecordPrinter.Row) { fill(&row, with: timed) }

  // Private, so that the compiler specializes it for each kind of row.
  private mutating func fill(_ row: inout some ValueSink, with timed: TimedSample) {
    if options.filter.isOn {
      interval = last.map { (timed.time - $0) / .seconds(1) } ?? 0
      last = timed.time
    }
    if let robot = options.robot { row.add(.text(robot)) }
    row.add(timed.time, digits: timeDigits)
    for clock in options.clocks { row.add(clock.value(of: timed)) }
    // `let sample = timed.sample` would copy 64 words.
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
    checkAttitude(timed)
    if options.isEuler { addEuler(timed.sample, to: &row) }
    if options.hasMotion { addMotion(timed, to: &row) }
  }

  private mutating func addProcessed(_ sample: Sample, to row: inout some ValueSink) {
    for (index, field) in fields.enumerated() {
      let isFiltered = options.filter.isOn && !options.isRaw && field.isFilterable
      let offset = offsets[index]
      // A difference has one more decimal, since the offset is not a multiple of the field's resolution.
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

  /// Compares quaternion and accelerometer if the robot is at rest; without a gyroscope, the rotation rate counts as 0.
  private mutating func checkAttitude(_ timed: TimedSample) {
    let convention = options.convention
    guard restDetector != nil, let attitude = timed.sample.rotation(by: convention),
      let force = timed.sample.specificForce(by: convention)
    else { return }
    let sample = InertialSample(
      timestamp: timed.time / .seconds(1), rotationRate: timed.sample.rotationRate(by: convention) ?? .zero,
      acceleration: force)
    let acceleration = attitude.acceleration(specificForce: force).length
    guard restDetector?(sample) == true, acceleration > Self.contradictionLimit else { return }
    contradiction = acceleration
    restDetector = nil
  }

  private static func degrees(_ rate: Vector3?, _ axis: Axis) -> Double? {
    rate.map { Angle(radians: $0[axis]).degrees }
  }

  /// The next value of the filter with an index, or the value itself without a filter.
  private mutating func filtered(_ value: Double?, digits: Int, _ index: Int) -> FieldValue {
    guard options.filter.isOn, let value else {
      filters[index]?.skip(after: interval)
      return .decimal(value, digits: digits)
    }
    let result = filters[index, default: options.filter](value, after: interval)
    return .decimal(result, digits: digits + Self.filterDigits)
  }
}

/// An optional low pass, followed by an optional high pass.
package struct SignalFilter: Sendable {
  /// A filter of first order that starts at the first value, except `printedHigh`, which starts at zero.
  package enum Stage: Sendable {
    case timedLow(TimedLowPassFilter<Double>)
    /// The cut-off depends on the sample rate.
    case low(LowPassFilter<Double>)
    case timedHigh(TimedHighPassFilter<Double>)
    /// The cut-off depends on the sample rate.
    case high(HighPassFilter<Double>)
    /// Often published as a high pass, it is a low pass with gain.
    case printedHigh(PrintedHighPassFilter<Double>)

    package static func lowPass(_ time: TimeConstant) -> Stage {
      .timedLow(TimedFilter(timeConstant: time, rule: .exactCutoff))
    }
    package static func highPass(_ time: TimeConstant) -> Stage {
      .timedHigh(TimedFilter(timeConstant: time, rule: .exactCutoff))
    }

    fileprivate mutating func callAsFunction(_ value: Double, after interval: Double) -> Double {
      switch self {
      case .timedLow(var filter):
        defer { self = .timedLow(filter) }
        return filter(value, after: interval)
      case .low(var filter):
        defer { self = .low(filter) }
        return filter(value)
      case .timedHigh(var filter):
        defer { self = .timedHigh(filter) }
        return filter(value, after: interval)
      case .high(var filter):
        defer { self = .high(filter) }
        return filter(value)
      case .printedHigh(var filter):
        defer { self = .printedHigh(filter) }
        return filter(value)
      }
    }
  }

  private var low: Stage?
  private var high: Stage?
  /// The seconds from the last sample with a value to the latest sample.
  private var skipped = 0.0

  package init(low: Stage? = nil, high: Stage? = nil) { (self.low, self.high) = (low, high) }

  package var isOn: Bool { low != nil || high != nil }

  /// Skips a sample without a value, measured `interval` seconds after the previous sample.
  package mutating func skip(after interval: Double) { skipped += interval }

  /// Filters a value measured `interval` seconds after the previous sample.
  package mutating func callAsFunction(_ value: Double, after interval: Double) -> Double {
    let interval = interval + skipped
    skipped = 0
    let smooth = low?(value, after: interval) ?? value
    return high?(smooth, after: interval) ?? smooth
  }
}
