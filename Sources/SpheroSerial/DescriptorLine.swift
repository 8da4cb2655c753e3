// A file descriptor as a line: a thread waits for its bytes, so that no task ever blocks.

import SpheroSystem
import SpheroTransport

/// Reads and writes a non-blocking file descriptor, which it owns.
///
/// One thread sleeps in `poll` until bytes come, and wakes through a pipe to end;
/// it stops reading while the mailbox is full, so memory stays bounded and the kernel holds the sender back.
final class DescriptorLine: Sendable {
  private struct Ends {
    /// The descriptor, until the line is closed.
    var descriptor: Int32?
    /// Both ends of the pipe stay open until the thread has ended: a write into a closed one would kill.
    var wakeUp: (read: Int32, write: Int32)?
    var thread: Thread?
    /// Whether the other end is gone, so that nothing goes out any more.
    var isLost = false
  }

  /// What kind of descriptor it is.
  enum Kind: Sendable {
    /// A terminal, of which the system tells what is not sent yet.
    case terminal
    /// A socket; where `tellsUnsent`, the system tells what is not sent yet.
    case socket(tellsUnsent: Bool)
  }

  /// A link that takes nothing for so long is dead.
  static let longestStall = Duration.seconds(5)
  private static let pieceCount = 4096
  private let port: String
  private let kind: Kind
  private let stall: Duration
  private let incoming = Mailbox<UInt8>(capacity: 1 << 20)
  private let ends: Locked<Ends>

  /// Takes over a descriptor, also where it throws: then the descriptor is closed.
  ///
  /// - Parameters:
  ///   - descriptor: A non-blocking descriptor.
  ///   - port: Its name, for errors.
  ///   - kind: What kind of descriptor it is.
  ///   - stall: How long a write waits while the link takes nothing.
  ///   - onIdle: Called on the thread, four times a second while no bytes come.
  /// - Throws: Where the system has no pipe or thread left.
  init(
    _ descriptor: Int32, port: String, kind: Kind, stall: Duration = longestStall,
    onIdle: @escaping @Sendable () -> Void = {}
  ) throws(SystemError) {
    (self.port, self.kind, self.stall) = (port, kind, stall)
    let pipe: (read: Int32, write: Int32)
    do throws(SystemError) { pipe = try System.makePipe() } catch {
      System.close(descriptor)
      throw error
    }
    ends = Locked(Ends(descriptor: descriptor, wakeUp: pipe))
    let (incoming, ends) = (incoming, ends)
    let thread = try Thread {
      let error = Self.pump(descriptor, wake: pipe.read, port: port, into: incoming, onIdle: onIdle)
      ends.withLock { $0.isLost = true }
      incoming.finish(throwing: error)
    }
    ends.withLock { $0.thread = thread }
  }

  deinit { end() }

  /// Moves bytes until the other end hangs up or the pipe says that it is over.
  private static func pump(
    _ descriptor: Int32, wake: Int32, port: String, into incoming: Mailbox<UInt8>, onIdle: () -> Void
  ) -> LinkError? {
    while true {
      do throws(SystemError) {
        let hasRoom = incoming.room >= pieceCount
        let events = try System.poll(hasRoom ? [wake, descriptor] : [wake], timeout: hasRoom ? 250 : 10)
        guard events[0] == 0 else { return nil }
        guard hasRoom else { continue }
        guard events[1] != 0 else {
          onIdle()
          continue
        }
        guard events[1] & System.invalidEvent == 0 else { return .lost(port) }
        let bytes = try System.read(descriptor, atMost: pieceCount)
        guard !bytes.isEmpty else { return .lost(port) }
        incoming.push(bytes)
      } catch {
        // A hung-up terminal reports EIO or ENXIO; whatever else happens, the line is gone.
        if !error.isNotNow { return .lost(port) }
        // An event without bytes must not become a race of the processor.
        if let woken = try? System.poll([wake], timeout: 10), woken[0] != 0 { return nil }
      }
    }
  }

  func read() async throws -> [UInt8]? { try await incoming.receive() }

  /// Sends as much as fits now.
  ///
  /// - Returns: How many bytes were taken.
  func send(_ bytes: ArraySlice<UInt8>) throws(LinkError) -> Int {
    try ends.withLock { ends throws(LinkError) in
      guard let descriptor = ends.descriptor else { throw .closed }
      do throws(SystemError) {
        return switch kind {
        case .terminal: try System.write(descriptor, bytes)
        case .socket: try System.send(descriptor, bytes)
        }
      } catch { throw .lost(port) }
    }
  }

  /// Sends all bytes; waits without blocking a thread while the link takes none.
  func write(_ bytes: [UInt8]) async throws {
    var rest = bytes[...]
    var lastProgress = SystemTime().now
    while true {
      let count = try send(rest)
      rest = rest.dropFirst(count)
      if rest.isEmpty { return }
      if count > 0 { lastProgress = SystemTime().now }
      guard SystemTime().now - lastProgress < stall else { throw LinkError.lost(port) }
      // A stalled link: a wait this short costs nothing and needs no second thread.
      try await SystemTime().sleep(for: .milliseconds(5))
    }
  }

  /// Lets what was written go out: for up to a second, as long as some of it goes.
  ///
  /// - Returns: Whether all of it went.
  func drain() async -> Bool {
    let time = SystemTime()
    let end = time.now + Self.drainLimit
    var (left, lastProgress) = (unsentCount, time.now)
    while left > 0, time.now < end, time.now - lastProgress < Self.drainStall {
      // Not by the task: leaving drains in cancelled tasks, too.
      await time.start { try? await time.sleep(for: .milliseconds(5)) }.value
      let count = unsentCount
      if count < left { lastProgress = time.now }
      left = count
    }
    return left == 0
  }

  private static let drainLimit = Duration.seconds(1)
  /// A link that takes nothing for so long while the program leaves is not worth the wait.
  private static let drainStall = Duration.milliseconds(150)

  /// The bytes that the system has taken but not sent; 0 once the line is lost or closed, or where it does not tell.
  private var unsentCount: Int {
    if case .socket(tellsUnsent: false) = kind { return 0 }
    return ends.withLock { ends in
      guard let descriptor = ends.descriptor, !ends.isLost else { return 0 }
      return System.unsentCount(descriptor)
    }
  }

  /// Whether the other end is there, as far as is known.
  var isLive: Bool { ends.withLock { $0.descriptor != nil && !$0.isLost } }

  /// Ends the thread, then closes the descriptor.
  func end(_ farewell: (Int32) -> Void = { _ in }) {
    let ends = ends.withLock { ends in
      defer { ends = Ends() }
      return ends
    }
    guard let descriptor = ends.descriptor, let wakeUp = ends.wakeUp else { return }
    _ = try? System.write(wakeUp.write, [0])
    ends.thread?.join()
    farewell(descriptor)
    System.close(descriptor)
    System.close(wakeUp.read)
    System.close(wakeUp.write)
  }
}
