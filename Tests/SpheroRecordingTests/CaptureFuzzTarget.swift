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
    for case .success(let line) in whole {
      guard let again = try? CaptureLine(parsing: line.description), again.bytes == line.bytes,
        again.sender == line.sender
      else { return "'\(line)' cannot be read back" }
    }
    return nil
  }

  private func read(_ pieces: [[UInt8]], _ format: CaptureFormat?) -> [Result<CaptureLine, CaptureError>] {
    var reader = CaptureReader(format)
    var results: [Result<CaptureLine, CaptureError>] = []
    func drain() {
      while true {
        do throws(CaptureError) {
          guard let line = try reader.next() else { return }
          results.append(.success(line))
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
}
