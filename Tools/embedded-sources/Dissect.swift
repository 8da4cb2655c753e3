// What a program in WebAssembly calls to have a recording dissected: bytes in, text out, on one shelf of memory.

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

private func leave(_ items: [Dissection]) -> Int32 {
  let text = Array(items.map { unsafe (isJSON ? $0.json : $0.details) + "\n" }.joined().utf8)
  precondition(unsafe shelf.count >= text.count)
  unsafe shelf.copyBytes(from: text)
  return Int32(text.count)
}
