// Random commands of the whole catalogue: valid, at their bounds, and malformed.

import SpheroProtocol
import TestSupport

/// A command in bytes.
struct RandomCommand {
  var device: UInt8
  var command: UInt8
  var payload: [UInt8]

  init(_ device: UInt8, _ command: UInt8, _ payload: [UInt8] = []) {
    (self.device, self.command, self.payload) = (device, command, payload)
  }

  /// Draws a command; streams, macros and programs are more frequent than the rest.
  static func any(_ chance: inout SeededGenerator) -> RandomCommand {
    switch Int.random(in: 0..<100, using: &chance) {
    case 0..<12: stream(&chance)
    case 12..<20: macro(&chance)
    case 20..<28: program(&chance)
    case 28..<38: roll(&chance)
    case 38: RandomCommand(0x00, 0x22, [0, UInt8.random(in: 0...30, using: &chance), 0, 0, 0])
    case 39..<42: RandomCommand(0x01, 0x04)
    case 42..<52: settings(&chance)
    default: row(&chance)
    }
  }

  private static func byte(_ chance: inout SeededGenerator) -> UInt8 {
    chance.isTrue(0.5)
      ? [0, 1, 2, 0x7F, 0x80, 0xFE, 0xFF].randomElement(using: &chance) ?? 0
      : UInt8.random(in: 0...255, using: &chance)
  }

  private static func row(_ chance: inout SeededGenerator) -> RandomCommand {
    guard let row = CommandTableTests.rows.randomElement(using: &chance) else { return RandomCommand(0, 1) }
    var payload = row.payload
    switch Int.random(in: 0..<10, using: &chance) {
    case 0..<5: break
    case 5..<8:
      for place in payload.indices where chance.isTrue(0.4) { payload[place] = byte(&chance) }
    case 8: payload = (0..<Int.random(in: 0...20, using: &chance)).map { _ in byte(&chance) }
    // A block is as long as its command has it; another length would be damage.
    case _ where payload.count > 250: break
    default: payload = chance.isTrue(0.5) ? payload + [byte(&chance)] : Array(payload.dropLast())
    }
    return RandomCommand(row.id.0, row.id.1, payload)
  }

  /// Sets something that can be read back, or reads it.
  private static func settings(_ chance: inout SeededGenerator) -> RandomCommand {
    let rows: [(set: (UInt8, UInt8), count: Int, get: (UInt8, UInt8), payload: [UInt8])] = [
      ((0x00, 0x10), 12, (0x00, 0x11), []), ((0x00, 0x12), 2, (0x00, 0x13), []),
      ((0x02, 0x08), 2, (0x02, 0x07), []), ((0x02, 0x35), 4, (0x02, 0x36), []),
      ((0x02, 0x37), 4, (0x02, 0x38), []), ((0x02, 0x42), 1, (0x02, 0x44), []),
      ((0x02, 0x20), 4, (0x02, 0x22), []), ((0x00, 0x25), 2, (0x00, 0x40), []),
      ((0x02, 0x43), 1_024, (0x02, 0x40), [1]),
    ]
    guard let row = rows.randomElement(using: &chance) else { return RandomCommand(0, 1) }
    if chance.isTrue(0.5) { return RandomCommand(row.get.0, row.get.1, row.payload) }
    return RandomCommand(row.set.0, row.set.1, (0..<row.count).map { _ in byte(&chance) })
  }

  private static func roll(_ chance: inout SeededGenerator) -> RandomCommand {
    let heading = UInt16.random(in: 0..<360, using: &chance)
    let state = [0, 1, 1, 1, 2].randomElement(using: &chance) ?? 1
    return RandomCommand(
      0x02, 0x30, [byte(&chance), UInt8(heading >> 8), UInt8(heading & 0xFF), UInt8(state)])
  }

  private static func stream(_ chance: inout SeededGenerator) -> RandomCommand {
    let divisor = [1, 2, 3, 10, 40, 400, 1_000].randomElement(using: &chance) ?? 40
    let frames = [1, 1, 1, 2, 5, 40].randomElement(using: &chance) ?? 1
    let masks: [[UInt8]] = [
      [0, 7, 0, 0], [0, 0, 0xE0, 0], [0, 0, 0, 0], [0xFF, 0xFF, 0xFF, 0xFF], [0x80, 0, 0, 1],
    ]
    let count = [0, 1, 2, 10, 255].randomElement(using: &chance) ?? 1
    var payload = [
      UInt8(divisor >> 8), UInt8(divisor & 0xFF), UInt8(frames >> 8), UInt8(frames & 0xFF),
    ]
    payload += (masks.randomElement(using: &chance) ?? []) + [UInt8(count)]
    let seconds: [[UInt8]] = [[], [0xFF, 0x80, 0, 0], [0, 0, 0, 1], [0x0D, 0xC0, 0, 0]]
    payload += seconds.randomElement(using: &chance) ?? []
    return RandomCommand(0x02, 0x11, payload)
  }

  private static func macro(_ chance: inout SeededGenerator) -> RandomCommand {
    let id: UInt8 = [32, 33, 254, 255, 255].randomElement(using: &chance) ?? 255
    guard chance.isTrue(0.6) else { return RandomCommand(0x02, 0x50, [id]) }
    var bytes: [UInt8] = [id, byte(&chance) & 0x77]
    for _ in 0..<Int.random(in: 0...8, using: &chance) {
      switch Int.random(in: 0..<6, using: &chance) {
      // A delay, a loop, a marker, a roll by a whole command, a byte that may mean anything.
      case 0: bytes += [0x0B, 0, byte(&chance)]
      case 1: bytes += [0x1E, byte(&chance), 0x0B, 0, 20, 0x1F]
      case 2: bytes += [0x15, byte(&chance) | 1]
      case 3: bytes += [0x05, byte(&chance), 0, byte(&chance), 10]
      case 4: bytes += [byte(&chance)]
      default: bytes += (try? (MacroCommand.all.randomElement(using: &chance) ?? .end).payload()) ?? []
      }
    }
    bytes.append(0)
    return RandomCommand(0x02, id == 255 ? 0x51 : 0x52, Array(bytes.prefix(250)))
  }

  private static let lines = [
    "A=A+1", "goto 10", "goto 20", "gosub 30", "return", "for A=1 to 9", "next A", "print A,Z,rnd 9",
    "delay rnd 200", "RGB A&255,0,0", "goroll rnd 359,rnd 255,1", "heading 90", "raw 1,99,2,99", "basflg 15",
    "input B,5,3", "sleep 2,0,0", "macrun 255", "mackill", "locate 3,4", "tron", "LEDC 3", "rstr",
    "A=1/0", "end",
  ]

  private static func program(_ chance: inout SeededGenerator) -> RandomCommand {
    let area = UInt8.random(in: 0...1, using: &chance)
    switch Int.random(in: 0..<8, using: &chance) {
    case 0: return RandomCommand(0x02, 0x60, [area])
    case 1...4:
      let text = (1...Int.random(in: 1...5, using: &chance)).map { number in
        "\(number * 10) \(lines.randomElement(using: &chance) ?? "")\n"
      }
      return RandomCommand(0x02, 0x61, [area] + Array(text.joined().utf8) + [0])
    case 5...6: return RandomCommand(0x02, 0x62, [area, 0, 10])
    default: return RandomCommand(0x02, 0x63)
    }
  }
}
