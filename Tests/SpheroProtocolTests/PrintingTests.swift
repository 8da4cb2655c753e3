// Values as JSON, CSV and text, against lines written by hand.

import Foundation
import SpheroProtocol
import TestSupport
import Testing

@Suite(.ownThread) struct PrintingTests {
  private func json(_ value: FieldValue) -> String {
    var bytes: [UInt8] = []
    JSON.append(value, to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  @Test func numbersHaveTheDigitsOfTheirCounts() {
    let sixThousandths = FieldValue.integer(6, Quantity(.init(" s"), perCount: 0.0001))
    let table: [(FieldValue, String)] = [
      (sixThousandths, "0.0006"), (.integer(-7, .count), "-7"), (.integer(0, .count), "0"),
      (.integer(.min, .count), "-9223372036854775808"), (.integer(.max, .count), "9223372036854775807"),
      (.integer(702, .centivolts), "7.02"), (.integer(-5, .centivolts), "-0.05"),
      (.integer(700, .centivolts), "7.00"), (.integer(3, .milliseconds), "0.003"),
      (.integer(4_294_967_295, .milliseconds), "4294967.295"), (.integer(1, .rotationSteps), "0.784"),
      (.integer(1, SensorField.accelX.scale), "0.0002"), (.integer(4096, SensorField.accelX.scale), "1.0000"),
      (.integer(-1, SensorField.gyroRawX.scale), "-0.068"), (.integer(3, SensorField.gyroX.scale), "0.3"),
      (.decimal(0.1 + 0.2, digits: 3), "0.300"), (.decimal(-0.0001, digits: 2), "0.00"),
      // The first of these lie beside a tie, on the side that their last bit determines; the others are ties.
      (.decimal(0.005, digits: 2), "0.01"), (.decimal(0.015, digits: 2), "0.01"),
      (.decimal(-0.055, digits: 2), "-0.06"), (.decimal(0.045, digits: 2), "0.04"),
      (.decimal(0.125, digits: 2), "0.12"), (.decimal(0.375, digits: 2), "0.38"),
      (.decimal(2_251_799_813_685_248.5, digits: 0), "2251799813685248"),
      (.decimal(2_251_799_813_685_249.5, digits: 0), "2251799813685250"),
      (.decimal(2.51, digits: 0), "3"), (.decimal(2.49, digits: 0), "2"),
      (.decimal(2.5, digits: 0), "2"), (.decimal(1e22, digits: 2), "10000000000000000000000"),
      (.decimal(-1.5e300, digits: 0), "-15" + String(repeating: "0", count: 299)),
      (.decimal(9_007_199_254_740_992, digits: 3), "9007199254740992.0"),
      (.decimal(.nan, digits: 3), "null"), (.decimal(-.infinity, digits: 3), "null"),
      (.number(90), "90.0"), (.number(0.05), "0.05"), (.number(1e-7), "0.0000001"),
      (.number(-1.25e-6), "-0.00000125"), (.number(1.5e20), "150000000000000000000"),
      (.number(.nan), "null"), (.number(.infinity), "null"), (.missing, "null"),
    ]
    for (value, text) in table { #expect(json(value) == text) }
  }

  /// A number that is not finite is missing in every format, also one of finite counts and a finite scale.
  @Test func numbersThatAreNotFinite() {
    let huge = Quantity(.volts, perCount: 1e300)
    let values: [FieldValue] = [
      .integer(.max, huge), .integer(.min, huge), .integer(1, Quantity(.volts, perCount: .infinity)),
      .integer(0, Quantity(.volts, perCount: .infinity)), .decimal(.infinity, digits: 2), .number(-.infinity),
    ]
    for value in values {
      #expect(value.number == nil)
      #expect(json(value) == "null")
      #expect(value.description == "")
      for format in [RecordFormat.csv, .text] {
        let field = Field("value", value)
        let text = Sheet.text([field, Field("end", .count(7))], kind: "thing", format)
        #expect(text == (format == .csv ? "value,end\n,7" : "value  \nend    7"))
      }
    }
  }

  /// Every word of the wire in every scale, against whole numbers: count * size * 10^digits, rounded, ties to even.
  @Test(arguments: [
    (1, 1, 0), (1, 10, 1), (1, 100, 2), (1, 1_000, 3), (1, 10_000, 4), (4, 1_000, 3), (68, 1_000, 3),
    (784, 1_000, 3), (1, 4_096, 4), (1, 2, 1), (1, 256, 3), (5, 1, 0), (1, 1_000_000, 6),
  ])
  func everyWordInEveryScale(numerator: Int, denominator: Int, digits: Int) {
    let quantity = Quantity(.init(""), perCount: Double(numerator) / Double(denominator))
    #expect(quantity.digits == digits)
    let power = [1, 10, 100, 1_000, 10_000, 100_000, 1_000_000][digits]
    var bytes: [UInt8] = []
    for word in Int16.min ... .max {
      let product = Int(word).magnitude * UInt(numerator * power)
      var scaled = product / UInt(denominator)
      let twice = product % UInt(denominator) * 2
      if twice > UInt(denominator) || (twice == UInt(denominator) && scaled % 2 == 1) { scaled += 1 }
      var text = "\(scaled % UInt(power))"
      text =
        "\(scaled / UInt(power))"
        + (digits > 0 ? "." + String(repeating: "0", count: digits - text.count) : "")
        + (digits > 0 ? text : "")
      if word < 0, scaled > 0 { text = "-" + text }
      bytes.removeAll(keepingCapacity: true)
      JSON.append(.integer(Int64(word), quantity), to: &bytes)
      if !bytes.elementsEqual(text.utf8) {
        Issue.record("\(word): \(String(decoding: bytes, as: UTF8.self)), not \(text)")
        return
      }
    }
  }

  @Test func largeCounts() {
    let table: [(Int64, Double, String)] = [
      (2_147_483_647, 0.01, "21474836.47"), (-2_147_483_648, 0.001, "-2147483.648"),
      (99_999, 0.01, "999.99"), (999_999, 0.01, "9999.99"), (9_999_999, 0.01, "99999.99"),
      (10_000_000, 0.01, "100000.00"), (4_294_967_296, 0.5, "2147483648.0"), (9_999_999, 1, "9999999"),
      (10_000_000, 1, "10000000"), (3, 1e-9, "0.000000003"),
    ]
    for (count, size, text) in table {
      #expect(json(.integer(count, Quantity(.init(""), perCount: size))) == text)
    }
    #expect(json(.integer(10, Quantity(.init(""), perCount: 1e308))) == "null")
  }

  @Test func whatIsNoNumber() {
    #expect(json(.flag(true)) == "true" && json(.flag(false)) == "false")
    #expect(json(.bytes([])) == #""""# && json(.bytes([0x00, 0x9A, 0xFF])) == #""009aff""#)
    #expect(json(.list([])) == "[]" && json(.record([])) == "{}")
    #expect(json(.list([.integer(1, .count), .list([.missing]), .text("b")])) == #"[1,[null],"b"]"#)
    #expect(json(.choice("low", 3)) == #""low""#, "in a list there is no place for the number")
  }

  @Test func codesHaveTwoMembers() {
    #expect(
      JSON.line([
        Field("powerState", .choice("low", 3)), Field("mode", .choice(nil, 9)),
        Field("kind", .choice(nil, nil)),
        Field("flags", .flags(["a", "bC"], 5)), Field("axes", .flags([], 0)), Field("bits", .flags([], nil)),
      ])
        == #"{"power_state":"low","power_state_code":3,"mode":null,"mode_code":9,"kind":null,"kind_code":null,"#
        + #""flags":["a","bC"],"flags_code":5,"axes":[],"axes_code":0,"bits":null,"bits_code":null}"#)
  }

  @Test(arguments: [
    ("speed", "speed"), ("secondsSinceCharge", "seconds_since_charge"), ("rxBadDid", "rx_bad_did"),
    ("yawP", "yaw_p"), ("value1", "value1"), ("accel_x", "accel_x"), ("mask2Bits", "mask2_bits"),
    ("Speed", "speed"), ("useRGB", "use_rgb"), ("a_B", "a_b"), ("", ""),
  ])
  func keysAreInSnakeCase(name: String, key: String) {
    #expect(Key.text(name) == key)
    #expect(JSON.line([Field(name, .missing)]) == "{\"\(key)\":null}")
  }

  /// No two fields of a message come under one key, with the numbers of codes counted too.
  @Test func keysAreTheirOwn() {
    func check<M: Message>(_ type: M.Type) {
      let keys = M.table.flatMap { row in
        [Key.text(row.name)] + (!row.choices.isEmpty ? [Key.text(row.name) + "_code"] : [])
      }
      #expect(Set(keys).count == keys.count, "\(M.self)")
      #expect(keys.allSatisfy { $0.allSatisfy { "abcdefghijklmnopqrstuvwxyz0123456789_".contains($0) } })
    }
    func both<R: Request>(_ type: R.Type) {
      check(R.self)
      check(R.Response.self)
    }
    for type in Catalogue.commands { both(type) }
    for type in Catalogue.events { check(type) }
  }

  /// Bytes of every kind as they come from the wire: control characters, no UTF-8, ends of lines in JavaScript.
  private static let wire: [UInt8] =
    (0...0x7F) + [0xC3, 0xA9, 0xE2, 0x80, 0xA8, 0xE2, 0x80, 0xA9, 0xE2, 0x80, 0xAA]
    + [0xF0, 0x9F, 0x98, 0x80, 0xFF, 0x41, 0xED, 0xA0, 0x80, 0xC2, 0xA8]

  @Test func stringsAreEscaped() {
    let escaped =
      #""\u0000\u0001\u0002\u0003\u0004\u0005\u0006\u0007\u0008\t\n\u000b\u000c\r\u000e\u000f"#
      + #"\u0010\u0011\u0012\u0013\u0014\u0015\u0016\u0017\u0018\u0019\u001a\u001b\u001c\u001d\u001e\u001f"#
      + ##" !\"#$%&'()*+,-./0123456789:;<=>?@ABCDEFGHIJKLMNOPQRSTUVWXYZ[\\]^_`abcdefghijklmnopqrstuvwxyz{|}~"##
      + #"\u007fé\u2028\u2029"# + "\u{202A}😀\u{FFFD}A\u{FFFD}\u{FFFD}\u{FFFD}\u{A8}\""
    #expect(json(.text("\(WireText(bytes: Self.wire))")) == escaped)
    #expect(json(.text("")) == #""""# && json(.text("\u{A8}")) == "\"\u{A8}\"")
    #expect(JSON.line([Field("a\"\\\n", .missing)]) == #"{"a\"\\\n":null}"#)
  }

  /// Bytes are printed several at once: every byte, at every place, in every length.
  @Test func everyByteHasItsDigits() {
    let digits = Array("0123456789abcdef")
    for count in 0...9 {
      for byte in 0...255 {
        let bytes = (0..<count).map { UInt8(truncatingIfNeeded: byte + 37 * $0) }
        let text = bytes.map { "\(digits[Int($0) / 16])\(digits[Int($0) % 16])" }.joined()
        #expect(json(.bytes(bytes)) == "\"\(text)\"")
      }
    }
  }

  /// What must be escaped or quoted is looked for in several bytes at once: it is found at every place.
  @Test func whatIsOddIsFoundAtEveryPlace() {
    for count in 1...40 {
      for place in 0..<count {
        let (front, back) = (
          String(repeating: "a", count: place), String(repeating: "z", count: count - 1 - place)
        )
        #expect(json(.text("\(front)\"\(back)")) == "\"\(front)\\\"\(back)\"")
        #expect(json(.text("\(front)\u{1F}\(back)")) == "\"\(front)\\u001f\(back)\"")
        #expect(json(.text("\(front)~\(back)")) == "\"\(front)~\(back)\"")
        #expect(JSON.line([Field("x\(front)B\(back)", .missing)]) == "{\"x\(front)_b\(back)\":null}")
        var printer = RecordPrinter(.csv, kind: "", columns: [Column("a")])
        #expect(printer.text([.text("\(front),\(back)")]) == "a\n\"\(front),\(back)\"")
      }
    }
  }

  /// Another program reads the same characters.
  @Test func anotherReaderAgrees() throws {
    let text = "\(WireText(bytes: Self.wire))"
    let line = JSON.line([Field("text", .text(text))])
    let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: String]
    #expect(object == ["text": text])
    let python = Process()
    python.executableURL = URL(filePath: "/usr/bin/env")
    let script = "import json,sys; print(*map(ord, json.loads(sys.argv[1])['text']))"
    python.arguments = ["python3", "-c", script, line]
    let output = Pipe()
    (python.standardOutput, python.standardError) = (output, FileHandle.nullDevice)
    try python.start()
    let said = String(decoding: try output.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
    python.waitUntilExit()
    // 127: there is no Python here.
    guard python.terminationStatus != 127 else { return }
    #expect(said == text.unicodeScalars.map { "\($0.value)" }.joined(separator: " ") + "\n")
  }

  private static let columns = [
    Column("time", .seconds), Column("turningRate", .degreesPerSecond), Column("name"), Column("isOn"),
  ]

  private static let rows: [[FieldValue]] = [
    [.seconds(.milliseconds(50), digits: 3), .integer(15, SensorField.gyroX.scale), .text("a"), .flag(true)],
    [.missing, .decimal(.nan, digits: 1), .text("b, \"c\"\n"), .flag(false)],
  ]

  private func lines(_ format: RecordFormat) -> [String] {
    var printer = RecordPrinter(format, kind: "thing", columns: Self.columns)
    return Self.rows.map { printer.text($0) }
  }

  @Test func recordsWithTheSameColumns() {
    #expect(
      lines(.json) == [
        #"{"kind":"thing","time":0.050,"turning_rate":1.5,"name":"a","is_on":true}"#,
        #"{"kind":"thing","time":null,"turning_rate":null,"name":"b, \"c\"\n","is_on":false}"#,
      ])
    #expect(
      lines(.csv) == [
        "time_s,turning_rate_deg_s,name,is_on\n0.050,1.5,a,true", ",,\"b, \"\"c\"\"\n\",false",
      ])
    #expect(
      lines(.text).first
        == "  time_s  turning_rate_deg_s      name     is_on\n   0.050                 1.5  a             true"
    )
  }

  /// Words of samples go into a line at once; what is missing, in counts or long stands among them.
  @Test func wordsOfASampleInARow() {
    let accelerations = SensorField.accelX.scale
    let words = [
      WordColumn(place: nil, scale: .count), WordColumn(place: 0, scale: accelerations),
      WordColumn(place: 2, scale: .count), WordColumn(place: 1, scale: Quantity(.init(""), perCount: 1e-9)),
      WordColumn(place: nil, scale: accelerations), WordColumn(place: 1, scale: accelerations),
      WordColumn(place: 2, scale: accelerations),
    ]
    let sample = Sample(mask: .accel, words: [4_096, -1, -32_768])
    func line(_ format: RecordFormat, _ time: Duration? = nil) -> Substring? {
      let columns =
        (time == nil ? [] : [Column("t", .seconds)]) + ["a", "b", "c", "d", "e", "f"].map { Column($0) }
      var printer = RecordPrinter(format, kind: "thing", columns: columns)
      var line: [UInt8] = []
      printer.append(to: &line) { row in
        if let time { row.add(time, digits: 4) }
        row.add(sample.words, words)
      }
      return String(decoding: line, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
        .last
    }
    // A seventh word has no column.
    #expect(line(.csv) == ",1.0000,-32768,-0.000000001,,-0.0002")
    #expect(line(.csv, .microseconds(-2_500)) == "-0.0025,,1.0000,-32768,-0.000000001,,-0.0002")
    #expect(
      line(.json, .milliseconds(50))
        == #"{"kind":"thing","t":0.0500,"a":null,"b":1.0000,"c":-32768,"d":-0.000000001,"e":null,"f":-0.0002}"#
    )
    #expect(line(.text) == "            1.0000    -32768  -0.000000001             -0.0002")
  }

  /// Every word in every scale that a sensor has, in a line at once and as a value alone.
  @Test func everyWordOfEverySensorInARow() {
    for scale in Set(SensorField.allCases.map(\.scale)) {
      var printer = RecordPrinter(.csv, kind: "thing", columns: [Column("a"), Column("b")])
      _ = printer.headerLine()
      let column = WordColumn(place: 0, scale: scale)
      for word in Int16.min ... .max {
        var (line, alone): ([UInt8], [UInt8]) = ([], [])
        let sample = Sample(mask: SensorMask(.yaw), words: [word])
        printer.append(to: &line) { $0.add(sample.words, [column, column]) }
        JSON.append(.integer(Int64(word), scale), to: &alone)
        guard line == alone + [UInt8(ascii: ",")] + alone else {
          Issue.record("\(word) of \(scale): \(String(decoding: line, as: UTF8.self))")
          break
        }
      }
    }
  }

  /// A table has one header, before its first record or on request.
  @Test func theHeaderPrecedesOnlyTheFirstRecord() {
    var printer = RecordPrinter(.csv, kind: "thing", columns: [Column("a")])
    #expect(printer.headerLine() == Array("a\n".utf8))
    #expect(printer.headerLine().isEmpty)
    #expect(printer.text([.count(1)]) == "1")
    var other = RecordPrinter(.csv, kind: "thing", columns: [Column("a")])
    #expect(other.text([.count(1)]) == "a\n1")
    #expect(other.text([.count(2)]) == "2")
    #expect(other.headerLine().isEmpty)
  }

  /// A robot's name must not control the terminal on which it is printed.
  @Test func controlCharactersAreEscapedForPeople() {
    let name = "A\u{1B}]0;x\u{7}\n\u{9B}2J\"\\"
    let text = Sheet.text([Field("name", .text(name))], kind: "robot", .text)
    #expect(text == #"name  A\u{1b}]0;x\u{7}\n\u{9b}2J"\"#)
    var printer = RecordPrinter(.text, kind: "robot", columns: [Column("name")])
    #expect(printer.text([.text(name)]).split(separator: "\n").last == #"A\u{1b}]0;x\u{7}\n\u{9b}2J"\"#)
    // Characters that change the writing direction could disguise the rest of the line.
    #expect(
      FieldValue.text("\u{61C}\u{200F}\u{202E}\u{2067}").printable == #"\u{61c}\u{200f}\u{202e}\u{2067}"#)
  }

  @Test func oneRecordAsASheet() {
    let fields = [
      Field("name", .text("Zoe, the ball")), Field("powerState", .choice("low", 3)),
      Field("voltage", .centivolts, counts: 702), Field("charge", .centivolts, counts: nil),
      Field("flags", .flags(["a", "b"], 3)), Field("mode", .choice(nil, 0x1F)),
    ]
    #expect(
      Sheet.text(fields, kind: "info", .json)
        == #"{"kind":"info","name":"Zoe, the ball","power_state":"low","power_state_code":3,"voltage":7.02,"#
        + #""charge":null,"flags":["a","b"],"flags_code":3,"mode":null,"mode_code":31}"#)
    #expect(
      Sheet.text(fields, kind: "info", .csv)
        == "name,power_state,power_state_code,voltage_V,charge_V,flags,flags_code,mode,mode_code\n"
        + "\"Zoe, the ball\",low,3,7.02,,a+b,3,,31")
    #expect(
      Sheet.text(fields, kind: "info", .text) == """
        name         Zoe, the ball
        power_state  low
        voltage      7.02 V
        flags        a+b
        mode         unknown 1Fh
        """)
  }
}
