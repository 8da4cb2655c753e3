// What the page has read already, so that it reads only what has changed since.

import SpheroControls
import SpheroDrawing
import SpheroProtocol

/// The members of the view that the page has read.
struct ViewChanges: Sendable {
  /// The members as JSON, in their order.
  private var members: [[UInt8]] = []

  /// Returns an object with the members that differ from those of the last call; at first, all.
  mutating func take(_ fields: [Field]) -> [UInt8] {
    let former = members
    members = fields.map { field in
      var member: [UInt8] = []
      JSON.append(key: field.name, to: &member)
      JSON.append(field.value, to: &member)
      return member
    }
    let changed = members.indices.filter { former.isEmpty || members[$0] != former[$0] }
    return Array("{".utf8) + changed.map { members[$0] }.joined(separator: ",".utf8) + "}".utf8
  }
}

/// The part of a trail that the page has read.
struct PathChanges: Sendable {
  private var points: [Trail.Point] = []

  /// Returns the number of points that are still valid of those that the page has, and the points that follow them.
  ///
  /// `knownCount` is the number of points that the page has; if it is not the number that was read, none is valid.
  mutating func take(_ trail: Trail, knownCount: Int) -> FieldValue {
    let line = trail.line
    let kept = knownCount == points.count ? zip(points, line).prefix { $0 == $1 }.count : 0
    points = line
    return .record([
      Field("kept", .count(kept)), Field("points", .list(line.dropFirst(kept).map(Self.point))),
    ])
  }

  static func point(_ point: Trail.Point) -> FieldValue {
    .list([
      .decimal(point.x, digits: 1), .decimal(point.y, digits: 1), .text(point.color.map { $0.description }),
    ])
  }
}
