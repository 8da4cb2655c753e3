// Every error says in a sentence what is wrong, and in properties where and what was seen.

import SpheroControls
import TestSupport
import Testing

@Suite struct ErrorTests {
  @Test func everyColorParsingErrorHasItsSentence() throws {
    let rows: [(String, ColorParsingError.Code, seen: String?, offset: Int?, count: Int?, String)] = [
      (
        "octarine", .unknownName, "octarine", nil, nil,
        "\"octarine\" is not a colour name. Write a name such as \"red\", or #rrggbb."
      ),
      (
        "#ff00", .digitCount, nil, nil, 4,
        "a colour has 3 or 6 hexadecimal digits after the #, not 4. Write #rrggbb or #rgb."
      ),
      (
        "#ff00g0", .notHexadecimal, "g", 5, nil,
        "\"g\" at offset 5 is not a hexadecimal digit. Write #rrggbb or #rgb."
      ),
      (
        "red, blue", .partCount, nil, nil, 2,
        "a colour is one word or three numbers, not 2 words. "
          + "Write red, green and blue as numbers 0...255, a name, or #rrggbb."
      ),
      (
        "255 256 0", .notAByte, "256", nil, nil, "\"256\" is no value for green. Write a number 0...255."
      ),
    ]
    for (text, code, seen, offset, count, sentence) in rows {
      let error = #expect(throws: ColorParsingError.self) { try RGB(parsing: text) }
      #expect(error?.code == code && error?.description == sentence)
      #expect(error?.seen == seen && error?.offset == offset && error?.count == count)
    }
    let codes = try openNames(in: "SpheroControls/Color/ColorParsingError.swift").map(\.text)
    #expect(rows.map { "\($0.1)" } == codes)
  }
}
