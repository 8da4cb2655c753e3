// The commands `path` and `playback`: the path on the floor, and the playback of an opened recording.

import SpheroControls
import SpheroDrawing
import SpheroProtocol

extension Page {
  mutating func handlePath(_ words: inout CommandParser) throws(PageError) -> [UInt8] {
    guard !words.isAtEnd else { return Self.json(.list(monitor.trail.line.map { .list($0.fields) })) }
    switch try words.next("after, clear or text") {
    case "after":
      let count = Int(try words.lastNumber(in: 0...1e6))
      return Self.json(pathChanges.take(monitor.trail, knownCount: count))
    case "clear": try words.end { clearPath() }
    case "text": return try words.end { pathText }
    default: throw PageError("'path' is followed by after, clear, text or nothing")
    }
    return []
  }

  mutating func play(_ words: inout CommandParser) throws(PageError) -> [UInt8] {
    let word = words.isAtEnd ? "" : try words.next("at, lanes or robot")
    let limit = Double(TimeLimit.seconds)
    let seconds = -limit...limit
    switch word {
    case "":
      return try withOpened { opened in
        Self.json(opened.track?.overview(robots: opened.robots) ?? .missing)
      }
    case "at":
      let time = try words.lastNumber(in: seconds)
      return try withOpened { Self.json($0.track?.view(at: time) ?? .missing) }
    case "lanes":
      let (start, end) = (try words.number(in: seconds), try words.lastNumber(in: seconds))
      return try withOpened { $0.track?.playback.lanes(from: start, to: end) ?? [] }
    case "robot":
      let name = words.rest()
      try withOpened { opened throws(PageError) in try opened.showRobot(name) }
      return []
    default: throw PageError("'playback' is followed by at, lanes, robot or nothing")
    }
  }

  /// The trail as the text of a path that `sphero go --path` reads, relative to its first point.
  var pathText: [UInt8] {
    let points = monitor.trail.line
    var text = "# centimetres, to the right and ahead of the start\n"
    for point in points {
      let (x, y) = (point.x - points[0].x, point.y - points[0].y)
      text += "\(Decimal.text(x, digits: 1)) \(Decimal.text(y, digits: 1))\n"
    }
    return Array(text.utf8)
  }
}

/// The part of a trail that the page has read.
struct PathChanges: Sendable {
  private var points: [Trail.Point] = []

  /// Returns how many of the `knownCount` points that the page has are still valid, and the points that follow them.
  mutating func take(_ trail: Trail, knownCount: Int) -> FieldValue {
    let line = trail.line
    let kept = knownCount == points.count ? zip(points, line).prefix { $0 == $1 }.count : 0
    points = line
    return [
      "kept": .count(kept), "points": .list(line.dropFirst(kept).map { .list($0.fields) }),
    ]
  }
}

extension Trail.Point {
  /// The position and the colour, as the page reads them.
  var fields: [FieldValue] {
    [.decimal(x, digits: 1), .decimal(y, digits: 1), .text(color?.description)]
  }
}
