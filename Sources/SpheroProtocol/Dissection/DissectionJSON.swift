// The JSON form of a dissected packet.

extension Dissection {
  /// A JSON object on one line; `Docs/JSON.md` lists its members.
  public var json: String { String.text { append(json: &$0) } }

  package func append(json line: inout [UInt8]) { JSON.object(in: &line) { visit(&$0) } }

  /// The members of ``json``.
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
