// How a ball bounces off walls, and what hits it.

extension Body {
  /// The hardest knock that is taken, in m/s: a faster ball would pass a wall between two steps.
  static let fastest = 10.0

  /// Bounces off the walls that it touches, and passes none.
  ///
  /// - Parameters:
  ///   - floor: The floor with its walls.
  ///   - place: Where it was before it moved; it goes back there where walls and other balls leave no other way.
  mutating func keepOff(_ floor: Floor, from place: Planar) {
    guard !isHeld else { return }
    for wall in floor.walls { keepOff(wall, floor.bounce) }
    if floor.walls.contains(where: { $0.separates(place, position) }) { position = place }
  }

  private mutating func keepOff(_ wall: Floor.Wall, _ bounce: Double) {
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

  /// Takes a change of velocity at once.
  mutating func hit(_ change: Planar) {
    guard change.isFinite else { return }
    let change = change.length <= 2 * Self.fastest ? change : change * (2 * Self.fastest / change.length)
    jolt(change)
    // A hand that holds it gives way and does not let go.
    guard !isHeld else { return }
    struck += change
    velocity += change
    tumbles = true
    if velocity.length > Self.fastest { velocity *= Self.fastest / velocity.length }
    // The shell does not slip through an impact.
    rimSpeed = velocity.dot(forward)
    wheels = Wheels(left: rimSpeed, right: rimSpeed)
  }

  /// Spreads a change of velocity over what the next steps feel.
  mutating func jolt(_ change: Planar) {
    if bumpStepsLeft == 0 { speedAtImpact = velocity.length }
    bump = bump * (Double(bumpStepsLeft) / Double(Self.bumpSteps)) + change
    bumpStepsLeft = Self.bumpSteps
  }

  /// How fast it was before the bump that it feels, or is now, in m/s.
  var speedBeforeBump: Double { bumpStepsLeft > 0 ? speedAtImpact : abs(rimSpeed) }

  /// Moves it, keeping all else.
  mutating func move(to place: Planar) { position = place }
}
