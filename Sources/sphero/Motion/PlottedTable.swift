// The plots of a table of samples, one for each robot.

import SpheroDrawing
import SpheroProtocol
import SpheroRecording

/// Reads a table of samples into a plot for each robot that the table names, or into one plot.
struct PlottedTable {
  /// The maximum number of robots in a picture.
  static let maximumRobots = 8

  /// The plots in the order in which the robots occur.
  private(set) var plots: [Plot] = []
  /// Whether the table has more robots than a picture can show.
  private(set) var hasSurplusRobots = false
  private var names: [String?] = []
  /// The names of robots that are not drawn, at most ``maximumRobots``; an error message lists them.
  private var skipped: [String] = []
  private var reader = TableReader()
  private var row: [Double?] = []
  private let label: String
  private let selection: PlotSelection
  private let robots: [String]
  private let printing: SampleOptions

  /// Makes plots of the given robots, or of all if none is given; `label` names the file in titles and errors.
  init(_ label: String, _ selection: PlotSelection, robots: [String], _ printing: SampleOptions) {
    (self.label, self.selection, self.robots, self.printing) = (label, selection, robots, printing)
  }

  /// Whether the rest of the table is after the selected time.
  var isOver: Bool { hasAllRobots && plots.allSatisfy { $0.isOver } }

  /// Whether no further plot follows: a table without robots has one, and given robots have one each.
  private var hasAllRobots: Bool {
    names == [nil] || !robots.isEmpty && robots.allSatisfy { names.contains($0) }
  }

  mutating func append(_ bytes: [UInt8]) throws {
    reader.append(bytes)
    try readRows()
  }

  mutating func finish() throws {
    reader.finish()
    try readRows()
    guard let missing = robots.first(where: { !names.contains($0) }) else { return }
    let found = (names.compactMap { $0 } + skipped).map { "'\($0)'" }
    throw UsageError(
      "\(label) has no robot '\(missing)'",
      advice: found.isEmpty
        ? "Leave out --robot: the table has no column 'robot'."
        : "Its robots are \(found.joined(separator: ", ")).")
  }

  private mutating func readRows() throws {
    do {
      while try reader.next(into: &row) {
        guard let index = try index(of: reader.robot) else { continue }
        plots[index].append(row)
      }
    } catch let error as TableError {
      throw Failure(
        .badData, "\(label): \(error)",
        advice:
          "Print the table anew with 'sphero stream' or 'sphero decode --samples', each with '--format csv'.")
    }
  }

  /// Returns the index of the plot of a robot, making it if necessary; nil if the robot is not drawn.
  private mutating func index(of robot: String?) throws(UsageError) -> Int? {
    if let index = names.firstIndex(of: robot) { return index }
    if let robot, !robots.isEmpty, !robots.contains(robot) {
      if skipped.count < Self.maximumRobots, !skipped.contains(robot) { skipped.append(robot) }
      return nil
    }
    guard plots.count < Self.maximumRobots else {
      hasSurplusRobots = true
      return nil
    }
    guard let columns = reader.columns else { return nil }
    try selection.validate(columns)
    let hasOwnPicture = robots.count == 1
    let title = robot.map { hasOwnPicture ? "\(label), \($0)" : $0 } ?? label
    guard
      let plot = Plot(
        title: title, columns: columns, convention: printing.robotConvention, reporting: printing.reporting,
        selection: selection)
    else { return nil }
    plots.append(plot)
    names.append(robot)
    return plots.count - 1
  }
}

extension PlotSelection {
  /// Checks that each name selects something of a table.
  func validate(_ columns: [Column]) throws(UsageError) {
    guard let unknown = unknownName(in: columns) else { return }
    let needed: String? =
      switch unknown {
      case Self.path: "odometer"
      case Self.attitude: "quat"
      default: Self.members(ofGroup: unknown) == nil ? nil : unknown
      }
    if let needed {
      throw UsageError(
        "'\(unknown)' of --show needs columns of '\(needed)', which are missing here",
        advice: needed == "motion"
          ? "Add '--mask motion' where the samples are streamed, or here if the file is a capture."
          : "Stream or record '\(needed)' too, with --mask.")
    }
    let names = columns.filter { $0.name != "time" && !$0.isText }.map { $0.name }
    let groups = StreamFields.words.filter { group in
      !names.contains(group) && Self.members(ofGroup: group)?.allSatisfy(names.contains) == true
    }
    let words = names + groups + pictures(of: columns)
    let synonym = Suggestion.fields(for: unknown).flatMap { words.contains($0) ? $0 : nil }
    let hasEuler = names.contains { $0.hasPrefix("euler_") }
    throw UsageError(
      "'\(unknown)' of --show is neither a column, a group nor a picture"
        + Suggestion.text(for: unknown, synonym: synonym, among: words),
      advice: unknown.hasPrefix("euler_") && !hasEuler
        ? "Add '--euler' where the samples are streamed, or here if the file is a capture."
        : "Choose from \(words.joined(separator: ", ")).")
  }
}
