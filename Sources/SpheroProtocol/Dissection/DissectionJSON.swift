// A dissected packet as values by name, and as an object of JSON on one line.

extension Dissection {
  /// One object of JSON, on one line; `Docs/JSON.md` lists its members.
  public var json: String {
    var line: [UInt8] = []
    append(json: &line)
    return String(decoding: line, as: UTF8.self)
  }

  /// Appends the object that ``json`` is.
  package func append(json line: inout [UInt8]) { JSON.object(in: &line) { visit(&$0) } }

  /// What is reported of an item of a recording: when, by whom, what it means, and where its bytes lie.
  package var record: [Field] {
    var collector = FieldCollector()
    visit(&collector)
    return collector.fields
  }

  /// What is reported of a message, wherever it comes from; nothing for bytes that belong to no packet.
  package var message: [Field] {
    var collector = FieldCollector()
    visitMessage(&collector)
    return collector.fields
  }

  private func visit(_ visitor: inout some FieldVisitor) {
    visitor.text(.kind, kind.rawValue)
    visitor.seconds(.time, time)
    visitor.text(.from, sender.rawValue)
    visitMessage(&visitor)
    visitor.count(.offset, offset)
    visitor.bytes(.bytes, bytes)
  }

  private func visitMessage(_ visitor: inout some FieldVisitor) {
    guard let packet else { return }
    visitor.text(.name, name)
    switch packet {
    case .command(let packet):
      Self.visit(packet.id, &visitor)
      visitor.field(Field("options", .flags(packet.options.names, Int64(packet.options.sop2))))
      visitor.count(.sequence, Int(packet.sequence))
    case .response(let packet):
      Self.visit(answered, &visitor)
      visitor.count(.sequence, Int(packet.sequence))
      visitor.field(Field("status", .code(packet.status)))
    case .event(let packet):
      visitor.count(.event, Int(packet.id.rawValue))
    }
    visitor.record(.fields, fields)
    visitor.bytes(.payload, packet.payload)
    if fields.contains(where: { !$0.parts.isEmpty }) {
      let parts = fields.filter { !$0.parts.isEmpty }
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

extension CommandPacket.Options {
  /// The names of the bits that are set.
  fileprivate var names: [String] {
    (contains(.answer) ? ["answer"] : []) + (contains(.resetTimeout) ? ["resetTimeout"] : [])
  }
}

extension FieldDescription {
  /// A part of a field: its place in the payload, its value, and by name what it holds in turn.
  fileprivate var record: FieldValue {
    let fields = [
      Field("name", .text(name)), Field("offset", .count(range.lowerBound)),
      Field("count", .count(range.count)), Field("value", value),
    ]
    return .record(parts.isEmpty ? fields : fields + [Field("fields", .record(parts.map { Field($0) }))])
  }
}
