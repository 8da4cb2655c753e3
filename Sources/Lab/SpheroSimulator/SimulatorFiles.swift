// Makes robots of their options, with the files that these name.

import SpheroModel
import SpheroOrientation
import SpheroSystem
public import SpheroTransport

extension SimulatorOptions {
  /// The longest file, in bytes.
  private static let longestFile = 1 << 20

  /// Puts robots on their floor, with the hand of the script.
  ///
  /// The further robots get numbers after their names and seeds of their own.
  ///
  /// - Parameters:
  ///   - count: How many robots share the floor.
  ///   - time: The clock of the outside; the robots' runs ``pace`` times faster.
  /// - Returns: The world; ``SimulatedWorld/time`` is its clock.
  /// - Throws: ``SimulatorFileError``; `CancellationError` while a named pipe brings nothing.
  public func world(of count: Int = 1, time: any TimeSource = SystemTime()) async throws -> SimulatedWorld {
    var floor = Floor()
    if let floorPath {
      let text = try await Self.text(of: floorPath)
      do throws(TextLineError) { floor = try Floor(parsing: text) } catch {
        throw SimulatorFileError.malformed(path: floorPath, line: error.line, reason: error.description)
      }
    }
    var script = HandScript()
    if let scriptPath {
      let text = try await Self.text(of: scriptPath)
      do throws(TextLineError) { script = try HandScript(parsing: text) } catch {
        throw SimulatorFileError.malformed(path: scriptPath, line: error.line, reason: error.description)
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

  private static func text(of path: String) async throws -> String {
    String(decoding: try await bytes(of: path), as: UTF8.self)
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
          throw SimulatorFileError.tooLong(path: path)
        }
      }
    } catch let error as SystemError {
      throw SimulatorFileError.unreadable(path: path, reason: System.message(of: error.code))
    }
  }
}
