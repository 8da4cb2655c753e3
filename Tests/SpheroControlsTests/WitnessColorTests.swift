// Every named colour against the bytes of CSS, and points of the wheel.
import SpheroControls
import TestSupport
import Testing

@Suite(.ownThread) struct WitnessColorTests {
  /// Names, bytes and texts of CSS Color Module Level 4, except the full green, and off, which CSS does not have.
  private static let table:
    [(color: NamedColor, name: String, red: UInt8, green: UInt8, blue: UInt8, text: String)] = [
      (.black, "black", 0, 0, 0, "#000000"), (.off, "off", 0, 0, 0, "#000000"),
      (.silver, "silver", 192, 192, 192, "#c0c0c0"),
      (.gray, "gray", 128, 128, 128, "#808080"), (.white, "white", 255, 255, 255, "#ffffff"),
      (.maroon, "maroon", 128, 0, 0, "#800000"), (.red, "red", 255, 0, 0, "#ff0000"),
      (.purple, "purple", 128, 0, 128, "#800080"), (.fuchsia, "fuchsia", 255, 0, 255, "#ff00ff"),
      (.green, "green", 0, 255, 0, "#00ff00"), (.lime, "lime", 0, 255, 0, "#00ff00"),
      (.olive, "olive", 128, 128, 0, "#808000"), (.yellow, "yellow", 255, 255, 0, "#ffff00"),
      (.navy, "navy", 0, 0, 128, "#000080"), (.blue, "blue", 0, 0, 255, "#0000ff"),
      (.teal, "teal", 0, 128, 128, "#008080"), (.aqua, "aqua", 0, 255, 255, "#00ffff"),
      (.cyan, "cyan", 0, 255, 255, "#00ffff"), (.magenta, "magenta", 255, 0, 255, "#ff00ff"),
      (.orange, "orange", 255, 165, 0, "#ffa500"), (.pink, "pink", 255, 192, 203, "#ffc0cb"),
      (.brown, "brown", 165, 42, 42, "#a52a2a"), (.gold, "gold", 255, 215, 0, "#ffd700"),
      (.indigo, "indigo", 75, 0, 130, "#4b0082"), (.violet, "violet", 238, 130, 238, "#ee82ee"),
      (.coral, "coral", 255, 127, 80, "#ff7f50"), (.turquoise, "turquoise", 64, 224, 208, "#40e0d0"),
    ]

  @Test func namesHaveTheirBytes() throws {
    #expect(NamedColor.allCases.count == Self.table.count)
    for row in Self.table {
      let own = row.color.rgb
      #expect((own.red, own.green, own.blue) == (row.red, row.green, row.blue), "\(row.name)")
      #expect(row.color.rawValue == row.name)
      #expect(own.description == row.text)
      #expect(try RGB(parsing: row.name) == own && RGB(parsing: row.text) == own, "\(row.name)")
    }
  }

  /// #123 is #112233; each digit differs.
  @Test func digitsHaveTheirPlaces() throws {
    let short = try RGB(parsing: "#1a9")
    #expect((short.red, short.green, short.blue) == (0x11, 0xAA, 0x99))
    let long = try RGB(parsing: "#12a9e5")
    #expect((long.red, long.green, long.blue) == (0x12, 0xA9, 0xE5))
  }

  /// Bytes and hue, saturation, brightness by Smith's hexcone, computed by hand, one in each sextant.
  @Test func hexcone() throws {
    let table: [(rgb: RGB, hue: Double, saturation: Double, brightness: Double)] = [
      (RGB(red: 204, green: 102, blue: 51), 20, 0.75, 0.8),
      (RGB(red: 153, green: 204, blue: 51), 80, 0.75, 0.8),
      (RGB(red: 51, green: 204, blue: 102), 140, 0.75, 0.8),
      (RGB(red: 51, green: 153, blue: 204), 200, 0.75, 0.8),
      (RGB(red: 102, green: 51, blue: 204), 260, 0.75, 0.8),
      (RGB(red: 204, green: 51, blue: 153), 320, 0.75, 0.8),
    ]
    for row in table {
      let own = HSB(row.rgb)
      #expect(agree(own.hue, row.hue) && agree(own.saturation, row.saturation), "\(row.rgb)")
      #expect(agree(own.brightness, row.brightness), "\(row.rgb)")
      let back = try #require(HSB(hue: row.hue, saturation: row.saturation, brightness: row.brightness))
      #expect(RGB(back) == row.rgb)
    }
  }

  /// The wheel of the iOS SDK: red at 3 o'clock, 90 degrees at the top, the saturation as the radius.
  @Test func placesOnTheWheel() throws {
    // With a width of 200, a height of 100 and the corner at (10, 20), the centre is (110, 70).
    let pad = try #require(Pad(x: 10, y: 20, width: 200, height: 100))
    var wheel = ColorWheel(pad: pad)
    #expect(wheel.color == RGB(red: 255, green: 255, blue: 255) && wheel.marker == Point(x: 110, y: 70))
    let table: [(point: Point, hue: Double, saturation: Double, rgb: RGB)] = [
      (Point(x: 210, y: 70), 0, 1, RGB(red: 255, green: 0, blue: 0)),
      (Point(x: 110, y: 20), 90, 1, RGB(red: 128, green: 255, blue: 0)),
      (Point(x: 60, y: 70), 180, 0.5, RGB(red: 128, green: 255, blue: 255)),
      (Point(x: 110, y: 120), 270, 1, RGB(red: 128, green: 0, blue: 255)),
    ]
    for row in table {
      wheel.pick(at: row.point)
      #expect(agree(wheel.hsb.hue, row.hue) && agree(wheel.hsb.saturation, row.saturation), "\(row.point)")
      #expect(wheel.color == row.rgb, "\(row.point)")
      #expect(
        agree(wheel.marker.x, row.point.x, scale: 200) && agree(wheel.marker.y, row.point.y, scale: 200))
    }
  }
}
