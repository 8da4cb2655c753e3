// Decides which of the programs that open a robot's pseudo-terminals is its client.

import SpheroSerial
import SpheroSystem
import SpheroTransport

/// The pseudo-terminals of a robot, the number of their openers, and the session of the client that is served.
///
/// The kernel reports opens and closes of a file in order, but not by which process, and bytes carry no sender.
/// If a client closes and the next one opens and writes before this thread runs, the unread bytes of both are assigned to
/// the next client. Settings of the terminal that the next client makes before the line is renewed for it are lost.
/// With a link neither happens, since the next client opens the other endpoint.
struct TerminalArbiter: ClientArbiter {
  typealias Session = TerminalSession

  /// How long a second opener is tolerated, since programs like `stty` open a device only for a moment.
  static let gracePeriod = ServerRequests.gracePeriod
  /// How long to wait while a session has no room, or after a read that failed.
  private static let retryDelay = Duration.milliseconds(10)

  struct Endpoint: Sendable {
    var pair: TerminalPair
    /// The watch descriptor of the device file in the monitor.
    var watch: Int32
    /// The number of opens by clients that are not closed.
    var openCount = 0
    /// How many of these opens belong to one client.
    var allowedCount = 1
    /// Pending events of this process's own opens and closes.
    var ownOpens = 0
    var ownCloses = 0
    var unassigned: [UInt8] = []
    /// When the endpoint got more opens than its one client may have, or any if it is not served; nil without contention.
    var contentionStart: Duration?
    /// Whether the contention has outlasted the grace period.
    var isContended = false

    mutating func resetContention() { (contentionStart, isContended, allowedCount) = (nil, false, 1) }

    mutating func discardQueues() {
      _ = pair.takeInput()
      pair.discardOutput()
      unassigned = []
    }
  }

  var endpoints: [Endpoint]
  /// Nil where clients cannot be distinguished.
  private let monitor: OpenCloseMonitor?
  private let link: LinkPath?
  private let sessions: Mailbox<TerminalSession>
  private let requests: ServerRequests
  private let remark: @Sendable (ServingRemark) -> Void
  /// The session that is served, the index of its endpoint, its number from 1, and its start; nil for none.
  private var served: (index: Int, number: Int, session: TerminalSession, start: Duration)?
  private var sessionCount = 0
  private var events: [OpenCloseMonitor.Event] = []
  /// Whether a remark has reported that another program replaced the link.
  private var isLinkReplaced = false
  /// The socket whose name marks the second endpoint.
  private var secondEndpointLock: AbstractSocketLock?

  /// Opens a pseudo-terminal for the link; with `isMonitoring`, clients are distinguished where the system supports it.
  init(
    _ link: LinkPath?, isMonitoring: Bool, _ requests: ServerRequests, _ sessions: Mailbox<TerminalSession>,
    _ remark: @escaping @Sendable (ServingRemark) -> Void
  ) throws(LinkError) {
    let pair: TerminalPair
    do throws(SystemError) { pair = try TerminalPair() } catch {
      throw .failed("pseudo-terminal", operation: "openpty", code: error.code)
    }
    let monitor = isMonitoring ? try? OpenCloseMonitor() : nil
    let watch = monitor.flatMap { try? $0.add(pair.path) }
    if let monitor, watch == nil { System.close(monitor.descriptor) }
    self.monitor = watch == nil ? nil : monitor
    endpoints = [Endpoint(pair: pair, watch: watch ?? 0)]
    (self.link, self.requests, self.sessions, self.remark) = (link, requests, sessions, remark)
    do throws(LinkError) { try link?.point(to: pair.path) } catch {
      close()
      throw error
    }
  }

  /// The device file of the first endpoint.
  var path: String { endpoints.first?.pair.path ?? "" }

  var sessionNumber: Int? { served?.number }

  mutating func close() {
    link?.remove(ifOneOf: endpoints.map(\.pair.path))
    served?.session.end()
    (served, secondEndpointLock) = (nil, nil)
    for endpoint in endpoints { endpoint.pair.close() }
    if let monitor { System.close(monitor.descriptor) }
  }

  /// Closes the pseudo-terminal of the client that is served; false without a session, a link or another pseudo-terminal.
  mutating func hangUp(at now: Duration) -> Bool {
    guard let served, link != nil, monitor != nil else { return false }
    // The other one is opened before this one is closed, so that the link always names a device file.
    guard addSecondEndpoint() else { return false }
    served.session.end()
    let pair = endpoints.remove(at: served.index).pair
    self.served = nil
    serveNext(at: now)
    pair.close()
    return true
  }

  // MARK: Waiting

  var descriptors: [Int32] {
    (monitor.map { [$0.descriptor] } ?? [])
      + endpoints.indices.filter(shouldRead).map { endpoints[$0].pair.controller }
  }

  /// Whether the bytes of an endpoint are read now; otherwise the kernel keeps them.
  private func shouldRead(_ index: Int) -> Bool {
    if endpoints[index].isContended { return true }
    guard let served, served.index == index else { return false }
    return endpoints[index].contentionStart == nil && served.session.hasRoom
  }

  func nextDeadline(at now: Duration) -> Duration? {
    var deadlines = endpoints.compactMap { endpoint in
      endpoint.isContended ? nil : endpoint.contentionStart.map { $0 + Self.gracePeriod }
    }
    if monitor == nil { deadlines.append(now + Self.gracePeriod) }
    if let served, !served.session.hasRoom { deadlines.append(now + Self.retryDelay) }
    return deadlines.min()
  }

  // MARK: Processing

  mutating func process(at now: Duration) -> Duration? {
    if monitor == nil {
      for endpoint in endpoints { endpoint.pair.clearExclusive() }
      // Clients cannot be distinguished: one session serves all of them.
      if sessionCount == 0 { serve(0, at: now) }
    }
    var retryDelay: Duration?
    receiveEvents()
    repeat {
      while !events.isEmpty { process(events.removeFirst(), at: now) }
      for index in endpoints.indices {
        let isLate = endpoints[index].contentionStart.map { now - $0 >= Self.gracePeriod } ?? false
        if isLate, !endpoints[index].isContended, endGracePeriod(index, at: now) { break }
        // These bytes were read before it was certain which client had sent them.
        if isAssignable(index) { assign(index) }
        if shouldRead(index), !read(index) { retryDelay = Self.retryDelay }
      }
      // Events that arrived during a read determine which client the bytes belong to.
    } while !events.isEmpty
    return retryDelay
  }

  private mutating func receiveEvents() { events += monitor?.events() ?? [] }

  /// Reads a part of the bytes of a client, so that opens and closes are seen between two parts; false after an error.
  private mutating func read(_ index: Int) -> Bool {
    do throws(SystemError) {
      endpoints[index].unassigned += try System.read(endpoints[index].pair.controller, atMost: 1 << 14)
    } catch {
      guard !error.wouldBlock else { return true }
      renew(index, keepsSettings: true)
      return false
    }
    receiveEvents()
    if !isOpenPending(index) { assign(index) }
    return true
  }

  /// Whether an endpoint has unassigned bytes whose sender is certain to be the client that is served there.
  private func isAssignable(_ index: Int) -> Bool {
    !endpoints[index].unassigned.isEmpty && served?.index == index && endpoints[index].contentionStart == nil
      && !isOpenPending(index)
  }

  /// Passes the unassigned bytes to the session; discards them at an endpoint without a session or with several clients.
  private mutating func assign(_ index: Int) {
    if served?.index == index, !endpoints[index].isContended {
      served?.session.receive(endpoints[index].unassigned)
    }
    endpoints[index].unassigned = []
  }

  /// Whether an open by a client is not processed yet.
  private func isOpenPending(_ index: Int) -> Bool {
    events.count { $0 == .opened(endpoints[index].watch) } > endpoints[index].ownOpens
  }

  private mutating func process(_ event: OpenCloseMonitor.Event, at now: Duration) {
    switch event {
    case .opened(let watch):
      guard let index = endpoints.firstIndex(where: { $0.watch == watch }) else { return }
      if endpoints[index].ownOpens > 0 { endpoints[index].ownOpens -= 1 } else { opened(index, at: now) }
    case .closed(let watch):
      guard let index = endpoints.firstIndex(where: { $0.watch == watch }) else { return }
      if endpoints[index].ownCloses > 0 { endpoints[index].ownCloses -= 1 } else { closed(index, at: now) }
    case .overflow: recount(at: now)
    }
  }

  private mutating func opened(_ index: Int, at now: Duration) {
    endpoints[index].openCount += 1
    if served == nil {
      serve(index, at: now)
    } else if served?.index == index {
      holdIfContended(index, at: now)
    } else if endpoints[index].openCount == 1 {
      endpoints[index].contentionStart = now
    }
  }

  private mutating func closed(_ index: Int, at now: Duration) {
    guard endpoints[index].openCount > 0 else { return }
    endpoints[index].openCount -= 1
    let endpoint = endpoints[index]
    if served?.index == index {
      if endpoint.openCount == 0 {
        endSession(index, at: now)
      } else if endpoint.contentionStart == nil {
        // The next open may be that of another program.
        endpoints[index].allowedCount = endpoint.openCount
      } else if endpoint.openCount <= endpoint.allowedCount {
        // The client may have closed one of its own opens while the other program has the device open.
        let programs = HolderSearch.openCounts(of: endpoint.pair.path).count { $0 > 0 }
        let isShared = endpoint.openCount > 1 && programs > 1
        endpoints[index].allowedCount = endpoint.openCount - (isShared ? 1 : 0)
        if !isShared { endContention(index) }
      }
    } else if endpoint.openCount == 0 {
      if !isOpenPending(index) { _ = endpoint.pair.takeInput() }
      renew(index, keepsSettings: isOpenPending(index))
    }
  }

  // MARK: Sessions

  private mutating func serve(_ index: Int, at now: Duration) {
    sessionCount += 1
    let (number, requests) = (sessionCount, requests)
    let session = TerminalSession(endpoints[index].pair) { requests.hangUp(number) }
    served = (index, number, session, now)
    endpoints[index].resetContention()
    holdIfContended(index, at: now)
    pointLinkToSecondEndpoint()
    sessions.push(session)
  }

  private mutating func endSession(_ index: Int, at now: Duration) {
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
  private mutating func serveNext(at now: Duration) {
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
  private mutating func addSecondEndpoint() -> Bool {
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
  private mutating func holdIfContended(_ index: Int, at now: Duration) {
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

  /// Refuses a second opener that has the device open after the grace period.
  ///
  /// Clients that opened the device within one grace period cannot be distinguished. Both are then disconnected.
  ///
  /// - Returns: Whether the clients were disconnected; indices of endpoints are then invalid.
  private mutating func endGracePeriod(_ index: Int, at now: Duration) -> Bool {
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
  private mutating func endContention(_ index: Int) {
    if endpoints[index].isContended {
      endpoints[index].discardQueues()
      remark(.contentionEnded(endpoints[index].pair.path))
    }
    // The client may have the device open several times.
    (endpoints[index].contentionStart, endpoints[index].isContended) = (nil, false)
    served?.session.setOutputMode(.sending)
  }

  /// Recomputes the open counts from the descriptors of all processes, after events were lost.
  private mutating func recount(at now: Duration) {
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

  private mutating func renew(_ index: Int, keepsSettings: Bool) {
    endpoints[index].resetContention()
    if endpoints[index].pair.renew(keepsSettings: keepsSettings) {
      endpoints[index].ownOpens += 1
      endpoints[index].ownCloses += 1
    }
  }
}
