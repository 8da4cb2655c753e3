// Handlers of the commands of macros and orbBasic, which the macro executive and the interpreter execute.

import SpheroProtocol

extension RobotModel {
  /// Refuses the command with any status except `ok`.
  private static func check(_ status: Status) throws(Refusal) {
    guard status == .ok else { throw Refusal(status) }
  }

  static let programHandlers: [CommandHandler] = [
    .acknowledge(Macros.RunMacro.self) { (robot, command) throws(Refusal) in
      try check(
        robot.macros.run(
          command.macro, at: robot.hardware.now, isConnected: robot.hardware.isConnected))
    },
    .acknowledge(Macros.SaveTemporaryMacro.self) { (robot, command) throws(Refusal) in
      try check(robot.macros.saveTemporary(command.macro))
    },
    .acknowledge(Macros.SaveMacro.self) { (robot, command) throws(Refusal) in
      try check(
        robot.macros.save(
          command.macro, at: robot.hardware.now, isConnected: robot.hardware.isConnected))
    },
    .acknowledge(Macros.ReinitMacroExecutive.self) { robot, _ in robot.macros.reinitialize() },
    .reply(to: Macros.AbortMacro.self) { robot, _ in robot.macros.abort() },
    .reply(to: Macros.GetMacroStatus.self) { robot, _ in robot.macros.status },
    .acknowledge(Macros.SetMacroParameter.self) { robot, command in robot.macros.setParameter(command) },
    .acknowledge(Macros.AppendMacroChunk.self) { (robot, command) throws(Refusal) in
      try check(robot.macros.append(command.chunk))
    },
    .acknowledge(OrbBasic.EraseStorage.self) { (robot, command) throws(Refusal) in
      try check(robot.orbBasic.erase(command.area))
    },
    .acknowledge(OrbBasic.AppendFragment.self) { (robot, command) throws(Refusal) in
      try check(robot.orbBasic.append(command.text.bytes, to: command.area))
    },
    .acknowledge(OrbBasic.Execute.self) { (robot, command) throws(Refusal) in
      try check(robot.orbBasic.execute(command.area, line: command.line, at: robot.hardware.now))
    },
    .acknowledge(OrbBasic.Abort.self) { robot, _ in robot.orbBasic.abort(at: robot.hardware.now) },
    .acknowledge(OrbBasic.SubmitInput.self) { robot, command in
      robot.orbBasic.submit(command.value, at: robot.hardware.now)
    },
    .acknowledge(OrbBasic.CommitToFlash.self) { (robot, _) throws(Refusal) in
      try check(robot.orbBasic.commitToFlash())
    },
    .acknowledge(OrbBasic.CommitToFlashAlias.self) { (robot, _) throws(Refusal) in
      try check(robot.orbBasic.commitToFlash())
    },
  ]
}
