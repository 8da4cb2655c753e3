// The colours by name, with the basic and best known names of CSS.

extension RGB {
  public static let black = RGB(red: 0, green: 0, blue: 0)
  /// The light is off.
  public static let off = RGB(red: 0, green: 0, blue: 0)
  public static let silver = RGB(red: 192, green: 192, blue: 192)
  public static let gray = RGB(red: 128, green: 128, blue: 128)
  public static let white = RGB(red: 255, green: 255, blue: 255)
  public static let maroon = RGB(red: 128, green: 0, blue: 0)
  public static let red = RGB(red: 255, green: 0, blue: 0)
  public static let purple = RGB(red: 128, green: 0, blue: 128)
  public static let fuchsia = RGB(red: 255, green: 0, blue: 255)
  /// The full green of the LED; that of CSS is darker.
  public static let green = RGB(red: 0, green: 255, blue: 0)
  public static let lime = RGB(red: 0, green: 255, blue: 0)
  public static let olive = RGB(red: 128, green: 128, blue: 0)
  public static let yellow = RGB(red: 255, green: 255, blue: 0)
  public static let navy = RGB(red: 0, green: 0, blue: 128)
  public static let blue = RGB(red: 0, green: 0, blue: 255)
  public static let teal = RGB(red: 0, green: 128, blue: 128)
  public static let aqua = RGB(red: 0, green: 255, blue: 255)
  public static let cyan = RGB(red: 0, green: 255, blue: 255)
  public static let magenta = RGB(red: 255, green: 0, blue: 255)
  public static let orange = RGB(red: 255, green: 165, blue: 0)
  public static let pink = RGB(red: 255, green: 192, blue: 203)
  public static let brown = RGB(red: 165, green: 42, blue: 42)
  public static let gold = RGB(red: 255, green: 215, blue: 0)
  public static let indigo = RGB(red: 75, green: 0, blue: 130)
  public static let violet = RGB(red: 238, green: 130, blue: 238)
  public static let coral = RGB(red: 255, green: 127, blue: 80)
  public static let turquoise = RGB(red: 64, green: 224, blue: 208)
}
