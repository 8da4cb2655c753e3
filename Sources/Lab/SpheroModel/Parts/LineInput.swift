// What a robot hears: commands, wrong checksums, and fragments that it gives up.

import SpheroProtocol

/// Finds commands in the bytes of a client.
///
/// A packet that is not complete a second after its first byte came is none, so that a fragment does not hold back what follows.
/// DLEN FFh is read as 254 bytes where these are a packet and the line then falls silent,
/// although the command has a longer payload: spheron sets a configuration block like that.
struct LineInput: Sendable {
  /// Something heard.
  enum Heard {
    case command(CommandPacket)
    /// A packet of full length with a wrong checksum.
    case broken(CommandPacket)
  }

  private static let silence = Duration.milliseconds(50)
  private var decoder = TimedDecoder(from: .host)
  private var queue: [Heard] = []
  /// How many of the queue have been taken.
  private var taken = 0
  /// When the last bytes came, where they may end a packet that is taken for the beginning of a longer one.
  private var silentSince: Duration?

  /// What the decoder has seen.
  var statistics: PacketDecoder.Statistics { decoder.packets.statistics }

  /// When a fragment is given up, or nil where none waits.
  var nextDeadline: Duration? {
    guard let deadline = decoder.deadline else { return nil }
    return min(deadline, silentSince.map { $0 + Self.silence } ?? deadline)
  }

  /// Takes bytes.
  mutating func append(_ bytes: [UInt8], at now: Duration) {
    let piece = bytes[...]
    decoder.append(piece.span, at: now)
    search(at: now)
  }

  /// Gives a fragment up, where it is time.
  mutating func advance(to now: Duration) {
    while let deadline = nextDeadline, now >= deadline {
      if case .command(let command)? = decoder.packets.nextOrdinary() {
        queue.append(.command(command))
      } else {
        _ = decoder.giveUp(at: now)
      }
      search(at: now)
    }
  }

  private mutating func search(at now: Duration) {
    while true {
      let packet = decoder.packets.next()
      queue += decoder.packets.takeRejected().map { .broken($0) }
      guard case .command(let command)? = packet else { break }
      queue.append(.command(command))
    }
    silentSince = decoder.packets.holdsOrdinary ? now : nil
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
    (queue, taken, silentSince) = ([], 0, nil)
    decoder = TimedDecoder(from: .host)
  }
}
