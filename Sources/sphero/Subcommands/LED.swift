// sphero led: the colour of the robot, and its tail light.

import SpheroControls
import SpheroProtocol
import SpheroSession

struct LED: Subcommand {
  static let name = "led"
  static let abstract = "Sets the colour of the robot."
  static let examples = [
    "sphero led 255 0 0", "sphero led orange", "sphero led '#ff8800' --save", "sphero led --tail 255",
  ]

  var connection = Connection()
  var color: [String] = []
  var tail: Whole<Byte>?
  var isSaved = false

  mutating func options(_ line: inout some OptionVisitor) throws(UsageError) {
    try line.arguments("colour", &color, "Red, green and blue (0...255 each), or a name, or #rrggbb.")
    try line.option("tail", nil, &tail, "Brightness of the tail light.")
    try line.flag("save", nil, &isSaved, "Also keep it as the colour after power-up (writes flash).")
    try connection.options(&line)
  }

  /// The colour that the words mean; nil where there are none.
  func rgb() throws(UsageError) -> RGB? {
    switch color.count {
    case 0: return nil
    case 1:
      do throws(ColorParsingError) { return try RGB(parsing: color[0]) } catch {
        throw UsageError(error.message, advice: error.advice)
      }
    case 3:
      var parts: [UInt8] = []
      for (word, name) in zip(color, ["red", "green", "blue"]) {
        guard let part = UInt8(word) else {
          throw UsageError("'\(word)' is no value for <\(name)>; it can be 0...255")
        }
        parts.append(part)
      }
      return RGB(red: parts[0], green: parts[1], blue: parts[2])
    default: throw UsageError("a colour is three numbers, a name or #rrggbb, not \(color.count) words")
    }
  }

  func validate() throws(UsageError) {
    if try rgb() == nil {
      if tail == nil { throw UsageError("no colour: give three numbers 0...255, a name or #rrggbb") }
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
