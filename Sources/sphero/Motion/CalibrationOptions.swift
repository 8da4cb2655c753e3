// The option of a stored calibration, whose offsets are subtracted from samples, and its mark in captures.

import SpheroOrientation
import SpheroProtocol
import SpheroRecording
import SpheroSession
import SpheroTransport

struct CalibrationOptions: Sendable {
  private var file: String?
  /// The offsets of the file.
  private(set) var offsets: RestCalibration?
  /// The word that stands for no file.
  static let none = "none"
  /// The maximum size of a file in bytes; a calibration has some hundreds.
  private static let maximumCount = 65_536

  var isGiven: Bool { file != nil }
  /// Whether the offsets of a recording are left out, too.
  var isNone: Bool { file == Self.none }

  /// The effect of the option on samples.
  private static let correction =
    "Subtract the offsets that 'sphero survey --offsets' has stored in this file from acceleration and rotation rate. 'decode' and 'plot' subtract those of the recording by default; \(none) leaves them in."

  mutating func options(
    _ line: inout some OptionVisitor, _ help: String = Self.correction
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

  /// Reads the file.
  ///
  /// A ``Failure`` reports a file that cannot be read (66) or is not a calibration (65).
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
  /// Records the offsets in the captures of a line, and returns the line.
  func mark(_ line: any Transport, in captures: [CaptureWriter]) -> any Transport {
    if let mark = offsets.flatMap({ CaptureMark($0) }) {
      for capture in captures { capture.record(mark) }
    }
    return line
  }
}

extension CaptureMark {
  /// A mark of the offsets that a program subtracts or has measured; nil if they cannot be stored.
  init?(_ calibration: RestCalibration) {
    guard let text = calibration.storedText else { return nil }
    self.init(.calibration, offsets: text)
  }

  /// The calibration of the mark; nil if it has none or is malformed.
  var calibration: RestCalibration? {
    kind == .calibration ? offsets.flatMap { try? RestCalibration(parsing: $0) } : nil
  }
}
