// Tables on a terminal, against lines written by hand.

import SpheroProtocol
import TestSupport
import Testing

@Suite(.ownThread) struct FittedTableTests {
  private static let columns =
    [Column("time", .seconds)]
    + ["x", "y", "z"].map { Column("accel_\($0)", .g) }
    + ["pitch", "roll", "yaw"].map { Column($0, .degrees) }
    + (0...3).map { Column("q\($0)") }

  private static func values(at time: Double, yaw: Int = -179) -> [FieldValue] {
    [.decimal(time, digits: 3)] + [2, 6, -4108].map { .integer($0, SensorField.accelX.scale) }
      + [0, 1, yaw].map { .integer(Int64($0), .degrees) }
      + [10_000, -5, 0, 7].map { .integer($0, SensorField.q0.scale) }
  }

  private func lines(
    _ table: inout FittedTable, _ values: [FieldValue], width: Int, height: Int? = nil
  ) -> [String] {
    var bytes: [UInt8] = []
    table.append(values, width: width, height: height, to: &bytes)
    return String(decoding: bytes, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
      .map(String.init)
  }

  /// The lines of the first record with its header.
  private func lines(_ values: [FieldValue], width: Int) -> [String] {
    var table = FittedTable(columns: Self.columns)
    return lines(&table, values, width: width)
  }

  @Test func tableThatFitsHasTheFormOfPipes() {
    var records = RecordPrinter(.text, kind: "sample", columns: Self.columns)
    let text = records.text(Self.values(at: 0.05))
    #expect(text.split(separator: "\n").map(\.count) == [112, 112])
    #expect(lines(Self.values(at: 0.05), width: 113).joined(separator: "\n") == text)
  }

  @Test func headerHasTwoLinesIfOneIsTooLong() {
    #expect(
      lines(Self.values(at: 0.05), width: 112) == [
        "   time  accel_g                    pitch  roll   yaw",
        "      s        x        y        z    deg   deg   deg       q0       q1       q2       q3",
        "  0.050   0.0005   0.0015  -1.0029      0     1  -179   1.0000  -0.0005   0.0000   0.0007",
      ])
  }

  @Test func allDigitsFitEightyColumns() {
    let lines = lines(Self.values(at: 0.05), width: 80)
    #expect(
      lines == [
        "   time accel_g                 pitch roll  yaw",
        "      s       x       y       z   deg  deg  deg      q0      q1      q2      q3",
        "  0.050  0.0005  0.0015 -1.0029     0    1 -179  1.0000 -0.0005  0.0000  0.0007",
      ])
    #expect(lines.allSatisfy { $0.count < 80 })
  }

  @Test func narrowTableHasFewerDigits() {
    #expect(
      lines(Self.values(at: 0.05), width: 73) == [
        "   time accel_g              pitch roll  yaw",
        "      s      x      y      z   deg  deg  deg     q0     q1     q2     q3",
        "  0.050  0.000  0.001 -1.003     0    1 -179  1.000 -0.001  0.000  0.001",
      ])
  }

  @Test func timesKeepTheirDigits() {
    #expect(
      lines(Self.values(at: 0.05), width: 66).last
        == "  0.050  0.00  0.00 -1.00     0    1 -179  1.00  0.00  0.00  0.00")
    var table = FittedTable(columns: [Column("robot")] + Self.columns)
    table.reserve([.text("sim:seed=2")])
    let first = lines(&table, [.text("sim:")] + Self.values(at: 0), width: 80)
    #expect(first.count == 3 && first.allSatisfy { $0.count < 80 })
    #expect(
      lines(&table, [.text("sim:seed=2")] + Self.values(at: 0.025), width: 80).map { $0.prefix(18) } == [
        "sim:seed=2   0.025"
      ])
  }

  /// Without room for two decimals, a record takes several lines, which begin after the first column.
  @Test func recordWrapsBetweenGroups() {
    #expect(
      lines(Self.values(at: 0.05), width: 40) == [
        "   time  accel_g",
        "      s        x        y        z",
        "         pitch  roll   yaw",
        "           deg   deg   deg",
        "              q0       q1       q2       q3",
        "  0.050   0.0005   0.0015  -1.0029",
        "             0     1  -179",
        "          1.0000  -0.0005   0.0000   0.0007",
      ])
  }

  @Test func headerAppearsAgainWhenItHasScrolledAway() {
    var table = FittedTable(columns: Self.columns)
    let counts = (0..<7).map { lines(&table, Self.values(at: Double($0)), width: 80, height: 5).count }
    #expect(counts == [3, 1, 1, 1, 1, 1, 1])
    var taller = FittedTable(columns: Self.columns)
    // Two lines of the header and five records leave the line of the cursor.
    let next = (0..<7).map { lines(&taller, Self.values(at: Double($0)), width: 80, height: 8).count }
    #expect(next == [3, 1, 1, 1, 1, 3, 1])
    var endless = FittedTable(columns: Self.columns)
    let countWithoutHeight = (0..<99).reduce(0) {
      $0 + lines(&endless, Self.values(at: Double($1)), width: 80).count
    }
    #expect(countWithoutHeight == 101)
  }

  @Test func resizingAndLongerValuesRepeatTheHeader() {
    var table = FittedTable(columns: Self.columns)
    #expect(lines(&table, Self.values(at: 1), width: 80).count == 3)
    #expect(lines(&table, Self.values(at: 2), width: 120).first?.hasPrefix("  time_s  accel_x_g") == true)
    #expect(lines(&table, Self.values(at: 3), width: 80).count == 3)
    // The time has one digit more, which takes a decimal from others; the columns then stay.
    let late = lines(&table, Self.values(at: 1_000), width: 80)
    #expect(late.count == 3 && late[2].hasPrefix("1000.000  0.000  0.001 -1.003"))
    let earlier = " 999.000" + String(late[2].dropFirst(8))
    #expect(lines(&table, Self.values(at: 999), width: 80) == [earlier])
    for yaw in [0, 180, -180] { #expect(lines(&table, Self.values(at: 4, yaw: yaw), width: 80).count == 1) }
  }

  @Test func countsHaveRoomForSixteenBits() {
    var table = FittedTable(columns: [Column("x"), Column("from", .degrees)])
    #expect(
      lines(&table, [.count(0), .decimal(7, digits: 0)], width: 14) == [
        "     x  from", "         deg", "     0     7",
      ])
    #expect(lines(&table, [.count(-32_768), .decimal(-180, digits: 0)], width: 14) == ["-32768  -180"])
  }

  @Test func textsAreLeftAndMissingValuesBlank() {
    var table = FittedTable(columns: [Column("robot"), Column("x_magnitude"), Column("from", .degrees)])
    #expect(
      lines(&table, [.text("tcp:host:4000\u{1B}"), .count(300), .missing], width: 40) == [
        "robot                        x  from",
        "                     magnitude   deg",
        "tcp:host:4000\\u{1b}        300",
      ])
    var late = FittedTable(columns: [Column("event"), Column("n")])
    #expect(lines(&late, [.missing, .count(1)], width: 40).last == String(repeating: " ", count: 17) + "1")
    #expect(
      lines(&late, [.text("on"), .count(2)], width: 40).last == "on" + String(repeating: " ", count: 15) + "2"
    )
  }
}
