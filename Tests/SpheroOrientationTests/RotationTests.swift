// The basic algebra of rotations.
import Testing

@testable import SpheroOrientation

@Test func identityTurnsNothing() {
  #expect(Rotation.identity.act(on: Vector3(1, 2, 3)) == Vector3(1, 2, 3))
}
