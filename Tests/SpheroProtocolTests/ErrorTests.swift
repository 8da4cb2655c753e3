// Every error says in a sentence what is wrong, and in properties where and what was seen.

import SpheroProtocol
import TestSupport
import Testing

@Suite struct ErrorTests {
  private static let wire: [(WireError, WireError.Code, String)] = [
    (
      .truncated(field: "heading", offset: 1), .truncated,
      "the payload ends inside 'heading', which begins at byte 1"
    ),
    (.excess(offset: 2, count: 1), .excess, "1 more byte than the layout has, from byte 2"),
    (.excess(offset: 2, count: 3), .excess, "3 more bytes than the layout has, from byte 2"),
    (
      .outOfRange(field: "heading", value: 360, allowed: 0...359), .outOfRange,
      "'heading' is 360, but must be 0...359"
    ),
    (
      .unknownValue(field: "state", value: 3, offset: 3), .unknownValue,
      "'state' at byte 3 is 3, which has no meaning"
    ),
    (
      .wrongCount(field: "name", count: 20, allowed: 0...16), .wrongCount,
      "'name' has 20 bytes, but must have 0...16"
    ),
    (
      .unreadable(field: "speed", text: "fast", expected: "0...255"), .unreadable,
      "'speed=fast' is not valid; expected 0...255"
    ),
  ]

  @Test func everyWireErrorHasItsSentence() throws {
    for (error, code, text) in Self.wire { #expect(error.code == code && error.description == text) }
    let codes = try openNames(in: "SpheroProtocol/Wire/WireError.swift").map(\.text)
    #expect(Set(Self.wire.map { "\($0.0.code)" }) == Set(codes))
  }

  @Test func wireErrorsTellWhereAndWhatWasSeen() {
    let cut = WireError.truncated(field: "heading", offset: 1)
    #expect(cut.field == "heading" && cut.offset == 1 && cut.value == nil && cut.allowed == nil)
    let excess = WireError.excess(offset: 2, count: 3)
    #expect(excess.field == nil && excess.offset == 2 && excess.count == 3)
    let range = WireError.outOfRange(field: "heading", value: 360, allowed: 0...359)
    #expect(range.field == "heading" && range.value == 360 && range.allowed == 0...359 && range.offset == nil)
    let unknown = WireError.unknownValue(field: "state", value: 3, offset: 4)
    #expect(unknown.field == "state" && unknown.value == 3 && unknown.offset == 4)
    let count = WireError.wrongCount(field: "name", count: 20, allowed: 0...16)
    #expect(count.field == "name" && count.count == 20 && count.allowed == 0...16)
    let word = WireError.unreadable(field: "speed", text: "fast", expected: "0...255")
    #expect(word.field == "speed" && word.text == "fast")
  }

  @Test func everyProgramErrorHasItsSentence() throws {
    let rows: [(ProgramError, ProgramError.Code, Int?, Int?, String)] = [
      (.empty, .empty, nil, nil, "the program has no lines. Write a line like '10 end'."),
      (
        .noNumber(line: 2), .noNumber, 2, nil,
        "line 2 of the text does not begin with a number, 1...65535, and a space. Begin it like '10 end'."
      ),
      (.nul(line: 7), .nul, 7, nil, "line 7 of the text has a NUL character. Leave it out."),
      (
        .tooLong(count: 5005), .tooLong, nil, 5005,
        "the program has 5005 bytes, but a robot holds 4096. Shorten it."
      ),
    ]
    for (error, code, line, count, text) in rows {
      #expect(error.code == code && error.line == line && error.count == count && error.description == text)
    }
    let codes = try openNames(in: "SpheroProtocol/OrbBasic/OrbBasicProgram.swift").map(\.text)
    #expect(rows.map { "\($0.0.code)" } == codes)
  }

  @Test func everyMaskErrorHasItsSentence() throws {
    let word = #expect(throws: MaskError.self) { try SensorMask(parsing: "accel,acel") }
    #expect(word?.code == .unknownName && word?.word == "acel" && word?.bits == nil)
    #expect(
      word?.description
        == "'acel' names no sensor field. Write a group (accel, gyro, imu, quat, emf, pwm, accel-raw, gyro-raw, "
        + "emf-raw, odometer, velocity, locator, accel-one, all), a field like accel-x, "
        + "or masks like 0x00070000:0xF0000000.")
    // Bit 0 of MASK.
    let bits = #expect(throws: MaskError.self) { try SensorMask(parsing: "0x00000001") }
    #expect(bits?.code == .reservedBits && bits?.bits == 0x1_0000_0000 && bits?.word == nil)
    #expect(bits?.description == "the bits 0x00000001:0x00000000 of the masks are reserved. Leave them out.")
    let codes = try openNames(in: "SpheroProtocol/Sensors/MaskError.swift").map(\.text)
    #expect([word, bits].compactMap { $0.map { "\($0.code)" } } == codes)
  }

  /// What a client writes: one code, several, and the rest that a later version may have.
  @Test func codesCanBeCaughtAndSwitchedOver() {
    func kind(_ payload: [UInt8]) -> String {
      do throws(WireError) {
        _ = try Motion.Roll(request: payload)
        return "roll"
      } catch  where error.code == .truncated {
        return "cut at \(error.offset ?? -1)"
      } catch {
        switch error.code {
        case .excess, .wrongCount: return "length"
        case .outOfRange: return "value \(error.value ?? -1)"
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
