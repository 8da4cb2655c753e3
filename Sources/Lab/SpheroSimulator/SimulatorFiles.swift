// The world that options describe: its clock, the files that the options name, and their errors.

public import SpheroModel
import SpheroOrientation
import SpheroSystem
public import SpheroTransport

extension SimulatorOptions {
  /// Creates the world with its robots, floor and script; its clock runs ``pace`` times faster than `time`.
  ///
  /// The second and later robots have numbers in their names, and seeds and Bluetooth addresses of their own.
  /// `remark` receives the number of a robot, counted from 0, and what happens to it; it must not block.
  ///
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
      guard index > 0 else { return configuration }
      // Robots report 16 bytes of their name.
      let suffix = "-\(index + 1)"
      while configuration.name.utf8.count > 16 - suffix.count { configuration.name.removeLast() }
      configuration.name += suffix
      // Hexadecimal digits.
      let address = UInt64(configuration.address ?? configuration.profile.address, radix: 16) ?? 0
      let digits = String((address &+ UInt64(index)) & 0xFFFF_FFFF_FFFF, radix: 16, uppercase: true)
      configuration.address = String(repeating: "0", count: 12 - digits.count) + digits
      return configuration
    }
    let time: any TimeSource = pace == 1 ? time : ScaledTime(time, pace: pace)
    return SimulatedWorld(configurations, on: floor, script: script, time: time, remark: remark)
  }

  /// The fault plan of one robot, counted from 0: the same faults for all robots, with different seeds.
  public func faults(of number: Int) -> FaultPlan {
    var plan = faults
    plan.seed &+= UInt64(clamping: number)
    return plan
  }

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
    do {
      let descriptor = try System.openFile(path)
      defer { System.close(descriptor) }
      try await System.readAll(descriptor) { piece in
        bytes += piece ?? []
        guard bytes.count <= 1 << 20 else { throw SimulatorFileError.tooLong(path: path) }
      }
      return bytes
    } catch let error as SystemError {
      throw SimulatorFileError.unreadable(path: path, reason: System.message(of: error.code))
    }
  }
}

/// An error in a file that an option of the simulator names.
@nonexhaustive public enum SimulatorFileError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The system cannot read the file.
  case unreadable(path: String, reason: String)
  /// A line, counted from 1, is not valid; the reason states its number and text.
  case malformed(path: String, line: Int, reason: String)
  /// The file is longer than a megabyte.
  case tooLong(path: String)
  /// The file moves robot `needed`, counted from 1, but `count` robots are simulated.
  case tooFewRobots(path: String, needed: Int, count: Int)

  /// The message and the advice.
  public var description: String { "\(message). \(advice)" }

  /// The path and the cause, without a full stop.
  public var message: String {
    switch self {
    case .unreadable(let path, let reason), .malformed(let path, _, let reason): "\(path): \(reason)"
    case .tooLong(let path): "\(path): it is longer than a megabyte"
    case .tooFewRobots(let path, let needed, let count):
      "\(path): it moves robot \(needed), but there \(count == 1 ? "is 1" : "are \(count)")"
    }
  }

  /// What the user can do, in one sentence.
  public var advice: String {
    switch self {
    case .unreadable: "Name a file that can be read."
    case .malformed: "Correct that line; 'sphero simulate --help' has the form of the file."
    case .tooLong: "Shorten it."
    case .tooFewRobots(_, let needed, _): "Simulate \(needed) robots, or correct the file."
    }
  }
}

/// A clock that starts at zero and runs faster or slower than another.
public final class ScaledTime: TimeSource {
  private let base: any TimeSource
  private let start: Duration
  private let wallStart: Duration
  private let pace: Double

  /// `pace` is the rate relative to the other clock, clamped to 0.001...1000; 1 if it is not above 0, or infinite.
  public init(_ base: any TimeSource, pace: Double) {
    (self.base, start, wallStart) = (base, base.now, base.wallClock)
    self.pace = pace > 0 && pace.isFinite ? min(max(pace, 0.001), 1_000) : 1
  }

  /// The time since the clock was created, in whole microseconds, rounded down.
  public var now: Duration { ((base.now - start) * pace).wholeMicroseconds }

  /// The wall-clock time at the creation of the clock, plus the time since then by this clock.
  public var wallClock: Duration { wallStart + now }

  public var executor: (any TaskExecutor)? { base.executor }

  public func sleep(until deadline: Duration) async throws {
    // Rounded up to a microsecond: the wait must not end before the deadline.
    try await base.sleep(until: start + (deadline + .nanoseconds(999)) / pace + .nanoseconds(1))
  }
}
