// The queue of requests to send: urgent ones first, those of the program in order and at a limited rate.

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

  /// Whether another request of the program may be queued.
  var hasRoom: Bool { ordinary.count < capacity }
  var hasUrgent: Bool { !urgent.isEmpty }

  /// Adds a request, at the front of the ordinary ones if `isNext`.
  mutating func insert(_ request: PendingRequest, isNext: Bool = false) {
    if request.isUrgent {
      // A stop precedes even the other urgent requests. Cleanup keeps its order: the control system comes first.
      if request.encoded.isStop, request.purpose != .shutdown, request.purpose != .stopping {
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

  func contains(lane: Lane) -> Bool {
    urgent.contains { $0.lane == lane } || ordinary.contains { $0.lane == lane }
  }

  /// When the rate limit permits the next ordinary request.
  var paceDue: Duration { pace.next }

  /// Removes and returns the requests that satisfy `condition`, in order.
  mutating func remove(where condition: (PendingRequest) -> Bool) -> [PendingRequest] {
    let removed = urgent.filter(condition) + ordinary.filter(condition)
    if !removed.isEmpty {
      urgent.removeAll(where: condition)
      ordinary.removeAll(where: condition)
    }
    return removed
  }

  /// Removes and returns the next request that may be sent; ordinary ones only if `allowsOrdinary`.
  mutating func next(at now: Duration, allowsOrdinary: Bool) -> PendingRequest? {
    if !urgent.isEmpty { return urgent.removeFirst() }
    guard allowsOrdinary, !ordinary.isEmpty, now >= pace.next else { return nil }
    pace.spend(at: now)
    return ordinary.removeFirst()
  }

  /// Whether ``next(at:allowsOrdinary:)`` returns a request.
  func hasNext(at now: Duration, allowsOrdinary: Bool) -> Bool {
    !urgent.isEmpty || (allowsOrdinary && !ordinary.isEmpty && now >= pace.next)
  }

  /// When the next ordinary request may be sent; nil without one.
  var due: Duration? { ordinary.isEmpty ? nil : pace.next }
}

/// A rate limit that allows bursts, by the generic cell rate algorithm.
struct Pace: Hashable, Sendable {
  private let interval: Duration
  private let tolerance: Duration
  /// When the next command would be due at an even rate.
  private var due: Duration = .zero

  /// Allows `perSecond` commands in a second, and `burst` of them at once; both at least 1.
  init(perSecond: Int, burst: Int) {
    interval = .seconds(1) / max(1, perSecond)
    tolerance = interval * (max(1, burst) - 1)
  }

  /// When the next command may be sent.
  var next: Duration { due - tolerance }

  /// Records that a command is sent.
  mutating func spend(at now: Duration) { due = max(due, now) + interval }
}
