// A colour wheel, which keeps the hue of greys, and a picker: the wheel, the previous and the current colour, and events.

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

/// The state of a colour picker: a ``ColorWheel`` and two swatches, the previous colour and the current one.
///
/// Each swatch can be selected; a change of ``wheel`` selects the current one, whose colour it changes.
/// ``takeEvents()`` reports changes of ``color`` and the end of the selection, as the delegate of
/// `RUIColorPickerViewController` does.
///
///     var picker = ColorPicker(previous: robotsColor)
///     picker.wheel.pick(at: point)
///     picker.takeEvents()   // [.changed(color)]
///     picker.cancel()
///     picker.takeEvents()   // [.changed(robotsColor), .finished(robotsColor)]
public struct ColorPicker: Hashable, Sendable {
  /// A small area that shows a colour and can be selected.
  public enum Swatch: Hashable, Sendable, CaseIterable {
    case previous
    case current
  }

  /// A change of the selection.
  public enum Event: Hashable, Sendable {
    /// The selected colour has changed to this one.
    case changed(RGB)
    /// The user has finished with this colour.
    case finished(RGB)
  }

  /// The selected colour before the picker was created, or at the last ``restart()``.
  public private(set) var previous: RGB
  /// The swatch whose colour is selected.
  public private(set) var selection = Swatch.current
  private var shownWheel: ColorWheel
  /// The wheel with ``current``, kept while the previous swatch is selected.
  private var currentWheel: ColorWheel
  private var events: [Event] = []

  /// Creates a picker that shows `current`, or `previous` if `current` is nil.
  public init(pad: Pad = .unit, previous: RGB, current: RGB? = nil) {
    self.previous = previous
    shownWheel = ColorWheel(pad: pad, color: current ?? previous)
    currentWheel = shownWheel
  }

  /// The wheel, which shows the selected colour; a change of it selects the current swatch.
  public var wheel: ColorWheel {
    get { shownWheel }
    set {
      let former = color
      (shownWheel, currentWheel, selection) = (newValue, newValue, .current)
      noteChange(from: former)
    }
  }

  /// The bounds of the wheel; a change of them keeps the selection.
  public var pad: Pad {
    get { wheel.pad }
    set { (shownWheel.pad, currentWheel.pad) = (newValue, newValue) }
  }

  /// The selected colour.
  public var color: RGB { wheel.color }

  /// The colour of the current swatch.
  public var current: RGB { currentWheel.color }

  /// Selects the colour of a swatch; the colours of both swatches remain.
  public mutating func select(_ swatch: Swatch) {
    let former = color
    selection = swatch
    switch swatch {
    case .previous: shownWheel.show(previous)
    case .current: shownWheel = currentWheel
    }
    noteChange(from: former)
  }

  /// Begins another selection: the selected colour is now the previous one and the current one.
  public mutating func restart() { (previous, currentWheel, selection) = (color, wheel, .current) }

  /// Finishes with the selected colour.
  public mutating func finish() { events.append(.finished(color)) }

  /// Finishes with the previous colour.
  public mutating func cancel() {
    select(.previous)
    finish()
  }

  /// Removes and returns the events in order; of changes without a finish between them, only the last remains.
  public mutating func takeEvents() -> [Event] {
    defer { events = [] }
    return events
  }

  /// Records a change of the colour, which replaces one that was not taken.
  private mutating func noteChange(from former: RGB) {
    guard color != former else { return }
    if case .changed? = events.last { events.removeLast() }
    events.append(.changed(color))
  }
}
