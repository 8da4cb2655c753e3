// The world of simulated robots by their options, and the files that these name.

import SpheroModel
import SpheroOrientation
import SpheroSystem
public import SpheroTransport

extension SimulatorOptions {
  /// The maximum size of a file in bytes.
  private static let maximumFileSize = 1 << 20

  /// Creates the world with its robots, floor and script.
  ///
  /// The second and later robots have numbers in their names, and seeds of their own.
  ///
  /// - Parameters:
  ///   - count: The number of robots.
  ///   - time: The base clock; that of the robots, ``SimulatedWorld/time``, runs ``pace`` times faster.
  /// - Returns: The world, with its clock in ``SimulatedWorld/time``.
  /// - Throws: ``SimulatorFileError``; `CancellationError` while a named pipe is silent.
  public func world(of count: Int = 1, time: any TimeSource = SystemTime()) async throws -> SimulatedWorld {
    let floor = try await Self.parse(floorPath) { text throws(TextLineError) in try Floor(parsing: text) }
    let script = try await Self.parse(scriptPath) { text throws(TextLineError) in
      try HandScript(parsing: text)
    }
    if let scriptPath, let script, script.robotCount > count {
      throw SimulatorFileError.tooFewRobots(path: scriptPath, needed: script.robotCount, count: count)
    }
    let configurations = (0..<max(count, 0)).map { index in
      var configuration = robot
      configuration.seed &+= UInt64(index)
      if index > 0 {
        // Robots report 16 bytes of their name.
        let suffix = "-\(index + 1)"
        configuration.name = configuration.name.prefix(16 - suffix.count) + suffix
      }
      return configuration
    }
    let time: any TimeSource = pace == 1 ? time : ScaledTime(time, pace: pace)
    return SimulatedWorld(
      configurations, on: floor ?? Floor(), script: script ?? HandScript(), time: time)
  }

  /// The fault plan of one robot, counted from 0: the same faults for all robots, with different seeds.
  public func faults(of number: Int) -> FaultPlan {
    var plan = faults
    plan.seed &+= UInt64(clamping: number)
    return plan
  }

  /// Reads and parses a file; nil without a path.
  private static func parse<Value>(
    _ path: String?, _ body: (String) throws(TextLineError) -> Value
  ) async throws -> Value? {
    guard let path else { return nil }
    let text = String(decoding: try await bytes(of: path), as: UTF8.self)
    do throws(TextLineError) { return try body(text) } catch {
      throw SimulatorFileError.malformed(path: path, line: error.line, reason: error.description)
    }
  }

  private static func bytes(of path: String) async throws -> [UInt8] {
    var bytes: [UInt8] = []
    var filter = ByteOrderMarkFilter()
    do {
      let descriptor = try System.openFile(path)
      defer { System.close(descriptor) }
      while true {
        // A pipe may receive its bytes later.
        while !System.isReadable(descriptor) { try await Task.sleep(for: .milliseconds(20)) }
        let piece = try System.read(descriptor, atMost: 1 << 16)
        bytes += filter(piece)
        guard !piece.isEmpty else { return bytes }
        guard bytes.count <= maximumFileSize else { throw SimulatorFileError.tooLong(path: path) }
      }
    } catch let error as SystemError {
      throw SimulatorFileError.unreadable(path: path, reason: System.message(of: error.code))
    }
  }
}
