// The motion set-point of a drive: only the newest value counts.

/// The newest set-point of a drive, and when it is due.
struct SetPoint: Sendable {
  /// The interval at which a moving set-point is repeated: less than the motion timeout of 2 s, the factory setting.
  private static let refresh = Duration.seconds(1)

  private(set) var request: EncodedRequest?
  private var isMoving = false
  private(set) var due: Duration?
  /// When the repetition ends; nil for no limit.
  private var end: Duration?

  /// Replaces the value.
  ///
  /// - Parameters:
  ///   - request: The command.
  ///   - isMoving: Whether it has to be repeated.
  ///   - isConfirmed: Whether the robot has already executed it.
  ///   - end: When the repetition ends; nil for no limit.
  ///   - now: The current time.
  mutating func set(
    _ request: EncodedRequest, isMoving: Bool, isConfirmed: Bool = false, until end: Duration? = nil,
    at now: Duration
  ) {
    self.end = end
    if isConfirmed {
      due = isMoving ? now + Self.refresh : nil
    } else if self.request?.payload == request.payload, due.map({ $0 > now }) ?? false {
      return
    } else {
      due = now
    }
    (self.request, self.isMoving) = (request, isMoving)
  }

  mutating func clear() { (request, isMoving, due, end) = (nil, false, nil, nil) }

  /// Returns the command if it is due.
  mutating func take(at now: Duration) -> EncodedRequest? {
    guard let due, now >= due else { return nil }
    // A host that was suspended must not restart a ball that should have stopped meanwhile.
    if let end, now >= end {
      clear()
      return nil
    }
    self.due = isMoving ? now + Self.refresh : nil
    return request
  }

  /// Makes the set-point due again after an attempt without an answer.
  mutating func missed(at time: Duration) { if request != nil { due = time } }
}
