// Reads the recording of a file to be replayed.

import SpheroSystem
import SpheroTransport

extension Replay {
  /// The longest recording that is read from a file, in bytes.
  public static let longestFile = 1 << 28

  /// Prepares the replay of a file.
  ///
  /// - Parameters:
  ///   - path: A file in any form that ``CaptureReader`` knows; what is not a capture is the robot's bytes.
  ///   - mode: How closely the host must follow it.
  ///   - speed: How many times faster than recorded.
  ///   - longest: The longest file, in bytes.
  /// - Returns: The replay, which has not begun.
  /// - Throws: `LinkError` where the file cannot be read; ``CaptureError``; ``ReplayError``; `CancellationError`.
  public static func reading(
    path: String, mode: Mode = .loose, speed: Double = 1, longest: Int = longestFile
  ) async throws -> Replay {
    var reader = CaptureReader()
    var records: [CaptureRecord] = []
    let descriptor = try openFile(path)
    defer { System.close(descriptor) }
    var count = 0
    while true {
      try Task.checkCancellation()
      guard let bytes = try read(descriptor, path) else {
        // A pipe whose writer has nothing to say yet.
        try await Task.sleep(for: .milliseconds(20))
        continue
      }
      count += bytes.count
      guard count <= longest else { throw ReplayError.tooLong(limit: longest) }
      if bytes.isEmpty { reader.finish() } else { reader.append(bytes) }
      while let record = try reader.next() { records.append(record) }
      if bytes.isEmpty { break }
    }
    return try Replay(records, mode: mode, speed: speed)
  }

  private static func openFile(_ path: String) throws(LinkError) -> Int32 {
    do throws(SystemError) { return try System.openFile(path) } catch {
      if error.isNotFound { throw .notFound(path) }
      if error.isNotPermitted { throw .noPermission(path) }
      throw .failed(path, operation: "open", code: error.code)
    }
  }

  /// The next bytes; empty at the end, nil where there are none yet.
  private static func read(_ descriptor: Int32, _ path: String) throws(LinkError) -> [UInt8]? {
    do throws(SystemError) { return try System.read(descriptor, atMost: 1 << 16) } catch {
      if error.isNotNow { return nil }
      throw .failed(path, operation: "read", code: error.code)
    }
  }
}
