// Who waits for which answer: answers are matched by sequence number and judged by their request.

import SpheroProtocol

/// The requests that were sent and wait for their answers.
///
/// Each try has a number of its own. A number is not used again while a request waits under it,
/// nor soon after one was given up: an answer that comes too late answers nobody.
struct Requests: Sendable {
  /// A try of a request.
  struct Flight: Sendable {
    var request: PendingRequest
    let number: UInt8
    var sentAt: Duration
    /// When the try is given up; nil where only ``capacity`` bounds the wait.
    var deadline: Duration?
    /// An answer came that does not fit.
    var misfit: WireError?
  }

  /// What an answer means.
  enum Answer: Sendable {
    /// It answers nobody.
    case stray
    /// It has the number of a request whose answer it cannot be; the request waits on.
    case misfit
    /// It answers the request.
    case answers(Flight)
  }

  /// Sequence numbers 1...255; 0 is left to commands that want no answer.
  private static let numbers: ClosedRange<UInt8> = 1...255
  /// The numbers that stay barred after a wait was given up, the newest last.
  private static let barredCount = 96
  /// The most tries without a deadline that are waited for.
  private static let capacity = 24

  private(set) var flights: [Flight] = []
  private var barred: [UInt8] = []
  private var last: UInt8

  init(firstSequence: UInt8) { last = firstSequence <= 1 ? 255 : firstSequence - 1 }

  /// The requests of the program that wait for their answers.
  var programCount: Int {
    flights.reduce(0) { count, flight in
      if case .program = flight.request.purpose { count + 1 } else { count }
    }
  }

  /// The next time at which a try is given up.
  var deadline: Duration? {
    var earliest = Earliest()
    for flight in flights { earliest.note(flight.deadline) }
    return earliest.time
  }

  /// Notes that a request is sent.
  ///
  /// - Returns: Its sequence number; nil where all are taken.
  mutating func send(_ request: PendingRequest, at now: Duration) -> UInt8? {
    guard let number = nextNumber() else { return nil }
    let isOpenEnded: Bool
    switch request.purpose {
    case .handshake, .stream: isOpenEnded = true
    default: isOpenEnded = false
    }
    if isOpenEnded, flights.count(where: { $0.deadline == nil }) >= Self.capacity,
      let oldest = flights.firstIndex(where: { $0.deadline == nil })
    {
      bar(flights.remove(at: oldest).number)
    }
    flights.append(
      Flight(
        request: request, number: number, sentAt: now, deadline: isOpenEnded ? nil : now + request.timeout))
    return number
  }

  /// Judges an answer.
  mutating func answer(_ response: ResponsePacket) -> Answer {
    guard let place = flights.firstIndex(where: { $0.number == response.sequence }) else {
      // The late answer is here, so the number is free again.
      barred.removeAll { $0 == response.sequence }
      return .stray
    }
    if response.status == .ok, let misfit = flights[place].request.encoded.misfit(response.payload) {
      flights[place].misfit = misfit
      return .misfit
    }
    return .answers(flights.remove(at: place))
  }

  /// Takes out the tries whose time is up.
  mutating func expire(at now: Duration) -> [Flight] {
    guard let deadline, deadline <= now else { return [] }
    return remove { flight in flight.deadline.map { $0 <= now } ?? false }
  }

  /// Gives up the tries for which `condition` holds; their late answers answer nobody.
  mutating func remove(where condition: (Flight) -> Bool) -> [Flight] {
    let removed = flights.filter(condition)
    guard !removed.isEmpty else { return [] }
    flights.removeAll(where: condition)
    for flight in removed { bar(flight.number) }
    return removed
  }

  /// Puts off all deadlines, since the host itself stood still.
  mutating func shift(by pause: Duration) {
    for place in flights.indices {
      flights[place].sentAt += pause
      flights[place].deadline = flights[place].deadline.map { $0 + pause }
    }
  }

  /// Ends the repetition of the requests of a lane, since a newer one takes their place.
  mutating func stopRepeating(_ lane: Lane) {
    for place in flights.indices where flights[place].request.lane == lane {
      flights[place].request.attemptsLeft = 0
      flights[place].request.wasSuperseded = true
    }
  }

  /// Whether a request of a lane that was sent at `time` or later waits for its answer.
  func contains(lane: Lane, since time: Duration? = nil) -> Bool {
    flights.contains { flight in flight.request.lane == lane && (time.map { flight.sentAt >= $0 } ?? true) }
  }

  /// Leaves the numbers alone that a former program may have used after the present one.
  mutating func skipNumbers() { last = UInt8((Int(last) + 96) % 255 + 1) }

  /// Forgets which numbers are barred: nothing of an earlier line can come on a new one.
  mutating func forgetBarred() { barred = [] }

  private mutating func bar(_ number: UInt8) {
    barred.append(number)
    if barred.count > Self.barredCount { barred.removeFirst() }
  }

  private mutating func nextNumber() -> UInt8? {
    for _ in Self.numbers {
      last = last == Self.numbers.upperBound ? Self.numbers.lowerBound : last + 1
      let candidate = last
      if !barred.contains(candidate), !flights.contains(where: { $0.number == candidate }) {
        return candidate
      }
    }
    return nil
  }
}
