// Makes robots of their options, with the files that these name.

import SpheroModel
import SpheroSystem
public import SpheroTransport

/// Why a file that the options of simulated robots name cannot be used.
public enum SimulatorFileError: Error, Hashable, Sendable, CustomStringConvertible {
  /// It cannot be read; with the reason for people.
  case unreadable(path: String, reason: String)
  /// It says something that means nothing; with the place and what stands there.
  case malformed(path: String, reason: String)

  /// One sentence for people.
  public var description: String {
    switch self {
    case .unreadable(let path, let reason), .malformed(let path, let reason): "\(path): \(reason)"
    }
  }
}

extension SimulatorOptions {
  /// The longest file, in bytes.
  private static let longestFile = 1 << 20

  /// Puts robots on their floor, with the hand of the script.
  ///
  /// The further robots get numbers behind their names and seeds of their own.
  ///
  /// - Parameters:
  ///   - count: How many robots share the floor.
  ///   - time: The clock of the outside; the robots' runs ``pace`` times faster.
  /// - Returns: The world; ``SimulatedWorld/time`` is its clock.
  /// - Throws: ``SimulatorFileError``; `CancellationError` while a named pipe brings nothing.
  public func world(of count: Int = 1, time: any TimeSource = SystemTime()) async throws -> SimulatedWorld {
    var floor = Floor()
    if let floorPath {
      floor = try await Self.read(floorPath) { text throws(FloorError) in try Floor(parsing: text) }
    }
    var script = HandScript()
    if let scriptPath {
      script = try await Self.read(scriptPath) { text throws(HandScriptError) in try HandScript(parsing: text)
      }
      guard script.robotCount <= count else {
        throw SimulatorFileError.malformed(
          path: scriptPath,
          reason: "it moves robot \(script.robotCount), but there \(count == 1 ? "is 1" : "are \(count)")")
      }
    }
    let configurations = (0..<max(count, 0)).map { index in
      var configuration = robot
      configuration.seed &+= UInt64(index)
      if index > 0 {
        // Robots tell 16 bytes of their name.
        let suffix = "-\(index + 1)"
        configuration.name = configuration.name.prefix(16 - suffix.count) + suffix
      }
      return configuration
    }
    let time: any TimeSource = pace == 1 ? time : ScaledTime(time, pace: pace)
    return SimulatedWorld(configurations, on: floor, script: script, time: time)
  }

  /// What goes wrong on the line of one robot: the same kinds of faults for all, each with chances of its own.
  ///
  /// - Parameter number: The robot, counted from 0.
  /// - Returns: The plan.
  public func faults(of number: Int) -> FaultPlan {
    var plan = faults
    plan.seed &+= UInt64(clamping: number)
    return plan
  }

  private static func read<Value, Malformed: Error>(
    _ path: String, _ parse: (String) throws(Malformed) -> Value
  ) async throws -> Value {
    let bytes = try await bytes(of: path)
    do throws(Malformed) { return try parse(String(decoding: bytes, as: UTF8.self)) } catch {
      throw SimulatorFileError.malformed(path: path, reason: "\(error)")
    }
  }

  private static func bytes(of path: String) async throws -> [UInt8] {
    var bytes: [UInt8] = []
    do {
      let descriptor = try System.openFile(path)
      defer { System.close(descriptor) }
      while true {
        // A pipe may bring its bytes later.
        while !System.isReadable(descriptor) { try await Task.sleep(for: .milliseconds(20)) }
        let piece = try System.read(descriptor, atMost: 1 << 16)
        guard !piece.isEmpty else { return bytes }
        bytes += piece
        guard bytes.count <= longestFile else {
          throw SimulatorFileError.malformed(path: path, reason: "it is longer than a megabyte")
        }
      }
    } catch let error as SystemError {
      throw SimulatorFileError.unreadable(path: path, reason: System.message(of: error.code))
    }
  }
}
