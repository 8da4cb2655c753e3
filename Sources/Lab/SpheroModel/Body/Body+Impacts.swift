// The impacts of a ball with walls and other bodies.

extension Body {
  /// The maximum speed in m/s: a much faster ball would pass through a wall between two steps.
  static let maximumSpeed = 10.0

  /// Makes the ball bounce off the walls that it touches.
  ///
  /// If a wall still separates the ball from `place`, its previous position, the ball returns there.
  mutating func resolveContacts(with floor: Floor, from place: Planar) {
    guard !isHeld else { return }
    for wall in floor.walls { resolveContact(with: wall, floor.bounce) }
    if floor.walls.contains(where: { $0.separates(place, position) }) { position = place }
  }

  private mutating func resolveContact(with wall: Floor.Wall, _ bounce: Double) {
    let nearest = wall.nearest(to: position)
    let away = position - nearest
    let distance = away.length
    guard distance < Self.radius else { return }
    let fallback = (wall.end - wall.start).left
    let normal =
      distance > 1e-9 ? away / distance : (fallback.length > 0 ? fallback / fallback.length : Planar(0, 1))
    position = nearest + normal * Self.radius
    let approach = velocity.dot(normal)
    if approach < 0 { hit(normal * (-(1 + bounce) * approach)) }
  }

  /// Applies a sudden change of velocity, in m/s on the floor; of a body in a hand, only the
  /// accelerometer measures it.
  mutating func hit(_ change: Planar) {
    guard change.isFinite else { return }
    // From the maximum speed to the same speed in the opposite direction.
    let maximum = 2 * Self.maximumSpeed
    let change = change.length <= maximum ? change : change * (maximum / change.length)
    jolt(change)
    greatestImpact = max(greatestImpact, change.length)
    // The hand holds the ball in its place.
    guard !isHeld else { return }
    impactVelocity += change
    velocity += change
    tumbles = true
    if velocity.length > Self.maximumSpeed { velocity *= Self.maximumSpeed / velocity.length }
    // The shell does not slip through an impact.
    rimSpeed = velocity.dot(forward)
    wheels = Wheels(left: rimSpeed, right: rimSpeed)
  }

  /// Returns the greatest change of velocity by impacts since the last call, in m/s.
  mutating func takeImpact() -> Double {
    defer { greatestImpact = 0 }
    return greatestImpact
  }

  /// Spreads a change of velocity over the accelerations of the next steps.
  mutating func jolt(_ change: Planar) {
    if bumpStepsLeft == 0 { speedAtImpact = velocity.length }
    bump = bump * (Double(bumpStepsLeft) / Double(Self.bumpSteps)) + change
    bumpStepsLeft = Self.bumpSteps
  }

  /// The speed before the bump that still acts on the accelerometer, or else the present one, in m/s.
  var speedBeforeBump: Double { bumpStepsLeft > 0 ? speedAtImpact : abs(rimSpeed) }
}
