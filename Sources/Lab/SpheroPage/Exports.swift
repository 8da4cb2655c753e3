// The boundary of WebAssembly: five functions over one shelf of bytes; see Docs/Page.md.

// Elsewhere a page is a value like any other, and its tests use it so.
#if arch(wasm32)
  import SpheroHost

  /// The shelf: where the page lays bytes and finds them.
  nonisolated(unsafe) private let shelf =
    UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 22, alignment: 16)
  // There is one thread.
  nonisolated(unsafe) private var page = Page()
  nonisolated(unsafe) private var robot: SimulatedRobot?

  /// Whose bytes they are.
  private enum Half {
    static let host: Int32 = 0
    static let robot: Int32 = 1
    static let recording: Int32 = 2
  }

  /// The address of the shelf; memory that grows moves, but the address stays.
  @_expose(wasm, "shelf") @_cdecl("sphero_shelf")
  public func shelfAddress() -> UnsafeMutableRawPointer? { unsafe shelf.baseAddress }

  /// Does what the words on the shelf ask for; leaves the answer there.
  ///
  /// - Returns: Its count; below 0, that of a sentence that says what is wrong.
  @_expose(wasm, "say") @_cdecl("sphero_say")
  public func say(_ count: Int32, _ milliseconds: Double) -> Int32 {
    let words = String(decoding: taken(count), as: UTF8.self)
    let now = time(milliseconds)
    guard words != "simulate" else {
      unsafe robot = SimulatedRobot(at: now)
      return 0
    }
    do throws(PageError) {
      let answer = try unsafe page.say(words, at: now)
      guard unsafe answer.count <= shelf.count else {
        throw PageError("the answer has \(answer.count) bytes, more than the shelf")
      }
      return leave(answer)
    } catch { return -leave(Array(error.description.utf8)) }
  }

  /// Takes bytes from the shelf that came in for one half; none let time pass.
  @_expose(wasm, "receive") @_cdecl("sphero_receive")
  public func receive(_ half: Int32, _ count: Int32, _ milliseconds: Double) {
    let (bytes, now) = (taken(count), time(milliseconds))
    switch half {
    case Half.host: unsafe page.receive(bytes, at: now)
    case Half.robot: unsafe robot?.receive(bytes, at: now)
    // A recording that is not open is not looked at.
    default: try? unsafe page.look(at: bytes)
    }
  }

  /// Leaves the next bytes of one half on the shelf.
  ///
  /// - Returns: Their count; 0 where there are none now.
  @_expose(wasm, "take") @_cdecl("sphero_take")
  public func take(_ half: Int32, _ milliseconds: Double) -> Int32 {
    let now = time(milliseconds)
    let bytes =
      half == Half.host
      ? unsafe page.takeOutput(at: now) : half == Half.robot ? unsafe robot?.takeOutput(at: now) : nil
    return leave(bytes ?? [])
  }

  /// When one half is to be called at the latest, in milliseconds; infinite where it waits for bytes alone.
  @_expose(wasm, "deadline") @_cdecl("sphero_deadline")
  public func deadline(_ half: Int32) -> Double {
    let due =
      half == Half.host
      ? unsafe page.nextDeadline : half == Half.robot ? unsafe robot?.nextDeadline : nil
    // Rounded up to what `time` can tell, so that whoever calls then finds it due.
    return due.map { ($0 / .microseconds(1)).rounded(.up) / 1_000 } ?? .infinity
  }

  private func time(_ milliseconds: Double) -> Duration {
    // Whatever a page hands in, time is finite.
    let microseconds = (min(max(milliseconds.isNaN ? 0 : milliseconds, 0), 1e12) * 1_000).rounded()
    return .microseconds(Int64(microseconds))
  }

  private func taken(_ count: Int32) -> [UInt8] {
    unsafe Array(shelf.prefix(min(max(Int(count), 0), shelf.count)))
  }

  private func leave(_ bytes: [UInt8]) -> Int32 {
    // Packets and sentences are shorter.
    let count = unsafe min(bytes.count, shelf.count)
    unsafe shelf.copyBytes(from: bytes.prefix(count))
    return Int32(count)
  }
#endif
