// Where a drive wants the ball to roll: only the newest value counts.

/// The newest set-point of a drive, and when it has to be sent.
struct SetPoint: Sendable {
  /// A ball that rolls is told so again after this time: less than the factory's motion time-out of 2 s.
  private static let refresh = Duration.seconds(1)

  private(set) var request: EncodedRequest?
  private var isMoving = false
  private(set) var due: Duration?
  /// When the ball shall roll no longer; nil where nobody knows yet.
  private var end: Duration?

  /// Takes the newest value.
  ///
  /// - Parameters:
  ///   - request: The command.
  ///   - isMoving: Whether it has to be repeated.
  ///   - isConfirmed: Whether the robot has it already.
  ///   - end: When it is sent no longer; nil where nobody knows yet.
  ///   - now: The time.
  mutating func set(
    _ request: EncodedRequest, isMoving: Bool, isConfirmed: Bool = false, until end: Duration? = nil,
    at now: Duration
  ) {
    self.end = end
    guard !isConfirmed else {
      (self.request, self.isMoving, due) = (request, isMoving, isMoving ? now + Self.refresh : nil)
      return
    }
    if self.request?.payload == request.payload, due.map({ $0 > now }) ?? false { return }
    (self.request, self.isMoving, due) = (request, isMoving, now)
  }

  mutating func clear() { (request, isMoving, due, end) = (nil, false, nil, nil) }

  /// Takes the set-point where it has to be sent now.
  mutating func take(at now: Duration) -> EncodedRequest? {
    guard let due, now >= due else { return nil }
    // A host that stood still must not set a ball rolling that should have stopped meanwhile.
    if let end, now >= end {
      clear()
      return nil
    }
    self.due = isMoving ? now + Self.refresh : nil
    return request
  }

  /// Lets the set-point go again at `time`, since the last try got no answer.
  mutating func missed(at time: Duration) { if request != nil { due = time } }
}
