// The entry point of libFuzzer: one input for one target.

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

private let name = unsafe getenv("SPHERO_FUZZ_TARGET").map { unsafe String(cString: $0) } ?? "decoder"

/// What does not hold for some bytes, according to the target that is named in the environment.
private let complaint: @Sendable ([UInt8]) -> String? = {
  if let target = FuzzTarget(rawValue: name) { return { target.complaint(about: $0) } }
  if let target = CaptureFuzzTarget(rawValue: name) { return { target.complaint(about: $0) } }
  fatalError("no target '\(name)'")
}()

/// All bytes tried; libFuzzer calls from one thread.
nonisolated(unsafe) private var tried = 0

/// Called once, before the first input: at the end, the bytes are told.
@_cdecl("LLVMFuzzerInitialize") public func initialize(
  _ count: UnsafeMutableRawPointer?, _ arguments: UnsafeMutableRawPointer?
) -> CInt {
  atexit { unsafe print("bytes: \(tried)") }
  return 0
}

/// Called for each input.
@_cdecl("LLVMFuzzerTestOneInput") public func testOneInput(
  _ bytes: UnsafePointer<UInt8>?, _ count: Int
) -> CInt {
  let input = unsafe Array(UnsafeBufferPointer(start: bytes, count: count))
  unsafe tried += count
  if let sentence = complaint(input) { fatalError("\(name): \(sentence)") }
  return 0
}
