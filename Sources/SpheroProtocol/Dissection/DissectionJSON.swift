// A dissected packet as values by name, and as an object of JSON on one line.

extension Dissection {
  /// One object of JSON, on one line; `Docs/JSON.md` lists its members.
  public var json: String { JSON.line(record) }

  /// What is told of an item of a recording: when, by whom, what it means, and where its bytes lie.
  package var record: [Field] {
    let start = [
      Field("kind", .text(kind.rawValue)), Field("time", .seconds, .seconds(time)),
      Field("from", .text(sender.rawValue)),
    ]
    return start + message + [Field("offset", .count(offset)), Field("bytes", .bytes(bytes))]
  }

  /// What is told of a message wherever it comes from; nothing of bytes that belong to no packet.
  package var message: [Field] {
    guard let packet else { return [] }
    var result = [Field("name", .text(name))]
    switch packet {
    case .command(let packet):
      result += Self.fields(of: packet.id)
      result.append(Field("options", .flags(packet.options.names, Int64(packet.options.sop2))))
      result.append(Field("sequence", .count(packet.sequence)))
    case .response(let packet):
      result += Self.fields(of: answered)
      result.append(Field("sequence", .count(packet.sequence)))
      result.append(Field("status", .code(packet.status)))
    case .event(let packet):
      result.append(Field("event", .count(packet.id.rawValue)))
    }
    result.append(Field("fields", .record(fields.map { Field($0) })))
    result.append(Field("payload", .bytes(packet.payload)))
    let parts = fields.filter { !$0.parts.isEmpty }.map { Field($0.name, .list($0.parts.map { $0.record })) }
    if !parts.isEmpty { result.append(Field("parts", .record(parts))) }
    if !remarks.isEmpty { result.append(Field("remarks", .list(remarks.map { .text("\($0)") }))) }
    if !samples.isEmpty { result.append(Field("samples", .list(samples.map { $0.record }))) }
    return result
  }

  private static func fields(of id: CommandID?) -> [Field] {
    [
      Field("device", id.map { .count($0.device) } ?? .missing),
      Field("command", id.map { .count($0.command) } ?? .missing),
    ]
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

extension Sample {
  /// The values by name.
  fileprivate var record: FieldValue {
    .record(
      mask.fields.compactMap { field in
        word(field).map { Field(field.name, field.scale.unit, .integer(Int64($0), field.scale)) }
      })
  }
}
