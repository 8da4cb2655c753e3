// The options of live and recorded streams of samples: fields, rate, times, processing and events.

import SpheroMotion
import SpheroOrientation
import SpheroProtocol
import SpheroRecording
import SpheroSession

/// The value of `--mask`: sensor fields, and `motion`, which is computed from sensor fields.
struct StreamFields: Argument {
  /// The sensor fields to print, without those for `motion`.
  var mask: SensorMask
  var hasMotion = false

  var streamedMask: SensorMask { hasMotion ? mask.union(.motion) : mask }

  init(_ mask: SensorMask) { self.mask = mask }

  init?(argument: String) {
    let words = argument.split(separator: ",", omittingEmptySubsequences: false)
    let names = words.filter { !Self.isMotion($0) }
    hasMotion = names.count < words.count
    if names.isEmpty {
      mask = []
    } else if let mask = try? SensorMask(parsing: names.joined(separator: ","), allowsReservedBits: true) {
      self.mask = mask
    } else {
      return nil
    }
  }

  var argumentText: String? {
    var rest = mask
    var names: [String] = []
    for (name, group) in SensorMask.groups where rest.isSuperset(of: group) {
      names.append(name)
      rest.subtract(group)
    }
    return (names + rest.fields.map(\.optionName) + (hasMotion ? [Self.motion] : [])).joined(separator: ",")
  }
  static var valueKind: ValueKind {
    let groups = SensorMask.groups.map(\.key)
    let forms = [motion] + groups + ["single fields like yaw or accel-x", "0xMASK[:MASK2]"]
    // A group and a field may have the same name.
    let fields = SensorField.allCases.map(\.optionName).filter { !groups.contains($0) }
    return ValueKind(
      placeholder: "fields", allowed: forms.joined(separator: ", "), words: groups + fields + [motion],
      isList: true)
  }

  private static let advice = "'sphero help masks' lists groups and fields."

  /// Checks that there are no reserved bits, which only the mask of a recording may have.
  func validateForStream() throws(UsageError) {
    guard !mask.isDocumented else { return }
    throw UsageError("--mask: \(MaskError.reservedBits(mask.reservedBits).message)", advice: Self.advice)
  }

  static func rejection(of word: String, of name: String) -> UsageError? {
    for part in word.split(separator: ",", omittingEmptySubsequences: false) where !isMotion(part) {
      do throws(MaskError) { _ = try SensorMask(parsing: part, allowsReservedBits: true) } catch {
        guard case .unknownName(let part) = error else {
          return UsageError("\(name): \(error.message)", advice: advice)
        }
        return listError(
          part, in: word, of: name, "is not a sensor field", synonym: Suggestion.fields(for: part),
          advice: advice)
      }
    }
    return nil
  }

  private static let motion = "motion"

  /// Whether an element of the list is `motion`; like the parser of sensor fields, it ignores case and outer spaces.
  private static func isMotion(_ word: Substring) -> Bool {
    word.split(separator: " ").map { $0.lowercased() } == [motion]
  }
}

struct StreamRate: Sendable {
  static let defaultDivisor = 20
  private var divisorOption: Int?
  private var hertz: Double?

  /// nil is the default for a recording, which may state its own divisor.
  init(divisor: Int? = Self.defaultDivisor) { divisorOption = divisor }

  /// `help` replaces the help of `--divisor` for a recording.
  mutating func options(_ line: inout Synopsis, _ help: String? = nil) throws(UsageError) {
    try line.option(
      "divisor", "d", &divisorOption, as: .range(1...65_535),
      help ?? "A sample every divisor/400 s: 20 is 20 samples a second.")
    try line.option(
      "hz", nil, &hertz,
      as: .decimal(0.01...Double(StreamRequest.sampleRate), placeholder: "hz", unit: .hertz),
      "\(help == nil ? "Samples" : "Its samples") a second instead, rounded to the nearest of 400, 200, 133.3, 100 and so on."
    )
    try line.conflict("divisor", "hz", "both say how often samples are taken")
  }

  /// The divisor of 400 Hz; with `--hz`, that of the nearest rate that a robot supports.
  var divisor: Int { statedDivisor ?? Self.defaultDivisor }

  /// The ``divisor``; nil for a recording without these options.
  var statedDivisor: Int? { hertz.map { Int(StreamRequest(mask: .imu, hertz: $0).divisor) } ?? divisorOption }

  var givenOption: String? { hertz != nil ? "--hz" : divisorOption.map { _ in "--divisor" } }

  /// A remark on the rate that replaces that of `--hz`; nil if they are equal.
  var remark: String? {
    guard let hertz, hertz * Double(divisor) != Double(StreamRequest.sampleRate) else { return nil }
    let actual = Decimal.text(Double(StreamRequest.sampleRate) / Double(divisor), digits: 3)
    return "a robot samples at 400/n Hz: instead of \(hertz.shortText) Hz, "
      + "it takes \(actual) samples a second (divisor \(divisor))"
  }
}

struct PacketOptions: Sendable {
  private var frames = 1
  private var packets = 200

  mutating func options(_ line: inout Synopsis) throws(UsageError) {
    try line.option(
      "frames", nil, &frames, as: .range(1...65_535),
      "Samples in each packet; more samples use less radio time, but arrive later.")
    try line.option(
      "packets", nil, &packets, as: .range(1...255),
      "Packets per request, which is renewed before they run out; fewer than 10, or than those of 0.3 s, become more."
    )
  }

  func request(_ mask: SensorMask, _ rate: StreamRate) -> StreamRequest {
    StreamRequest(
      mask: mask, divisor: UInt16(rate.divisor), frames: UInt16(frames), packets: UInt8(packets))
  }
}

extension SampleTime: ListElement {
  static var all: [SampleTime] { allCases }
  var name: String { rawValue }
  static var noun: String { "time" }
  static var separators: (limits: String, advice: String) { (", ", " and ") }
}

extension [SampleTime] {
  /// Declares `--times`: the times of a sample that are printed in addition to that of the robot.
  mutating func options(_ line: inout Synopsis) throws(UsageError) {
    try line.option(
      "times", nil, &self,
      "Also print when each sample was measured, in seconds since 1970, and when its packet came, "
        + "in seconds since the first one did.")
  }
}

extension Convention: Argument {
  init?(argument: String) {
    guard let found = Self.named.first(where: { $0.name == argument }) else { return nil }
    self = found.convention
  }

  static var valueKind: ValueKind {
    let (readings, words) = (spheroReadings.map(\.name), named.map(\.name))
    let others = words.filter { !readings.contains($0) }
    let allowed =
      "a reading: \(readings.joined(separator: ", ")); or a device: \(others.joined(separator: ", "))"
    return ValueKind(placeholder: "name", allowed: allowed, words: words)
  }
}

/// The option `--calibration`: a file of offsets that are subtracted from samples, and their mark in captures.
struct CalibrationOptions: Sendable {
  private var file: String?
  /// The offsets of the file; nil before ``load()``.
  private(set) var offsets: RestCalibration?
  /// The value that subtracts no offsets, not even those of a recording.
  static let none = "none"

  var isGiven: Bool { file != nil }
  private var isNone: Bool { file == Self.none }

  /// `help` replaces the help of a command that subtracts the offsets.
  mutating func options(_ line: inout Synopsis, _ help: String? = nil) throws(UsageError) {
    try line.option(
      "calibration", nil, &file, as: .file,
      help
        ?? "Subtract the offsets that 'sphero survey --offsets' has stored in this file from acceleration and rotation rate. 'decode' and 'plot' subtract those of the recording by default; \(Self.none) leaves them in."
    )
  }

  func validate(_ fields: StreamFields?, isRaw: Bool) throws(UsageError) {
    guard isGiven, !isNone else { return }
    if isRaw { throw UsageError("'--raw' prints what is on the wire; leave out '--calibration'") }
    guard let fields, !fields.hasMotion else { return }
    if fields.mask.isDisjoint(with: [.accel, .gyro]) {
      throw UsageError(
        "'--calibration' has nothing to correct: try '--mask accel,gyro' or '--mask motion'")
    }
  }

  mutating func load() async throws {
    guard let file, !isNone else { return }
    let text = try await TextFile(file, atMost: 65_536, advice: CalibrationError.missing("").advice)
    let valid = try text.validText()
    do throws(CalibrationError) { offsets = try RestCalibration(parsing: valid) } catch {
      throw Failure(.badData, "\(text.name): \(error.message)", advice: error.advice)
    }
  }

  func mark(in captures: [CaptureWriter]) { offsets?.mark(in: captures) }
}

extension RestCalibration {
  /// Records the offsets in captures; does nothing if one is not finite.
  func mark(in captures: [CaptureWriter]) {
    guard let text = storedText else { return }
    for capture in captures { capture.record(CaptureMark(.calibration, offsets: text)) }
  }
}

struct SampleOptions: Sendable {
  var isRaw = false
  var isEuler = false
  var convention: Convention?
  var ignoresQuaternion = false
  var calibration = CalibrationOptions()
  var filters = FilterOptions()

  mutating func options(_ line: inout Synopsis) throws(UsageError) {
    try line.flag("raw", nil, &isRaw, "The integers of the wire instead of values in units.")
    try line.flag(
      "euler", nil, &isEuler, "Also pitch, roll and yaw of the quaternion, to 0.01 degrees.")
    try line.option(
      "convention", nil, &convention,
      "For '--euler' and motion: the reading of the robot's quaternion and sensors, sphero by default, which 'sphero survey --conventions' finds; or the device whose axes, signs and angles the output has."
    )
    try line.flag(
      "fusion", nil, &ignoresQuaternion,
      "For motion: compute the attitude from accelerometer and gyroscope, not from the robot's quaternion.")
    try calibration.options(&line)
    try filters.options(&line)
  }

  var robotConvention: Convention { convention.flatMap { $0.isSpheroReading ? $0 : nil } ?? .sphero }

  /// The convention of another device in which motion and angles are printed; nil for that of the robot.
  var reporting: Convention? { convention.flatMap { $0.isSpheroReading ? nil : $0 } }

  var givenOptions: [String] {
    let options = [
      ("--raw", isRaw), ("--euler", isEuler), ("--convention", convention != nil),
      ("--fusion", ignoresQuaternion), ("--calibration", calibration.isGiven),
    ]
    return options.filter(\.1).map(\.0) + filters.givenOptions
  }

  /// Returns these options with the offsets of `--calibration`.
  func loaded() async throws -> SampleOptions {
    var options = self
    try await options.calibration.load()
    return options
  }

  /// Checks the combination of options; nil for fields or a divisor that the recording states later.
  func validate(_ fields: StreamFields?, divisor: Int?) throws(UsageError) {
    let hasMotion = fields?.hasMotion ?? false
    if convention != nil, !isEuler, !hasMotion {
      throw UsageError("'--convention' has nothing to read: add '--euler' or '--mask motion'")
    }
    if ignoresQuaternion, !hasMotion {
      throw UsageError("'--fusion' has nothing to compute: add '--mask motion'")
    }
    if isRaw {
      if hasMotion { throw UsageError("'--raw' prints what is on the wire; 'motion' is not") }
      if isEuler { throw UsageError("'--raw' prints what is on the wire; Euler angles are not") }
    }
    try calibration.validate(fields, isRaw: isRaw)
    try filters.validate(fields, isRaw: isRaw, divisor: divisor)
  }
}

struct EventOptions: Sendable {
  var isOn = false
  private var settings = ShakeDetector.Settings()

  mutating func options(_ line: inout Synopsis) throws(UsageError) {
    try line.flag(
      "events", nil, &isOn,
      "Also print collisions, shakes, battery and sleep warnings, between the samples.")
    try line.option(
      "shake-threshold", nil, &settings.threshold, as: .decimal(0.1...16, placeholder: "g"),
      "The acceleration in g that a shake exceeds in both directions.")
    try line.option(
      "shake-reversals", nil, &settings.reversals, as: .range(1...16),
      "How often the acceleration of a shake changes its direction.")
    var window = Duration.seconds(settings.window)
    try line.option("shake-window", nil, &window, "The time within which they occur, 100ms...10s.")
    settings.window = window / .seconds(1)
    for name in ["shake-threshold", "shake-reversals", "shake-window"] {
      try line.requirement("events", of: name, "for events, which are not printed: add '--events'")
    }
  }

  func validate(_ format: Format) throws(UsageError) {
    guard (0.1...10).contains(settings.window) else {
      throw UsageError("'--shake-window' is 100 ms to 10 s")
    }
    if isOn, format == .csv {
      throw UsageError("'--events' have no columns; leave it out, or use '--format json'")
    }
  }

  /// The maximum divisor of the 400 Hz sample rate at which shakes are detected: 10 samples a second.
  private static let maximumDivisor = 40

  /// The fields that the detection of shakes adds to those of a stream.
  func additionalFields(of mask: SensorMask, divisor: Int) -> SensorMask {
    let hasAcceleration = mask.isSuperset(of: .accel) || mask.isSuperset(of: .accelRaw)
    return isOn && divisor <= Self.maximumDivisor && !hasAcceleration ? .accel : []
  }

  func remark(divisor: Int) -> String? {
    guard isOn, divisor > Self.maximumDivisor else { return nil }
    return "shakes need 10 samples a second or more: sample with '--divisor \(Self.maximumDivisor)' or less"
  }

  var shakeDetector: ShakeDetector? { isOn ? ShakeDetector(settings: settings) : nil }
}

extension Dissection {
  /// The line of an event; `time` is on the time scale of the samples, and `name` names one of several robots.
  func eventLine(at time: Duration?, of name: String? = nil, _ format: Format) -> String {
    var event = self
    event.time = time
    guard format == .json else { return (name.map { "\($0): " } ?? "") + event.description }
    let subject = name.map { [Field("robot", .text($0))] } ?? []
    let fields = subject + [Field("time", .seconds, .seconds(time))] + event.message
    return Sheet.text(fields, kind: event.kind.rawValue, .json)
  }
}

extension Shake {
  var fields: [Field] {
    [
      Field("time", .seconds, .decimal(timestamp, digits: 6)), Field("axis", .text("\(axis)")),
      Field("strength", .g, .decimal(strength, digits: 2)),
      Field("frequency", .hertz, .decimal(frequency, digits: 1)),
      Field("direction_x", .decimal(direction.x, digits: 2)),
      Field("direction_y", .decimal(direction.y, digits: 2)),
      Field("direction_z", .decimal(direction.z, digits: 2)),
    ]
  }

  func eventLine(of name: String? = nil, _ format: Format) -> String {
    guard format == .json else {
      let values = fields.dropFirst().map { "\($0.name)=\($0.value.printable)\($0.unit.symbol)" }
      var line = Array((name.map { "\($0): " } ?? "").utf8)
      Dissection.append(.seconds(timestamp), .robot, "shake", sequence: nil, to: &line)
      return String(decoding: line, as: UTF8.self) + values.joined(separator: " ")
    }
    let subject = name.map { [Field("robot", .text($0))] } ?? []
    return Sheet.text(subject + fields, kind: "shake", .json)
  }
}
