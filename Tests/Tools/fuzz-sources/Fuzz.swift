// Implements the entry points of libFuzzer, which pass each input to one fuzz target.

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

private let name = unsafe getenv("SPHERO_FUZZ_TARGET").map { unsafe String(cString: $0) } ?? "decoder"

/// Describes the invariant that an input violates, as checked by the target that the environment selects.
private let violation: @Sendable ([UInt8]) -> String? = {
  if let target = FuzzTarget(rawValue: name) { return { target.complaint(about: $0) } }
  if let target = CaptureFuzzTarget(rawValue: name) { return { target.complaint(about: $0) } }
  if let target = AttributeFuzzTarget(rawValue: name) { return { target.complaint(about: $0) } }
  fatalError("no target '\(name)'")
}()

/// The total size of all inputs in bytes; libFuzzer calls from a single thread.
nonisolated(unsafe) private var inputBytes = 0

/// Called once, before the first input; prints the total size of the inputs at exit.
@_cdecl("LLVMFuzzerInitialize") public func initialize(
  _ count: UnsafeMutableRawPointer?, _ arguments: UnsafeMutableRawPointer?
) -> CInt {
  atexit { unsafe print("bytes: \(inputBytes)") }
  return 0
}

/// Called for each input.
@_cdecl("LLVMFuzzerTestOneInput") public func testOneInput(
  _ bytes: UnsafePointer<UInt8>?, _ count: Int
) -> CInt {
  let input = unsafe Array(UnsafeBufferPointer(start: bytes, count: count))
  unsafe inputBytes += count
  if let sentence = violation(input) { fatalError("\(name): \(sentence)") }
  return 0
}
