// The option `--calibration`: a file of offsets that are subtracted from samples, and their mark in captures.

import SpheroOrientation
import SpheroProtocol
import SpheroRecording
import SpheroSession

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
}

extension CalibrationOptions {
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
