// What a robot hears: commands, wrong checksums, and fragments that it gives up.

import SpheroProtocol

/// Finds commands in the bytes of a client.
///
/// A packet that is not complete a second after its bytes began to wait is dropped from its first byte on,
/// so that a fragment does not hold back what follows.
/// DLEN FFh is read as 254 bytes where these are a packet and the line then falls silent,
/// although the command has a longer payload: spheron sets a configuration block like that.
struct LineInput: Sendable {
  /// Something heard.
  enum Heard {
    case command(CommandPacket)
    /// A packet of full length with a wrong checksum.
    case broken(CommandPacket)
  }

  private static let patience = Duration.seconds(1)
  private static let silence = Duration.milliseconds(50)
  private var decoder = PacketDecoder(from: .host)
  private var queue: [Heard] = []
  /// How many of the queue have been taken.
  private var taken = 0
  private var waitsSince: Duration?
  /// When the last bytes came, where they may end a packet that is taken for the beginning of a longer one.
  private var silentSince: Duration?

  /// What the decoder has seen.
  var statistics: PacketDecoder.Statistics { decoder.statistics }

  /// When a fragment is given up, or nil where none waits.
  var nextDeadline: Duration? {
    guard let waitsSince else { return nil }
    return min(
      waitsSince + Self.patience, silentSince.map { $0 + Self.silence } ?? waitsSince + Self.patience)
  }

  /// Takes bytes.
  mutating func append(_ bytes: [UInt8], at now: Duration) {
    decoder.append(bytes)
    search(at: now)
  }

  /// Gives a fragment up, where it is time.
  mutating func advance(to now: Duration) {
    guard let deadline = nextDeadline, now >= deadline else { return }
    waitsSince = nil
    if case .command(let command)? = decoder.nextOrdinary() {
      queue.append(.command(command))
    } else {
      decoder.giveUpOnIncomplete()
    }
    search(at: now)
  }

  private mutating func search(at now: Duration) {
    while true {
      let packet = decoder.next()
      queue += decoder.takeRejected().map { .broken($0) }
      guard case .command(let command)? = packet else { break }
      queue.append(.command(command))
      waitsSince = nil
    }
    waitsSince = decoder.pendingCount == 0 ? nil : waitsSince ?? now
    silentSince = decoder.holdsOrdinary ? now : nil
  }

  /// The next thing heard.
  mutating func next() -> Heard? {
    guard taken < queue.count else {
      (queue, taken) = ([], 0)
      return nil
    }
    defer { taken += 1 }
    return queue[taken]
  }

  /// Forgets what waits; a new client begins.
  mutating func reset() {
    (queue, taken, waitsSince, silentSince) = ([], 0, nil, nil)
    decoder = PacketDecoder(from: .host)
  }
}
