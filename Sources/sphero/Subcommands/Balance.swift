// sphero balance: a game on the terminal, played by tilting a robot.

import SpheroControls
import SpheroDrawing
import SpheroTransport

struct Balance: Subcommand {
  static let name = "balance"
  static let abstract = "A game: tilt the robot to roll a drawn ball."
  static let group = SubcommandGroup.more
  static let otherNames = ["game", "tilt"]
  static let examples = ["sphero balance", "sphero balance --walls --port /dev/rfcomm0"]

  var connection = Connection()
  var hasWalls = false

  var needsPerson: Bool { true }

  mutating func options(_ line: inout Synopsis) throws(UsageError) {
    try line.flag(
      "walls", nil, &hasWalls,
      "Begin with walls, off which the ball bounces; the key w toggles them. Without walls, it begins again in the centre."
    )
    try connection.options(&line)
  }

  func run(_ terminal: Terminal) async throws {
    try connection.checkScreen(instead: "Run it in a terminal; 'sphero stream --mask quat' needs none.")
    var panel = BalancePanel(edge: hasWalls ? .wall : .reset)
    panel.title = try connection.resolvedPort().description
    try await connection.withController { [panel] controller in
      var screen = PanelScreen<BalancePanel>()
      screen.wantsMouse = false
      let change = screen.change
      screen.sources = [{ await controller.follow(change, rest: "q quits") }]
      _ = try await screen.run(panel)
    }
  }
}
