// The start and end of sessions, pending clients, and several openers of one pseudo-terminal.

import SpheroSerial
import SpheroSystem
import SpheroTransport

extension TerminalArbiter {
  // MARK: Sessions

  /// Starts a session for the client that has opened an endpoint.
  mutating func serve(_ index: Int, at now: Duration) {
    sessionCount += 1
    let (number, requests) = (sessionCount, requests)
    let session = TerminalSession(endpoints[index].pair) { requests.hangUp(number) }
    served = (index, number, session, now)
    endpoints[index].resetContention()
    holdIfContended(index, at: now)
    pointLinkToSecondEndpoint()
    sessions.push(session)
  }

  /// Ends the session of a client that has closed its endpoint.
  mutating func endSession(_ index: Int, at now: Duration) {
    guard let session = served?.session else { return }
    // If the next client has already opened the endpoint, the unread bytes are assigned to that client.
    if !isOpenPending(index) {
      endpoints[index].unassigned += endpoints[index].pair.takeInput()
      receiveEvents()
    }
    let isReopened = isOpenPending(index)
    if !isReopened { assign(index) }
    session.end()
    served = nil
    renew(index, keepsSettings: isReopened)
    serveNext(at: now)
  }

  /// Serves a client that waits at an endpoint; if none waits, points the link to the first endpoint.
  mutating func serveNext(at now: Duration) {
    secondEndpointLock = nil
    guard let index = endpoints.indices.first(where: { endpoints[$0].openCount > 0 }) else {
      pointLink(to: path)
      return
    }
    if endpoints[index].isContended {
      endpoints[index].discardQueues()
      remark(.pendingClientServed(endpoints[index].pair.path))
    }
    serve(index, at: now)
  }

  // MARK: The link

  /// Opens a second pseudo-terminal if there is only one; returns whether there are two.
  mutating func addSecondEndpoint() -> Bool {
    guard endpoints.count < 2 else { return true }
    guard let monitor, let pair = try? TerminalPair() else { return false }
    guard let watch = try? monitor.add(pair.path) else {
      pair.close()
      return false
    }
    endpoints.append(Endpoint(pair: pair, watch: watch))
    return true
  }

  private mutating func pointLinkToSecondEndpoint() {
    guard link != nil, let served, addSecondEndpoint(),
      let second = endpoints.indices.first(where: { $0 != served.index })
    else { return }
    let (first, path) = (endpoints[served.index].pair.path, endpoints[second].pair.path)
    secondEndpointLock = HolderSearch.name(ofSecondEndpoint: path, first: first).flatMap {
      try? AbstractSocketLock.acquire($0, for: path)
    }
    pointLink(to: path)
  }

  /// Points the link to a device file, unless another program has put a file at the link's path.
  private mutating func pointLink(to path: String) {
    guard let link else { return }
    do throws(LinkError) {
      try link.point(to: path)
      isLinkReplaced = false
    } catch {
      if !isLinkReplaced { remark(.linkTaken(link.path)) }
      isLinkReplaced = true
    }
  }

  // MARK: Several openers

  /// Queues the bytes of both directions if the endpoint has more opens than belong to one client.
  mutating func holdIfContended(_ index: Int, at now: Duration) {
    let endpoint = endpoints[index]
    guard endpoint.openCount > endpoint.allowedCount, endpoint.contentionStart == nil else { return }
    // A process that has opened the device several times is one client.
    let counts = HolderSearch.openCounts(of: endpoint.pair.path).filter { $0 > 0 }
    if counts.count == 1, counts[0] >= endpoint.openCount {
      endpoints[index].allowedCount = endpoint.openCount
    } else {
      endpoints[index].contentionStart = now
      served?.session.setOutputMode(.queueing)
    }
  }

  /// Treats a second opener that has the device open after the grace period as a contending client, and refuses it.
  ///
  /// If both clients opened the device within one grace period, they cannot be distinguished. Both are then
  /// disconnected, and the client that opens the link again first is served.
  ///
  /// - Returns: Whether the clients were disconnected; indices of endpoints are then invalid.
  mutating func endGracePeriod(_ index: Int, at now: Duration) -> Bool {
    let path = endpoints[index].pair.path
    if let served, served.index == index, let start = endpoints[index].contentionStart,
      start - served.start < Self.gracePeriod, hangUp(at: now)
    {
      remark(.openedTogether(path))
      return true
    }
    endpoints[index].isContended = true
    if served?.index == index {
      served?.session.setOutputMode(.discarding)
      remark(.contended(path))
    } else {
      remark(.secondClient(path, HolderSearch.opener(of: path)?.process))
    }
    return false
  }

  /// Resumes the session after its endpoint has one client again.
  mutating func endContention(_ index: Int) {
    if endpoints[index].isContended {
      endpoints[index].discardQueues()
      remark(.contentionEnded(endpoints[index].pair.path))
    }
    // The client may have the device open several times.
    (endpoints[index].contentionStart, endpoints[index].isContended) = (nil, false)
    served?.session.setOutputMode(.sending)
  }

  /// Recomputes the open counts from the descriptors of all processes, after events were lost.
  mutating func recount(at now: Duration) {
    // The count below includes all pending events, which are therefore discarded.
    receiveEvents()
    for index in endpoints.indices {
      // The number of descriptors is not that of the opens, because a child process may have inherited some.
      let isOpen = HolderSearch.openCounts(of: endpoints[index].pair.path).contains { $0 > 0 }
      let watch = endpoints[index].watch
      events.removeAll { $0 == .opened(watch) || $0 == .closed(watch) }
      (endpoints[index].ownOpens, endpoints[index].ownCloses) = (0, 0)
      while endpoints[index].openCount > 0 { closed(index, at: now) }
      if isOpen { opened(index, at: now) }
    }
  }

  /// Restores the initial state of a line for the next client.
  mutating func renew(_ index: Int, keepsSettings: Bool) {
    endpoints[index].resetContention()
    if endpoints[index].pair.renew(keepsSettings: keepsSettings) {
      endpoints[index].ownOpens += 1
      endpoints[index].ownCloses += 1
    }
  }
}
