// Example 1 of Docs/Programs.md; `SPHERO_RECORD=1 swift test` copies it from there.

import SpheroModel
import SpheroProtocol

/// Runs a macro that makes a robot red for a second.
func makeRed(_ robot: inout some Actuators, at now: Duration) {
  var macros = MacroExecutive()
  // Identifier, flags, colour, delay of 03E8h ms, end.
  _ = macros.saveTemporary([0xFF, 0x10, 0x07, 255, 0, 0, 0, 0x0B, 0x03, 0xE8, 0])
  _ = macros.run(Macro.temporaryID, at: now, isConnected: true)
  while let due = macros.nextDeadline { macros.advance(to: due, actions: &robot) }
}
