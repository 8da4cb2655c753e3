// What the lights show, and who decides.

import SpheroProtocol

/// A colour; components are 0...255.
struct Color: Hashable, Sendable {
  var red: UInt8 = 0
  var green: UInt8 = 0
  var blue: UInt8 = 0
}

/// The lights: a stored colour, the client's, and that of a running program, which wins.
struct LightBoard: Hashable, Sendable {
  private struct Fade: Hashable, Sendable {
    var start: Color
    var end: Color
    var begins: Duration
    var length: Duration
  }

  /// The colour that is kept over power cycles.
  var user = Color(red: 0, green: 0, blue: 255)
  /// What the client asked for; nil until it does.
  private(set) var client: Color?
  private var program: Color?
  private var fade: Fade?
  /// The tail light, 0...255.
  var tail: UInt8 = 0
  /// Whether a client is there: without one the identity colours blink, which is shown as dark.
  var isConnected = false

  /// The last colour of a program.
  private(set) var programColor = Color()

  mutating func setClient(_ color: Color, persist: Bool) {
    client = color
    if persist { user = color }
  }

  mutating func setProgram(_ color: Color) {
    (program, programColor, fade) = (color, color, nil)
  }

  mutating func fadeProgram(to color: Color, over length: Duration, at now: Duration) {
    guard length > .zero else { return setProgram(color) }
    fade = Fade(start: programColor, end: color, begins: now, length: length)
  }

  /// A program has ended: the client's colour shows again, once a fade is over.
  mutating func endProgram() { (program, fade) = (nil, nil) }

  /// Whether a colour changes by itself.
  var isFading: Bool { fade != nil }

  mutating func advance(to now: Duration) {
    guard let fade else { return }
    let part = min(max((now - fade.begins) / fade.length, 0), 1)
    func between(_ start: UInt8, _ end: UInt8) -> UInt8 {
      UInt8(clamping: Int((Double(start) + (Double(end) - Double(start)) * part).rounded()))
    }
    let color = Color(
      red: between(fade.start.red, fade.end.red), green: between(fade.start.green, fade.end.green),
      blue: between(fade.start.blue, fade.end.blue))
    (program, programColor) = (color, color)
    if part >= 1 { self.fade = nil }
  }

  /// What shows.
  var shown: Color { program ?? client ?? (isConnected ? user : Color()) }

  /// Darkness, as in sleep; the stored colour stays.
  mutating func reset() {
    (client, program, fade, tail, programColor) = (nil, nil, nil, 0, Color())
  }
}
