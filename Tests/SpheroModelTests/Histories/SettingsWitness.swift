// The invariants of settings that a client reads back.

/// The acknowledged settings, by the command that sets them; other settings are unknown.
struct SettingsWitness {
  /// Temporary options and device mode are not kept in flash (Sphero API 1.50).
  private static let defaults: [UInt16: [UInt8]] = [0x0237: [0, 0, 0, 0], 0x0242: [0]]
  /// The command that reads what another one sets.
  private static let getters: [UInt16: UInt16] = [
    0x0011: 0x0010, 0x0013: 0x0012, 0x0023: 0x0024, 0x0207: 0x0208, 0x0236: 0x0235, 0x0238: 0x0237,
    0x0244: 0x0242, 0x0222: 0x0220,
  ]
  private var values: [UInt16: [UInt8]] = Self.defaults
  /// The number of values that were read back.
  private(set) var readBack = 0

  mutating func forget(_ id: UInt16) { values[id] = nil }

  mutating func forgetAll() { values = [:] }

  mutating func wake() { values.merge(Self.defaults) { _, new in new } }

  /// Receives a successful response.
  mutating func acknowledge(_ id: UInt16, _ payload: [UInt8], _ answer: [UInt8]) -> String? {
    switch id {
    case 0x0010: values[id] = Array((payload + Array(repeating: 0, count: 16)).prefix(16))
    case 0x0012: values[id] = payload.count == 2 ? [payload[0] == 0 ? 0 : 1, payload[1]] : nil
    case 0x0220: if payload.count == 4, payload[3] != 0 { values[id] = Array(payload[..<3]) }
    case 0x0024, 0x0208, 0x0235, 0x0237, 0x0242, 0x0243, 0x0025: values[id] = payload
    case 0x0247: values[id] = Array(payload.dropFirst(4))
    default:
      guard let setter = Self.getters[id], let value = values[setter] else { return nil }
      let reported = setter == 0x0010 ? Array(answer.prefix(16)) : answer
      if reported != value { return "\(String(setter, radix: 16)) was \(value), is \(reported)" }
      readBack += 1
    }
    return nil
  }

  /// Receives an event.
  mutating func hear(_ id: UInt8, _ payload: [UInt8]) -> String? {
    switch id {
    case 0x04:
      guard payload.count == 1_024 else { return "a block of \(payload.count) bytes" }
      guard let block = values[0x0243], block.count == 1_024 else { return nil }
      if block != payload { return "another block than was written" }
    case 0x0D: if let block = values[0x0247], block != payload { return "another soul block" }
    case 0x02:
      guard let value = values[0x0025] else { return nil }
      let seconds = value.reduce(0) { $0 << 8 | Int($1) }
      let line = "ClientTimeOut=\(seconds)\n"
      if !String(decoding: payload, as: UTF8.self).contains(line) { return "the report has no \(line)" }
    default: return nil
    }
    readBack += 1
    return nil
  }
}
