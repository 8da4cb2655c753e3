// The samples of one robot in an opened recording, and the state that the page shows for a time of playback.

import SpheroControls
import SpheroDrawing
import SpheroMotion
import SpheroOrientation
import SpheroProtocol

/// The samples of one robot: the picture of all of them, and the rows for playback.
struct Track: Sendable {
  /// The name in the column `robot`; nil without that column.
  let name: String?
  private(set) var plot: Plot
  private(set) var playback: Playback
  private let columns: [Column]

  /// Creates an empty track; nil if the columns include no time.
  init?(name: String?, title: String, columns: [Column]) {
    guard let plot = Plot(title: title, columns: columns) else { return nil }
    (self.name, self.plot, self.columns) = (name, plot, columns)
    playback = Playback(columnCount: columns.count)
  }

  mutating func append(_ row: [Double?]) {
    let count = plot.count
    plot.append(row)
    guard plot.count > count else { return }
    playback.append(row, at: plot.end)
  }

  /// Records a collision at the latest sample; `direction` is that of the impact, clockwise from the nose, in degrees.
  mutating func appendMark(direction: Double?) {
    guard plot.count > 0 else { return }
    plot.appendMark("collision")
    let place = plot.trail.last
    playback.append(Playback.Mark(time: plot.end, x: place?.x, y: place?.y, direction: direction))
  }

  // MARK: Content

  /// The columns of measured values: all except `time` and `robot`, with their indices in a row.
  private var shownColumns: [(index: Int, column: Column)] {
    columns.enumerated().filter { $0.element.name != "time" && $0.element.name != "robot" }
      .map { ($0.offset, $0.element) }
  }

  /// The properties of the track that do not depend on the time of playback.
  func overview(robots: [String]) -> FieldValue {
    .record([
      Field("start", .decimal(playback.times.first, digits: 3)),
      Field("end", .decimal(playback.times.last, digits: 3)),
      Field("width", .count(columns.count)), Field("count", .count(plot.count)),
      Field("stride", .count(playback.stride)),
      Field("robot", .text(name)), Field("robots", .list(robots.map { .text($0) })),
      Field("lanes", .list(SensorLane.lanes(of: shownColumns).map { $0.view })),
      Field(
        "marks",
        .list(
          playback.marks.map { mark in
            .list([
              .decimal(mark.time, digits: 3), .decimal(mark.x, digits: 1), .decimal(mark.y, digits: 1),
              .decimal(mark.direction, digits: 0),
            ])
          })),
      Field(
        "path",
        .list(
          // As in the path of a connected robot, the third value is the colour, which a recording lacks.
          plot.trail.line.map { point in
            .list([
              .decimal(point.x, digits: 1), .decimal(point.y, digits: 1), .missing,
              .decimal(point.time, digits: 3),
            ])
          })),
    ])
  }

  /// The state of the robot at a time in seconds; missing if there is no sample.
  func view(at time: Double) -> FieldValue {
    guard let (moment, row) = playback.row(at: time) else { return .missing }
    let attitude = plot.attitude(of: row)
    let yaw = plot.values(["yaw"], of: row).flatMap { Heading(yaw: .degrees($0[0])) }
    let heading = yaw ?? attitude.map { Heading(attitude: $0) }
    let position = plot.values(["odometer_x", "odometer_y"], of: row).map { Position(x: $0[0], y: $0[1]) }
    // The columns are in mm/s, the result is in cm/s.
    let speed = plot.values(["velocity_x", "velocity_y"], of: row).map {
      ($0[0] * $0[0] + $0[1] * $0[1]).squareRoot() / 10
    }
    let values = shownColumns.map { index, column in
      Field(
        column.name, index < row.count ? row[index].map { .decimal($0, digits: 4) } ?? .missing : .missing)
    }
    return .record([
      Field("time", .decimal(moment, digits: 3)), Field("sample", .record(values)),
      Field("attitude", Page.view(of: attitude)),
      Field("motion", Page.view(heading: heading, speed: speed, position: position)),
    ])
  }
}
