// Requests in flight: answers are matched by sequence number and checked against their request.

import SpheroProtocol

/// The requests that were sent and wait for their answers.
///
/// Each attempt has its own sequence number, which is not reused while the attempt waits,
/// nor soon after it was given up. A late answer therefore matches no other request.
struct Requests: Sendable {
  /// One attempt of a request.
  struct Flight: Sendable {
    var request: PendingRequest
    let number: UInt8
    var sentAt: Duration
    /// When the attempt is given up; nil if only ``capacity`` limits the wait.
    var deadline: Duration?
    /// The reason why an answer under this number was rejected.
    var mismatch: WireError?
  }

  /// The number of abandoned sequence numbers that are not reused.
  private static let retiredCount = 96
  /// The maximum number of attempts without a deadline.
  private static let capacity = 24

  private(set) var flights: [Flight] = []
  /// The sequence numbers of abandoned attempts, the newest last.
  private var retired: [UInt8] = []
  private var last: UInt8

  init(firstSequence: UInt8) { last = firstSequence <= 1 ? 255 : firstSequence - 1 }

  /// The number of requests of the program in flight.
  var programCount: Int {
    flights.count { if case .program = $0.request.purpose { true } else { false } }
  }

  /// The next time at which an attempt is given up.
  var deadline: Duration? {
    var earliest = Earliest()
    for flight in flights { earliest.add(flight.deadline) }
    return earliest.time
  }

  /// Records that a request is sent.
  ///
  /// - Returns: Its sequence number; nil if none is free.
  mutating func send(_ request: PendingRequest, at now: Duration) -> UInt8? {
    guard let number = nextNumber() else { return nil }
    let isOpenEnded =
      switch request.purpose {
      case .handshake, .stream: true
      default: false
      }
    if isOpenEnded, flights.count(where: { $0.deadline == nil }) >= Self.capacity,
      let oldest = flights.firstIndex(where: { $0.deadline == nil })
    {
      retire(flights.remove(at: oldest).number)
    }
    flights.append(
      Flight(
        request: request, number: number, sentAt: now, deadline: isOpenEnded ? nil : now + request.timeout))
    return number
  }

  /// Removes and returns the attempt that a response answers.
  ///
  /// - Returns: The attempt; nil if none has the number, or if the payload cannot be its answer, in which case it waits on.
  mutating func answer(_ response: ResponsePacket) -> Flight? {
    guard let place = flights.firstIndex(where: { $0.number == response.sequence }) else {
      // The late answer has arrived, which makes its number safe again.
      retired.removeAll { $0 == response.sequence }
      return nil
    }
    if response.status == .ok, let mismatch = flights[place].request.encoded.mismatch(response.payload) {
      flights[place].mismatch = mismatch
      return nil
    }
    return flights.remove(at: place)
  }

  /// Removes and returns the attempts whose deadline has passed.
  mutating func expire(at now: Duration) -> [Flight] {
    guard let deadline, deadline <= now else { return [] }
    return remove { flight in flight.deadline.map { $0 <= now } ?? false }
  }

  /// Removes and returns the attempts that satisfy `condition`; their late answers are ignored.
  mutating func remove(where condition: (Flight) -> Bool) -> [Flight] {
    let removed = flights.filter(condition)
    guard !removed.isEmpty else { return [] }
    flights.removeAll(where: condition)
    for flight in removed { retire(flight.number) }
    return removed
  }

  /// Postpones all deadlines.
  mutating func shift(by pause: Duration) {
    for place in flights.indices {
      flights[place].sentAt += pause
      flights[place].deadline = flights[place].deadline.map { $0 + pause }
    }
  }

  /// Ends the retries of the requests of a lane.
  mutating func stopRepeating(_ lane: Lane) {
    for place in flights.indices where flights[place].request.lane == lane {
      flights[place].request.wasSuperseded = true
    }
  }

  /// Whether a request of a lane that was sent at `time` or later is in flight.
  func contains(lane: Lane, since time: Duration? = nil) -> Bool {
    flights.contains { flight in flight.request.lane == lane && (time.map { flight.sentAt >= $0 } ?? true) }
  }

  /// Skips the numbers that a former program may have used after the current one.
  mutating func skipNumbers() { last = UInt8((Int(last) + 96) % 255 + 1) }

  /// Permits all numbers: no answer of an earlier line can arrive on a new one.
  mutating func forgetRetiredNumbers() { retired = [] }

  private mutating func retire(_ number: UInt8) {
    retired.append(number)
    if retired.count > Self.retiredCount { retired.removeFirst() }
  }

  /// The next free number of 1...255; 0 is that of commands that request no answer.
  private mutating func nextNumber() -> UInt8? {
    for _ in 1...255 {
      last = last == 255 ? 1 : last + 1
      let candidate = last
      if !retired.contains(candidate), !flights.contains(where: { $0.number == candidate }) {
        return candidate
      }
    }
    return nil
  }
}
