// Named colours, with the basic and some extended names of CSS.

extension RGB {
  /// `#000000`.
  public static let black = RGB(red: 0, green: 0, blue: 0)
  /// The light is off: `#000000`.
  public static let off = black
  /// `#c0c0c0`.
  public static let silver = RGB(red: 192, green: 192, blue: 192)
  /// `#808080`.
  public static let gray = RGB(red: 128, green: 128, blue: 128)
  /// `#ffffff`.
  public static let white = RGB(red: 255, green: 255, blue: 255)
  /// `#800000`.
  public static let maroon = RGB(red: 128, green: 0, blue: 0)
  /// `#ff0000`.
  public static let red = RGB(red: 255, green: 0, blue: 0)
  /// `#800080`.
  public static let purple = RGB(red: 128, green: 0, blue: 128)
  /// `#ff00ff`.
  public static let fuchsia = RGB(red: 255, green: 0, blue: 255)
  /// `#00ff00`, the full green of the LED; `green` of CSS is `#008000`.
  public static let green = RGB(red: 0, green: 255, blue: 0)
  /// `#00ff00`.
  public static let lime = RGB(red: 0, green: 255, blue: 0)
  /// `#808000`.
  public static let olive = RGB(red: 128, green: 128, blue: 0)
  /// `#ffff00`.
  public static let yellow = RGB(red: 255, green: 255, blue: 0)
  /// `#000080`.
  public static let navy = RGB(red: 0, green: 0, blue: 128)
  /// `#0000ff`.
  public static let blue = RGB(red: 0, green: 0, blue: 255)
  /// `#008080`.
  public static let teal = RGB(red: 0, green: 128, blue: 128)
  /// `#00ffff`.
  public static let aqua = RGB(red: 0, green: 255, blue: 255)
  /// `#00ffff`.
  public static let cyan = RGB(red: 0, green: 255, blue: 255)
  /// `#ff00ff`.
  public static let magenta = RGB(red: 255, green: 0, blue: 255)
  /// `#ffa500`.
  public static let orange = RGB(red: 255, green: 165, blue: 0)
  /// `#ffc0cb`.
  public static let pink = RGB(red: 255, green: 192, blue: 203)
  /// `#a52a2a`.
  public static let brown = RGB(red: 165, green: 42, blue: 42)
  /// `#ffd700`.
  public static let gold = RGB(red: 255, green: 215, blue: 0)
  /// `#4b0082`.
  public static let indigo = RGB(red: 75, green: 0, blue: 130)
  /// `#ee82ee`.
  public static let violet = RGB(red: 238, green: 130, blue: 238)
  /// `#ff7f50`.
  public static let coral = RGB(red: 255, green: 127, blue: 80)
  /// `#40e0d0`.
  public static let turquoise = RGB(red: 64, green: 224, blue: 208)
}
