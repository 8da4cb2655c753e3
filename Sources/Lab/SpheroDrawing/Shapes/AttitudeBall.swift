// The attitude of a ball as lines in a circle, for cells and for SVG.

public import SpheroControls
public import SpheroOrientation

/// The ball as it is seen from behind its tail light at heading 0, and slightly from above.
///
/// The picture is a parallel projection onto a unit circle around the origin: x grows to the right, y downward.
/// It has only what faces the viewer: the ring through the sides of the body (level if the ball is level),
/// the ring through its nose, top and tail, and the nose and the tail light.
public struct AttitudeBall: Sendable {
  public enum Ring: Hashable, Sendable, CaseIterable {
    /// The plane of the right and forward axes of the body.
    case deck
    /// The plane of the forward and up axes of the body.
    case keel
  }

  /// A point of the picture, and whether it faces the viewer.
  public typealias Projection = (point: Point, isVisible: Bool)

  /// How far the viewer looks down.
  public static let slope = Angle(degrees: 25)

  /// The visible arcs of the rings.
  public let lines: [(ring: Ring, points: [Point])]
  public let nose: Projection
  public let tail: Projection
  public let top: Projection

  /// The number of segments of a ring.
  private static let steps = 48

  /// Draws an attitude, which rotates body to reference coordinates: x right, y forward, z up.
  public init(_ attitude: Rotation) {
    nose = Self.project(attitude.act(on: Vector3(0, 1, 0)))
    tail = Self.project(attitude.act(on: Vector3(0, -1, 0)))
    top = Self.project(attitude.act(on: Vector3(0, 0, 1)))
    var lines: [(ring: Ring, points: [Point])] = []
    for ring in Ring.allCases {
      var arc: [Point] = []
      for step in 0...Self.steps {
        let circle = Point.unit(at: 360 * Double(step) / Double(Self.steps))
        let body = ring == .deck ? Vector3(circle.x, circle.y, 0) : Vector3(0, circle.y, circle.x)
        let seen = Self.project(attitude.act(on: body))
        if seen.isVisible { arc.append(seen.point) }
        if !seen.isVisible || step == Self.steps {
          if arc.count > 1 { lines.append((ring, arc)) }
          arc = []
        }
      }
    }
    self.lines = lines
  }

  private static func project(_ v: Vector3) -> Projection {
    let view = Point.unit(at: slope.degrees)
    return (Point(x: v.x, y: -(v.z * view.y + v.y * view.x)), v.z * view.x - v.y * view.y >= 0)
  }
}

extension Point {
  /// The point of the unit circle at a heading in degrees: 0 is +y, 90 is +x.
  fileprivate static func unit(at degrees: Double) -> Point {
    let deflection = Deflection(heading: Heading(degrees: degrees) ?? .ahead, magnitude: 1)
    return Point(x: deflection.x, y: deflection.y)
  }
}

extension Canvas {
  /// Draws a ball as large as the area allows, with the nose as `^` and the tail light as `o`.
  ///
  /// `attitude` rotates body to reference coordinates; nil draws only the outline.
  public mutating func ball(_ attitude: Rotation?, in area: Area, _ color: RGB?) {
    let radius = Double(min(area.dotWidth, area.dotHeight)) / 2 - 1
    guard radius >= 3 else { return }
    func scaled(_ point: Point) -> Point {
      Point(
        x: Double(area.dotWidth - 1) / 2 + radius * point.x,
        y: Double(area.dotHeight - 1) / 2 + radius * point.y)
    }
    lines((0...72).map { scaled(.unit(at: 5 * Double($0))) }, in: area, Palette.faint)
    guard let attitude else { return }
    let ball = AttitudeBall(attitude)
    for (_, points) in ball.lines { lines(points.map(scaled), in: area, color) }
    if ball.nose.isVisible { symbol("^", at: scaled(ball.nose.point), in: area, .bold) }
    if ball.tail.isVisible {
      symbol("o", at: scaled(ball.tail.point), in: area, Style(Palette.tail, isBold: true))
    }
  }
}
