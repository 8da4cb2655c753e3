// sphero led: the colour of the robot, and its tail light.

import SpheroControls
import SpheroProtocol
import SpheroSession

struct LED: Subcommand {
  static let name = "led"
  static let abstract = "Sets the colour of the robot."
  static let group = VerbGroup.show
  static let otherNames = ["color", "colour", "light", "rgb"]
  static let examples = [
    "sphero led 255 0 0", "sphero led orange", "sphero led off", "sphero led ff8800 --save",
    "sphero led --tail 255",
  ]

  var connection = Connection()
  var color: [String] = []
  var tail: Whole<Byte>?
  var isSaved = false

  mutating func options(_ line: inout some OptionVisitor) throws(UsageError) {
    try line.arguments(
      "colour", &color, as: .words { NamedColor.allCases.map(\.rawValue) },
      "Red, green and blue (0...255 each), or a name like orange or off, or rrggbb; 'sphero help colours' has more."
    )
    try line.option("tail", nil, &tail, "Brightness of the tail light.")
    try line.flag("save", nil, &isSaved, "Also keep it as the colour after power-up (writes flash).")
    try connection.options(&line)
  }

  /// The colour that the words mean; nil where there are none.
  func rgb() throws(UsageError) -> RGB? {
    guard !color.isEmpty else { return nil }
    do throws(ColorParsingError) { return try RGB(parsing: color.joined(separator: " ")) } catch {
      let names = NamedColor.allCases.map(\.rawValue)
      let near = error.code == .unknownName ? Suggestion.text(for: error.seen ?? "", among: names) : ""
      throw UsageError(error.message + near, advice: "\(error.advice) See 'sphero help colours'.")
    }
  }

  func validate() throws(UsageError) {
    if try rgb() == nil {
      if tail == nil { throw UsageError("no colour: give three numbers 0...255, a name or rrggbb") }
      if isSaved { throw UsageError("'--save' keeps a colour, but there is none") }
    }
  }

  func run(_ terminal: Terminal) async throws {
    let rgb = try rgb()
    try await connection.withRobot { robot in
      if let rgb {
        try await robot.send(
          Lights.SetRGBLED(red: rgb.red, green: rgb.green, blue: rgb.blue, persist: isSaved))
      }
      if let tail { try await robot.send(Lights.SetBackLED(brightness: UInt8(tail.value))) }
    }
  }
}
