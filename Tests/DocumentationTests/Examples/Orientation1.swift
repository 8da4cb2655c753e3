// Example 1 of Docs/Orientation.md; `SPHERO_RECORD=1 swift test` copies it from there.

import SpheroOrientation

func translate(_ words: QuaternionWords) {
  guard let attitude = Convention.sphero.attitude(of: words) else { return }  // nil: not a rotation
  let angles = Convention.sphero.pitchRollYaw(of: attitude)
  print(angles.pitch.degrees, angles.roll.degrees, angles.yaw.degrees)
  print(Convention.coreMotion.words(of: attitude))  // x, y, z, w
}
