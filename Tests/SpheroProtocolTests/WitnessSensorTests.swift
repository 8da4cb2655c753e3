// Sensor fields and groups against literal masks, typed from section (e) of the documents.

import SpheroProtocol
import TestSupport
import Testing

@Suite(.ownThread) struct WitnessSensorTests {
  /// Name, MASK, MASK2, the scale of a count, and the unit.
  static let table:
    [(field: SensorField, name: String, mask: UInt32, mask2: UInt32, count: Double, unit: String)] = [
      (.accelRawX, "accel_raw_x", 0x8000_0000, 0, 0.004, "g"),
      (.accelRawY, "accel_raw_y", 0x4000_0000, 0, 0.004, "g"),
      (.accelRawZ, "accel_raw_z", 0x2000_0000, 0, 0.004, "g"),
      (.gyroRawX, "gyro_raw_x", 0x1000_0000, 0, 0.068, "deg_s"),
      (.gyroRawY, "gyro_raw_y", 0x0800_0000, 0, 0.068, "deg_s"),
      (.gyroRawZ, "gyro_raw_z", 0x0400_0000, 0, 0.068, "deg_s"),
      (.emfRawRight, "emf_raw_right", 0x0040_0000, 0, 1, ""),
      (.emfRawLeft, "emf_raw_left", 0x0020_0000, 0, 1, ""),
      (.pwmLeft, "pwm_left", 0x0010_0000, 0, 1, ""), (.pwmRight, "pwm_right", 0x0008_0000, 0, 1, ""),
      (.pitch, "pitch", 0x0004_0000, 0, 1, "deg"), (.roll, "roll", 0x0002_0000, 0, 1, "deg"),
      (.yaw, "yaw", 0x0001_0000, 0, 1, "deg"),
      (.accelX, "accel_x", 0x0000_8000, 0, 0.000244140625, "g"),
      (.accelY, "accel_y", 0x0000_4000, 0, 0.000244140625, "g"),
      (.accelZ, "accel_z", 0x0000_2000, 0, 0.000244140625, "g"),
      (.gyroX, "gyro_x", 0x0000_1000, 0, 0.1, "deg_s"), (.gyroY, "gyro_y", 0x0000_0800, 0, 0.1, "deg_s"),
      (.gyroZ, "gyro_z", 0x0000_0400, 0, 0.1, "deg_s"),
      (.emfRight, "emf_right", 0x0000_0040, 0, 1, ""), (.emfLeft, "emf_left", 0x0000_0020, 0, 1, ""),
      (.q0, "q0", 0, 0x8000_0000, 0.0001, ""), (.q1, "q1", 0, 0x4000_0000, 0.0001, ""),
      (.q2, "q2", 0, 0x2000_0000, 0.0001, ""), (.q3, "q3", 0, 0x1000_0000, 0.0001, ""),
      (.odometerX, "odometer_x", 0, 0x0800_0000, 1, "cm"),
      (.odometerY, "odometer_y", 0, 0x0400_0000, 1, "cm"),
      (.accelOne, "accel_one", 0, 0x0200_0000, 0.01, "g"),
      (.velocityX, "velocity_x", 0, 0x0100_0000, 1, "mm_s"),
      (.velocityY, "velocity_y", 0, 0x0080_0000, 1, "mm_s"),
      (.speed, "speed", 0, 0x0040_0000, 1, "mm_s"),
    ]

  @Test func fields() {
    #expect(SensorField.allCases.count == Self.table.count)
    for row in Self.table {
      let mask = SensorMask(row.field)
      #expect(mask.mask == row.mask && mask.mask2 == row.mask2, "\(row.name)")
      #expect(row.field.name == row.name)
      #expect(row.field.scale.perCount == row.count, "\(row.name)")
      #expect(row.field.scale.unit.name == row.unit, "\(row.name)")
    }
  }

  @Test func groups() throws {
    let table: [(name: String, mask: UInt32, mask2: UInt32)] = [
      ("accel", 0x0000_E000, 0), ("gyro", 0x0000_1C00, 0), ("imu", 0x0007_0000, 0), ("quat", 0, 0xF000_0000),
      ("emf", 0x0000_0060, 0), ("pwm", 0x0018_0000, 0), ("accel-raw", 0xE000_0000, 0),
      ("gyro-raw", 0x1C00_0000, 0),
      ("emf-raw", 0x0060_0000, 0), ("odometer", 0, 0x0C00_0000), ("velocity", 0, 0x0180_0000),
      ("locator", 0, 0x0D80_0000), ("accel-one", 0, 0x0200_0000), ("all", 0xFC7F_FC60, 0xFF80_0000),
    ]
    #expect(SensorMask.groups.map { $0.key } == table.map(\.name))
    for row in table {
      let mask = try SensorMask(parsing: row.name)
      #expect(mask.mask == row.mask && mask.mask2 == row.mask2, "\(row.name)")
    }
    #expect(SensorMask.all.wordCount == 30)
  }

  @Test(arguments: [
    "0x", "0x+00070000", "0x-0", "0x00070000:", "0x00070000:-0", "0x1:2:3", "0x100000000", "0x 1",
    "ac cel", "accel- x",
  ])
  func aMaskHasOnlyDigits(text: String) {
    #expect(throws: MaskError.unknownName(text)) { try SensorMask(parsing: text) }
  }

  @Test func spacesSeparateWordsFromCommas() throws {
    #expect(try SensorMask(parsing: " accel , gyro") == [.accel, .gyro])
  }

  /// A frame of all fields, in which each word is its position from 1: bytes typed by hand, in the order of the document.
  @Test func wordsHaveTheOrderOfTheDocument() throws {
    let payload = bytes(
      "0001 0002 0003 0004 0005 0006 0007 0008 0009 000A 000B 000C 000D 000E 000F 0010 0011 0012 0013 0014 0015"
        + "0016 0017 0018 0019 001A 001B 001C 001D 001E 001F")
    let mask = SensorMask(mask: 0xFC7F_FC60, mask2: 0xFFC0_0000)
    let sample = try #require(Sample.samples(in: payload, mask: mask, frames: 1)?.first)
    for (index, row) in Self.table.enumerated() {
      #expect(sample.word(row.field) == Int16(index + 1), "\(row.name)")
      #expect(sample[row.field] == Double(index + 1) * row.count, "\(row.name)")
    }
    #expect(Sensing.SensorData([sample]).frames == payload)
  }

  /// Every field alone with extreme words, and the scale typed for it.
  @Test func valuesAreWordsTimesTheScaleOfTheDocument() {
    for row in Self.table {
      let layout = SampleLayout(SensorMask(row.field))
      #expect(layout.columns == [row.field] && layout.byteCount == 2)
      for (text, word) in [("0000", 0.0), ("0001", 1), ("7FFF", 32_767), ("8000", -32_768), ("FFFF", -1)] {
        var values: [Double] = []
        let count = layout.read(bytes(text).span, into: &values)
        #expect(count == 1 && values == [word * row.count], "\(row.name) \(text)")
      }
    }
  }

  /// Frames of all lengths, since words are read eight at a time: word n is n, and its negative in the second frame.
  @Test func framesOfEveryLengthAreRead() throws {
    for count in 1...Self.table.count {
      let rows = Self.table.suffix(count)
      let layout = SampleLayout(rows.reduce(into: SensorMask()) { $0.formUnion(SensorMask($1.field)) })
      let first: [UInt8] = (1...count).flatMap { [0, UInt8($0)] }
      let second: [UInt8] = (1...count).flatMap { [0xFF, UInt8(256 - $0)] }
      let payload = first + second
      #expect(layout.columns == rows.map(\.field) && layout.byteCount == 2 * count)
      let frames = layout.frameCount(in: payload.span)
      #expect(frames == 2)
      var values: [Double] = [7]
      let one = layout.read(first.span, into: &values)
      let (older, newer) = (
        zip(1..., rows).map { Double($0) * $1.count }, zip(1..., rows).map { Double(-$0) * $1.count }
      )
      #expect(one == 1 && values == older)
      let three = layout.read((payload + first).span, into: &values)
      #expect(three == 3 && values == older + newer + older)
      let decoded = layout.sample(in: payload.span, frame: 1)
      let sample = try #require(decoded)
      #expect(sample.rawWords == (1...count).map { Int16(-$0) })
      #expect(rows.compactMap { sample[$0.field] } == newer)
    }
  }

  @Test func otherPayloadsAreNotRead() {
    let layout = SampleLayout([.imu])
    let lengths: [(length: Int, count: Int?)] = [(0, nil), (5, nil), (7, nil), (6, 1), (18, 3)]
    for (length, count) in lengths {
      let payload = [UInt8](repeating: 1, count: length)
      let frames = layout.frameCount(in: payload.span)
      #expect(frames == count)
      var values: [Double] = [7]
      let read = layout.read(payload.span, into: &values)
      #expect(read == count)
      #expect(values == (count == nil ? [7] : Array(repeating: 257, count: length / 2)))
      for frame in [.min, -1, count ?? 0, .max / 6, .max] {
        let sample = layout.sample(in: payload.span, frame: frame)
        #expect(sample == nil)
      }
    }
    var values: [Double] = []
    let byte: [UInt8] = [1]
    let read = SampleLayout([]).read(byte.span, into: &values)
    #expect(read == nil && values.isEmpty)
  }

  /// A robot sends words for reserved bits of the masks, too; their meaning is unknown.
  @Test func reservedWordsAreCounts() {
    let layout = SampleLayout(SensorMask(mask: 0xFFFF_FFFF, mask2: 0xFFC0_0000))
    #expect(layout.columns.count == 42 && layout.columns.count { $0 == nil } == 11)
    // Bits 57 to 55 of the concatenated masks are reserved, between gyro_raw_z and emf_raw_right.
    #expect(Array(layout.columns[5...9]) == [.gyroRawZ, nil, nil, nil, .emfRawRight])
    var values: [Double] = []
    let payload: [UInt8] = (1...42).flatMap { [0, $0] }
    let frames = layout.read(payload.span, into: &values)
    #expect(frames == 1 && Array(values[5...9]) == [6 * 0.068, 7, 8, 9, 10])
  }
}
