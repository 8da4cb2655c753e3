// Colours against the table, conversions of every colour and back, and parsing.
import SpheroControls
import TestSupport
import Testing

struct ToRGBRow: Decodable, Sendable {
  let hDeg: Double
  let s: Double
  let b: Double
  let rgb: [Double]
  let rgb8: [UInt8]
}

struct ToHSBRow: Decodable, Sendable {
  let rgb8: [UInt8]
  let hDeg: Double
  let s: Double
  let b: Double
  let back8: [UInt8]
}

struct WheelRow: Decodable, Sendable {
  let size: Double
  let point: [Double]
  let hDeg: Double
  let s: Double
}

extension RGB {
  /// Creates a colour from 0xrrggbb.
  init(_ number: UInt32) {
    self.init(
      red: UInt8(truncatingIfNeeded: number >> 16), green: UInt8(truncatingIfNeeded: number >> 8),
      blue: UInt8(truncatingIfNeeded: number))
  }

  var bytes: [UInt8] { [red, green, blue] }
}

@Suite(.ownThread) struct ColorTests {
  @Test func everyKindOfRowIsTested() throws {
    #expect(try kinds(of: "color") == ["hsb_to_rgb", "rgb8_to_hsb", "wheel_point"])
  }

  @Test(arguments: try rows("hsb_to_rgb", of: "color", as: ToRGBRow.self))
  func toRGB(row: ToRGBRow) throws {
    let color = try #require(HSB(hue: row.hDeg, saturation: row.s, brightness: row.b))
    let components = color.components
    for (value, expected) in zip([components.red, components.green, components.blue], row.rgb) {
      #expect(agree(value, expected, scale: 0.01))
    }
    #expect(RGB(color).bytes == row.rgb8)
  }

  @Test(arguments: try rows("rgb8_to_hsb", of: "color", as: ToHSBRow.self))
  func toHSB(row: ToHSBRow) {
    let color = HSB(RGB(red: row.rgb8[0], green: row.rgb8[1], blue: row.rgb8[2]))
    #expect(agree(color.hue, row.hDeg))
    #expect(agree(color.saturation, row.s))
    #expect(agree(color.brightness, row.b))
    #expect(RGB(color).bytes == row.back8)
  }

  @Test(arguments: try rows("wheel_point", of: "color", as: WheelRow.self))
  func wheelPoint(row: WheelRow) throws {
    let pad = try #require(Pad(width: row.size, height: row.size))
    var wheel = ColorWheel(pad: pad)
    let point = Point(x: row.point[0], y: row.point[1])
    wheel.pick(at: point)
    #expect(agreeAround(wheel.hsb.hue, row.hDeg))
    #expect(agree(wheel.hsb.saturation, row.s))
    #expect(wheel.hsb.brightness == 1)
    let rim = pad.clamped(point)
    #expect(agree(wheel.marker.x, rim.x, scale: row.size))
    #expect(agree(wheel.marker.y, rim.y, scale: row.size))
  }

  /// All 2^24 colours in a release build; in a debug build a grid on the faces of the cube, its edges, and one in 97.
  @Test func everyColourSurvives() throws {
    #if DEBUG
      let step: Int = 97
    #else
      let step: Int = 1
    #endif
    let isSparse = step > 1
    let pad = try #require(Pad(x: 10, y: 20, width: 312, height: 312))
    var wheel = ColorWheel(pad: pad)
    var lost = 0
    func visit(_ number: UInt32) {
      let color = RGB(number)
      wheel.show(color)
      let isShown = wheel.color == color
      wheel.pick(at: wheel.marker)
      if RGB(HSB(color)) != color || !isShown || wheel.color != color { lost += 1 }
    }
    for number in stride(from: UInt32(0), to: 1 << 24, by: step) { visit(number) }
    for first in stride(from: UInt32(0), through: 255, by: isSparse ? 5 : 1) {
      for second in stride(from: UInt32(0), through: 255, by: isSparse ? 3 : 1) {
        for fixed in [UInt32(0), 255] {
          visit(fixed << 16 | first << 8 | second)
          visit(first << 16 | fixed << 8 | second)
          visit(first << 16 | second << 8 | fixed)
        }
      }
    }
    #expect(lost == 0, "of the colours in steps of \(step)")
  }

  @Test func greyKeepsHueAndBlackKeepsSaturation() throws {
    let pad = try #require(Pad(width: 200, height: 200))
    var wheel = ColorWheel(pad: pad, color: NamedColor.teal.rgb)
    #expect((wheel.hsb.hue, wheel.hsb.saturation) == (180, 1))
    wheel.show(NamedColor.black.rgb)
    #expect((wheel.hsb.hue, wheel.hsb.saturation, wheel.hsb.brightness) == (180, 1, 0))
    wheel.setBrightness(1)
    #expect(wheel.color == NamedColor.aqua.rgb)
    wheel.show(NamedColor.gray.rgb)
    #expect((wheel.hsb.hue, wheel.hsb.saturation) == (180, 0))
    #expect(wheel.marker == pad.center)
    wheel.pick(at: pad.center)
    #expect(wheel.hsb.hue == 180)
    let before = wheel
    wheel.pick(at: Point(x: .nan, y: 0))
    wheel.setBrightness(.infinity)
    #expect(wheel == before)
  }

  @Test func textRoundTrips() throws {
    for number in stride(from: UInt32(0), to: 1 << 24, by: 65_521) {
      let color = RGB(number)
      #expect(try RGB(parsing: color.description) == color)
      #expect(try RGB(parsing: color.description.uppercased()) == color)
    }
    #expect(RGB(0x00_0aff).description == "#000aff")
    #expect(try RGB(parsing: "#f80") == RGB(0xff_8800))
    #expect(try RGB(parsing: "Orange") == RGB(0xff_a500))
    for text in ["ff8800", "FF8800", "#ff8800", "255,136,0", "255 136 0", "255, 136, 0"] {
      #expect(try RGB(parsing: text) == RGB(0xff_8800), "\(text)")
    }
    // Six decimal digits are hexadecimal digits as well.
    #expect(try RGB(parsing: "255000") == RGB(0x25_5000))
    for text in [
      "", " ", "f80", "255", "ff880", "ff88000", "1,2", "1,2,3,4", "-1 0 0", "+5 0 0", "-0 0 0", "1 2 0x3",
      "ｆｆ8800",
    ] {
      #expect(throws: ColorParsingError.self, "\(text)") { try RGB(parsing: text) }
    }
    for name in NamedColor.allCases {
      #expect(try RGB(parsing: name.rawValue) == name.rgb)
    }
  }

  @Test(arguments: [
    ("", ColorParsingError.unknownName("")), ("ff00000", .unknownName("ff00000")),
    ("octarine", .unknownName("octarine")), ("#", .digitCount(0)), ("#ff", .digitCount(2)),
    ("#ffff", .digitCount(4)), ("#ff00001", .digitCount(7)), ("#ff00g0", .notHexadecimal("g", offset: 5)),
    ("#-12", .notHexadecimal("-", offset: 1)), ("#\u{ff11}23", .notHexadecimal("\u{ff11}", offset: 1)),
  ])
  func invalidTextIsRejected(text: String, reason: ColorParsingError) {
    #expect(throws: reason) { try RGB(parsing: text) }
    #expect(!reason.description.isEmpty)
  }
}
