// WebAssembly exports that decode and dissect bytes; input and output share one memory buffer.

import SpheroProtocol

/// The buffer for the caller's input bytes and the output text.
nonisolated(unsafe) private let buffer =
  UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 18, alignment: 16)
nonisolated(unsafe) private var dissector = Dissector()
nonisolated(unsafe) private var isJSON = false

/// The address of the buffer; it remains valid when the memory grows.
@_expose(wasm, "buffer") @_cdecl("sphero_buffer")
public func bufferAddress() -> UnsafeMutableRawPointer? { unsafe buffer.baseAddress }

/// Starts a recording whose output is JSON (1) or text with one field per line (0).
@_expose(wasm, "start") @_cdecl("sphero_start")
public func start(_ form: Int32) { unsafe (dissector, isJSON) = (Dissector(), form == 1) }

/// Dissects `count` bytes in the buffer, sent by the host (1) or the robot (0); writes text to the buffer and returns its size in bytes.
@_expose(wasm, "append") @_cdecl("sphero_append")
public func append(_ count: Int32, _ isHost: Int32) -> Int32 {
  let bytes = unsafe Array(buffer.prefix(Int(count)))
  return unsafe write(dissector.append(bytes, from: isHost == 1 ? .host : .robot))
}

/// Ends the recording; writes text to the buffer and returns its size in bytes.
@_expose(wasm, "finish") @_cdecl("sphero_finish")
public func finish() -> Int32 { unsafe write(dissector.finish()) }

/// Decodes `count` bytes in the buffer, sent by the host (1) or the robot (0); events have at most `longest` bytes.
///
/// Writes one line per packet and a line with the counts; returns the size of the text in bytes.
@_expose(wasm, "decode") @_cdecl("sphero_decode")
public func decode(_ count: Int32, _ isHost: Int32, _ longest: Int32) -> Int32 {
  var decoder = PacketDecoder(from: isHost == 1 ? .host : .robot, maximumEventLength: Int(longest))
  unsafe decoder.append(Array(buffer.prefix(Int(count))))
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
  return write(lines)
}

/// Decodes the frames of a sensor packet's payload; writes one line per word with its raw value and its value in its unit.
@_expose(wasm, "samples") @_cdecl("sphero_samples")
public func samples(_ count: Int32, _ mask: Int32, _ mask2: Int32, _ frames: Int32) -> Int32 {
  let payload = unsafe Array(buffer.prefix(Int(count)))
  let mask = SensorMask(mask: UInt32(bitPattern: mask), mask2: UInt32(bitPattern: mask2))
  let samples = Sample.samples(in: payload, mask: mask, frames: Int(frames)) ?? []
  return write(
    samples.flatMap { sample in
      mask.fields.map { "\($0.name) \(sample.word($0) ?? 0) \(sample[$0] ?? 0)" }
    })
}

private func hexadecimal(_ bytes: [UInt8]) -> String { Hexadecimal.text(bytes, separator: "").lowercased() }

private func write(_ items: [Dissection]) -> Int32 {
  write(items.map { unsafe isJSON ? $0.json : $0.details })
}

private func write(_ lines: [String]) -> Int32 {
  let text = Array(lines.map { $0 + "\n" }.joined().utf8)
  precondition(unsafe buffer.count >= text.count)
  unsafe buffer.copyBytes(from: text)
  return Int32(text.count)
}
