// What the robot does for macros and orbBasic: it hands their commands to who runs them.

import SpheroProtocol

extension RobotModel {
  private static func check(_ status: Status) throws(Refusal) {
    guard status == .ok else { throw Refusal(status) }
  }

  static let programHandlers: [CommandHandler] = [
    .obey(Macros.RunMacro.self) { (robot, command) throws(Refusal) in
      try check(
        robot.macros.run(command.macro, at: robot.machine.now, isConnected: robot.machine.isConnected))
    },
    .obey(Macros.SaveTemporaryMacro.self) { (robot, command) throws(Refusal) in
      try check(robot.macros.saveTemporary(command.macro))
    },
    .obey(Macros.SaveMacro.self) { (robot, command) throws(Refusal) in
      try check(
        robot.macros.save(
          command.macro, at: robot.machine.now, isConnected: robot.machine.isConnected))
    },
    .obey(Macros.ReinitMacroExecutive.self) { (robot, _) throws(Refusal) in
      robot.macros.reinitialize()
      robot.machine.lights.end(.macro)
    },
    .reply(to: Macros.AbortMacro.self) { (robot, _) throws(Refusal) in
      let response = robot.macros.abort()
      if !robot.macros.isRunning { robot.machine.lights.end(.macro) }
      return response
    },
    .reply(to: Macros.GetMacroStatus.self) { (robot, _) throws(Refusal) in robot.macros.status },
    .obey(Macros.SetMacroParameter.self) { (robot, command) throws(Refusal) in
      robot.macros.setParameter(command)
    },
    .obey(Macros.AppendMacroChunk.self) { (robot, command) throws(Refusal) in
      try check(robot.macros.append(command.chunk))
    },
    .obey(OrbBasic.EraseStorage.self) { (robot, command) throws(Refusal) in
      try check(robot.orbBasic.erase(command.area))
    },
    .obey(OrbBasic.AppendFragment.self) { (robot, command) throws(Refusal) in
      try check(robot.orbBasic.append(command.text.bytes, to: command.area))
    },
    .obey(OrbBasic.Execute.self) { (robot, command) throws(Refusal) in
      try check(robot.orbBasic.execute(command.area, line: command.line, at: robot.machine.now))
    },
    .obey(OrbBasic.Abort.self) { (robot, _) throws(Refusal) in
      try check(robot.orbBasic.abort(at: robot.machine.now))
      robot.machine.lights.end(.orbBasic)
    },
    .obey(OrbBasic.SubmitInput.self) { (robot, command) throws(Refusal) in
      robot.orbBasic.submit(command.value, at: robot.machine.now)
    },
    .obey(OrbBasic.CommitToFlash.self) { (robot, _) throws(Refusal) in
      try check(robot.orbBasic.commitToFlash())
    },
    .obey(OrbBasic.CommitToFlashAlias.self) { (robot, _) throws(Refusal) in
      try check(robot.orbBasic.commitToFlash())
    },
  ]
}
