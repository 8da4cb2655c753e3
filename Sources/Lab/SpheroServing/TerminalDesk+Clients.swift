// Who is served, who waits, and what becomes of those that cannot be told apart.

import SpheroSerial
import SpheroSystem
import SpheroTransport

extension TerminalDesk {
  // MARK: Clients

  /// Makes who has a place open the client; what it has written is kept.
  mutating func serve(_ index: Int, at now: Duration) {
    sessionCount += 1
    let (number, orders) = (sessionCount, orders)
    let session = TerminalSession(places[index].pair) { orders.hangUp(number) }
    served = (index, number, session)
    (places[index].since, places[index].isOver, places[index].allowed) = (nil, false, 1)
    hold(index, at: now)
    if places[index].since == nil { assign(index) }
    prepareSecondPlace()
    sessions.push(session)
  }

  /// Ends the session of the client that has closed.
  mutating func leave(_ index: Int, at now: Duration) {
    guard let session = served?.session else { return }
    if !isOpenedAgain(index) {
      places[index].unassigned += places[index].pair.takeInput()
      events += watch?.events() ?? []
    }
    let isTaken = isOpenedAgain(index)
    if !isTaken { assign(index) }
    session.end()
    served = nil
    renew(index, isTaken: isTaken)
    succeed(at: now)
  }

  /// Serves who waits at another place; where nobody does, the link leads back.
  mutating func succeed(at now: Duration) {
    sign = nil
    guard let index = places.indices.first(where: { places[$0].openers > 0 }) else {
      if let place = places.first { lead(to: place.pair.path) }
      return
    }
    if places[index].isOver {
      _ = places[index].pair.takeInput()
      places[index].pair.discardOutput()
      places[index].unassigned = []
      remark(.successor(places[index].pair.path))
    }
    serve(index, at: now)
  }

  /// Lets the link lead to a place that nobody has open.
  private mutating func prepareSecondPlace() {
    guard link != nil, let watch, let served else { return }
    if places.count < 2, let pair = try? TerminalPair() {
      if let mark = try? watch.add(pair.path) {
        places.append(Place(pair: pair, mark: mark))
      } else {
        pair.close()
      }
    }
    guard let second = places.indices.first(where: { $0 != served.place }) else { return }
    let (first, path) = (places[served.place].pair.path, places[second].pair.path)
    sign = HolderSearch.name(ofSecondPlace: path, behind: first).flatMap { try? NameLock.take($0, for: path) }
    lead(to: path)
  }

  /// Lets the link lead to a place; one that somebody else has put there is left alone.
  private mutating func lead(to path: String) {
    guard let link else { return }
    do throws(LinkError) {
      try link.lead(to: path)
      isLinkTaken = false
    } catch {
      if !isLinkTaken { remark(.linkTaken(link.path)) }
      isLinkTaken = true
    }
  }

  // MARK: More than one

  /// Holds a session's bytes where more have its device open than one client.
  mutating func hold(_ index: Int, at now: Duration) {
    guard places[index].openers > places[index].allowed, places[index].since == nil else { return }
    // A program that has it open twice is one client.
    let counts = HolderSearch.openCounts(of: places[index].pair.path).filter { $0 > 0 }
    if counts.count == 1, counts.contains(where: { $0 >= places[index].openers }) {
      places[index].allowed = places[index].openers
    } else {
      places[index].since = now
      served?.session.setFlow(.held)
    }
  }

  /// A second opener has stayed.
  mutating func endGrace(_ index: Int) {
    places[index].isOver = true
    let path = places[index].pair.path
    if served?.place == index {
      served?.session.setFlow(.shut)
      remark(.shared(path))
    } else {
      remark(.secondClient(path, HolderSearch.opener(of: path)?.process))
    }
  }

  /// One client alone has the device open again.
  mutating func unite(_ index: Int) {
    let wasOver = places[index].isOver
    if wasOver {
      _ = places[index].pair.takeInput()
      places[index].pair.discardOutput()
      places[index].unassigned = []
      remark(.alone(places[index].pair.path))
    }
    (places[index].since, places[index].isOver) = (nil, false)
    if !isOpenedAgain(index) { assign(index) }
    served?.session.setFlow(.open)
  }

  /// Counts openers by what processes have open, where events are missing.
  mutating func recount(at now: Duration) {
    for index in places.indices {
      // Not how many: a descriptor may be one that a child has inherited.
      let isOpen = HolderSearch.openCounts(of: places[index].pair.path).contains { $0 > 0 }
      events.removeAll { $0 == .opened(places[index].mark) || $0 == .closed(places[index].mark) }
      while places[index].openers > 0 { closed(index, at: now) }
      if isOpen { opened(index, at: now) }
    }
  }

  // MARK: Lines

  mutating func renew(_ index: Int, isTaken: Bool) {
    (places[index].since, places[index].isOver, places[index].allowed) = (nil, false, 1)
    if places[index].pair.renew(isTaken: isTaken) {
      places[index].ownOpens += 1
      places[index].ownCloses += 1
    }
  }

  /// Opens the device to everybody where its client was killed: its advisory lock is gone with it.
  func clearExclusive() {
    for place in places { place.pair.clearExclusive() }
  }
}
