// The lights: the stored colour, the colours of the client and of programs, and their priorities.

import SpheroProtocol

/// A colour; components are 0...255.
struct Color: Hashable, Sendable {
  var red: UInt8 = 0
  var green: UInt8 = 0
  var blue: UInt8 = 0
}

/// The kind of a running program that sets a colour.
enum ProgramKind: Hashable, Sendable {
  case macro
  case orbBasic
}

/// The stored colour, the client's colour, and the colours of running programs, which have priority.
struct LightBoard: Hashable, Sendable {
  private struct Fade: Hashable, Sendable {
    var start: Color
    var end: Color
    var begins: Duration
    var length: Duration
  }

  /// The user's colour, stored in flash; shown while a client that sets no colour is connected.
  var user = Color(red: 0, green: 0, blue: 255)
  /// The client's colour; nil from its connection until it sets one.
  private(set) var client: Color?
  /// The colours of the running macro and of the running orbBasic program; nil until one sets its colour.
  private var macro: Color?
  private var orbBasic: Color?
  /// The last colour of any macro since the robot woke, from which the next fade starts.
  private var latestOfMacro = Color()
  private var fade: Fade?
  /// The tail light, 0...255.
  var tail: UInt8 = 0
  /// Whether a client is connected; without one, a robot blinks its identity colours, which are dark here.
  var isConnected = false
  /// Whether the colour of orbBasic has priority over that of a macro.
  var favoursOrbBasic = false

  /// Shows the stored colour: that of the previous client ends.
  mutating func connect() { (isConnected, client) = (true, nil) }

  mutating func setClient(_ color: Color, persist: Bool) {
    client = color
    if persist { user = color }
  }

  mutating func set(_ color: Color, by program: ProgramKind) {
    switch program {
    case .macro: (macro, latestOfMacro, fade) = (color, color, nil)
    case .orbBasic: orbBasic = color
    }
  }

  /// Begins a fade from the last colour of a macro; the macro continues during the fade.
  mutating func fade(to color: Color, over length: Duration, at now: Duration) {
    guard length > .zero else { return set(color, by: .macro) }
    advance(to: now)
    fade = Fade(start: latestOfMacro, end: color, begins: now, length: length)
  }

  /// Removes the colour of a program that has ended; the next fade starts from the present colour.
  mutating func end(_ program: ProgramKind, at now: Duration) {
    switch program {
    case .macro:
      advance(to: now)
      (macro, fade) = (nil, nil)
    case .orbBasic: (orbBasic, favoursOrbBasic) = (nil, false)
    }
  }

  mutating func advance(to now: Duration) {
    guard let fade else { return }
    let part = min(max((now - fade.begins) / fade.length, 0), 1)
    func between(_ start: UInt8, _ end: UInt8) -> UInt8 {
      let (first, last) = (Double(start), Double(end))
      let value = first + (last - first) * part
      return UInt8(clamping: Int(value.rounded()))
    }
    let color = Color(
      red: between(fade.start.red, fade.end.red), green: between(fade.start.green, fade.end.green),
      blue: between(fade.start.blue, fade.end.blue))
    (macro, latestOfMacro) = (color, color)
    if part >= 1 { self.fade = nil }
  }

  /// The visible colour.
  var shown: Color {
    let program = favoursOrbBasic ? orbBasic ?? macro : macro ?? orbBasic
    return program ?? client ?? (isConnected ? user : Color())
  }

  /// Switches the lights off, as in sleep; keeps the stored colour.
  mutating func reset() {
    (client, macro, orbBasic, fade, tail) = (nil, nil, nil, nil, 0)
    (latestOfMacro, favoursOrbBasic) = (Color(), false)
  }
}
