// The colour wheel with its brightness: a marker on a pad that remembers its hue.

/// The state of a colour wheel and its brightness bar.
///
/// Red is at 3 o'clock and the hue grows counter-clockwise (90° at the top); the saturation is the radius.
/// That is the wheel of `RUIColorPickerViewController` of the Sphero iOS SDK, measured on its picture.
///
/// A grey has no hue and black no saturation.
/// The wheel keeps those it had, so that the marker does not jump
/// when the colour is darkened to black and brightened again.
public struct ColorWheel: Hashable, Sendable {
  /// The bounds of the wheel.
  public var pad: Pad

  /// The hue and the saturation of the marker, and the brightness of the bar.
  public private(set) var hsb: HSB

  /// Creates a wheel that shows a colour.
  public init(pad: Pad, color: RGB = NamedColor.white.rgb) {
    self.pad = pad
    hsb = HSB(color)
  }

  /// The colour picked.
  public var color: RGB { RGB(hsb) }

  /// Where to draw the marker.
  public var marker: Point { pad.point(at: Deflection(hueOf: hsb)) }

  /// Moves the marker under a finger, which may have left the wheel; the brightness stays.
  ///
  /// In the middle the hue stays too. A point that is not finite changes nothing.
  public mutating func pick(at point: Point) {
    guard let deflection = pad.deflection(at: point) else { return }
    let hue = deflection.magnitude > 0 ? deflection.hue : hsb.hue
    hsb = HSB(folding: hue, saturation: deflection.magnitude, brightness: hsb.brightness)
  }

  /// Sets the brightness, held to 0...1; a number that is not finite changes nothing.
  public mutating func setBrightness(_ brightness: Double) {
    guard brightness.isFinite else { return }
    hsb = HSB(folding: hsb.hue, saturation: hsb.saturation, brightness: brightness)
  }

  /// Turns the hue by degrees, counter-clockwise on the wheel; a number that is not finite changes nothing.
  public mutating func turn(hueBy degrees: Double) {
    guard degrees.isFinite else { return }
    hsb = HSB(folding: hsb.hue + degrees, saturation: hsb.saturation, brightness: hsb.brightness)
  }

  /// Sets the saturation, held to 0...1; a number that is not finite changes nothing.
  public mutating func setSaturation(_ saturation: Double) {
    guard saturation.isFinite else { return }
    hsb = HSB(folding: hsb.hue, saturation: saturation, brightness: hsb.brightness)
  }

  /// Shows a colour, keeping the hue for a grey, and for black the saturation too.
  public mutating func show(_ color: RGB) {
    let shown = HSB(color)
    let isBlack = shown.brightness == 0
    let isGrey = shown.saturation == 0
    hsb = HSB(
      folding: isGrey ? hsb.hue : shown.hue,
      saturation: isBlack ? hsb.saturation : shown.saturation,
      brightness: shown.brightness)
  }
}
