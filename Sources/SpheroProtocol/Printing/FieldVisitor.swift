// What is told of something, field by field: said once, and printed or collected by whoever visits it.

/// Takes what is told of a message or a sample, in the order in which it is told.
package protocol FieldVisitor {
  /// Takes a value.
  mutating func field(_ field: Field)
  /// Takes the fields of a message as one value.
  mutating func record(_ name: String, _ fields: [FieldDescription])
  /// Takes samples as one value.
  mutating func samples(_ name: String, _ samples: [Sample])
}

/// Collects the fields as values.
package struct FieldCollector: FieldVisitor {
  /// The fields so far.
  package private(set) var fields: [Field] = []

  /// Starts with no fields.
  package init() {}

  /// Adds a value.
  package mutating func field(_ field: Field) { fields.append(field) }

  /// Adds the fields of a message.
  package mutating func record(_ name: String, _ fields: [FieldDescription]) {
    field(Field(name, .record(fields.map { Field($0) })))
  }

  /// Adds samples.
  package mutating func samples(_ name: String, _ samples: [Sample]) {
    field(Field(name, .list(samples.map { $0.record })))
  }
}

/// What stands around the words of a sensor field in every sample.
struct SensorWords: Sendable {
  /// The key of JSON, with its colon.
  let key: [UInt8]
  /// The name and an equals sign, as people read them.
  let label: [UInt8]
  /// What stands behind the value.
  let unit: [UInt8]
  /// What a count is.
  let scale: Quantity

  private init(_ field: SensorField) {
    var key: [UInt8] = []
    JSON.append(key: field.name, to: &key)
    self.key = key
    label = Array("\(field.name)=".utf8)
    unit = Array("\(field.scale.unit.symbol)".utf8)
    scale = field.scale
  }

  /// By the bit of the field; made once.
  static let byBit: [SensorWords?] = (0..<64).map { SensorField(rawValue: $0).map { SensorWords($0) } }
}

extension Sample {
  /// Visits the known fields in the order of the wire, each with its word.
  func forEachWord(_ body: (SensorWords, Int16) -> Void) {
    let known = SensorWords.byBit
    var (rest, place) = (mask.rawValue, 0)
    while rest != 0 {
      let bit = 63 - rest.leadingZeroBitCount
      rest ^= 1 << UInt64(bit)
      if let field = known[bit] { body(field, rawWord(at: place)) }
      place += 1
    }
  }

  /// The values by name.
  fileprivate var record: FieldValue {
    .record(
      mask.fields.compactMap { field in
        word(field).map { Field(field.name, field.scale.unit, .integer(Int64($0), field.scale)) }
      })
  }

  /// Appends each field with its unit: `accel_x=0.0120 g yaw=-90°`.
  func append(readable bytes: inout [UInt8]) {
    var isFirst = true
    forEachWord { field, word in
      if !isFirst { bytes.append(UInt8(ascii: " ")) }
      isFirst = false
      bytes += field.label
      Decimal.append(Int64(word), of: field.scale, to: &bytes)
      bytes += field.unit
    }
  }
}
