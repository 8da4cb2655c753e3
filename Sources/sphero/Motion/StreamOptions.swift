// The options of live and recorded streams of samples: fields, rate, times and processing.

import SpheroOrientation
import SpheroProtocol
import SpheroRecording
import SpheroSession

/// The value of `--mask`: sensor fields, and `motion`, which is computed from sensor fields.
struct StreamFields: Argument {
  /// The sensor fields to print.
  var mask: SensorMask
  var hasMotion = false

  /// The sensor fields that the robot must stream.
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
  static var placeholder: String { "fields" }
  static var allowed: String? {
    ([motion] + groups + ["single fields like yaw or accel-x", "0xMASK[:MASK2]"]).joined(separator: ", ")
  }
  static var words: [String] {
    // A group and a field may have the same name.
    groups + SensorField.allCases.map(\.optionName).filter { !groups.contains($0) } + [motion]
  }
  static var isList: Bool { true }
  private static var groups: [String] { SensorMask.groups.map(\.key) }

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

/// The options `--divisor` and `--hz`: the rate of a stream as a divisor of 400 Hz, or in samples a second.
struct StreamRate: Sendable {
  /// The divisor that applies if neither an option nor a recording states one.
  static let defaultDivisor = 20
  private var divisorOption: Int?
  private var hertz: Double?

  /// Creates a rate with the default of `--divisor`; nil for a recording, which may state its own.
  init(divisor: Int? = Self.defaultDivisor) { divisorOption = divisor }

  /// Declares the options; `help` replaces the help of `--divisor` for a recording.
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

  /// The name of the option that states the rate of a recording; nil without these options.
  var givenOption: String? { hertz != nil ? "--hz" : divisorOption.map { _ in "--divisor" } }

  /// A remark on the rate that replaces that of `--hz`; nil if they are equal.
  var remark: String? {
    guard let hertz, hertz * Double(divisor) != Double(StreamRequest.sampleRate) else { return nil }
    let actual = Decimal.text(Double(StreamRequest.sampleRate) / Double(divisor), digits: 3)
    return "a robot samples at 400/n Hz: instead of \(hertz.shortText) Hz, "
      + "it takes \(actual) samples a second (divisor \(divisor))"
  }
}

/// The options `--frames` and `--packets`: samples in a packet, and packets in a request.
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

/// The option `--times`: the times of a sample that are printed in addition to that of the robot.
struct StreamTimes: Argument {
  var selected: [SampleTime] = []

  init() {}

  init?(argument: String) {
    let names = argument.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    guard names.allSatisfy({ SampleTime(rawValue: $0) != nil }) else { return nil }
    selected = SampleTime.allCases.filter { names.contains($0.rawValue) }
  }

  static var placeholder: String { "list" }
  static var allowed: String? { words.joined(separator: ", ") }
  static var words: [String] { SampleTime.allCases.map(\.rawValue) }
  static var isList: Bool { true }
  static func rejection(of word: String, of name: String) -> UsageError? {
    listError(
      in: word, of: name, "is not a time", advice: "The times are \(words.joined(separator: " and ")).")
  }

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

  static var placeholder: String { "name" }
  static var allowed: String? {
    let readings = spheroReadings.map(\.name)
    let others = words.filter { !readings.contains($0) }
    return "a reading: \(readings.joined(separator: ", ")); or a device: \(others.joined(separator: ", "))"
  }
  static var words: [String] { named.map(\.name) }
}

/// The option `--calibration`: a file of offsets that are subtracted from samples, and their mark in captures.
struct CalibrationOptions: Sendable {
  /// A file, or ``none``.
  private var file: String?
  /// The offsets of the file; nil before ``load()``.
  private(set) var offsets: RestCalibration?
  /// The value of the option that subtracts no offsets, not even those of a recording.
  static let none = "none"
  /// The maximum size of a file in bytes; a calibration has a few hundred.
  private static let maximumCount = 65_536

  var isGiven: Bool { file != nil }
  private var isNone: Bool { file == Self.none }

  private static let defaultHelp =
    "Subtract the offsets that 'sphero survey --offsets' has stored in this file from acceleration and rotation rate. 'decode' and 'plot' subtract those of the recording by default; \(none) leaves them in."

  mutating func options(
    _ line: inout Synopsis, _ help: String = Self.defaultHelp
  ) throws(UsageError) {
    try line.option("calibration", nil, &file, as: .file, help)
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

  /// Reads the file into ``offsets``.
  ///
  /// - Throws: A ``Failure`` if the file cannot be read (exit code 66) or is not a calibration (65).
  mutating func load() async throws {
    guard let file, !isNone else { return }
    let text = try await TextFile(
      file, atMost: Self.maximumCount, advice: CalibrationError.missing("").advice)
    let valid = try text.validText()
    do throws(CalibrationError) { offsets = try RestCalibration(parsing: valid) } catch {
      throw Failure(.badData, "\(text.name): \(error.message)", advice: error.advice)
    }
  }

  /// Records ``offsets``, if any, in captures.
  func mark(in captures: [CaptureWriter]) { offsets?.mark(in: captures) }
}

extension RestCalibration {
  /// Records the offsets in captures; does nothing if one is not finite.
  func mark(in captures: [CaptureWriter]) {
    guard let text = storedText else { return }
    for capture in captures { capture.record(CaptureMark(.calibration, offsets: text)) }
  }
}

/// The options of the processing of samples: units, angles, conventions, calibration and filters.
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

  /// The convention by which the robot's quaternion and sensor values are interpreted.
  var robotConvention: Convention { convention.flatMap { $0.isSpheroReading ? $0 : nil } ?? .sphero }

  /// The convention of another device in which motion and angles are printed; nil for that of the robot.
  var reporting: Convention? { convention.flatMap { $0.isSpheroReading ? nil : $0 } }

  /// The names of the options that the user has given, with their dashes.
  var givenOptions: [String] {
    let options = [
      ("--raw", isRaw), ("--euler", isEuler), ("--convention", convention != nil),
      ("--fusion", ignoresQuaternion), ("--calibration", calibration.isGiven),
    ]
    return options.filter(\.1).map(\.0) + filters.givenOptions
  }

  /// Returns these options after loading the file of `--calibration`; throws as ``CalibrationOptions/load()``.
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
