// Reads a recording from a file for a replay.

import SpheroSystem
import SpheroTransport

extension Replay {
  /// The default limit of the size of a file, 256 MiB.
  public static let longestFile = 1 << 28

  /// Reads a recording and prepares its replay.
  ///
  /// - Parameters:
  ///   - path: A file in any ``CaptureFormat``; bytes without a sender are those of the robot.
  ///   - mode: How closely the host must follow the recording.
  ///   - speed: The factor of the recorded speed, clamped to 0.001...1000.
  ///   - longest: The limit of the size of the file in bytes.
  /// - Returns: The replay, which has not begun.
  /// - Throws: `LinkError` if the file cannot be read; ``CaptureError``; ``ReplayError``; `CancellationError`.
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
        // The writer of a pipe has not written yet.
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

  /// The next bytes; empty at the end of the file, nil if a pipe has none now.
  private static func read(_ descriptor: Int32, _ path: String) throws(LinkError) -> [UInt8]? {
    do throws(SystemError) { return try System.read(descriptor, atMost: 1 << 16) } catch {
      if error.isNotNow { return nil }
      throw .failed(path, operation: "read", code: error.code)
    }
  }
}
