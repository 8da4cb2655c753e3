// sphero led: the colour of the robot, and its tail light.

import SpheroControls
import SpheroDrawing
import SpheroProtocol
import SpheroSession
import SpheroSystem
import SpheroTransport

struct LED: Subcommand {
  static let name = "led"
  static let abstract = "Sets the colour of the robot."
  static let group = SubcommandGroup.start
  static let otherNames = ["color", "colour", "light", "rgb"]
  static let examples = [
    "sphero led 255 0 0", "sphero led orange", "sphero led off", "sphero led ff8800 --save",
    "sphero led --tail 255", "sphero led --pick", "sphero led red --port /dev/rfcomm0 --port /dev/rfcomm1",
  ]

  var connection = Connection()
  var color: [String] = []
  var tail: Int?
  var isSaved = false
  var isPicking = false

  mutating func options(_ line: inout Synopsis) throws(UsageError) {
    try line.arguments(
      "colour", &color, as: ValueKind(placeholder: "text", words: NamedColor.allCases.map(\.rawValue)),
      "Red, green and blue (0...255 each), or a name like orange or off, or rrggbb; 'sphero help colours' has more."
    )
    try line.option("tail", nil, &tail, as: .range(0...255), "Brightness of the tail light.")
    try line.flag("save", nil, &isSaved, "Also keep it as the colour after power-up (writes flash).")
    try line.flag(
      "pick", nil, &isPicking,
      "Pick the colour on a wheel on the terminal; the ball follows. Enter keeps it and prints it.")
    try line.conflict("pick", "tail", "the wheel is for the colour; choose one")
    try connection.options(&line, takesSeveral: true)
  }

  var needsPerson: Bool { isPicking }

  func rgb() throws(UsageError) -> RGB? {
    guard !color.isEmpty else { return nil }
    do throws(ColorParsingError) { return try RGB(parsing: color.joined(separator: " ")) } catch {
      let names = NamedColor.allCases.map(\.rawValue)
      var suggestion = ""
      if case .unknownName(let name) = error {
        let isHexadecimal = name.count == 3 && name.allSatisfy { $0.isASCII && $0.isHexDigit }
        suggestion = isHexadecimal ? "; did you mean '#\(name)'?" : Suggestion.text(for: name, among: names)
      }
      throw UsageError(error.message + suggestion, advice: "\(error.advice) See 'sphero help colours'.")
    }
  }

  func validate() throws(UsageError) {
    if isPicking, connection.ports.count > 1 {
      throw UsageError("'--pick' shows the colour of one robot", advice: "Name one port.")
    }
    if try rgb() == nil, !isPicking {
      if tail == nil {
        throw UsageError(
          "no colour: give three numbers 0...255, a name or rrggbb",
          advice: "'#' begins a comment: write ff8800, or '#ff8800' in quotes. See 'sphero led --help'.")
      }
      if isSaved { throw UsageError("'--save' keeps a colour, but there is none") }
    }
  }

  func run(_ terminal: Terminal) async throws {
    let rgb = try rgb()
    if isPicking { return try await pick(from: rgb, terminal) }
    try await connection.forEachRobot(terminal) { connection in
      try await connection.withRobot { robot in
        if let rgb { try await robot.setColor(rgb, isKept: isSaved) }
        if let tail { try await robot.send(Lights.SetBackLED(brightness: UInt8(tail))) }
      }
      await terminal.announce(announcement(rgb), connection)
    }
  }

  func announcement(_ rgb: RGB?) -> String {
    let color = rgb.map { "the colour is \($0)" + (isSaved ? ", also after power-up" : "") }
    return [color, tail.map { "the brightness of the tail light is \($0)" }].compactMap { $0 }
      .joined(separator: "; ")
  }

  private func pick(from first: RGB?, _ terminal: Terminal) async throws {
    try connection.checkScreen(
      instead: "Run it in a terminal; 'sphero led orange' needs none.", allowsRedirectedOutput: true)
    let title = try connection.resolvedPort().description
    let picked = try await connection.withRobot(reopens: true) { robot -> RGB? in
      // The answer is the saved colour; robots do not report the present one.
      let old = RGB(try await robot.send(Lights.GetRGBLED()))
      var panel = ColorPanel(previous: old, current: first)
      panel.title = title
      do {
        let (panel, outcome) = try await screen(robot, isChanged: panel.color != old).run(panel)
        guard outcome == .confirmed else {
          try await robot.setColor(old)
          return nil
        }
        try await robot.setColor(panel.color, isKept: isSaved)
        return panel.color
      } catch {
        await cleanUp { try await robot.setColor(old) }
        throw error
      }
    }
    // Without `#`, which begins a comment in shells.
    if let picked { try await terminal.print(String("\(picked)".dropFirst())) }
  }

  private func screen(_ robot: Robot, isChanged: Bool) -> PanelScreen<ColorPanel> {
    // A colour from the command line is shown at once, and a colour is shown again after a lost link.
    let isDue = Locked(isChanged)
    var screen = PanelScreen<ColorPanel> { panel, _ in
      for case .changed in panel.takeEvents() { isDue.withLock { $0 = true } }
      guard !panel.isLinkLost, isDue.withLock({ $0 }) else { return }
      isDue.withLock { $0 = false }
      await robot.show(panel.color)
    }
    screen.allowsRedirectedOutput = true
    let change = screen.change
    screen.sources = [
      {
        try await followLink(of: robot, change) { notice in
          if notice == .disconnected { isDue.withLock { $0 = true } }
        }
      }
    ]
    return screen
  }
}
