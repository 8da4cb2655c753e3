// A stick made of keys whose release nobody tells: it falls back to the middle by itself.

/// A stick that keys push, as on a terminal, which tells that a key is pressed and never that it is released.
///
/// A key that is held comes again and again, first after a pause. So the first press holds for ``firstHold``,
/// which outlasts that pause, and each further one for ``repeatHold`` at least, which outlasts some that are late.
/// Where nothing comes any more, the stick is in the middle after that time: a dead man's switch.
///
/// Each axis holds by itself, so a key of the other axis makes a diagonal for as long as both hold.
public struct KeyStick: Hashable, Sendable {
  /// How long one press holds. Terminals repeat a key after 0.25 s to 0.66 s.
  public static let firstHold = Duration.milliseconds(700)
  /// How long a key holds that comes again while it holds. Terminals repeat it each 25 ms to 50 ms.
  public static let repeatHold = Duration.milliseconds(250)

  private struct Push: Hashable, Sendable {
    var part: Double
    var end: Duration
  }

  private var right: Push?
  private var ahead: Push?

  /// Creates a stick in the middle.
  public init() {}

  /// Pushes the stick.
  ///
  /// - Parameters:
  ///   - right: Above 0 to the right, below 0 to the left; 0 leaves this axis as it is.
  ///   - ahead: Above 0 ahead, below 0 back; 0 leaves this axis as it is.
  ///   - now: The time, on any clock that does not run backwards.
  public mutating func press(right: Int, ahead: Int, at now: Duration) {
    self.right = Self.pushed(self.right, right, at: now)
    self.ahead = Self.pushed(self.ahead, ahead, at: now)
  }

  private static func pushed(_ push: Push?, _ way: Int, at now: Duration) -> Push? {
    guard way != 0 else { return push }
    let part: Double = way > 0 ? 1 : -1
    guard let push, push.part == part, now < push.end else { return Push(part: part, end: now + firstHold) }
    return Push(part: part, end: max(push.end, now + repeatHold))
  }

  /// Lets go of all keys.
  public mutating func release() { (right, ahead) = (nil, nil) }

  /// Returns how far the stick is pushed at a time: to the rim, or not at all.
  public func deflection(at now: Duration) -> Deflection {
    func part(_ push: Push?) -> Double {
      guard let push, now < push.end else { return 0 }
      return push.part
    }
    return Deflection(x: part(right), y: part(ahead)) ?? .center
  }
}
