// The measurements of sphero survey for other commands: the convention of one robot, and its offsets at rest.

import SpheroOrientation
import SpheroProcess
import SpheroProtocol
import SpheroRecording
import SpheroSession
import SpheroSystem
import SpheroTransport

extension Survey {
  /// The time limit of each new pose, and of the measurement of the offsets, if `--for` is not given.
  private static let measurementTime = Duration.seconds(30)

  func measureOffsets(to file: String, _ terminal: Terminal) async throws {
    // The file is also checked before the measurement, which takes some seconds.
    if !overwrites, LogFile.exists(file) { throw Self.exists(file) }
    await terminal.note("let the ball lie still for 4 s", connection)
    var captures: [CaptureWriter] = []
    func keep(_ writers: [CaptureWriter]) { captures = writers }
    let calibration = try await connection.withRobot(onCaptures: keep) { robot in
      let calibration = try await robot.measureOffsets(timeLimit: wait ?? Self.measurementTime)
      calibration.mark(in: captures)
      return calibration
    }
    try await terminal.print(Sheet.text(calibration.fields, kind: "offsets", format))
    let log: LogFile
    do throws(LinkError) { log = try LogFile(file, overwrites: overwrites) } catch {
      if !overwrites, LogFile.exists(file) { throw Self.exists(file) }
      throw Failure(.cannotCreate, error.message, advice: "Choose a file in a folder that you may write to.")
    }
    do throws(LinkError) { try log.write((calibration.storedText ?? "") + "\n") } catch {
      throw Failure(.linkLost, error.message, advice: "Make room, or write elsewhere.")
    }
    await terminal.note(
      "x is right, y ahead and z up, so x and y have other signs than in the columns accel and gyro; "
        + "'--calibration \(file)' subtracts the offsets from samples", connection)
  }

  private static func exists(_ path: String) -> Failure {
    Failure(.cannotCreate, "\(path) is already there", advice: "Name another file, or add --force.")
  }

  func findConventions(_ terminal: Terminal) async throws {
    let guide = ConventionGuide(poses: poses ?? 5, wait: wait ?? Self.measurementTime) {
      await terminal.note($0, connection)
    }
    let probe = try await connection.withRobot { try await guide.probe($0) }
    try await terminal.print(Sheet.text(probe.fields, kind: "conventions", format))
  }
}

extension RestCalibration {
  /// The values of the measurement, on the body axes right, ahead, up.
  var fields: [Field] {
    let rate = rotationRateOffset * (180 / .pi)
    return Axis.allCases.map {
      Field("acceleration_offset_\($0)", .g, .decimal(accelerationOffset[$0], digits: 5))
    }
      + Axis.allCases.map {
        Field("rotation_rate_offset_\($0)", .degreesPerSecond, .decimal(rate[$0], digits: 3))
      }
      + [Field("readings", .count(sampleCount))]
  }
}
