// A file or named pipe that takes a capture.

import SpheroSystem
public import SpheroTransport

/// A file that takes the records of one capture, line by line.
///
/// A named pipe may have no reader yet: its first record waits for one.
public actor CaptureFile: CaptureSink {
  private let path: String
  private var descriptor: Int32?

  /// Makes a file, or empties the one that is there.
  ///
  /// Open the robot's line first: an old capture is worth more than an empty one.
  ///
  /// - Parameters:
  ///   - path: The file; never waits for the reader of a named pipe.
  ///   - isReplacing: Whether a file with something in it is emptied; otherwise that is an error.
  /// - Throws: ``LinkError/failed(_:operation:code:)`` where it cannot be made.
  public init(_ path: String, isReplacing: Bool = true) throws(LinkError) {
    self.path = path
    descriptor = try Self.open(path, isReplacing: isReplacing)
  }

  deinit { if let descriptor { System.close(descriptor) } }

  /// The descriptor, or nil for a named pipe that nobody reads.
  private static func open(_ path: String, isReplacing: Bool) throws(LinkError) -> Int32? {
    do throws(SystemError) { return try System.createFile(path, isReplacing: isReplacing) } catch {
      if error.hasNoReader, System.isPipe(path) { return nil }
      throw .failed(path, operation: "create", code: error.code)
    }
  }

  /// Appends a record; waits while a pipe is full or has no reader.
  ///
  /// - Throws: `LinkError` where the disk is full or the reader has gone; `CancellationError`.
  public func write(_ record: CaptureRecord) async throws {
    let descriptor = try await opened()
    var rest = Array("\(record)\n".utf8)[...]
    while !rest.isEmpty {
      let count: Int
      do throws(SystemError) { count = try System.writeWithoutSignal(descriptor, rest) } catch {
        throw LinkError.failed(path, operation: "write", code: error.code)
      }
      rest = rest.dropFirst(count)
      if count == 0 { try await Task.sleep(for: Self.pause) }
    }
  }

  /// The wait before a full pipe, or one without a reader, is tried again.
  private static let pause = Duration.milliseconds(5)

  private func opened() async throws -> Int32 {
    while true {
      if let descriptor { return descriptor }
      descriptor = try Self.open(path, isReplacing: true)
      if descriptor == nil { try await Task.sleep(for: Self.pause) }
    }
  }
}
