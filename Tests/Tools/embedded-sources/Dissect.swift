// What a program in WebAssembly calls to have bytes decoded and dissected: bytes in, text out, on one shelf of memory.

import SpheroProtocol

/// Where the caller lays bytes and finds text.
nonisolated(unsafe) private let shelf =
  UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 18, alignment: 16)
nonisolated(unsafe) private var dissector = Dissector()
nonisolated(unsafe) private var isJSON = false

/// The address of the shelf; memory that grows moves, but the address stays.
@_expose(wasm, "shelf") @_cdecl("sphero_shelf")
public func shelfAddress() -> UnsafeMutableRawPointer? { unsafe shelf.baseAddress }

/// Begins a recording, to be told as JSON (1), or field by field in lines of text (0).
@_expose(wasm, "start") @_cdecl("sphero_start")
public func start(_ form: Int32) { unsafe (dissector, isJSON) = (Dissector(), form == 1) }

/// Takes bytes from the shelf, of the host (1) or of the robot (0); leaves text there and returns its count.
@_expose(wasm, "append") @_cdecl("sphero_append")
public func append(_ count: Int32, _ isHost: Int32) -> Int32 {
  let bytes = unsafe Array(shelf.prefix(Int(count)))
  return unsafe leave(dissector.append(bytes, from: isHost == 1 ? .host : .robot))
}

/// Ends the recording; leaves text on the shelf and returns its count.
@_expose(wasm, "finish") @_cdecl("sphero_finish")
public func finish() -> Int32 { unsafe leave(dissector.finish()) }

/// Decodes bytes from the shelf at once, of the host (1) or of the robot (0), with events up to `longest`.
///
/// Leaves a line for each packet and one with the counts; returns the count of text.
@_expose(wasm, "decode") @_cdecl("sphero_decode")
public func decode(_ count: Int32, _ isHost: Int32, _ longest: Int32) -> Int32 {
  var decoder = PacketDecoder(from: isHost == 1 ? .host : .robot, longestEvent: Int(longest))
  unsafe decoder.append(Array(shelf.prefix(Int(count))))
  var lines: [String] = []
  while let packet = decoder.next() {
    let payload = hexadecimal(packet.payload)
    switch packet {
    case .command(let packet):
      lines.append(
        "command \(packet.id.device) \(packet.id.command) \(packet.options.sop2) \(packet.sequence) \(payload)"
      )
    case .response(let packet):
      lines.append("response \(packet.status.rawValue) \(packet.sequence) \(payload)")
    case .event(let packet): lines.append("async \(packet.id.rawValue) \(payload)")
    }
    lines.append("encoded " + ((try? packet.encoded()).map(hexadecimal) ?? "not at all"))
  }
  let counts = decoder.statistics
  lines.append("\(counts.discarded) \(counts.badChecksums) \(decoder.pendingCount)")
  return leave(lines)
}

/// Cuts the payload of a sensor packet into frames: a line for each word with its value in its unit.
@_expose(wasm, "samples") @_cdecl("sphero_samples")
public func samples(_ count: Int32, _ mask: Int32, _ mask2: Int32, _ frames: Int32) -> Int32 {
  let payload = unsafe Array(shelf.prefix(Int(count)))
  let mask = SensorMask(mask: UInt32(bitPattern: mask), mask2: UInt32(bitPattern: mask2))
  let samples = Sample.samples(in: payload, mask: mask, frames: Int(frames)) ?? []
  return leave(
    samples.flatMap { sample in
      mask.fields.map { "\($0.name) \(sample.word($0) ?? 0) \(sample[$0] ?? 0)" }
    })
}

private func hexadecimal(_ bytes: [UInt8]) -> String { Hexadecimal.text(bytes, separator: "").lowercased() }

private func leave(_ items: [Dissection]) -> Int32 {
  leave(items.map { unsafe isJSON ? $0.json : $0.details })
}

private func leave(_ lines: [String]) -> Int32 {
  let text = Array(lines.map { $0 + "\n" }.joined().utf8)
  precondition(unsafe shelf.count >= text.count)
  unsafe shelf.copyBytes(from: text)
  return Int32(text.count)
}
