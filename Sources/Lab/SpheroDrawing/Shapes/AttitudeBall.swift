// The attitude of a ball as lines in a circle, for cells and for SVG.

public import SpheroControls
public import SpheroOrientation

/// The ball seen from behind its tail light at heading 0, and slightly from above.
///
/// The picture is a parallel projection onto a circle of radius 1 around the origin: x grows to the right, y downward.
/// Only what faces the viewer is drawn: the ring through the body's sides (level in a level ball),
/// the ring through its nose, top and tail, and the nose and the tail light themselves.
public struct AttitudeBall: Hashable, Sendable {
  /// What a line shows.
  public enum Ring: Hashable, Sendable, CaseIterable {
    /// The plane of the body's right and ahead: its deck.
    case deck
    /// The plane of the body's ahead and up: its keel.
    case keel
  }

  /// How far the viewer looks down, in degrees.
  public static let slope = Angle(degrees: 25)

  /// The visible piece of a ring, or several.
  public let lines: [(ring: Ring, points: [Point])]
  /// Where the nose is, and whether the viewer sees it.
  public let nose: (point: Point, isVisible: Bool)
  /// Where the tail light is, and whether the viewer sees it.
  public let tail: (point: Point, isVisible: Bool)
  /// Where the top of the body is, and whether the viewer sees it.
  public let top: (point: Point, isVisible: Bool)

  /// The steps of a ring: a point every 7.5 degrees.
  private static let steps = 48

  /// Draws an attitude, which takes body to reference coordinates: x right, y ahead, z up.
  public init(_ attitude: Rotation) {
    nose = Self.project(attitude.act(on: Vector3(0, 1, 0)))
    tail = Self.project(attitude.act(on: Vector3(0, -1, 0)))
    top = Self.project(attitude.act(on: Vector3(0, 0, 1)))
    var lines: [(ring: Ring, points: [Point])] = []
    for ring in Ring.allCases {
      var piece: [Point] = []
      for step in 0...Self.steps {
        // A deflection of magnitude 1 is a point of the unit circle.
        let angle = Heading(degrees: 360 * Double(step) / Double(Self.steps)) ?? .ahead
        let circle = Deflection(heading: angle, magnitude: 1)
        let body = ring == .deck ? Vector3(circle.x, circle.y, 0) : Vector3(0, circle.y, circle.x)
        let seen = Self.project(attitude.act(on: body))
        if seen.isVisible { piece.append(seen.point) }
        if !seen.isVisible || step == Self.steps {
          if piece.count > 1 { lines.append((ring, piece)) }
          piece = []
        }
      }
    }
    self.lines = lines
  }

  /// Where a point of the ball lies in the picture, and whether it faces the viewer.
  static func project(_ v: Vector3) -> (point: Point, isVisible: Bool) {
    let look = Deflection(heading: Heading(degrees: slope.degrees) ?? .ahead, magnitude: 1)
    let (sine, cosine) = (look.x, look.y)
    return (Point(x: v.x, y: -(v.z * cosine + v.y * sine)), v.z * sine - v.y * cosine >= 0)
  }

  /// Balls are the same that are drawn the same.
  public static func == (a: AttitudeBall, b: AttitudeBall) -> Bool {
    a.nose == b.nose && a.tail == b.tail && a.top == b.top
      && a.lines.elementsEqual(b.lines) { $0.ring == $1.ring && $0.points == $1.points }
  }

  /// Hashes the nose and the top, which tell the rest.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(nose.point)
    hasher.combine(top.point)
  }
}

extension Canvas {
  /// Draws the attitude of a ball in an area: as large as it fits, with the nose as `^`, the tail light as `o`.
  ///
  /// - Parameters:
  ///   - attitude: Takes body to reference coordinates; nil draws the outline alone.
  ///   - area: Where to draw.
  ///   - color: The colour of the ball.
  public mutating func ball(_ attitude: Rotation?, in area: Area, _ color: RGB?) {
    let radius = Double(min(area.dotWidth, area.dotHeight)) / 2 - 1
    guard radius >= 3 else { return }
    let center = Point(x: Double(area.dotWidth - 1) / 2, y: Double(area.dotHeight - 1) / 2)
    func place(_ point: Point) -> Point {
      Point(x: center.x + radius * point.x, y: center.y + radius * point.y)
    }
    func draw(_ points: [Point], _ color: RGB?) {
      for (start, end) in zip(points, points.dropFirst()) {
        line(from: place(start), to: place(end), in: area, color)
      }
    }
    let outline = (0...72).map { step in
      let circle = Deflection(heading: Heading(degrees: 5 * Double(step)) ?? .ahead, magnitude: 1)
      return Point(x: circle.x, y: circle.y)
    }
    draw(outline, Palette.faint)
    guard let attitude else { return }
    let ball = AttitudeBall(attitude)
    for (_, points) in ball.lines { draw(points, color) }
    for (mark, sign, style) in [
      (ball.nose, "^" as Unicode.Scalar, Style.bold), (ball.tail, "o", Style(Palette.tail, isBold: true)),
    ] where mark.isVisible {
      let point = place(mark.point)
      self[area.column + Int(point.x.rounded()) / 2, area.row + Int(point.y.rounded()) / 4] = Cell(
        sign, style)
    }
  }
}
