// The level frame and the control by a device in a hand, against vectors and times computed by hand.

import SpheroControls
import SpheroOrientation
import TestSupport
import Testing

private func ms(_ count: Int) -> Duration { .milliseconds(count) }
private let level = Vector3(0, 0, -1)
/// Gravity with the right side lowered by 30 degrees: sin 30 = 0.5, cos 30 = 0.866025.
private let right30 = Vector3(0.5, 0, -0.8660254037844386)

@Suite struct LevelFrameTests {
  @Test func aLevelDeviceKeepsItsAxes() throws {
    let frame = try #require(LevelFrame(level: level))
    let vector = Vector3(0.1, 0.2, 0.3)
    #expect(frame.components(of: vector).isApproximatelyEqual(to: vector, tolerance: 1e-12))
  }

  /// With the nose raised by 30 degrees, gravity is (0, -0.5, -0.866) in body coordinates.
  /// The forward axis of the body then points 30 degrees above the level forward direction.
  @Test func aRaisedNoseIsLevelled() throws {
    let gravity = Vector3(0, -0.5, -0.8660254037844386)
    let frame = try #require(LevelFrame(level: gravity))
    #expect(frame.components(of: gravity).isApproximatelyEqual(to: level, tolerance: 1e-12))
    let nose = Vector3(0, 0.8660254037844386, 0.5)
    #expect(frame.components(of: Vector3(0, 1, 0)).isApproximatelyEqual(to: nose, tolerance: 1e-12))
  }

  /// Upside down about the forward axis, the forward direction is the same and the body's right is at the left.
  @Test func upsideDownAheadRemainsAhead() throws {
    let frame = try #require(LevelFrame(level: Vector3(0, 0, 1)))
    #expect(
      frame.components(of: Vector3(0, 1, 0)).isApproximatelyEqual(to: Vector3(0, 1, 0), tolerance: 1e-12))
    #expect(
      frame.components(of: Vector3(1, 0, 0)).isApproximatelyEqual(to: Vector3(-1, 0, 0), tolerance: 1e-12))
  }

  /// sin 14 = 0.2419, cos 14 = 0.9703; sin 16 = 0.2756, cos 16 = 0.9613.
  @Test func aVerticalForwardAxisShowsNoDirection() {
    for sign in [1.0, -1.0] {
      #expect(LevelFrame(level: Vector3(0, sign, 0)) == nil)
      #expect(LevelFrame(level: Vector3(0, sign * 0.9703, -0.2419)) == nil)
      #expect(LevelFrame(level: Vector3(0, sign * 0.9613, -0.2756)) != nil)
    }
    #expect(LevelFrame(level: .zero) == nil && LevelFrame(level: Vector3(0, .nan, 1)) == nil)
  }
}

@Suite struct TiltControlTests {
  /// A control whose maximum tilt of 25 degrees and dead zone of 0.2 are the defaults.
  private func control(at time: Duration = .zero) -> TiltControl {
    var control = TiltControl()
    control.update(gravity: level, at: time)
    return control
  }

  @Test func theFirstReadingIsLevelAndATiltDrives() throws {
    var control = TiltControl()
    #expect(control.state(at: .zero) == .waiting && control.drive(at: .zero) == .stop)
    control.update(gravity: level, at: .zero)
    #expect(control.state(at: .zero) == .active && control.drive(at: .zero) == .stop)
    control.update(gravity: right30, at: ms(25))
    let drive = control.drive(at: ms(25))
    #expect(abs(try #require(drive.heading).degrees - 90) < 1e-9 && drive.speed == 0.6)
    // The nose lowered by 15 degrees (sin 15 = 0.258819, cos 15 = 0.965926): (15 / 25 - 0.2) / 0.8 · 0.6 = 0.3.
    control.update(gravity: Vector3(0, 0.2588190451025208, -0.9659258262890683), at: ms(50))
    let ahead = control.drive(at: ms(50))
    #expect(abs(try #require(ahead.heading).degrees) < 1e-9 && abs(ahead.speed - 0.3) < 1e-9)
    // 4.9 degrees are within the dead zone of 5.
    control.update(gravity: Vector3(0.08542, 0, -0.99634), at: ms(75))
    #expect(control.drive(at: ms(75)) == .stop && control.state(at: ms(75)) == .active)
  }

  @Test func anyAttitudeCanBeLevel() throws {
    var control = TiltControl()
    let raised = Vector3(0, -0.5, -0.8660254037844386)
    control.update(gravity: raised, at: .zero)
    #expect(control.drive(at: .zero) == .stop && control.state(at: .zero) == .active)
    // Horizontal is then 30 degrees ahead.
    control.update(gravity: level, at: ms(25))
    #expect(control.drive(at: ms(25)).heading?.wholeDegrees == 0 && control.drive(at: ms(25)).speed == 0.6)
    control.setZero()
    #expect(control.drive(at: ms(25)) == .stop)
    control.update(gravity: level, at: ms(50))
    #expect(control.drive(at: ms(50)) == .stop && control.state(at: ms(50)) == .active)
  }

  /// A reading counts for 200 ms; after 500 ms without one, the device must be level.
  @Test func withoutInputItStopsUntilItIsLevel() {
    var control = control()
    control.update(gravity: right30, at: ms(100))
    #expect(control.drive(at: ms(300)).speed == 0.6)
    #expect(control.drive(at: ms(301)) == .stop && control.state(at: ms(600)) == .active)
    #expect(control.drive(at: ms(601)) == .stop && control.state(at: ms(601)) == .waiting)
    // Tilted input does not drive.
    control.update(gravity: right30, at: ms(601))
    #expect(control.drive(at: ms(601)) == .stop && control.state(at: ms(601)) == .interrupted)
    control.update(gravity: level, at: ms(925))
    control.update(gravity: right30, at: ms(950))
    #expect(control.drive(at: ms(950)).speed == 0.6 && control.state(at: ms(950)) == .active)
  }

  @Test func afterAShortGapItContinues() {
    var control = control()
    control.update(gravity: right30, at: ms(100))
    #expect(control.drive(at: ms(599)) == .stop)
    control.update(gravity: right30, at: ms(600))
    #expect(control.drive(at: ms(600)).speed == 0.6 && control.state(at: ms(600)) == .active)
    // A lost link is no gap, however short.
    control.interrupt()
    control.update(gravity: right30, at: ms(625))
    #expect(control.drive(at: ms(625)) == .stop)
  }

  @Test func anInterruptionStopsAtOnce() {
    var control = control()
    control.update(gravity: right30, at: ms(25))
    control.interrupt()
    #expect(control.drive(at: ms(25)) == .stop && control.state(at: ms(25)) == .interrupted)
    control.update(gravity: right30, at: ms(50))
    #expect(control.drive(at: ms(50)) == .stop)
    control.update(gravity: level, at: ms(75))
    control.update(gravity: right30, at: ms(100))
    #expect(control.drive(at: ms(100)).speed == 0.6)
  }

  /// Without a velocity scale, the drive of a tilted device is a stop too.
  @Test func aTiltWithoutAVelocityScaleIsNotLevel() {
    var control = control()
    control.update(gravity: right30, at: ms(25))
    control.interrupt()
    let scale = control.conversion.velocityScale
    control.conversion.velocityScale = 0
    control.update(gravity: right30, at: ms(50))
    control.conversion.velocityScale = scale
    control.update(gravity: right30, at: ms(75))
    #expect(control.drive(at: ms(75)) == .stop && control.state(at: ms(75)) == .interrupted)
  }

  @Test func oldReadingsDoNotDrive() {
    var control = control()
    control.update(gravity: right30, at: ms(200))
    control.update(gravity: level, at: ms(100))
    #expect(control.drive(at: ms(300)).speed == 0.6, "an older reading is ignored")
    #expect(control.drive(at: ms(400)).speed == 0.6 && control.drive(at: ms(401)) == .stop)
  }

  @Test func aDroppedDeviceStopsTheBall() {
    var control = control()
    control.update(gravity: Vector3(1, 0, 0), at: ms(25))
    #expect(control.drive(at: ms(25)) == .stop && control.state(at: ms(25)) == .interrupted)
    control.update(gravity: right30, at: ms(50))
    #expect(control.drive(at: ms(50)) == .stop)
    control.update(gravity: Vector3(0.1, 0.1, 0.99), at: ms(75))
    #expect(control.state(at: ms(75)) == .interrupted, "upside down is not level")
  }

  @Test func aVerticalDeviceCannotBeLevelled() {
    var control = TiltControl()
    control.update(gravity: Vector3(0, -1, 0), at: .zero)
    #expect(control.state(at: .zero) == .unusable && control.drive(at: .zero) == .stop)
    control.update(gravity: level, at: ms(25))
    #expect(control.state(at: ms(25)) == .active)
  }

  @Test func numbersThatAreNotFiniteAreIgnored() {
    var control = control()
    control.update(gravity: right30, at: ms(25))
    control.update(gravity: Vector3(.nan, 0, -1), at: ms(50))
    control.update(gravity: Vector3(0, .infinity, -1), at: ms(75))
    #expect(control.drive(at: ms(225)).speed == 0.6 && control.drive(at: ms(226)) == .stop)
    control.conversion.maximumTilt = .nan
    control.update(gravity: right30, at: ms(330))
    #expect(control.drive(at: ms(330)) == .stop)
  }
}
