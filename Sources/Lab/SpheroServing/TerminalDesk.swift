// Decides who of those that open a robot's pseudo-terminals is its client.

import SpheroSerial
import SpheroSystem
import SpheroTransport

/// A robot's pseudo-terminals, who has them open, and who of these is served.
///
/// The kernel says that a file was opened or closed, in order, but not by whom, and bytes do not say whose they are.
/// So where a client closes and the next one opens and writes before this thread has run, bytes of the two that
/// have not been read yet cannot be told apart: all of them count as the next one's, so that none of its is lost.
/// Likewise settings that the next one makes in the microseconds between the look and the renewal are lost.
/// With a link neither happens, since the next one comes to the other place.
struct TerminalDesk: Sendable {
  /// How long a second opener may stay before it counts: tools like `stty` open for a moment.
  static let grace = Duration.milliseconds(250)
  /// How long to wait while a session has no room.
  private static let pause = Duration.milliseconds(10)

  /// A pseudo-terminal and who has it open.
  struct Place: Sendable {
    var pair: TerminalPair
    var mark: Int32
    /// How many have it open, ourselves not counted.
    var openers = 0
    /// How many of them are one client.
    var allowed = 1
    /// Events of our own opens and closes that are still to come.
    var ownOpens = 0
    var ownCloses = 0
    /// What was read, as long as it is not known whose it is.
    var unassigned: [UInt8] = []
    /// Since when more have it open than one client, or, at the second place, somebody.
    var since: Duration?
    /// Whether the grace is over.
    var isOver = false
  }

  var places: [Place]
  let watch: OpenerWatch?
  let link: LinkPath?
  let sessions: Mailbox<TerminalSession>
  let orders: ServingOrders
  let remark: @Sendable (ServingRemark) -> Void
  /// The session, its number, and at which place.
  var served: (place: Int, number: Int, session: TerminalSession)?
  /// How many sessions there were.
  var sessionCount = 0
  /// Events that are still to be looked at.
  var events: [OpenerWatch.Event] = []
  /// Whether the link is not ours any more, as far as is known.
  var isLinkTaken = false
  /// The name that says which place is only the second one.
  var sign: NameLock?

  init(
    _ pair: TerminalPair, _ mark: Int32, _ watch: OpenerWatch?, _ link: LinkPath?,
    _ sessions: Mailbox<TerminalSession>, _ orders: ServingOrders,
    remark: @escaping @Sendable (ServingRemark) -> Void
  ) {
    places = [Place(pair: pair, mark: mark)]
    (self.watch, self.link, self.sessions) = (watch, link, sessions)
    (self.orders, self.remark) = (orders, remark)
  }

  /// Begins; where clients cannot be told apart, with the only session there will be.
  mutating func begin(at now: Duration) { if watch == nil { serve(0, at: now) } }

  /// Ends the session and closes everything.
  mutating func close() {
    link?.remove(ifOneOf: places.map(\.pair.path))
    served?.session.end()
    (served, sign) = (nil, nil)
    for place in places { place.pair.close() }
    if let watch { System.close(watch.descriptor) }
    sessions.finish()
  }

  /// Closes the line of the client that is served; behind a link the next one finds another line.
  ///
  /// - Returns: False where there is no other line.
  mutating func hangUp(at now: Duration) -> Bool {
    guard let watch, let served, link != nil else { return false }
    served.session.end()
    // Another place first, so that the link leads somewhere at any time.
    if places.count < 2 {
      guard let pair = try? TerminalPair() else { return false }
      guard let mark = try? watch.add(pair.path) else {
        pair.close()
        return false
      }
      places.append(Place(pair: pair, mark: mark))
    }
    let pair = places.remove(at: served.place).pair
    self.served = nil
    succeed(at: now)
    pair.close()
    return true
  }

  // MARK: Waiting

  /// What to wait for.
  var descriptors: [Int32] {
    (watch.map { [$0.descriptor] } ?? []) + places.indices.filter(isRead).map { places[$0].pair.controller }
  }

  /// Whether the bytes of a place are read now; otherwise the kernel keeps them.
  private func isRead(_ index: Int) -> Bool {
    if places[index].isOver { return true }
    guard let served, served.place == index else { return false }
    return places[index].since == nil && served.session.hasRoom
  }

  /// When to look even if nothing happens.
  var nextDeadline: Duration? {
    var next = places.compactMap { $0.isOver ? nil : $0.since.map { $0 + Self.grace } }.min()
    guard let served else { return next }
    let now = SystemTime().now
    if watch == nil { next = min(next ?? .seconds(1 << 40), now + Self.grace) }
    if !served.session.hasRoom { next = min(next ?? .seconds(1 << 40), now + Self.pause) }
    return next
  }

  // MARK: Working

  /// Looks at what has happened.
  ///
  /// - Returns: Whether all could be read; otherwise it may help to look again a little later.
  mutating func work(at now: Duration) -> Bool {
    var isSound = true
    if watch == nil { clearExclusive() }
    events += watch?.events() ?? []
    repeat {
      while !events.isEmpty { take(events.removeFirst(), at: now) }
      for index in places.indices {
        let isLate = places[index].since.map { now - $0 >= Self.grace } ?? false
        if isLate, !places[index].isOver { endGrace(index) }
        if isRead(index), !read(index) { isSound = false }
      }
      // Events that came while bytes were read say whose these are.
    } while !events.isEmpty
    return isSound
  }

  /// Reads what a client has written, a little at a time, so that closes and opens are seen between.
  private mutating func read(_ index: Int) -> Bool {
    do throws(SystemError) {
      places[index].unassigned += try System.read(places[index].pair.controller, atMost: 1 << 14)
    } catch {
      guard !error.isNotNow else { return true }
      renew(index, isTaken: true)
      return false
    }
    events += watch?.events() ?? []
    if !isOpenedAgain(index) { assign(index) }
    return true
  }

  /// Hands over what was read, or throws it away where nobody can be answered.
  mutating func assign(_ index: Int) {
    if served?.place == index, !places[index].isOver { served?.session.take(places[index].unassigned) }
    places[index].unassigned = []
  }

  /// Whether an open of a place is still to be looked at.
  func isOpenedAgain(_ index: Int) -> Bool {
    events.count { $0 == .opened(places[index].mark) } > places[index].ownOpens
  }

  private mutating func take(_ event: OpenerWatch.Event, at now: Duration) {
    switch event {
    case .opened(let mark):
      guard let index = places.firstIndex(where: { $0.mark == mark }) else { return }
      if places[index].ownOpens > 0 { places[index].ownOpens -= 1 } else { opened(index, at: now) }
    case .closed(let mark):
      guard let index = places.firstIndex(where: { $0.mark == mark }) else { return }
      if places[index].ownCloses > 0 { places[index].ownCloses -= 1 } else { closed(index, at: now) }
    case .overflow: recount(at: now)
    }
  }

  mutating func opened(_ index: Int, at now: Duration) {
    places[index].openers += 1
    if served == nil {
      serve(index, at: now)
    } else if served?.place == index {
      hold(index, at: now)
    } else if places[index].openers == 1 {
      places[index].since = now
    }
  }

  mutating func closed(_ index: Int, at now: Duration) {
    guard places[index].openers > 0 else { return }
    places[index].openers -= 1
    if served?.place == index {
      if places[index].openers == 0 {
        leave(index, at: now)
      } else if places[index].openers <= places[index].allowed, places[index].since != nil {
        unite(index)
      }
    } else if places[index].openers == 0 {
      if !isOpenedAgain(index) { _ = places[index].pair.takeInput() }
      renew(index, isTaken: isOpenedAgain(index))
    }
  }
}
