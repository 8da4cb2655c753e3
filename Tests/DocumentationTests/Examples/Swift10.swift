// Example 10 of Docs/Swift.md; `SPHERO_RECORD=1 swift test` copies it from there.

import SpheroControls

func joystickDrive(touching point: Point) -> RollCommand? {
  guard let pad = Pad(x: 20, y: 20, width: 200, height: 200) else { return nil }  // nil without an area
  let joystick = Joystick(pad: pad, response: ResponseCurve(deadZone: 0.1))
  var hold = HeadingHold()
  return hold.command(for: joystick.drive(at: point))
}
