// The WebAssembly interface: five functions over one shared buffer; see Docs/Page.md.

// On other platforms the page is an ordinary value, and its tests use it as such.
#if arch(wasm32)
  import SpheroBluetooth
  import SpheroHost

  /// The buffer for commands, bytes and results.
  nonisolated(unsafe) private let buffer =
    UnsafeMutableRawBufferPointer.allocate(byteCount: Page.maximumAnswerSize, alignment: 16)
  // WebAssembly has one thread.
  nonisolated(unsafe) private var page = Page()
  nonisolated(unsafe) private var robot: SimulatedRobot?

  /// The channels of bytes between the script and the page, with the numbers that the script uses.
  private enum Channel {
    /// The host's half of the conversation with a robot.
    static let host: Int32 = 0
    /// The simulated robot.
    static let robot: Int32 = 1
    /// The opened recording, which only receives bytes.
    static let recording: Int32 = 2
    /// The Bluetooth LE link, which receives notifications and returns operations.
    static let link: Int32 = 3
    /// The packets that the Bluetooth LE link sends.
    static let linkPacket: Int32 = 4
  }

  /// The address of the buffer, which stays the same when the memory grows.
  @_expose(wasm, "buffer") @_cdecl("sphero_buffer")
  public func bufferAddress() -> UnsafeMutableRawPointer? { unsafe buffer.baseAddress }

  /// Executes the command in the buffer, writes the result into the buffer and returns its size.
  ///
  /// If the command fails, the result is an error message, and its size is returned as a negative number.
  @_expose(wasm, "say") @_cdecl("sphero_say")
  public func execute(_ count: Int32, _ milliseconds: Double) -> Int32 {
    let command = String(decoding: input(count), as: UTF8.self)
    let now = time(milliseconds)
    if command == "simulate" {
      unsafe robot = SimulatedRobot(at: now)
      return 0
    }
    do throws(PageError) {
      let result = try unsafe page.execute(command, at: now)
      guard unsafe result.count <= buffer.count else {
        throw PageError("the answer has \(result.count) bytes, more than the buffer")
      }
      return output(result)
    } catch { return -output(Array(error.description.utf8)) }
  }

  /// Passes the bytes in the buffer to a channel; without bytes, only advances its time.
  @_expose(wasm, "receive") @_cdecl("sphero_receive")
  public func receive(_ channel: Int32, _ count: Int32, _ milliseconds: Double) {
    let (bytes, now) = (input(count), time(milliseconds))
    switch channel {
    case Channel.host: unsafe page.receive(bytes, at: now)
    case Channel.robot: unsafe robot?.receive(bytes, at: now)
    case Channel.link: unsafe page.receiveNotification(bytes, at: now)
    case Channel.linkPacket: unsafe page.link?.send(bytes, at: now)
    // Without an opened recording, the bytes are ignored.
    case Channel.recording: try? unsafe page.read(bytes)
    default: break
    }
  }

  /// Writes the next output of a channel into the buffer and returns its size; 0 if there is none now.
  @_expose(wasm, "take") @_cdecl("sphero_take")
  public func takeOutput(_ channel: Int32, _ milliseconds: Double) -> Int32 {
    let now = time(milliseconds)
    let bytes: [UInt8]? =
      switch channel {
      case Channel.host: unsafe page.takeOutput(at: now)
      case Channel.robot: takeRobotOutput(at: now)
      case Channel.link: unsafe page.link?.takeOperation(at: now)
      default: nil
      }
    return output(bytes ?? [])
  }

  /// When `receive` must be called for a channel, in milliseconds; infinite if the channel only awaits bytes.
  @_expose(wasm, "deadline") @_cdecl("sphero_deadline")
  public func deadline(_ channel: Int32) -> Double {
    let due: Duration? =
      switch channel {
      case Channel.host: unsafe page.nextDeadline
      case Channel.robot: unsafe robot?.nextDeadline
      case Channel.link: unsafe page.link?.nextDeadline
      default: nil
      }
    // Rounded up to the resolution of `time`, so that the deadline has passed at the call.
    return due.map { ($0 / .microseconds(1)).rounded(.up) / 1_000 } ?? .infinity
  }

  private func takeRobotOutput(at now: Duration) -> [UInt8]? {
    let bytes = unsafe robot?.takeOutput(at: now)
    if let robot = unsafe robot { unsafe page.observe(robot) }
    return bytes
  }

  /// The time of the script's clock; NaN and negative numbers become 0, and numbers above 1e12 become 1e12.
  private func time(_ milliseconds: Double) -> Duration {
    let microseconds = (min(max(milliseconds.isNaN ? 0 : milliseconds, 0), 1e12) * 1_000).rounded()
    return .microseconds(Int64(microseconds))
  }

  private func input(_ count: Int32) -> [UInt8] {
    unsafe Array(buffer.prefix(min(max(Int(count), 0), buffer.count)))
  }

  private func output(_ bytes: [UInt8]) -> Int32 {
    let count = unsafe min(bytes.count, buffer.count)
    unsafe buffer.copyBytes(from: bytes.prefix(count))
    return Int32(count)
  }
#endif
