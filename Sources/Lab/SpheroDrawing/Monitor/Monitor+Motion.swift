// The motion view of the monitor: readings of the sensors beside the motion that is computed from them.

package import SpheroOrientation
import SpheroProtocol

/// The quantities of the motion view at one moment; nil if a quantity is unknown.
package struct MotionReading: Sendable {
  /// The measured specific force in g, on the body axes right, ahead, up.
  package var accelerometer: Vector3?
  /// The measured rotation rate in rad/s, from which no bias is subtracted, about the same axes.
  package var gyroscope: Vector3?
  package var motion: ReportedMotion?
  package var angles: PitchRollYaw?
  /// Whether the robot streams no quaternion, so that the attitude is computed from both sensors.
  package var isFused: Bool

  package init(
    accelerometer: Vector3?, gyroscope: Vector3?, motion: ReportedMotion?, angles: PitchRollYaw?,
    isFused: Bool
  ) {
    (self.accelerometer, self.gyroscope, self.motion) = (accelerometer, gyroscope, motion)
    (self.angles, self.isFused) = (angles, isFused)
  }
}

struct MotionGroups: Sendable {
  struct Group: Sendable {
    let name: String
    var rows: [Monitor.Row]
  }

  private(set) var groups: [Group]
  private(set) var isFused = false
  private(set) var isEmpty = true

  init(interval: Double) {
    groups = [
      ("accelerometer", .g), ("user acceleration", .g), ("gyroscope", .degreesPerSecond),
      ("rotation rate", .degreesPerSecond), ("attitude", .degrees), ("gravity", .g),
    ].map { name, unit in
      let names = unit == Quantity.Unit.degrees ? ["pitch", "roll", "yaw"] : ["x", "y", "z"]
      return Group(
        name: name,
        rows: names.map {
          Monitor.Row(
            name: $0, unit: "\(unit.symbol)", minimumLimit: Monitor.minimumLimit(unit),
            history: History(interval: interval))
        })
    }
  }

  mutating func append(_ reading: MotionReading, at time: Double) {
    (isFused, isEmpty) = (reading.isFused, false)
    func numbers(_ vector: Vector3?, _ factor: Double = 1) -> [Double?] {
      Axis.allCases.map { axis in vector.map { $0[axis] * factor } }
    }
    let degrees = 180 / Double.pi
    let angles = reading.angles
    let values = [
      numbers(reading.accelerometer), numbers(reading.motion?.userAcceleration),
      numbers(reading.gyroscope, degrees), numbers(reading.motion?.rotationRate, degrees),
      [angles?.pitch.degrees, angles?.roll.degrees, angles?.yaw.degrees], numbers(reading.motion?.gravity),
    ]
    for (group, numbers) in values.enumerated() {
      for (row, number) in numbers.enumerated() { groups[group].rows[row].set(number, at: time) }
    }
  }

  /// The rows of a group with their numbers as text, angles and rotation rates in degrees or radians.
  func rows(of group: Group, isInRadians: Bool) -> [Monitor.Row] {
    group.rows.map { row in
      var row = row
      guard let value = row.value else { return row }
      let isAngular = row.unit != "\(Quantity.Unit.g.symbol)"
      row.text = Decimal.text(value, digits: isAngular ? 1 : 4)
      if isAngular, isInRadians {
        row.text = Decimal.text(value * .pi / 180, digits: 3)
        row.unit = row.unit == "\(Quantity.Unit.degrees.symbol)" ? " rad" : " rad/s"
      }
      return row
    }
  }
}

extension Monitor {
  /// Draws the motion view: two columns of groups, or one on a narrow screen.
  func drawMotion(on canvas: inout Canvas, _ area: Area) {
    var rest = area
    let note = rest.takeRows(1)
    let columns = area.width >= 60 ? 2 : 1
    let lines = motion.groups.count / columns
    // A group has a title and three rows, and a blank row after it where there is space.
    let height = rest.height >= lines * 5 - 1 ? 5 : 4
    let fitting = min(lines, (rest.height + height - 4) / height) * columns
    if fitting < motion.groups.count {
      let hidden = motion.groups.count - fitting
      canvas.write(
        "\(hidden) more group\(hidden == 1 ? "" : "s"); make the terminal larger", in: note,
        Style(Palette.faint))
    } else if motion.isFused {
      canvas.write(
        "no quaternion (firmware before 1.20): the attitude is computed from both sensors", in: note,
        Style(Palette.warning))
    } else if motion.isEmpty {
      canvas.write("waiting for samples", in: note)
    }
    for (index, group) in motion.groups.prefix(fitting).enumerated() {
      let width = area.width / columns
      var place = Area(
        column: rest.column + index % columns * width, row: rest.row + index / columns * height,
        width: width - (columns - 1) * 2, height: 4)
      canvas.write(group.name, in: place.takeRows(1), .bold)
      drawRows(motion.rows(of: group, isInRadians: isInRadians), on: &canvas, place)
    }
  }
}
