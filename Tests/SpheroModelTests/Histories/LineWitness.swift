// The invariants of a robot by the documents: responses, streams and settings.

import SpheroProtocol

@testable import SpheroModel

/// The state of a robot that a client can derive from the bytes of both directions.
struct LineWitness {
  /// A command as it was sent.
  struct Sent {
    var device: UInt8
    var command: UInt8
    var payload: [UInt8]
    var sequence: UInt8
    var isAnswered: Bool
    var id: UInt16 { UInt16(device) << 8 | UInt16(command) }
  }

  /// Events that API 1.50 and orbBasic name.
  private static let events: Set<UInt8> = [
    0x01, 0x02, 0x03, 0x04, 0x05, 0x06, 0x07, 0x08, 0x09, 0x0A, 0x0B, 0x0C, 0x0D, 0x0E, 0x0F, 0x10, 0x11,
    0x14,
  ]
  /// MRSP of API 1.50, "Message Response Codes".
  private static let statuses: Set<UInt8> = [
    0x00, 0x01, 0x02, 0x03, 0x04, 0x05, 0x06, 0x07, 0x08, 0x09, 0x0A, 0x0B,
  ]
  /// The payload size of the response to each successful command.
  private static let counts: [UInt16: Int] = CommandTableTests.rows.reduce(into: [:]) { counts, row in
    if row.status == 0 { counts[UInt16(row.id.0) << 8 | UInt16(row.id.1)] = row.count }
  }

  var stream: StreamWitness
  var settings = SettingsWitness()
  var isConnected = false
  /// Whether damaged bytes may still have an effect.
  var isDamaged = false
  /// Whether the transmitter is switched off.
  private var isMute = false
  /// Whether a command without response may have switched the transmitter off.
  private var mayBeMute = false
  private var latest = Duration.zero
  private var sent = 0
  private var answered = 0
  private(set) var problems: [String] = []

  init(clockRate: Double) { stream = StreamWitness(clockRate: clockRate) }

  private mutating func fail(_ problem: String) { if problems.count < 3 { problems.append(problem) } }

  // MARK: External events

  mutating func connect() { (isConnected, isDamaged, sent, answered) = (true, false, 0, 0) }

  mutating func disconnect(keepsStreaming: Bool) {
    isConnected = false
    stream.end(isCertain: !keepsStreaming)
    // The option to stop on disconnection is valid once.
    settings.forget(0x0237)
  }

  mutating func sleep() { stream.end(isCertain: true) }

  mutating func wake() {
    (isMute, mayBeMute) = (false, false)
    settings.wake()
  }

  /// Receives damaged commands, which invalidate the derived state.
  mutating func damage() {
    (isDamaged, mayBeMute) = (true, true)
    stream.end(isCertain: false)
    settings.forgetAll()
  }

  // MARK: Output

  /// Checks output without a command.
  mutating func hear(_ pieces: [OutputPiece], at now: Duration, isAsleep: Bool) {
    for piece in pieces {
      guard let packet = check(piece, at: now) else { continue }
      switch packet {
      case .response: if !isDamaged { fail("\(now): an answer to nothing") }
      case .event(let id, let payload):
        if id == 0x03, let problem = stream.hear(payload, at: now, piece.notBefore) { fail(problem) }
      }
    }
    if isConnected, !isMute, !mayBeMute, !isAsleep, let problem = stream.misses(at: now) { fail(problem) }
  }

  /// Checks the output after commands.
  ///
  /// - Parameters:
  ///   - commands: The commands, in order; empty if they were damaged.
  ///   - most: The maximum number of commands in the bytes.
  ///   - pieces: The output.
  ///   - now: The time.
  ///   - isAsleep: Whether the robot sleeps now.
  mutating func hear(
    _ commands: [Sent], most: Int, _ pieces: [OutputPiece], at now: Duration, isAsleep: Bool
  ) {
    sent += most
    var waiting = commands[...]
    // Their execution is unknown, and the event of a later command may precede every response.
    for command in commands where !command.isAnswered { forget(command) }
    // A mute robot speaks again from the command on that switches its transmitter on.
    if isMute || mayBeMute, let place = commands.firstIndex(where: { $0.id == 0x0003 && $0.payload != [0] }) {
      (isMute, mayBeMute) = (false, true)
      let before = commands[..<place].filter(\.isAnswered).map(\.sequence)
      let isSilent = !pieces.contains { $0.bytes.count > 3 && before.contains($0.bytes[3]) }
      if isSilent { waiting = commands[place...] }
      for command in commands[..<place] where isSilent { forget(command) }
    }
    for piece in pieces {
      guard let packet = check(piece, at: now) else { continue }
      switch packet {
      case .response(let status, let sequence, let payload):
        answered += 1
        if isDamaged { continue }
        while let next = waiting.first, !next.isAnswered {
          forget(next)
          waiting.removeFirst()
        }
        guard let command = waiting.popFirst() else {
          fail("\(now): more answers than commands")
          continue
        }
        if command.sequence != sequence { fail("\(now): SEQ \(sequence) instead of \(command.sequence)") }
        if piece.notBefore != now, piece.notBefore > now + .milliseconds(4) { fail("\(now): a late answer") }
        acknowledge(command, status, payload, at: now)
      case .event(let id, let payload):
        // Of several requests for a block it is not clear which one it answers; 01 asks for the user's.
        let isClear = id != 0x04 || commands.filter { $0.id == 0x0240 }.map(\.payload) == [[1]]
        if !isDamaged, isClear, let problem = settings.hear(id, payload) { fail("\(now): \(problem)") }
        if id == 0x03 { fail("\(now): a frame between ticks") }
      }
    }
    for command in waiting { forget(command) }
    if isDamaged {
      if answered > sent { fail("\(now): \(answered) answers to \(sent) commands") }
    } else if isConnected, let missing = waiting.first(where: { $0.isAnswered }), !isAsleep, !isMute,
      !mayBeMute
    {
      // The command that switches the transmitter off silences its own answer.
      if missing.id == 0x0003, missing.payload == [0] {
        isMute = true
      } else {
        fail("\(now): no answer to \(String(missing.id, radix: 16)) among \(commands), but \(pieces)")
      }
    }
  }

  private enum Said {
    case response(status: UInt8, sequence: UInt8, payload: [UInt8])
    case event(UInt8, [UInt8])
  }

  /// Checks one piece: a whole packet, not before the previous one.
  private mutating func check(_ piece: OutputPiece, at now: Duration) -> Said? {
    if !isConnected { fail("\(now): bytes for a client that is gone") }
    if piece.notBefore < latest { fail("\(now): notBefore runs backwards") }
    latest = piece.notBefore
    let bytes = piece.bytes
    mayBeMute = false
    guard !isMute else {
      fail("\(now): it sent bytes while it must be silent")
      return nil
    }
    if let event = event(bytes) {
      if !Self.events.contains(event.id) { fail("\(now): event \(event.id)") }
      return .event(event.id, event.payload)
    }
    guard bytes.count >= 6, bytes[0] == 0xFF, bytes[1] == 0xFF, Int(bytes[4]) == bytes.count - 5,
      bytes[2...].reduce(0, &+) == 0xFF
    else {
      fail("\(now): no packet: \(bytes.prefix(20))")
      return nil
    }
    if !Self.statuses.contains(bytes[2]) { fail("\(now): status \(bytes[2])") }
    return .response(status: bytes[2], sequence: bytes[3], payload: Array(bytes[5..<(bytes.count - 1)]))
  }

  // MARK: Consequences of a response

  private mutating func acknowledge(_ command: Sent, _ status: UInt8, _ payload: [UInt8], at now: Duration) {
    if status == 0x02 { fail("\(now): a good checksum is refused") }
    if status != 0 {
      if !payload.isEmpty { fail("\(now): a refusal with a payload") }
      return
    }
    if let count = Self.counts[command.id], payload.count != count, command.id != 0x0002 {
      fail("\(now): \(payload.count) bytes for \(String(command.id, radix: 16))")
    }
    switch command.id {
    case 0x0211: stream.acknowledge(command.payload, at: now)
    case 0x0030, 0x0022: stream.end(isCertain: true)
    default: break
    }
    if let problem = settings.acknowledge(command.id, command.payload, payload) { fail("\(now): \(problem)") }
  }

  /// A command that may have been executed.
  private mutating func forget(_ command: Sent) {
    switch command.id {
    case 0x0211, 0x0030: stream.end(isCertain: false)
    case 0x0003 where command.payload == [0]: mayBeMute = true
    default: settings.forget(command.id)
    }
  }
}
