// What must hold for any text whatever that is read as a capture; Tools/fuzz searches for text for which it does not.

import SpheroProtocol
import SpheroRecording

/// A way of reading recorded bytes that nobody vouches for.
enum CaptureFuzzTarget: String, CaseIterable, Sendable {
  /// Text in the form of a capture, or in whatever form it seems to be.
  case capture
  /// Text in every form.
  case text

  /// A sentence about what does not hold for these bytes, or nil.
  func complaint(about bytes: [UInt8]) -> String? {
    switch self {
    case .capture: [nil, .capture].lazy.compactMap { reader(bytes, $0) }.first
    case .text: CaptureFormat.allCases.lazy.compactMap { reader(bytes, $0) }.first
    }
  }

  private func reader(_ bytes: [UInt8], _ format: CaptureFormat?) -> String? {
    let whole = read([bytes], format)
    // Where the form is to be found out, raw bytes may follow what looks like text.
    if let format, format != .raw {
      let byByte = read(bytes.map { [$0] }, format)
      guard byByte == whole else { return "cuts matter to \(format)" }
    }
    for case .success(let record) in whole {
      guard let again = try? CaptureReader.records(in: "\(record)\n".utf8, format: .capture).first,
        isSame(again, record)
      else { return "'\(record)' cannot be read back" }
    }
    return nil
  }

  /// Whether a record is what was written; times are rounded to microseconds.
  private func isSame(_ again: CaptureRecord, _ record: CaptureRecord) -> Bool {
    switch (again, record) {
    case (.line(let again), .line(let line)): again.bytes == line.bytes && again.sender == line.sender
    case (.header(let again), .header(let header)):
      again == with(header) { $0.start = again.start }
    case (.mark(let again), .mark(let mark)): again == with(mark) { $0.time = again.time }
    default: false
    }
  }

  private func read(_ pieces: [[UInt8]], _ format: CaptureFormat?) -> [Result<CaptureRecord, CaptureError>] {
    var reader = CaptureReader(format)
    var results: [Result<CaptureRecord, CaptureError>] = []
    func drain() {
      while true {
        do throws(CaptureError) {
          guard let record = try reader.next() else { return }
          results.append(.success(record))
        } catch {
          results.append(.failure(error))
        }
      }
    }
    for piece in pieces {
      reader.append(piece)
      drain()
    }
    reader.finish()
    drain()
    return results
  }

  private func with<Value>(_ value: Value, _ change: (inout Value) -> Void) -> Value {
    var value = value
    change(&value)
    return value
  }
}
