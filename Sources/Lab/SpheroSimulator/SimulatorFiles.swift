// Creates a world of simulated robots from their options, and reads the files that the options name.

public import SpheroModel
import SpheroOrientation
import SpheroSystem
public import SpheroTransport

extension SimulatorOptions {
  /// The maximum size of a file in bytes.
  private static let maximumFileSize = 1 << 20

  /// Creates the world with its robots, floor and script.
  ///
  /// The second and later robots have numbers in their names, and seeds and Bluetooth addresses of their own.
  ///
  /// - Parameters:
  ///   - count: The number of robots.
  ///   - time: The base clock; that of the robots, ``SimulatedWorld/time``, runs ``pace`` times faster.
  ///   - remark: Receives the number of a robot, counted from 0, and what happens to it; it must not block.
  /// - Returns: The world, with its clock in ``SimulatedWorld/time``.
  /// - Throws: ``SimulatorFileError``; `CancellationError` while a named pipe is silent.
  public func world(
    of count: Int = 1, time: any TimeSource = SystemTime(),
    remark: @escaping @Sendable (Int, TimedRobotRemark) -> Void = { _, _ in }
  ) async throws -> SimulatedWorld {
    let floor =
      switch floor {
      case .room: Floor.room
      case .unbounded: Floor()
      case .file(let path):
        try await Self.parse(path) { text throws(TextLineError) in try Floor(parsing: text) }
      }
    var script = HandScript()
    if let scriptPath {
      script = try await Self.parse(scriptPath) { text throws(TextLineError) in
        try HandScript(parsing: text)
      }
      guard script.robotCount <= count else {
        throw SimulatorFileError.tooFewRobots(path: scriptPath, needed: script.robotCount, count: count)
      }
    }
    let configurations = (0..<max(count, 0)).map { index in
      var configuration = robot
      configuration.seed &+= UInt64(index)
      if index > 0 {
        // Robots report 16 bytes of their name.
        let suffix = "-\(index + 1)"
        while configuration.name.utf8.count > 16 - suffix.count { configuration.name.removeLast() }
        configuration.name += suffix
        let address = configuration.model.address ?? configuration.model.profile.address
        configuration.model.address = Self.address(address, plus: index)
      }
      return configuration
    }
    let time: any TimeSource = pace == 1 ? time : ScaledTime(time, pace: pace)
    return SimulatedWorld(
      configurations, on: floor, script: script, time: time, remark: remark)
  }

  /// The fault plan of one robot, counted from 0: the same faults for all robots, with different seeds.
  public func faults(of number: Int) -> FaultPlan {
    var plan = faults
    plan.seed &+= UInt64(clamping: number)
    return plan
  }

  /// A Bluetooth address whose last bytes are higher by a number; its digits are hexadecimal.
  private static func address(_ address: String, plus number: Int) -> String {
    let bits = (UInt64(address, radix: 16) ?? 0) &+ UInt64(clamping: number)
    let digits = String(bits & 0xFFFF_FFFF_FFFF, radix: 16, uppercase: true)
    return String(repeating: "0", count: 12 - digits.count) + digits
  }

  /// Reads and parses a file.
  private static func parse<Value>(
    _ path: String, _ body: (String) throws(TextLineError) -> Value
  ) async throws -> Value {
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
