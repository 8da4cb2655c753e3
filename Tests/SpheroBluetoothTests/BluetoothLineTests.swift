// Sessions over Bluetooth LE with a simulated robot behind an attribute server of literal bytes, on a socket pair.

import Foundation
import SpheroBluetooth
import SpheroControls
import SpheroProtocol
import SpheroSession
import SpheroSimulator
import SpheroSystem
import SpheroTransport
import TestSupport
import Testing

@testable import SpheroSerial

#if os(Linux)
  /// A robot with Bluetooth LE: answers attribute packets on one end of a socket pair, and passes bytes to a robot.
  private final class Peripheral: Sendable {
    let hostEnd: Int32
    private let end: Int32
    private let toRobot = Mailbox<UInt8>(capacity: 1 << 20)
    private let tasks: [Task<Void, Never>]
    /// The number of requests after which the connection breaks.
    private let limit: Int

    init(robot: any Transport, pieceCount: Int = 20, limit: Int = .max) throws {
      var ends: [Int32] = [0, 0]
      guard unsafe socketpair(AF_UNIX, Int32(SOCK_SEQPACKET.rawValue), 0, &ends) == 0 else {
        throw POSIXError(.init(rawValue: errno) ?? .EIO)
      }
      for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
      _ = fcntl(ends[0], F_SETFL, O_NONBLOCK)
      (hostEnd, end, self.limit) = (ends[0], ends[1], limit)
      let (device, toRobot) = (ends[1], toRobot)
      tasks = [
        Task {
          while let bytes = try? await toRobot.receive() { try? await robot.write(bytes) }
        },
        Task {
          while let bytes = try? await robot.read() {
            for start in stride(from: 0, to: bytes.count, by: pieceCount) {
              let piece = [0x1B, 0x23, 0x00] + bytes[start..<min(start + pieceCount, bytes.count)]
              _ = unsafe send(device, piece, piece.count, Int32(MSG_NOSIGNAL))
            }
          }
        },
      ]
      Thread.detachNewThread { self.serve() }
    }

    private func serve() {
      var buffer = [UInt8](repeating: 0, count: 1_024)
      var count = 0
      while case let size = unsafe recv(end, &buffer, buffer.count, 0), size > 0 {
        guard count < limit else { break }
        count += 1
        let packet = Array(buffer.prefix(size))
        if [0x12, 0x52].contains(packet[0]), packet[1...2] == [0x21, 0x00] {
          toRobot.push(Array(packet.dropFirst(3)))
        }
        if let answer = Device.answer(packet, mtu: 255) {
          _ = unsafe send(end, answer, answer.count, Int32(MSG_NOSIGNAL))
        }
      }
      for task in tasks { task.cancel() }
      toRobot.finish()
      _ = Foundation.close(end)
    }
  }

  @Suite(.timeLimit(.minutes(5))) struct BluetoothLineTests {
    private func connect(_ peripheral: Peripheral) async throws -> BluetoothLine {
      let line = try DescriptorLine(peripheral.hostEnd, port: "ble:x", isSocket: true, tellsUnsent: false)
      // A slow clock, because a busy computer must not time out before the link is lost.
      let time = ScaledTime(SystemTime(), pace: 0.1)
      return try await BluetoothLine.connect(over: line, port: "ble:x", time: time)
    }

    @Test(arguments: [1, 3, 20, 512]) func aSessionWorksWithNotificationsOfAnyLength(pieceCount: Int)
      async throws
    {
      let simulated = SimulatedRobot()
      let peripheral = try Peripheral(robot: simulated.connect(), pieceCount: pieceCount)
      try await Robot.withRobot(on: try await connect(peripheral)) { robot in
        #expect(try await robot.version().model == .s3)
        try await robot.setColor(.orange)
        var count = 0
        for try await sample in try await robot.samples([.imu, .accel], hertz: 100).prefix(50) {
          count += sample.sample.mask.isEmpty ? 0 : 1
        }
        #expect(count == 50)
        _ = try await robot.send(Core.SetDeviceName(name: "a name of more than 20 bytes"))
      }
      let lights = await simulated.lights
      #expect([lights.red, lights.green, lights.blue] == [255, 165, 0])
    }

    @Test(arguments: 0..<9) func aDisconnectionInTheHandshakeIsAnError(count: Int) async throws {
      let peripheral = try Peripheral(robot: SimulatedRobot().connect(), limit: count)
      do {
        _ = try await connect(peripheral)
        Issue.record("the handshake succeeded")
      } catch let error as LinkError {
        #expect(error.message.hasPrefix("ble:x: the robot disconnected before it could "), "\(error)")
        #expect(error.advice == "Keep the robot near and awake, and close other programs that use it.")
      }
    }

    @Test func aLostLinkEndsTheSession() async throws {
      let peripheral = try Peripheral(robot: SimulatedRobot().connect(), limit: 40)
      await #expect(throws: LinkError.lost("ble:x")) {
        // A busy computer must not time out before the link is lost.
        let settings = Robot.Settings(timeout: .seconds(30))
        try await Robot.withRobot(on: try await connect(peripheral), settings: settings) { robot in
          for _ in 0..<100 { _ = try await robot.ping() }
        }
      }
    }

    @Test func aRobotThatNoLongerConfirmsIsLost() async throws {
      let line = ConfirmedLine(port: "ble:x")
      line.process([.failed(.timedOut(.ready))])
      await #expect(throws: LinkError.lost("ble:x")) { _ = try await line.incoming.receive() }
    }

    @Test func aWriteAfterACancelledOneSendsAllBytesOfBoth() async throws {
      let (host, device) = MemoryTransport.pair()
      let peripheral = try Peripheral(robot: host)
      let line = try await connect(peripheral)
      let first = [UInt8](repeating: 1, count: 300)
      let cancelled = Task {
        unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
        try await line.write(first)
      }
      _ = await cancelled.result
      try await line.write([2])
      await line.close()
      var received: [UInt8] = []
      while received.count < 301, let bytes = try await device.read() { received += bytes }
      #expect(received == first + [2])
    }

    /// The path of a socket address has at most 107 bytes; a longer one would be cut to that of another socket.
    @Test func aLongPathOfASocketIsRefused() async throws {
      let error = await #expect(throws: LinkError.self) {
        try await BluetoothLine.connect(toSocket: "/" + String(repeating: "x", count: 107))
      }
      #expect(error?.message.contains("File name too long") == true, "\(String(describing: error))")
    }

    @Test func thePortIsParsed() throws {
      let port = try Port(parsing: "ble:C1:6E:04:5E:D9:11")
      #expect(port.kind == .lowEnergy && "\(port)" == "ble:C1:6E:04:5E:D9:11")
      guard case .lowEnergy(let address) = port else { throw PortError(text: "", at: "", .noRobot) }
      #expect(address.isLikelyRandom)
      #expect(BluetoothAddress(bytes: [0x68, 0x86, 0xE7, 1, 2, 3])?.isLikelyRandom == false)
      #expect(throws: PortError.self) { try Port(parsing: "ble:C1:6E:04:5E:D9:11@2") }
      #expect(throws: PortError.self) { try Port(parsing: "ble:") }
      let local = try Port(parsing: "ble:/tmp/x")
      #expect(local.kind == .lowEnergy && local == .attributeSocket(path: "/tmp/x"))
      #expect("\(local)" == "ble:/tmp/x")
      // Family 31, no PSM, the reversed address, channel 4, random.
      #expect(
        System.socketAddressBytes(.lowEnergy(address, isRandom: true))
          == [31, 0, 0, 0, 0x11, 0xD9, 0x5E, 0x04, 0x6E, 0xC1, 4, 0, 2, 0])
    }
  }
#endif
