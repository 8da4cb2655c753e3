// A robot on a pseudo-terminal that accepts every command and streams the words of a test.

import Foundation
import SpheroOrientation
import SpheroProtocol
import SpheroSerial
import SpheroServing
import TestSupport

/// A robot that streams prescribed words, faster than a real one.
actor ScriptedRobot {
  /// The words of a frame by its number.
  typealias Script = @Sendable (Int) -> [SensorField: Int16]

  /// The commands it has received.
  private(set) var commands: [CommandPacket] = []
  private let script: Script
  private let thread = OwnThread()
  private var streaming: Task<Void, any Error>?

  init(_ script: @escaping Script) { self.script = script }

  /// Runs a program against the robot.
  static func play<Result>(
    _ script: @escaping Script, _ body: (_ port: String, ScriptedRobot) async throws -> Result
  ) async throws -> (Result, ScriptedRobot) {
    let robot = ScriptedRobot(script)
    let line = try PseudoTerminal()
    let life = Task(executorPreference: robot.thread) { await robot.serve(line) }
    let result: Swift.Result<Result, any Error>
    do { result = .success(try await body(line.path, robot)) } catch { result = .failure(error) }
    line.close()
    await life.value
    robot.thread.end()
    return (try result.get(), robot)
  }

  private func serve(_ line: PseudoTerminal) async {
    var decoder = PacketDecoder(from: .host)
    while let bytes = try? await line.read() {
      decoder.append(bytes)
      while case .command(let command)? = decoder.next() {
        commands.append(command)
        let reply = Packet.response(ResponsePacket(status: .ok, sequence: command.sequence))
        try? line.write((try? reply.encoded()) ?? [])
        guard command.id == Sensing.SetDataStreaming.id,
          let request = try? Sensing.SetDataStreaming(request: command.payload)
        else { continue }
        if request.sensorMask.isEmpty {
          streaming?.cancel()
          streaming = nil
        } else if streaming == nil {
          streaming = Task(executorPreference: thread) {
            try await self.pour(request.sensorMask, into: line)
          }
        }
      }
    }
    streaming?.cancel()
  }

  private func pour(_ mask: SensorMask, into line: PseudoTerminal) async throws {
    var number = 0
    while !Task.isCancelled {
      let words = script(number)
      let sample = Sample(mask: mask, words: mask.fields.map { words[$0] ?? 0 })
      let event = EventPacket(id: Sensing.SensorData.id, payload: Sensing.SensorData([sample]).frames)
      try line.write(try Packet.event(event).encoded())
      number += 1
      // The thread belongs to the robot alone; timers of tasks wait for the threads that tests share.
      usleep(1_000)
      await Task.yield()
    }
  }

  /// The modes of the control system in order; equal modes in a row, as of a retry, count once.
  var stabilization: [Motion.SetStabilization.Mode] {
    commands.filter { $0.id == Motion.SetStabilization.id }
      .compactMap { (try? Motion.SetStabilization(request: $0.payload))?.mode }
      .reduce(into: []) { modes, mode in if modes.last != mode { modes.append(mode) } }
  }
}

/// Runs a robot outside the shared threads of the tests, which lets it answer while other tests compute.
private final class OwnThread: TaskExecutor, @unchecked Sendable {
  private let condition = NSCondition()
  private var jobs: [UnownedJob] = []
  private var hasEnded = false

  init() { Thread.detachNewThread { self.run() } }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    condition.withLock {
      jobs.append(job)
      condition.signal()
    }
  }

  func end() {
    condition.withLock {
      hasEnded = true
      condition.signal()
    }
  }

  private func run() {
    while true {
      condition.lock()
      while jobs.isEmpty, !hasEnded { condition.wait() }
      let taken = jobs
      jobs = []
      condition.unlock()
      if taken.isEmpty { return }
      // Each job was handed over once and runs once.
      for job in taken { unsafe job.runSynchronously(on: asUnownedTaskExecutor()) }
    }
  }
}

/// A robot that lies in one pose after another: 3 s in each, half a second between them.
struct LaidDown {
  var poses: [Rotation]
  var convention: Convention
  /// The bias of the accelerometer, in g.
  var offset = Vector3(0.02, -0.01, 0.015)
  private static let (rest, way) = (60, 10)

  /// The words of a frame at 20 Hz; the last pose stays.
  func words(_ number: Int) -> [SensorField: Int16] {
    let (index, place) = number.quotientAndRemainder(dividingBy: Self.rest + Self.way)
    let pose = poses[min(index, poses.count - 1)]
    guard place >= Self.rest, index + 1 < poses.count else { return words(pose, turning: .zero) }
    let turn = (pose.inverse * poses[index + 1]).rotationVector
    let part = Rotation(rotationVector: turn * (Double(place - Self.rest) / Double(Self.way))) ?? .identity
    return words(pose * part, turning: turn * 2)
  }

  private func words(_ attitude: Rotation, turning rate: Vector3) -> [SensorField: Int16] {
    let quaternion = convention.words(of: attitude)
    let force = convention.accelerometer(ofSpecificForce: attitude.specificForce()) + offset
    let angles = convention.pitchRollYaw(of: attitude)
    let degrees = convention.gyroscope(ofRate: rate) * (180 / .pi)
    let values: [SensorField: Double] = [
      .q0: quaternion.q0, .q1: quaternion.q1, .q2: quaternion.q2, .q3: quaternion.q3, .accelX: force.x,
      .accelY: force.y, .accelZ: force.z, .gyroX: degrees.x, .gyroY: degrees.y, .gyroZ: degrees.z,
      .pitch: angles.pitch.degrees, .roll: angles.roll.degrees, .yaw: angles.yaw.degrees,
    ]
    return Dictionary(
      uniqueKeysWithValues: values.map { field, value in
        (field, Int16(exactly: (value / field.scale.perCount).rounded()) ?? 0)
      })
  }
}
