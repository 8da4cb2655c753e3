// The lights of a robot.

import SpheroProtocol

struct Color: Hashable, Sendable {
  var red: UInt8 = 0
  var green: UInt8 = 0
  var blue: UInt8 = 0
}

/// The lights of a robot. Programs, the client and the user each have a colour; the first one that is set is visible.
struct LEDState: Hashable, Sendable {
  private struct Fade: Hashable, Sendable {
    var start: Color
    var end: Color
    var begins: Duration
    var length: Duration
  }

  /// The user's colour, stored in flash; visible while a client is connected that has set no colour.
  var user = Color(red: 0, green: 0, blue: 255)
  var client: Color?
  /// The colours of the running programs; nil until the program sets its colour.
  private var macro: Color?
  private var orbBasic: Color?
  /// The last colour of any macro since the robot woke, from which the next fade starts.
  private var lastMacroColor = Color()
  private var fade: Fade?
  var tail: UInt8 = 0

  mutating func set(_ color: Color, by program: ProgramLanguage) {
    switch program {
    case .macro: (macro, lastMacroColor, fade) = (color, color, nil)
    case .basic: orbBasic = color
    }
  }

  /// Begins a linear fade from the last colour of a macro; the macro continues during the fade.
  mutating func fade(to color: Color, over length: Duration, at now: Duration) {
    guard length > .zero else { return set(color, by: .macro) }
    advance(to: now)
    fade = Fade(start: lastMacroColor, end: color, begins: now, length: length)
  }

  mutating func end(_ program: ProgramLanguage, at now: Duration) {
    switch program {
    case .macro:
      advance(to: now)
      (macro, fade) = (nil, nil)
    case .basic: orbBasic = nil
    }
  }

  /// Sets the macro's colour to that of the fade in progress at a time.
  mutating func advance(to now: Duration) {
    guard let fade else { return }
    let part = ((now - fade.begins) / fade.length).bounded(by: 0...1)
    func between(_ start: UInt8, _ end: UInt8) -> UInt8 {
      UInt8((Double(start) + (Double(end) - Double(start)) * part).rounded())
    }
    let color = Color(
      red: between(fade.start.red, fade.end.red), green: between(fade.start.green, fade.end.green),
      blue: between(fade.start.blue, fade.end.blue))
    (macro, lastMacroColor) = (color, color)
    if part >= 1 { self.fade = nil }
  }

  /// The visible colour; `prefersOrbBasic` gives the colour of orbBasic priority over that of a macro.
  ///
  /// Without a client, a robot blinks its identity colours; the simulated one does not.
  func visible(isConnected: Bool, prefersOrbBasic: Bool = false) -> Color {
    let program = prefersOrbBasic ? orbBasic ?? macro : macro ?? orbBasic
    return program ?? client ?? (isConnected ? user : Color())
  }

  mutating func reset() {
    (client, macro, orbBasic, lastMacroColor, fade, tail) = (nil, nil, nil, Color(), nil, 0)
  }
}
