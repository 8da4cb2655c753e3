// Properties that hold for any input of captures and replays; Tests/Tools/fuzz searches for counterexamples.

import SpheroProtocol
import SpheroRecording

/// A reader of untrusted recorded bytes.
enum CaptureFuzzTarget: String, CaseIterable, Sendable {
  /// Text in the capture format, or in the detected format.
  case capture
  /// Text in every format.
  case text
  /// Recorded conversations that are replayed to a host.
  case replay

  /// The property that does not hold for these bytes, or nil.
  func complaint(about bytes: [UInt8]) -> String? {
    switch self {
    case .capture: [nil, .capture].lazy.compactMap { reader(bytes, $0) }.first
    case .replay: Replay.Mode.allCases.lazy.compactMap { replay(bytes, $0) }.first
    case .text: CaptureFormat.allCases.lazy.compactMap { reader(bytes, $0) }.first
    }
  }

  private func reader(_ bytes: [UInt8], _ format: CaptureFormat?) -> String? {
    let whole = read([bytes], format)
    // If the format is detected, raw bytes may follow text.
    if let format, format != .raw {
      let byByte = read(bytes.map { [$0] }, format)
      guard byByte == whole else { return "cuts matter to \(format)" }
    }
    for case .success(let record) in whole {
      guard let again = try? CaptureReader.records(in: "\(record)\n".utf8, format: .capture).first,
        isSame(again, record)
      else { return "'\(record)' cannot be read back" }
    }
    return nil
  }

  /// Whether a record equals the written one; times are rounded to microseconds.
  private func isSame(_ again: CaptureRecord, _ record: CaptureRecord) -> Bool {
    switch (again, record) {
    case (.line(let again), .line(let line)): again.bytes == line.bytes && again.sender == line.sender
    case (.header(let again), .header(let header)):
      again == with(header) { $0.start = again.start }
    case (.mark(let again), .mark(let mark)): again == with(mark) { $0.time = again.time }
    default: false
    }
  }

  private func read(_ pieces: [[UInt8]], _ format: CaptureFormat?) -> [Result<CaptureRecord, CaptureError>] {
    var reader = CaptureReader(format)
    var results: [Result<CaptureRecord, CaptureError>] = []
    func drain() {
      while true {
        do throws(CaptureError) {
          guard let record = try reader.next() else { return }
          results.append(.success(record))
        } catch {
          results.append(.failure(error))
        }
      }
    }
    for piece in pieces {
      reader.append(piece)
      drain()
    }
    reader.finish()
    drain()
    return results
  }

  private func with<Value>(_ value: Value, _ change: (inout Value) -> Void) -> Value {
    var value = value
    change(&value)
    return value
  }

  // MARK: - Replays

  /// Replays the first half of the input to a host that sends all of it.
  private func replay(_ bytes: [UInt8], _ mode: Replay.Mode) -> String? {
    let pieces = pieces(bytes)
    let records = pieces.prefix((pieces.count + 1) / 2).map { piece -> CaptureRecord in
      switch piece.operation & 0x1F {
      case 0x1E: .header(CaptureHeader(stream: StreamFormat(mask: .imu)))
      case 0x1F: .mark(CaptureMark(.reconnection, time: piece.time))
      default: .line(CaptureLine(time: piece.time, from: piece.sender, bytes: piece.bytes))
      }
    }
    let speed = [1, 0.5, 1_000, .nan][Int(bytes.first ?? 0) % 4]
    guard var replay = try? Replay(records, mode: mode, speed: speed) else { return nil }
    let recorded = records.reduce(0) { $0 + ($1.line?.bytes.count ?? 0) }
    var now = Duration.zero
    func listen() -> String? {
      // Each call returns output, or is the last one before time advances.
      for _ in 0...recorded {
        let output = replay.output(at: now)
        if output.isEmpty { return nil }
      }
      return "the output of the robot never ends"
    }
    for piece in pieces where piece.sender == .host {
      now += .milliseconds(Int(piece.operation))
      do throws(ReplayError) { try replay.receive(piece.bytes, at: now) } catch {
        guard mode == .strict else { return "a lenient replay throws: \(error)" }
        guard !error.description.isEmpty else { return "an error without a message" }
        return nil
      }
      if let complaint = listen() { return complaint }
    }
    // Without further input, the replay ends or waits for the host.
    var looks = 0
    while let deadline = replay.nextDeadline {
      guard looks <= 2 * recorded + 10 else { return "the replay never ends" }
      looks += 1
      now = max(now, deadline)
      if let complaint = listen() { return complaint }
    }
    return nil
  }

  private struct Piece {
    var operation: UInt8
    var time: Duration?
    var sender: Sender
    var bytes: [UInt8]
  }

  private func pieces(_ bytes: [UInt8]) -> [Piece] {
    var input = bytes[...]
    var time: Duration? = bytes.first.map { $0 & 1 == 0 } == true ? .zero : nil
    var pieces: [Piece] = []
    while let operation = input.popFirst() {
      let count = min(Int(input.popFirst() ?? 0) & 0x3F, input.count)
      let piece = [UInt8](input.prefix(count))
      input = input.dropFirst(count)
      if let now = time { time = now + .milliseconds(Int(operation) * 4) }
      let sender: Sender = operation & 1 == 0 ? .host : .robot
      pieces.append(Piece(operation: operation, time: time, sender: sender, bytes: wire(operation, piece)))
    }
    return pieces
  }

  /// Most pieces become whole packets, because random checksums are rarely valid.
  private func wire(_ operation: UInt8, _ piece: [UInt8]) -> [UInt8] {
    var rest = piece[...]
    func next() -> UInt8 { rest.popFirst() ?? 0 }
    let packet: Packet
    switch operation & 0x07 {
    case 0:
      packet = .command(
        CommandPacket(
          id: Sensing.SetDataStreaming.id, options: .init(rawValue: next()), sequence: next() & 7,
          payload: Array(rest.prefix(13)) + Array(repeating: 0, count: max(0, 13 - rest.count))))
    case 2, 4:
      packet = .command(
        CommandPacket(
          id: CommandID(next() & 3, next() & 0x3F), options: .init(rawValue: next()), sequence: next() & 7,
          payload: Array(rest)))
    case 1, 3:
      packet = .response(
        ResponsePacket(status: Status(rawValue: next() & 0x0F), sequence: next() & 7, payload: Array(rest)))
    case 5: packet = .event(EventPacket(id: EventID(next() & 0x07), payload: Array(rest)))
    default: return piece
    }
    return (try? packet.encoded()) ?? piece
  }
}
