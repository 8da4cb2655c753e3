// The groups of sensor fields that the user selects, and the lanes: the plots of columns, one below the other.

import SpheroDrawing
import SpheroMotion
import SpheroProtocol

struct SensorGroup: Sendable {
  /// The name of the mask.
  let name: String
  let title: String
  let mask: SensorMask

  static let all = [
    SensorGroup(name: "accel", title: "Acceleration", mask: .accel),
    SensorGroup(name: "gyro", title: "Turning rate", mask: .gyro),
    SensorGroup(name: "imu", title: "Angles", mask: .imu),
    SensorGroup(name: "quat", title: "Quaternion", mask: .quat),
    SensorGroup(name: "velocity", title: "Velocity", mask: .velocity),
    SensorGroup(name: "odometer", title: "Place", mask: .odometer),
    SensorGroup(name: "accel-one", title: "Total acceleration", mask: .accelOne),
    SensorGroup(name: "emf", title: "Motor speed", mask: .emf),
    SensorGroup(name: "pwm", title: "Motor power", mask: .pwm),
  ]

  static var list: FieldValue {
    .list(
      all.map { group in
        [
          "mask": .text(group.name), "title": .text(group.title),
          "is_on": .flag(SelectedStream.initialMask.isSuperset(of: group.mask)),
        ]
      })
  }
}

/// A plot of the page: columns with one unit, drawn on common axes.
struct SensorLane: Sendable {
  struct Member: Sendable {
    /// The index of the column in a row.
    let index: Int
    let column: Column
    let label: String
    let digits: Int
    /// The name of the column with the filtered values; nil without a filter.
    let filtered: String?
  }

  /// The group of the columns; nil if they are not sensor fields.
  let group: SensorGroup?
  let title: String
  var members: [Member]

  /// The maximum number of lanes without a group, and the maximum number of columns in each.
  private static let (maximumOtherLanes, maximumOtherMembers) = (12, 4)

  /// The columns that are no values of a robot: its name, and times.
  ///
  /// The numbers of a playback have seven digits, too few for a time since 1970.
  static let omittedColumns = ["robot", "time"] + SampleTime.allCases.map { $0.rawValue }

  /// Returns the lanes of the columns of a row, except ``omittedColumns``: those of the groups in their order, then others.
  static func lanes(of columns: [Column]) -> [SensorLane] {
    var rest = columns.enumerated().filter { !omittedColumns.contains($0.element.name) }
    var lanes: [SensorLane] = []
    for group in SensorGroup.all {
      var members: [Member] = []
      for field in group.mask.fields {
        guard let place = rest.firstIndex(where: { $0.element.name == field.name }) else { continue }
        let (index, column) = rest.remove(at: place)
        members.append(
          Member(
            index: index, column: column, label: field == .accelOne ? "Σ" : label(of: field.name),
            digits: digits(of: column.unit, isCount: field.scale == .count),
            filtered: columns.first { $0.name == field.name + "_filtered" }?.name))
      }
      if !members.isEmpty { lanes.append(SensorLane(group: group, title: group.title, members: members)) }
    }
    let filtered = lanes.flatMap { $0.members.compactMap { $0.filtered } }
    return lanes + others(of: rest.filter { !filtered.contains($0.element.name) })
  }

  /// Returns lanes of columns that have the same unit, and the same name except for its last word.
  private static func others(of columns: [(offset: Int, element: Column)]) -> [SensorLane] {
    var lanes: [SensorLane] = []
    for (index, column) in columns {
      let words = column.name.split(separator: "_")
      let stem = words.count > 1 ? words.dropLast() : words[...]
      let title = stem.joined(separator: " ")
      let member = Member(
        index: index, column: column, label: label(of: column.name), digits: digits(of: column.unit),
        filtered: nil)
      let place = lanes.lastIndex { $0.title == title && $0.members.first?.column.unit == column.unit }
      if let place, lanes[place].members.count < maximumOtherMembers {
        lanes[place].members.append(member)
      } else if lanes.count < maximumOtherLanes {
        lanes.append(SensorLane(group: nil, title: title, members: [member]))
      }
    }
    return lanes
  }

  private static func label(of name: String) -> String {
    name.split(separator: "_").last.map { String($0) } ?? name
  }

  /// Returns the number of decimals that are legible in a value that changes with each sample.
  private static func digits(of unit: Quantity.Unit, isCount: Bool = false) -> Int {
    switch unit {
    case .degrees, .centimetres, .millimetresPerSecond: 0
    case .degreesPerSecond: 1
    default: isCount ? 0 : 3
    }
  }

  var view: FieldValue {
    let unit = members.first?.column.unit ?? .one
    // The symbol has a space that separates it from a number.
    let symbol = String("\(unit.symbol)".drop { $0 == " " })
    let limit = members.map { Monitor.minimumLimit($0.column.unit) }.max() ?? 1
    return [
      "mask": .text(group?.name), "title": .text(title), "unit": .text(symbol),
      "limit": .decimal(limit, digits: 0),
      // The magnitude of the acceleration is never negative.
      "is_signed": .flag(group?.mask != .accelOne), "is_circular": .flag(unit == .degrees),
      "columns": .list(
        members.map { member in
          [
            "name": .text(member.column.name), "label": .text(member.label),
            "index": .count(member.index), "digits": .count(member.digits),
            "filtered": .text(member.filtered),
          ]
        }),
    ]
  }
}
