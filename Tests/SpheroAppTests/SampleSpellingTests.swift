// Names that newcomers try first for samples and packets: the recommendation of each row of Docs/Guesses.md, compiled.

import Foundation
import SpheroControls
import SpheroHost
import SpheroOrientation
import SpheroProtocol
import SpheroSerial
import SpheroSession
import SpheroSimulator
import Testing

/// The form of the comments is that of ``GuessTests``; functions with a robot are compiled only.
@Suite struct SampleSpellingTests {
  private let q = Rotation(angle: .degrees(90), axis: [0, 0, 1]) ?? .identity
  private let sample = Sample(mask: .all, words: Array(repeating: 10_000, count: 42))
  private var timed: TimedSample { TimedSample(time: .zero, arrival: .zero, sample: sample) }
  private var m: DeviceMotion {
    DeviceMotion(
      attitude: q, sample: InertialSample(timestamp: 7, rotationRate: [0, 0, 1], acceleration: [0.5, 0, 1]))
  }
  /// A battery record.
  private let bytes: [UInt8] = [1, 2, 2, 0xEE, 0, 1, 0, 10]

  @Test func sampleNames() {
    // sample | let x = sample.acceleration.x
    _ = sample.accelerometer?.x
    // sample | let x = sample.accelerometer?.x
    do {
      let x = sample.accelerometer?.x
      _ = x
    }
    // sample | let g = sample.acceleration?.inG
    _ = sample.accelerometer
    // sample | let w = sample.gyroscope?.z
    do {
      let w = sample.gyroscope?.z
      _ = w
    }
    // sample | let w = sample.rotationRate?.z
    _ = sample.rotationRate()?.z
    // sample | let r = sample.quaternion
    _ = sample.rotation()?.quaternion
    // sample | let yaw = sample.attitude?.yaw
    _ = sample.rotation()?.yaw
    // sample | let a = sample.imu?.pitch
    _ = sample.pitchRollYaw?.pitch
    // sample | let vx = sample.velocity?.x
    _ = sample[.velocityX]
    // sample | let l = sample.motorBackEMF?.left
    _ = sample[.emfLeft]
    // sample | let l = sample.backEMF?.left
    _ = sample[.emfLeft]
    // sample | let t = sample.timestamp
    _ = timed.time
  }

  @Test func motionNames() {
    // motion | let a = m.userAcceleration.x
    do {
      let a = m.userAcceleration.x
      _ = a
    }
    // motion | let g = m.gravity.z
    do {
      let g = m.gravity.z
      _ = g
    }
    // motion | let r = m.attitude.quaternion
    do {
      let r = m.attitude.quaternion
      _ = r
    }
    // motion | let w = m.rotationRate.y
    do {
      let w = m.rotationRate.y
      _ = w
    }
    // motion | let h = m.heading
    do {
      let h = m.heading
      _ = h
    }
    // motion | let t = m.timestamp
    do {
      let t = m.timestamp
      _ = t
    }
    // motion | let n = m.converted(to: .coreMotion)
    _ = Convention.coreMotion.motion(m)
  }

  func packetNames(_ robot: Robot) async throws {
    // packet | let out = Packet(did: 0x02, cid: 0x30, seq: 1, data: [100, 0, 90, 1]).encoded()
    _ = try Packet.command(CommandPacket(id: CommandID(0x02, 0x30), sequence: 1, payload: [100, 0, 90, 1]))
      .encoded()
    // packet | let out = CommandPacket(deviceID: 0x02, commandID: 0x20, sequence: 1, data: [255, 0, 0, 0]).bytes
    _ = try Packet.command(CommandPacket(id: CommandID(0x02, 0x20), sequence: 1, payload: [255, 0, 0, 0]))
      .encoded()
    // packet | let out = Command.roll(speed: 100, heading: 90).encode(sequence: 1)
    _ = try Packet.command(Motion.Roll(90, speed: 0.4).packet(sequence: 1)).encoded()
    // packet | let out = Command.ping.encoded(sequence: 0)
    _ = try Packet.command(Core.Ping().packet(sequence: 0)).encoded()
    // packet | let out = Command.setRGB(red: 255, green: 0, blue: 0).packet(sequence: 3).bytes
    _ = try Packet.command(Lights.SetRGBLED(.red).packet(sequence: 3)).encoded()
    // packet | let out = Data(Command.setBackLED(255).bytes)
    _ = Data(try Packet.command(Lights.SetBackLED(fraction: 1).packet(sequence: 0)).encoded())
    // packet | let sum = checksum(bytes)
    _ = ~bytes.dropFirst(2).reduce(0, &+)
    // packet | let sum = Packet.checksum(of: bytes)
    _ = ~bytes.dropFirst(2).reduce(0, &+)
    // packet | let pkt = try Packet(bytes: bytes)
    do {
      var decoder = PacketDecoder(from: .robot)
      decoder.append(bytes)
      _ = decoder.next()
    }
    // packet | let pkt = try Packet.decode(bytes)
    do {
      var decoder = PacketDecoder(from: .robot)
      decoder.append(bytes)
      _ = decoder.next()
    }
    // packet | let resp = try Response(decoding: bytes)
    do {
      var decoder = PacketDecoder(from: .robot)
      decoder.append(bytes)
      _ = decoder.next()
    }
    // packet | var parser = PacketParser(); let pkts = parser.feed(bytes)
    do {
      var decoder = PacketDecoder(from: .robot)
      decoder.append(bytes)
      _ = decoder.next()
    }
    // packet | var decoder = PacketDecoder(); for pkt in try decoder.append(bytes) { print(pkt) }
    do {
      var decoder = PacketDecoder(from: .robot)
      decoder.append(bytes)
      _ = decoder.next()
    }
    // packet | let ok = try ResponsePacket(bytes).code == .ok
    do {
      var decoder = PacketDecoder(from: .robot)
      decoder.append(bytes)
      if case .response(let response)? = decoder.next() { _ = response }
    }
    // packet | if case .async(let message) = try Packet(bytes) { print(message.idCode) }
    do {
      var decoder = PacketDecoder(from: .robot)
      decoder.append(bytes)
      if case .event(let event)? = decoder.next() { _ = event }
    }
    // packet | let s = try SensorSample(data: bytes, mask: [.accelerometer, .quaternion])
    _ = Sample.samples(in: bytes, mask: [.accelerometer, .quaternion])
    // packet | let resp = try await robot.send(Command(did: 0x00, cid: 0x01))
    _ = try await robot.exchange(CommandID(0x00, 0x01), payload: [])
    // packet | let mask: SensorMask = [.accelerometer, .gyroscope, .quaternion]; print(mask.rawValue)
    do {
      let mask: SensorMask = [.accelerometer, .gyroscope, .quaternion]
      _ = mask
      print(mask.rawValue)
    }
    // packet | let state = try PowerState(bytes)
    _ = try Core.GetPowerState.Response(payload: bytes)
  }
}
