// The JSON form of a dissected packet, and its members as values.

extension Dissection {
  /// A JSON object on one line; `Docs/JSON.md` lists its members.
  public var json: String { String.text { append(json: &$0) } }

  package func append(json line: inout [UInt8]) { JSON.object(in: &line) { visit(&$0) } }

  package var record: [Field] { Self.fields { visit(&$0) } }

  /// The members of ``json`` that do not depend on the recording; none for discarded bytes.
  package var message: [Field] { Self.fields { visitMessage(&$0) } }

  private static func fields(_ visit: (inout FieldCollector) -> Void) -> [Field] {
    var collector = FieldCollector()
    visit(&collector)
    return collector.fields
  }

  private func visit(_ visitor: inout some FieldVisitor) {
    visitor.field(.kind, .text(kind.rawValue))
    visitor.field(.time, .seconds(time))
    visitor.field(.from, .text(sender.rawValue))
    visitMessage(&visitor)
    visitor.field(.offset, .count(offset))
    visitor.field(.bytes, .bytes(bytes))
  }

  private func visitMessage(_ visitor: inout some FieldVisitor) {
    guard let packet else { return }
    visitor.field(.name, .text(name))
    switch packet {
    case .command(let packet):
      Self.visit(packet.id, &visitor)
      visitor.field(Field("options", .flags(packet.options.names, Int64(packet.options.sop2))))
      visitor.field(.sequence, .count(packet.sequence))
    case .response(let packet):
      Self.visit(answered, &visitor)
      visitor.field(.sequence, .count(packet.sequence))
      visitor.field(Field("status", .code(packet.status)))
    case .event(let packet):
      visitor.field(.event, .count(packet.id.rawValue))
    }
    visitor.record(.fields, fields)
    visitor.field(.payload, .bytes(packet.payload))
    let parts = fields.filter { !$0.parts.isEmpty }
    if !parts.isEmpty {
      visitor.field(Field("parts", .record(parts.map { Field($0.name, .list($0.parts.map { $0.record })) })))
    }
    if !remarks.isEmpty {
      visitor.field(Field("remarks", .list(remarks.map { .text("\($0)") })))
    }
    if !samples.isEmpty { visitor.samples(.samples, samples) }
  }

  private static func visit(_ id: CommandID?, _ visitor: inout some FieldVisitor) {
    visitor.field(Field("device", id.map { .count($0.device) } ?? .missing))
    visitor.field(Field("command", id.map { .count($0.command) } ?? .missing))
  }
}

extension FieldDescription {
  /// A part of a field: its range in the payload, its value, and its own parts by name.
  fileprivate var record: FieldValue {
    let fields = [
      Field("name", .text(name)), Field("offset", .count(range.lowerBound)),
      Field("count", .count(range.count)), Field("value", value),
    ]
    return .record(parts.isEmpty ? fields : fields + [Field("fields", .record(parts.map { Field($0) }))])
  }
}

extension Member {
  static let kind = Member("kind")
  static let time = Member("time", .seconds)
  static let from = Member("from")
  static let name = Member("name")
  static let sequence = Member("sequence")
  static let event = Member("event")
  static let fields = Member("fields")
  static let payload = Member("payload")
  static let samples = Member("samples")
  static let offset = Member("offset")
  static let bytes = Member("bytes")
}

protocol FieldVisitor {
  mutating func field(_ field: Field)
  mutating func field(_ member: Member, _ value: FieldValue)
  mutating func record(_ member: Member, _ fields: [FieldDescription])
  mutating func samples(_ member: Member, _ samples: [Sample])
}

struct FieldCollector: FieldVisitor {
  private(set) var fields: [Field] = []

  mutating func field(_ field: Field) { fields.append(field) }

  mutating func field(_ member: Member, _ value: FieldValue) {
    field(Field(member.text, member.unit, value))
  }

  mutating func record(_ member: Member, _ fields: [FieldDescription]) {
    field(member, .record(fields.map { Field($0) }))
  }

  mutating func samples(_ member: Member, _ samples: [Sample]) {
    field(member, .list(samples.map { .record($0.fields) }))
  }
}

/// The texts around the value of a sensor field, as ranges of one shared text.
struct SensorWords: Sendable {
  /// A comma and the JSON key with its colon.
  let key: Range<Int>
  /// A space, the name and an equals sign.
  let label: Range<Int>
  let unit: Range<Int>
  let scale: Quantity

  private init(_ field: SensorField, _ text: inout [UInt8]) {
    let start = text.count
    text.append(UInt8(ascii: ","))
    JSON.append(key: field.name, to: &text)
    key = start..<text.count
    text += " \(field.name)=".utf8
    label = key.upperBound..<text.count
    text += "\(field.scale.unit.symbol)".utf8
    unit = label.upperBound..<text.count
    scale = field.scale
  }

  static let all: (byBit: ContiguousArray<SensorWords?>, text: ContiguousArray<UInt8>) = {
    var text: [UInt8] = []
    let byBit = (0..<64).map { SensorField(rawValue: $0).map { SensorWords($0, &text) } }
    return (ContiguousArray(byBit), ContiguousArray(text))
  }()
}

extension Sample {
  /// Appends the known fields in wire order. `parts` selects the text before and after a value, of which the first field
  /// omits the leading comma or space.
  @inline(__always) func append(to bytes: inout [UInt8], _ parts: (SensorWords) -> (Range<Int>, Range<Int>)) {
    let all = SensorWords.all
    let (known, text) = (all.byBit.span, all.text.span)
    // The bits that remain, the index of the next word, and the number of leading characters to omit.
    var (rest, place, skipped) = (mask.rawValue, 0, 1)
    while rest != 0 {
      let bit = 63 &- rest.leadingZeroBitCount
      rest ^= 1 &<< UInt64(bit)
      if let field = known[bit] {
        let (head, tail) = parts(field)
        bytes.append(text.extracting((head.lowerBound &+ skipped)..<head.upperBound))
        Decimal.append(Int64(rawWord(at: place)), of: field.scale, to: &bytes)
        if !tail.isEmpty { bytes.append(text.extracting(tail)) }
        skipped = 0
      }
      place &+= 1
    }
  }

  func append(readable bytes: inout [UInt8]) { append(to: &bytes) { ($0.label, $0.unit) } }

  func append(json bytes: inout [UInt8]) {
    bytes.append(UInt8(ascii: "{"))
    append(to: &bytes) { ($0.key, 0..<0) }
    bytes.append(UInt8(ascii: "}"))
  }

  var fields: [Field] {
    mask.fields.map { Field($0.name, $0.scale, counts: word($0).map { Int64($0) }) }
  }
}

extension JSONMembers: FieldVisitor {
  mutating func record(_ member: Member, _ fields: [FieldDescription]) {
    begin(member)
    JSON.object(in: &bytes) { for field in fields { $0.field(Field(field)) } }
  }

  mutating func samples(_ member: Member, _ samples: [Sample]) {
    begin(member)
    JSON.append(list: samples, to: &bytes) { $0.append(json: &$1) }
  }
}

extension Field {
  /// Converts the field of a message.
  public init(_ field: FieldDescription) {
    var unit = Quantity.Unit.one
    if case .integer(_, let quantity) = field.value { unit = quantity.unit }
    self.init(field.name, unit, field.value)
  }
}

extension FieldValue {
  /// The value of a code or of option bits; nil gives a value without names and without a number.
  package static func code<Code: WireChoice>(_ code: Code?) -> FieldValue {
    if let code { return Code.described(code.rawValue) }
    return Code.isFlags ? .flags([], nil) : .choice(nil, nil)
  }
}
