// Handlers of the commands of macros and orbBasic, which the macro executive and the interpreter execute.

import SpheroProtocol

extension CommandHandler {
  /// Makes a handler that executes a command and answers it with a status.
  fileprivate static func status<C: Request>(
    of type: C.Type, _ body: @escaping @Sendable (inout RobotModel, C) -> Status
  ) -> CommandHandler where C.Response == Acknowledgement {
    acknowledge(type) { (robot: inout RobotModel, command: C) throws(Refusal) in
      let status = body(&robot, command)
      guard status == .ok else { throw Refusal(status) }
    }
  }
}

extension RobotModel {
  static let programHandlers: [CommandHandler] = [
    .status(of: Macros.RunMacro.self) {
      $0.macros.run($1.macro, at: $0.hardware.now, isConnected: $0.hardware.isConnected)
    },
    .status(of: Macros.SaveTemporaryMacro.self) { $0.macros.saveTemporary($1.macro) },
    .status(of: Macros.SaveMacro.self) {
      $0.macros.save($1.macro, at: $0.hardware.now, isConnected: $0.hardware.isConnected)
    },
    .acknowledge(Macros.ReinitMacroExecutive.self) { robot, _ in robot.macros.reinitialize() },
    .reply(to: Macros.AbortMacro.self) { robot, _ in robot.macros.abort() },
    .reply(to: Macros.GetMacroStatus.self) { robot, _ in robot.macros.status },
    .acknowledge(Macros.SetMacroParameter.self) { $0.macros.setParameter($1) },
    .status(of: Macros.AppendMacroChunk.self) { $0.macros.append($1.chunk) },
    .status(of: OrbBasic.EraseStorage.self) { $0.orbBasic.erase($1.area) },
    .status(of: OrbBasic.AppendFragment.self) { $0.orbBasic.append($1.text.bytes, to: $1.area) },
    .status(of: OrbBasic.Execute.self) { $0.orbBasic.execute($1.area, line: $1.line, at: $0.hardware.now) },
    .acknowledge(OrbBasic.Abort.self) { robot, _ in robot.orbBasic.abort(at: robot.hardware.now) },
    .acknowledge(OrbBasic.SubmitInput.self) { $0.orbBasic.submit($1.value, at: $0.hardware.now) },
    .status(of: OrbBasic.CommitToFlash.self) { robot, _ in robot.orbBasic.commitToFlash() },
    .status(of: OrbBasic.CommitToFlashAlias.self) { robot, _ in robot.orbBasic.commitToFlash() },
  ]
}
