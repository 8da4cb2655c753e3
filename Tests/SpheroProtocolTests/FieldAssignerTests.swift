// Texts of fields: integers of the wire, values with units, missing fields, and examples.

import SpheroProtocol
import TestSupport
import Testing

@Suite(.ownThread) struct FieldAssignerTests {
  private func payload<M: Message>(_ type: M.Type, _ words: [String: String]) throws -> [UInt8] {
    try M(assigning: words, requiresAll: true).payload()
  }

  /// Steps of 0.784 °/s: 200 are 156.8 °/s, and 100 °/s are 127.55 steps; 255 is not a multiple but 400 °/s.
  @Test(arguments: [
    ("200", 200), ("0xC8", 200), ("156.8deg/s", 200), ("156.8°/s", 200), ("156.8deg_s", 200),
    ("100deg/s", 128), ("0deg/s", 0), ("199.1deg/s", 254), ("199.5deg/s", 254),
    ("255", 255),
  ])
  func rates(_ text: String, _ byte: UInt8) throws {
    #expect(try payload(Motion.SetRotationRate.self, ["rate": text]) == [byte])
  }

  @Test(arguments: [
    "156.8", "200.0", "199.92deg/s", "200deg/s", "-1deg/s", "200deg", "200 s", "deg/s", "1e2deg/s",
    "nandeg/s", "--1deg/s",
    "",
    ".deg/s", "1.2.3deg/s", "99999999999999999999deg/s",
  ])
  func noRates(_ text: String) {
    let error = WireError.unreadable(
      field: "rate", text: text,
      expected: "0.000...199.136deg/s with the unit, or the wire's integer 0...255")
    #expect(throws: error) { try payload(Motion.SetRotationRate.self, ["rate": text]) }
  }

  @Test func unitsOfOtherFields() throws {
    #expect(try payload(Core.SetInactivityTimeout.self, ["seconds": "10min"]) == [0x02, 0x58])
    #expect(try payload(Motion.SetMotionTimeout.self, ["time": "500ms"]) == [0x01, 0xF4])
    #expect(try payload(Motion.SetMotionTimeout.self, ["time": "2s"]) == [0x07, 0xD0])
    #expect(try payload(Motion.SetMotionTimeout.self, ["time": "2"]) == [0x00, 0x02])
    #expect(
      try payload(Core.SetVoltageTripPoints.self, ["low": "7V", "critical": "650"]) == [
        0x02, 0xBC, 0x02, 0x8A,
      ])
    #expect(
      try payload(
        Sensing.ConfigureLocator.self, ["flags": "0", "x": "-5cm", "y": "7", "yawTare": "90deg"])
        == [0x00, 0xFF, 0xFB, 0x00, 0x07, 0x00, 0x5A])
    // A field without a unit takes none.
    #expect(throws: WireError.self) {
      try payload(Lights.SetBackLED.self, ["brightness": "7V"])
    }
  }

  @Test(arguments: ["0x-5", "0x+5", "0x", "-0x5"]) func aHexadecimalIntegerHasNoSign(text: String) throws {
    func locator(_ x: String) throws -> [UInt8] {
      try payload(Sensing.ConfigureLocator.self, ["flags": "0", "x": x, "y": "0", "yawTare": "0"])
    }
    #expect(try locator("0x7F") == [0, 0, 0x7F, 0, 0, 0, 0])
    #expect(try locator("-5") == [0, 0xFF, 0xFB, 0, 0, 0, 0])
    #expect(throws: WireError.self) { try locator(text) }
  }

  @Test func missingFieldsAreNamedInWireOrder() throws {
    #expect(throws: WireError.missing(fields: ["speed", "state"])) {
      try payload(Motion.Roll.self, ["heading": "90"])
    }
    #expect(WireError.missing(fields: ["a"]).description == "'a' is missing")
    #expect(WireError.missing(fields: ["a", "b"]).description == "'a', 'b' are missing")
    // An invalid value is reported first.
    #expect(
      throws: WireError.unreadable(
        field: "sped", text: "1", expected: "one of the fields speed, heading, state, reverse")
    ) {
      try payload(Motion.Roll.self, ["sped": "1"])
    }
    // Fields that a payload may leave out are no error, with and without one of them.
    let color = ["red": "1", "green": "2", "blue": "3"]
    #expect(try payload(Lights.SetRGBLED.self, color) == [1, 2, 3, 0])
    #expect(try payload(Lights.SetRGBLED.self, color.merging(["persist": "true"]) { $1 }) == [1, 2, 3, 1])
    #expect(try payload(Core.Ping.self, [:]) == [])
    // Without the requirement, other fields have their defaults.
    #expect(try Motion.Roll(assigning: ["speed": "7"]).payload() == [7, 0, 0, 1])
  }

  @Test func examplesKeepTheGivenFields() {
    #expect(Motion.Roll.example(["heading": "90"]) == "speed=0 heading=90 state=drive")
    #expect(Motion.SetRotationRate.example() == "rate=156.800deg/s")
    #expect(Core.SetDeviceName.example() == "name=…")
    #expect(Core.Ping.example() == "")
  }

  /// The example of each command is valid, and has the same bytes as its defaults.
  @Test func everyExampleIsAssignable() throws {
    struct Check: CatalogueVisitor {
      var count = 0
      mutating func command<R: Request>(_ type: R.Type, _ name: StaticString) {
        let example = R.example()
        guard !example.contains("…"), !example.isEmpty else { return }
        count += 1
        #expect(throws: Never.self, "\(name) \(example)") {
          let words = try [String: String](assignments: example.split(separator: " ").map(String.init))
          let message = try R(assigning: words, requiresAll: true)
          var (bytes, defaults) = (Writer(), Writer())
          var (first, second) = (message, R())
          // Some defaults are outside their range.
          try? first.layout(&bytes)
          try? second.layout(&defaults)
          #expect(bytes.bytes == defaults.bytes)
        }
      }
      mutating func event<E: Event>(_ type: E.Type, _ name: StaticString) {}
    }
    var check = Check()
    Catalogue.visit(&check)
    #expect(check.count > 30)
  }

  @Test func masksAreHexadecimalInTextOnly() throws {
    let request = Sensing.SetDataStreaming(divisor: 20, mask: .imu, packetCount: 3)
    #expect(
      request.description.hasSuffix(
        "divisor=20 frames=1 mask=0x00070000 packetCount=3 mask2=0x00000000"))
    let value = FieldValue.integer(0xF000_0002, .mask)
    #expect(value.description == "0xF0000002" && value.plain == "4026531842")
    var json: [UInt8] = []
    JSON.append(value, to: &json)
    #expect(String(decoding: json, as: UTF8.self) == "4026531842")
  }
}
