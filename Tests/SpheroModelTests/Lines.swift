// A robot model on a line of bytes, for tests.

import SpheroProtocol
import Testing

@testable import SpheroModel

/// A robot model with literal bytes as input and output, and a clock that the test advances.
struct Talk {
  var robot: RobotModel
  var now = Duration.zero

  init(on floor: Floor = Floor(), _ configure: (inout RobotModel.Configuration) -> Void = { _ in }) {
    var configuration = RobotModel.Configuration()
    configure(&configuration)
    robot = RobotModel(configuration, on: floor)
    robot.connect(at: .zero)
  }

  /// Advances the time from deadline to deadline, and returns the output.
  mutating func wait(_ time: Duration) -> [OutputPiece] {
    let end = now + time
    while let deadline = robot.nextDeadline, deadline <= end { robot.tick(at: deadline) }
    now = end
    robot.tick(at: now)
    return robot.takeOutput()
  }

  /// Sends a command and returns the immediate output.
  mutating func send(_ device: UInt8, _ command: UInt8, _ payload: [UInt8] = [], sop2: UInt8 = 0xFF)
    -> [OutputPiece]
  {
    robot.receive(Self.packet(device, command, payload, sop2: sop2), at: now)
    return robot.takeOutput()
  }

  mutating func roll(_ speed: UInt8, _ heading: UInt16, state: UInt8 = 1) {
    _ = send(0x02, 0x30, [speed, UInt8(heading >> 8), UInt8(heading & 0xFF), state])
  }

  /// The payload of the response to a command, or nil if it is refused.
  mutating func ask(_ device: UInt8, _ command: UInt8, _ payload: [UInt8] = []) -> [UInt8]? {
    send(device, command, payload).first.flatMap { response($0.bytes) }.flatMap {
      $0.status == 0 ? $0.payload : nil
    }
  }

  /// The status of the response to a command.
  mutating func status(_ device: UInt8, _ command: UInt8, _ payload: [UInt8] = []) -> UInt8? {
    send(device, command, payload).first.flatMap { response($0.bytes)?.status }
  }

  /// The bytes of a command with SEQ 52h, by the rule of the document.
  static func packet(
    _ device: UInt8, _ command: UInt8, _ payload: [UInt8] = [], sop2: UInt8 = 0xFF, sequence: UInt8 = 0x52
  ) -> [UInt8] {
    let length = payload.count > 254 ? 0xFF : UInt8(payload.count + 1)
    let body = [device, command, sequence, length] + payload
    return [0xFF, sop2] + body + [~body.reduce(0, &+)]
  }
}

/// The status and the payload of a response to SEQ 52h, or nil for other bytes.
func response(_ bytes: [UInt8]) -> (status: UInt8, payload: [UInt8])? {
  guard bytes.count >= 6, bytes[0] == 0xFF, bytes[1] == 0xFF, bytes[3] == 0x52,
    Int(bytes[4]) == bytes.count - 5, bytes[2...].reduce(0, &+) == 0xFF
  else { return nil }
  return (bytes[2], Array(bytes[5..<(bytes.count - 1)]))
}

/// The ID and the payload of an event, or nil for other bytes.
func event(_ bytes: [UInt8]) -> (id: UInt8, payload: [UInt8])? {
  guard bytes.count >= 6, bytes[0] == 0xFF, bytes[1] == 0xFE,
    Int(bytes[3]) << 8 | Int(bytes[4]) == bytes.count - 5, bytes[2...].reduce(0, &+) == 0xFF
  else { return nil }
  return (bytes[2], Array(bytes[5..<(bytes.count - 1)]))
}

/// The payloads of the events with an ID.
func events(_ pieces: [OutputPiece], _ id: UInt8) -> [[UInt8]] {
  pieces.compactMap { event($0.bytes) }.filter { $0.id == id }.map(\.payload)
}

/// The words of sensor packets with one frame each.
func frames(_ pieces: [OutputPiece]) -> [[Int16]] {
  events(pieces, 0x03).map { payload in
    stride(from: 0, to: payload.count - 1, by: 2).map {
      Int16(bitPattern: UInt16(payload[$0]) << 8 | UInt16(payload[$0 + 1]))
    }
  }
}

/// The frames of a stream by their number of words, with one frame per packet.
func words(_ pieces: [OutputPiece], _ count: Int) -> [[Int16]] {
  frames(pieces).map { Array($0.prefix(count)) }
}
