// The state of a colour wheel, which keeps the hue of greys.

/// The state of a colour wheel with a brightness bar.
///
/// Red is at 3 o'clock and the hue increases counter-clockwise (90° at the top); the saturation is the radius.
/// This is the wheel of `RUIColorPickerViewController` of the Sphero iOS SDK, measured on its picture.
///
/// The wheel keeps the hue of a grey, and the hue and saturation of black, so that the marker does not jump
/// when the colour is darkened and brightened again.
public struct ColorWheel: Hashable, Sendable {
  /// The position and size of the wheel on the screen.
  public var pad: Pad

  /// The hue and saturation of the marker, and the brightness of the bar.
  public private(set) var hsb: HSB

  public init(pad: Pad, color: RGB = NamedColor.white.rgb) {
    self.pad = pad
    hsb = HSB(color)
  }

  /// The selected colour.
  public var color: RGB { RGB(hsb) }

  /// The point of the wheel that shows the selected hue and saturation.
  public var marker: Point { pad.point(at: Deflection(hueOf: hsb)) }

  /// Selects the hue and saturation at a finite point, clamped to the rim; the centre keeps the hue.
  public mutating func pick(at point: Point) {
    guard let deflection = pad.deflection(at: point) else { return }
    let hue = deflection.magnitude > 0 ? deflection.hue : hsb.hue
    hsb = HSB(wrapping: hue, saturation: deflection.magnitude, brightness: hsb.brightness)
  }

  /// Sets the brightness, clamped to 0...1; a number that is not finite is ignored.
  public mutating func setBrightness(_ brightness: Double) {
    hsb = HSB(hue: hsb.hue, saturation: hsb.saturation, brightness: brightness) ?? hsb
  }

  /// Rotates the hue by degrees, counter-clockwise on the wheel; a number that is not finite is ignored.
  public mutating func turn(hueBy degrees: Double) {
    hsb = HSB(hue: hsb.hue + degrees, saturation: hsb.saturation, brightness: hsb.brightness) ?? hsb
  }

  /// Sets the saturation, clamped to 0...1; a number that is not finite is ignored.
  public mutating func setSaturation(_ saturation: Double) {
    hsb = HSB(hue: hsb.hue, saturation: saturation, brightness: hsb.brightness) ?? hsb
  }

  /// Selects a colour, keeping the hue of a grey, and the hue and saturation of black.
  public mutating func show(_ color: RGB) {
    let shown = HSB(color)
    let isBlack = shown.brightness == 0
    let isGray = shown.saturation == 0
    hsb = HSB(
      wrapping: isGray ? hsb.hue : shown.hue,
      saturation: isBlack ? hsb.saturation : shown.saturation,
      brightness: shown.brightness)
  }
}
