// What waits to be sent: urgent requests first, the program's in their order and at their pace.

import SpheroProtocol

/// The requests that wait to be sent.
struct CommandQueue: Sendable {
  private var urgent: [PendingRequest] = []
  private var ordinary: [PendingRequest] = []
  private var pace: Pace
  private let capacity: Int

  init(_ settings: HostSettings) {
    pace = Pace(perSecond: settings.commandsPerSecond, burst: settings.burst)
    capacity = settings.maximumWaiting
  }

  /// Whether another request of the program may wait.
  var hasRoom: Bool { ordinary.count < capacity }
  /// Whether a request waits that nothing holds back.
  var hasUrgent: Bool { !urgent.isEmpty }

  /// Adds a request; see ``replace(_:)`` for those of its lane.
  ///
  /// - Parameters:
  ///   - request: The request.
  ///   - isNext: Whether it goes ahead of the others that keep to the pace.
  mutating func insert(_ request: PendingRequest, isNext: Bool = false) {
    if request.isUrgent {
      // A stop waits for nothing, not even for what else is urgent.
      if request.encoded.isStop, request.purpose != .undoing, request.purpose != .stopping {
        urgent.insert(request, at: 0)
      } else {
        urgent.append(request)
      }
    } else if isNext {
      ordinary.insert(request, at: 0)
    } else {
      ordinary.append(request)
    }
  }

  /// Whether a request of a lane waits.
  func contains(lane: Lane) -> Bool {
    urgent.contains { $0.lane == lane } || ordinary.contains { $0.lane == lane }
  }

  /// When the pace lets the next request go.
  var paceDue: Duration { pace.next }

  /// Whether the pace lets a request go.
  func hasPace(at now: Duration) -> Bool { now >= pace.next }

  /// Takes out the requests of a lane, since a newer one takes their place.
  mutating func replace(_ lane: Lane) -> [PendingRequest] { remove { $0.lane == lane } }

  /// Takes out the requests for which `condition` holds, in their order.
  mutating func remove(where condition: (PendingRequest) -> Bool) -> [PendingRequest] {
    let removed = urgent.filter(condition) + ordinary.filter(condition)
    if !removed.isEmpty {
      urgent.removeAll(where: condition)
      ordinary.removeAll(where: condition)
    }
    return removed
  }

  /// Takes out the next request that may go now.
  ///
  /// - Parameters:
  ///   - now: The time.
  ///   - isOpen: Whether requests of the program may go, too.
  /// - Returns: The request; nil where none may go.
  mutating func next(at now: Duration, isOpen: Bool) -> PendingRequest? {
    if !urgent.isEmpty { return urgent.removeFirst() }
    guard isOpen, !ordinary.isEmpty, now >= pace.next else { return nil }
    pace.spend(at: now)
    return ordinary.removeFirst()
  }

  /// Whether ``next(at:isOpen:)`` gives a request.
  func hasNext(at now: Duration, isOpen: Bool) -> Bool {
    !urgent.isEmpty || (isOpen && !ordinary.isEmpty && now >= pace.next)
  }

  /// When the next request of the program may go; nil where none waits.
  var due: Duration? { ordinary.isEmpty ? nil : pace.next }
}
