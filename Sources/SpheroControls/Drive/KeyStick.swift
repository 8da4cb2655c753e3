// A joystick for keys without release events, which returns to the centre by timeout.

/// A joystick for the keys of a terminal, which reports key presses and repeats but no releases.
///
/// A held key repeats after an initial delay. The first press lasts for ``firstHold``, which exceeds that delay,
/// and each repeat for at least ``repeatHold``, which exceeds the repeat interval.
/// Without further presses, the stick returns to the centre: a dead man's switch.
///
/// Each axis has its own timeout, so keys of both axes form a diagonal.
public struct KeyStick: Hashable, Sendable {
  /// The duration of the first press. The initial repeat delay of terminals is 0.25 s to 0.66 s.
  public static let firstHold = Duration.milliseconds(700)
  /// The duration of a repeated press. The repeat interval of terminals is 25 ms to 50 ms.
  public static let repeatHold = Duration.milliseconds(250)

  private struct Push: Hashable, Sendable {
    var part: Double
    var end: Duration
  }

  private var right: Push?
  private var ahead: Push?

  public init() {}

  /// Handles a key press at a time of a monotonic clock.
  ///
  /// Positive is right and ahead, negative left and back; 0 does not affect the axis.
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

  public mutating func release() { (right, ahead) = (nil, nil) }

  /// Returns the deflection at a time: the rim or the centre.
  public func deflection(at now: Duration) -> Deflection {
    func part(_ push: Push?) -> Double {
      guard let push, now < push.end else { return 0 }
      return push.part
    }
    return Deflection(x: part(right), y: part(ahead)) ?? .center
  }
}
