// Every error has a sentence for people, and properties for programs.

import SpheroProtocol
import TestSupport
import Testing

@Suite struct ErrorTests {
  private static let wire: [(WireError, String)] = [
    (
      .truncated(field: "heading", offset: 1),
      "the payload ends inside 'heading', which begins at byte 1"
    ),
    (.excess(offset: 2, count: 1), "1 more byte than the layout has, from byte 2"),
    (.excess(offset: 2, count: 3), "3 more bytes than the layout has, from byte 2"),
    (
      .outOfRange(field: "heading", value: 360, allowed: 0...359),
      "'heading' is 360, but must be 0...359"
    ),
    (
      .unknownValue(field: "state", value: 3, offset: 3),
      "'state' at byte 3 is 3, which has no meaning"
    ),
    (
      .wrongCount(field: "name", count: 20, allowed: 0...16),
      "'name' has 20 bytes, but must have 0...16"
    ),
    (
      .unreadable(field: "speed", text: "fast", expected: "0...255"),
      "'speed=fast' is not valid; expected 0...255"
    ),
    (.unassignable(word: "fast"), "'fast' is not of the form field=value"),
    (.repeated(field: "speed"), "'speed' is given twice"),
    (.missing(fields: ["speed"]), "'speed' is missing"),
    (.missing(fields: ["speed", "heading"]), "'speed', 'heading' are missing"),
  ]

  @Test func wireErrorsHaveSentences() throws {
    for (error, text) in Self.wire { #expect(error.description == text) }
    let cases = try caseNames(of: "WireError", in: "SpheroProtocol/Wire/WireError.swift")
    #expect(Set(Self.wire.compactMap { caseName(of: $0.0) }) == Set(cases))
  }

  @Test func programErrorsHaveSentences() throws {
    let rows: [(OrbBasicTextError, line: Int?, String)] = [
      (.empty, nil, "the program has no lines. Write a line like '10 end'."),
      (
        .missingLineNumber(line: 2), 2,
        "line 2 of the text does not begin with a number, 1...65535, and a space. Begin it with a number, like '10 print 1'."
      ),
      (.nul(line: 7, column: 2), 7, "line 7 of the text has a NUL character. Leave it out."),
      (
        .tooLong(count: 5005), nil,
        "the program has 5005 bytes, but a robot holds 4096. Shorten it."
      ),
    ]
    for (error, line, text) in rows { #expect(error.line == line && error.description == text) }
    let cases = try caseNames(of: "OrbBasicTextError", in: "SpheroProtocol/OrbBasic/OrbBasicProgram.swift")
    #expect(rows.map { caseName(of: $0.0) } == cases)
  }

  @Test func maskErrorsHaveSentences() throws {
    let word = #expect(throws: MaskError.self) { try SensorMask(parsing: "accel,acel") }
    #expect(word == .unknownName("acel"))
    #expect(
      word?.description
        == "'acel' names no sensor field. Write a group (accel, gyro, imu, quat, emf, pwm, accel-raw, gyro-raw, "
        + "emf-raw, odometer, velocity, locator, accel-one, all), a field like accel-x, "
        + "or masks like 0x00070000:0xF0000000.")
    // Bit 0 of MASK.
    let bits = #expect(throws: MaskError.self) { try SensorMask(parsing: "0x00000001") }
    #expect(bits == .reservedBits(0x1_0000_0000))
    #expect(bits?.description == "the bits 0x00000001:0x00000000 of the masks are reserved. Leave them out.")
    let cases = try caseNames(of: "MaskError", in: "SpheroProtocol/Sensors/SensorMask.swift")
    #expect([word, bits].map { caseName(of: $0) } == cases)
  }

  /// A client handles one case, several cases, and cases of later versions.
  @Test func casesCanBeCaughtAndSwitchedOver() {
    func kind(_ payload: [UInt8]) -> String {
      do throws(WireError) {
        _ = try Motion.Roll(request: payload)
        return "roll"
      } catch .truncated(_, let offset) {
        return "cut at \(offset)"
      } catch {
        switch error {
        case .excess, .wrongCount: return "length"
        case .outOfRange(_, let value, _): return "value \(value)"
        default: return "other"
        }
      }
    }
    #expect(kind([1, 0, 90, 1]) == "roll")
    #expect(kind([1]) == "cut at 1")
    #expect(kind([1, 0, 90, 1, 0, 0]) == "length")
    #expect(kind([1, 1, 104, 1]) == "value 360")
    #expect(kind([1, 0, 90, 3]) == "other")
  }
}
