// Writes a capture to a file or named pipe.

import SpheroSystem
public import SpheroTransport

/// A file that stores the records of one capture as lines.
///
/// The first record for a named pipe waits for a reader.
public actor CaptureFile: CaptureSink {
  private let path: String
  private var descriptor: Int32?

  /// Creates a file, or empties an existing one; does not wait for the reader of a named pipe.
  ///
  /// Open the robot's line first, so that a failure to connect does not cost an earlier capture.
  ///
  /// - Parameters:
  ///   - path: The path of the file.
  ///   - isReplacing: Whether an existing file with content is emptied; otherwise it is an error.
  /// - Throws: ``LinkError/failed(_:operation:code:)``.
  public init(_ path: String, isReplacing: Bool = true) throws(LinkError) {
    self.path = path
    descriptor = try Self.open(path, isReplacing: isReplacing)
  }

  deinit { if let descriptor { System.close(descriptor) } }

  /// The descriptor, or nil for a named pipe without a reader.
  private static func open(_ path: String, isReplacing: Bool) throws(LinkError) -> Int32? {
    do throws(SystemError) { return try System.createFile(path, isReplacing: isReplacing) } catch {
      if error.hasNoReader, System.isPipe(path) { return nil }
      throw .failed(path, operation: "create", code: error.code)
    }
  }

  /// Appends a record; waits while a pipe is full or has no reader.
  ///
  /// - Throws: `LinkError`, for example if the disk is full or the reader has closed the pipe; `CancellationError`.
  public func write(_ record: CaptureRecord) async throws {
    let descriptor = try await opened()
    var rest = Array("\(record)\n".utf8)[...]
    while !rest.isEmpty {
      let count: Int
      do throws(SystemError) { count = try System.writeWithoutSignal(descriptor, rest) } catch {
        throw LinkError.failed(path, operation: "write", code: error.code)
      }
      rest = rest.dropFirst(count)
      if count == 0 { try await Task.sleep(for: Self.retryInterval) }
    }
  }

  /// The interval at which a pipe that is full or has no reader is tried again.
  private static let retryInterval = Duration.milliseconds(5)

  private func opened() async throws -> Int32 {
    while true {
      if let descriptor { return descriptor }
      descriptor = try Self.open(path, isReplacing: true)
      if descriptor == nil { try await Task.sleep(for: Self.retryInterval) }
    }
  }
}
