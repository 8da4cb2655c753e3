// The pending requests of a recording.

package struct OutstandingRequests: Sendable {
  /// After this number of later commands, a response is improbable.
  private static let limit = 64
  /// The time after which a later command with the same number is more probable.
  private static let patience = Duration.seconds(1)
  private var commands: [Sent] = []
  /// The number of recorded commands, with those that request no answer.
  package private(set) var count = 0

  package struct Sent: Sendable {
    package let packet: CommandPacket
    package let time: Duration?
    /// The number of the command among all commands, from 1.
    package let number: Int

    fileprivate func mayBeAnswered(by response: ResponsePacket, at arrival: Duration?) -> Bool {
      if let time, let arrival, arrival - time > OutstandingRequests.patience { return false }
      guard response.status == .ok else { return true }
      var check = ContentCheck(command: packet.id, payload: response.payload)
      Catalogue.visit(&check)
      return check.isPossible
    }
  }

  package init() {}

  package mutating func sent(_ packet: CommandPacket, at time: Duration? = nil) {
    count += 1
    guard packet.options.contains(.answer) else { return }
    if commands.count == Self.limit { commands.removeFirst() }
    commands.append(Sent(packet: packet, time: time, number: count))
  }

  /// Removes and returns the command that a response answers: since robots answer in order, and some programs use one number
  /// for several commands, the oldest one that it may answer, or else the newest one.
  package mutating func answered(by response: ResponsePacket, at time: Duration? = nil) -> Sent? {
    let places = commands.indices.filter { commands[$0].packet.sequence == response.sequence }
    return places.first { $0 == places.last || commands[$0].mayBeAnswered(by: response, at: time) }
      .map { commands.remove(at: $0) }
  }
}

/// Whether a payload may be that of a successful response to a command; unknown commands have any response.
private struct ContentCheck: CatalogueVisitor {
  let command: CommandID
  let payload: [UInt8]
  var isPossible = true

  mutating func command<R: Request>(_ type: R.Type, _ name: StaticString) {
    if R.id == command { isPossible = R.mismatch(ofResponse: payload) == nil }
  }

  mutating func event<E: Event>(_ type: E.Type, _ name: StaticString) {}
}

extension Sensing.SetDataStreaming {
  package init?(recorded packet: CommandPacket) {
    guard packet.id == Self.id, let request = try? Self(payload: packet.payload) else { return nil }
    self = request
  }
}
