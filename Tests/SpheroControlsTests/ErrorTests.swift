// The descriptions and properties of every error.

import SpheroControls
import SpheroOrientation
import TestSupport
import Testing

@Suite struct ErrorTests {
  @Test func descriptionsOfColorParsingErrors() throws {
    let rows: [(String, ColorParsingError, String)] = [
      (
        "octarine", .unknownName("octarine"),
        "'octarine' is not a colour name. Write a name such as 'red', or rrggbb."
      ),
      (
        "#ff00", .digitCount(4),
        "a colour has 3 or 6 hexadecimal digits after the #, not 4. Write #rrggbb or #rgb."
      ),
      (
        "#ff00g0", .notHexadecimal("g", offset: 5),
        "'g' at offset 5 is not a hexadecimal digit. Write #rrggbb or #rgb."
      ),
      (
        "red, blue", .partCount(2),
        "a colour is one word or three numbers, not 2 words. "
          + "Write red, green and blue as numbers 0...255, a name, or rrggbb."
      ),
      (
        "255 256 0", .notAByte("256", of: "green"),
        "'256' is not a value for green. Write a number 0...255."
      ),
    ]
    for (text, error, sentence) in rows {
      #expect(throws: error) { try RGB(parsing: text) }
      #expect(error.description == sentence)
    }
    let cases = try caseNames(of: "ColorParsingError", in: "SpheroControls/Color/RGB.swift")
    #expect(rows.map { caseName(of: $0.1) } == cases)
  }

  @Test func descriptionsOfPathErrors() throws {
    let form = "'x y' in centimetres, to the right and ahead, like '100 -25.5'"
    let rows: [(String, TextLineError.Code, line: Int, text: String, String)] = [
      ("1 2\n1", .unknownLine, 2, "1", "line 2 of the path says '1': write \(form)"),
      (
        "40000 0", .tooFar, 1, "40000 0",
        "line 1 of the path says '40000 0': a coordinate is at most 32000 cm"
      ),
      (
        String(repeating: "1 1\n", count: 10_000), .tooLong, 10_000, "1 1",
        "line 10000 of the path says '1 1': a path has at most 9999 places"
      ),
      ("# none", .empty, 1, "", "the path is empty: each line is \(form)"),
    ]
    for (text, code, line, seen, sentence) in rows {
      let error = #expect(throws: TextLineError.self) { try FloorPath(parsing: text) }
      #expect(error?.code == code && error?.line == line && error?.text == seen)
      #expect(error?.description == sentence)
    }
    // The tests of SpheroModel cover the codes of floors and scripts.
    let codes = try caseNames(of: "Code", in: "SpheroOrientation/Text/TextLine.swift")
    #expect(
      rows.map { "\($0.1)" } == codes.filter { !["unknownRobot", "earlierTime", "tooClose"].contains($0) })
  }
}
