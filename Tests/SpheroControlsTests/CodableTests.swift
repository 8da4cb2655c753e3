// The stored forms of Docs/Storing.md, the errors of invalid ones, and the descriptions.
import Foundation
import SpheroControls
import SpheroOrientation
import TestSupport
import Testing

@Suite struct CodableTests {
  @Test func colors() throws {
    #expect(try isStored([RGB(red: 255, green: 128, blue: 1)], as: ##"["#ff8001"]"##))
    #expect(
      try JSONDecoder().decode([RGB].self, from: Data(##"["coral","#0f8"]"##.utf8)) == [
        RGB(red: 255, green: 127, blue: 80), RGB(red: 0, green: 255, blue: 136),
      ])
    #expect(
      refusal(of: #"["redd"]"#, as: [RGB].self)
        == #"'redd' is not a colour name"#)
    #expect(try isStored([NamedColor.teal], as: #"["teal"]"#))
    #expect(refusal(of: #"["teel"]"#, as: [NamedColor].self) != nil)
    let color = try #require(HSB(hue: 30, saturation: 1, brightness: 0.5))
    #expect(try isStored(color, as: #"{"brightness":0.5,"hue":30,"saturation":1}"#))
    #expect(
      refusal(of: #"{"brightness":0.5,"hue":360,"saturation":1}"#, as: HSB.self)
        == "a hue is 0..<360, saturation and brightness are 0...1, not 360.0, 1.0, 0.5")
  }

  @Test func drives() throws {
    #expect(
      try isStored(
        Drive(heading: Heading(degrees: 90), speed: 0.5), as: #"{"heading":{"degrees":90},"speed":0.5}"#))
    #expect(try isStored(Drive.stop, as: #"{"speed":0}"#))
    #expect(refusal(of: #"{"speed":1.5}"#, as: Drive.self) == "a speed is 0...1, not 1.5")
    #expect(try isStored(Position(x: 10, y: -20), as: #"{"x":10,"y":-20}"#))
    #expect(
      try isStored(
        ResponseCurve(deadZone: 0.25, exponential: 0.5), as: #"{"deadZone":0.25,"exponential":0.5}"#))
    #expect(
      refusal(of: #"{"deadZone":-1,"exponential":0.5}"#, as: ResponseCurve.self)
        == "dead zone and exponential are 0...1, not -1.0 and 0.5")
    #expect(
      try isStored(ResponseCurve(deadZone: 1.5, exponential: .nan), as: #"{"deadZone":1,"exponential":0}"#))
  }
}

@Suite struct DescriptionTests {
  @Test func descriptions() throws {
    let right = Heading(degrees: 90)
    let pairs: [(any CustomStringConvertible, String)] = [
      (Drive(heading: right, speed: 0.5), "90° at 50 %"), (Drive(heading: nil, speed: 0.5), "at 50 %"),
      (Drive.stop, "stop"), (Drive(heading: right, speed: 0), "90° at 0 %"),
      (Position(x: 10, y: -20), "(10, -20) cm"),
      (NamedColor.teal, "teal"), (RGB(red: 255, green: 128, blue: 1), "#ff8001"),
      (Point(x: 1.5, y: 2), "(1.5, 2)"),
    ]
    for (value, text) in pairs { #expect("\(value)" == text) }
  }
}
