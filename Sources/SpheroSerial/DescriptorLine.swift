// A file descriptor as a line: an event loop waits for its bytes, so that no task ever blocks.

package import SpheroSystem
package import SpheroTransport

/// Reads and writes a non-blocking file descriptor, which it owns.
///
/// An event loop reads what comes: the one that is given, or one with a thread of its own.
/// It stops reading while too much waits, so memory stays bounded and the kernel holds the sender back.
package final class DescriptorLine: Sendable {
  private struct Ends {
    /// The descriptor, until the line is closed.
    var descriptor: Int32?
    /// Where the descriptor is watched, and the number of the watch.
    var watch: (loop: EventLoop, number: Int)?
    /// The thread of a loop of its own.
    var thread: Thread?
    /// Whether the other end is gone, so that nothing goes out any more.
    var isLost = false
  }

  /// What kind of descriptor it is.
  package enum Kind: Sendable {
    /// A terminal, of which the system tells what is not sent yet.
    case terminal
    /// A socket; where `tellsUnsent`, the system tells what is not sent yet.
    case socket(tellsUnsent: Bool)
  }

  /// A link that takes nothing for so long is dead.
  package static let longestStall = Duration.seconds(5)
  /// The most that is read at once: a robot sends less between two reads, and malloc keeps only blocks up to 1 KB at hand.
  private static let chunkCount = 960
  private let port: String
  private let kind: Kind
  private let stall: Duration
  private let time: any TimeSource
  /// What has been read and waits, at most 4 MB.
  private let incoming = Mailbox<TimestampedChunk>(capacity: 1 << 12)
  private let ends: Locked<Ends>

  /// Takes over a descriptor, also where it throws: then the descriptor is closed.
  ///
  /// - Parameters:
  ///   - descriptor: A non-blocking descriptor.
  ///   - port: Its name, for errors.
  ///   - kind: What kind of descriptor it is.
  ///   - stall: How long a write waits while the link takes nothing.
  ///   - time: The clock of whoever reads; an event loop reads on its own thread.
  ///   - onIdle: Called by the loop, four times a second at least while no bytes come.
  /// - Throws: Where the system has no thread left.
  package init(
    _ descriptor: Int32, port: String, kind: Kind, stall: Duration = longestStall,
    time: any TimeSource = SystemTime(), onIdle: (@Sendable () -> Void)? = nil
  ) throws(SystemError) {
    (self.port, self.kind, self.stall) = (port, kind, stall)
    let shared = time as? EventLoop
    self.time = shared ?? SystemTime()
    ends = Locked(Ends(descriptor: descriptor))
    let (incoming, ends) = (incoming, ends)
    let loop = shared ?? EventLoop()
    let number = loop.watch(descriptor) { isReady, time in
      Self.pump(descriptor, isReady, time, port, into: incoming, onIdle) { error in
        ends.withLock { $0.isLost = true }
        incoming.finish(throwing: error)
      }
    }
    ends.withLock { $0.watch = (loop, number) }
    guard shared == nil else { return }
    do throws(SystemError) {
      let thread = try Thread { loop.run { loop.hasWatches } }
      ends.withLock { $0.thread = thread }
    } catch {
      System.close(descriptor)
      throw error
    }
  }

  deinit { end() }

  /// Moves bytes that have come, until the other end hangs up.
  ///
  /// - Returns: What to wait for next; nil once the line is lost.
  private static func pump(
    _ descriptor: Int32, _ isReady: Bool, _ time: Duration, _ port: String,
    into incoming: Mailbox<TimestampedChunk>,
    _ onIdle: (() -> Void)?, onLoss: (LinkError) -> Void
  ) -> EventLoop.WaitRequest? {
    let idlePeriod: Duration? = onIdle == nil ? nil : .milliseconds(250)
    guard isReady else {
      onIdle?()
      return .bytes(within: idlePeriod)
    }
    guard incoming.room > 0 else { return .pause(.milliseconds(10)) }
    do throws(SystemError) {
      let bytes = try System.read(descriptor, atMost: chunkCount)
      if !bytes.isEmpty {
        incoming.push(TimestampedChunk(bytes, at: time))
        return .bytes(within: idlePeriod)
      }
    } catch {
      // An event without bytes must not become a race of the processor.
      if error.isNotNow { return .pause(.milliseconds(10)) }
      // A hung-up terminal reports EIO or ENXIO; whatever else happens, the line is gone.
    }
    onLoss(.lost(port))
    return nil
  }

  package nonisolated(nonsending) func read() async throws -> [UInt8]? {
    try await readChunks()?.flatMap(\.bytes)
  }

  package nonisolated(nonsending) func readChunks() async throws -> [TimestampedChunk]? {
    try await incoming.receive()
  }

  package func usesClock(of time: any TimeSource) -> Bool { SystemTime().hasClock(of: time) }

  /// Sends as much as fits now.
  ///
  /// - Returns: How many bytes were taken.
  package func send(_ bytes: ArraySlice<UInt8>) throws(LinkError) -> Int {
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
  package func write(_ bytes: [UInt8]) async throws {
    var rest = bytes[...]
    var lastProgress = time.now
    while true {
      let count = try send(rest)
      rest = rest.dropFirst(count)
      if rest.isEmpty { return }
      if count > 0 { lastProgress = time.now }
      guard time.now - lastProgress < stall else { throw LinkError.lost(port) }
      // A stalled link: a wait this short costs nothing and needs no second thread.
      try await time.sleep(for: .milliseconds(5))
    }
  }

  /// Lets what was written go out: for up to a second, as long as some of it goes.
  ///
  /// - Returns: Whether all of it went.
  package func drain() async -> Bool {
    let time = time
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
  package var isLive: Bool { ends.withLock { $0.descriptor != nil && !$0.isLost } }

  /// Lets the loop forget the descriptor, then closes it.
  package func end(_ farewell: (Int32) -> Void = { _ in }) {
    let ends = ends.withLock { ends in
      defer { ends = Ends() }
      return ends
    }
    guard let descriptor = ends.descriptor else { return }
    if let watch = ends.watch { watch.loop.unwatch(watch.number) }
    ends.thread?.join()
    // Only the first end counts: where the line was lost, its error does.
    incoming.finish()
    farewell(descriptor)
    System.close(descriptor)
  }
}
