// The colours that drawings on a terminal share; each can be told from black and from white.

import SpheroControls

/// The colours of drawings on a terminal, whose background nobody knows.
enum Palette {
  /// Lines that only help.
  static let faint = RGB(red: 128, green: 128, blue: 128)
  /// Something is wrong.
  static let alarm = RGB(red: 224, green: 64, blue: 48)
  /// Something may go wrong.
  static let warning = RGB(red: 208, green: 140, blue: 0)
  /// All is well.
  static let good = RGB(red: 0, green: 158, blue: 96)
  /// The tail light of the robot.
  static let tail = RGB(red: 48, green: 112, blue: 255)
  /// The components of a vector, and other values side by side.
  static let series = [
    RGB(red: 0, green: 135, blue: 215), RGB(red: 213, green: 104, blue: 0),
    RGB(red: 0, green: 158, blue: 115),
    RGB(red: 190, green: 90, blue: 160),
  ]
}
