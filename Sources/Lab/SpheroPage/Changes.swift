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
  /// The number of points that were read: the kept ones, and the latest one if it is not kept.
  private var readCount = 0
  /// The number of points that the trail kept at the last call.
  private var count = 0
  /// The last of the kept points.
  private var last: Trail.Point?
  /// The spacing of the trail at the last call.
  private var spacing = 0.0

  /// Returns the number of points that are still valid of those that the page has, and the points that follow them.
  ///
  /// `knownCount` is the number of points that the page has; if it differs from the number that was read, no
  /// point is valid.
  mutating func take(_ trail: Trail, knownCount: Int) -> FieldValue {
    // A trail with another spacing, or one that was cleared, consists of other points.
    let isContinued =
      knownCount == readCount && trail.spacing == spacing && trail.points.indices.contains(count - 1)
      && trail.points[count - 1] == last
    let kept = isContinued ? count : 0
    let line = trail.line
    (readCount, count, last, spacing) = (line.count, trail.points.count, trail.points.last, trail.spacing)
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
