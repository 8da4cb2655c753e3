// Example 7 of Docs/Swift.md; `SPHERO_RECORD=1 swift test` copies it from there.

import SpheroPort
import SpheroProtocol
import SpheroRecording
import SpheroSession
import SpheroTransport

/// Records a session of 10 samples to a file, then returns the accelerations along z of a replay, in g.
///
/// Both take two seconds; with a `VirtualTime` they do not wait.
func recordAndReplay(_ path: String, time: some TimeSource = SystemTime()) async throws -> [Double] {
  let line = try await Port(parsing: "sim:").open(time: time)
  let capture = CaptureWriter(to: try CaptureFile(path), time: line.clock)
  try await Robot.withRobot(on: RecordingTransport(line, to: [capture])) { robot in
    for try await _ in try await robot.samples([.accel], hertz: 5).prefix(10) {}
  }
  if let loss = await capture.finish() { print("incomplete: \(loss)") }
  let replay = try await Port(parsing: "replay:\(path)").open(time: time)
  return try await Robot.withRobot(on: replay) { robot in
    var accelerations: [Double] = []
    for try await sample in try await robot.samples([.accel], hertz: 5).prefix(10) {
      accelerations.append(sample[.accelZ] ?? .nan)
    }
    return accelerations
  }
}
