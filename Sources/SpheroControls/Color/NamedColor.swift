// The named colours.

/// A named colour, with the basic and best known names of CSS.
///
/// The values are those of CSS except ``green``, which is the full green of the LED; ``off`` is black.
public enum NamedColor: String, Hashable, Sendable, CaseIterable, CustomStringConvertible {
  case black
  case off
  case silver
  case gray
  case white
  case maroon
  case red
  case purple
  case fuchsia
  case green
  case lime
  case olive
  case yellow
  case navy
  case blue
  case teal
  case aqua
  case cyan
  case magenta
  case orange
  case pink
  case brown
  case gold
  case indigo
  case violet
  case coral
  case turquoise

  public var rgb: RGB {
    switch self {
    case .black, .off: RGB(red: 0, green: 0, blue: 0)
    case .silver: RGB(red: 192, green: 192, blue: 192)
    case .gray: RGB(red: 128, green: 128, blue: 128)
    case .white: RGB(red: 255, green: 255, blue: 255)
    case .maroon: RGB(red: 128, green: 0, blue: 0)
    case .red: RGB(red: 255, green: 0, blue: 0)
    case .purple: RGB(red: 128, green: 0, blue: 128)
    case .fuchsia, .magenta: RGB(red: 255, green: 0, blue: 255)
    case .green, .lime: RGB(red: 0, green: 255, blue: 0)
    case .olive: RGB(red: 128, green: 128, blue: 0)
    case .yellow: RGB(red: 255, green: 255, blue: 0)
    case .navy: RGB(red: 0, green: 0, blue: 128)
    case .blue: RGB(red: 0, green: 0, blue: 255)
    case .teal: RGB(red: 0, green: 128, blue: 128)
    case .aqua, .cyan: RGB(red: 0, green: 255, blue: 255)
    case .orange: RGB(red: 255, green: 165, blue: 0)
    case .pink: RGB(red: 255, green: 192, blue: 203)
    case .brown: RGB(red: 165, green: 42, blue: 42)
    case .gold: RGB(red: 255, green: 215, blue: 0)
    case .indigo: RGB(red: 75, green: 0, blue: 130)
    case .violet: RGB(red: 238, green: 130, blue: 238)
    case .coral: RGB(red: 255, green: 127, blue: 80)
    case .turquoise: RGB(red: 64, green: 224, blue: 208)
    }
  }

  public var description: String { rawValue }
}

#if !hasFeature(Embedded)
  extension NamedColor: Codable {}
#endif
