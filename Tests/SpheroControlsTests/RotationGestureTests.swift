// The rotation gesture: its threshold, its direction on a screen, and touches without a direction.

import SpheroControls
import Testing

@Suite struct RotationGestureTests {
  /// A touch at 10 units from the first one, at clockwise degrees from the right; sines and cosines of tabulated angles.
  private static let around: [(degrees: Int, x: Double, y: Double)] = [
    (0, 10, 0), (30, 8.660254037844386, 5), (60, 5, 8.660254037844386), (90, 0, 10),
    (120, -5, 8.660254037844386), (150, -8.660254037844386, 5), (180, -10, 0),
    (210, -8.660254037844386, -5), (240, -5, -8.660254037844386), (270, 0, -10),
    (300, 5, -8.660254037844386), (330, 8.660254037844386, -5),
  ]

  private func turned(through steps: some Sequence<Int>) -> RotationGesture {
    var gesture = RotationGesture()
    for step in steps {
      let touch = Self.around[((step % 12) + 12) % 12]
      gesture.move(Point(x: 100, y: 50), Point(x: 100 + touch.x, y: 50 + touch.y))
    }
    return gesture
  }

  @Test func aClockwiseTurnIsPositiveAfterTheThreshold() throws {
    // From right to down on a screen is clockwise: 90 degrees, less the 10 of the threshold.
    #expect(abs(try #require(turned(through: 0...3).rotation) - 80) < 1e-9)
    #expect(abs(try #require(turned(through: stride(from: 0, through: -3, by: -1)).rotation) + 80) < 1e-9)
  }

  @Test func aTurnContinuesBeyondAFullTurn() throws {
    #expect(abs(try #require(turned(through: 5...30).rotation) - 740) < 1e-9)
    #expect(abs(try #require(turned(through: stride(from: 2, through: -23, by: -1)).rotation) + 740) < 1e-9)
  }

  @Test func touchesThatRestOrPinchDoNotRotate() {
    var gesture = RotationGesture()
    for distance in [100.0, 60, 20, 80] {
      // Nearly level: 0.1 in 1 is 5.7 degrees.
      gesture.move(Point(x: 0, y: 0), Point(x: distance, y: distance * 0.1))
      gesture.move(Point(x: 0, y: 0), Point(x: distance, y: 0))
    }
    #expect(gesture.rotation == nil)
  }

  @Test func touchesWithoutADirectionAreIgnored() throws {
    var gesture = turned(through: 0...2)
    let before = try #require(gesture.rotation)
    gesture.move(Point(x: 3, y: 4), Point(x: 3, y: 4))
    gesture.move(Point(x: .nan, y: 0), Point(x: 1, y: 1))
    gesture.move(Point(x: 0, y: 0), Point(x: .infinity, y: 1))
    #expect(gesture.rotation == before)
    var unmoved = RotationGesture()
    unmoved.move(Point(x: 1, y: 1), Point(x: 1, y: 1))
    #expect(unmoved.rotation == nil)
  }
}
