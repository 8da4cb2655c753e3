// A dissected packet as an object of JSON on one line.

extension Dissection {
  /// One object of JSON, on one line.
  ///
  /// `time` (seconds or null), `from`, `kind`, `name` (or null);
  /// then `did`, `cid`, `seq`, `sop2` of a command, `mrsp`, `seq` of a response, or `id` of an event;
  /// `fields` (name to value: raw integers, true or false, text, bytes in hexadecimal), `payload` in hexadecimal;
  /// `parts` of fields that hold a program or a block (name to a list of `name`, `offset`, `count`, `value`, `parts`);
  /// `remarks` where the payload does not fit its layout;
  /// `samples` of a sensor packet that fits its stream (name to value in its unit);
  /// `offset`, and all `bytes` in hexadecimal.
  public var json: String {
    var object = JSONObject()
    object.add("time", time.map { $0.text() } ?? "null")
    object.add("from", JSON.text(sender.rawValue))
    object.add("kind", JSON.text(kind.rawValue))
    object.add("name", name.map(JSON.text) ?? "null")
    switch packet {
    case .command(let packet):
      object.add("did", "\(packet.id.device)")
      object.add("cid", "\(packet.id.command)")
      object.add("seq", "\(packet.sequence)")
      object.add("sop2", "\(packet.options.sop2)")
    case .response(let packet):
      object.add("mrsp", "\(packet.status.rawValue)")
      object.add("seq", "\(packet.sequence)")
    case .event(let packet):
      object.add("id", "\(packet.id.rawValue)")
    case nil:
      break
    }
    var values = JSONObject()
    for field in fields { values.add(field.name, JSON.value(field.value)) }
    object.add("fields", values.text)
    object.add("payload", JSON.bytes(packet?.payload ?? []))
    var parts = JSONObject()
    for field in fields where !field.parts.isEmpty { parts.add(field.name, JSON.list(field.parts)) }
    if !parts.isEmpty { object.add("parts", parts.text) }
    if !remarks.isEmpty {
      object.add("remarks", "[" + remarks.map { JSON.text("\($0)") }.joined(separator: ",") + "]")
    }
    if !samples.isEmpty { object.add("samples", "[" + samples.map(JSON.sample).joined(separator: ",") + "]") }
    object.add("offset", "\(offset)")
    object.add("bytes", JSON.bytes(bytes))
    return object.text
  }
}

extension JSON {
  fileprivate static func value(_ value: FieldDescription.Value) -> String {
    switch value {
    case .integer(let count, _): "\(count)"
    case .choice("true", 1), .choice("false", 0): value.description
    case .choice(_, let raw): "\(raw)"
    case .bytes(let bytes): Self.bytes(bytes)
    case .text(let text): Self.text(text)
    case .number(let number): number.isFinite ? "\(number)" : "null"
    }
  }

  /// What a field holds in turn.
  fileprivate static func list(_ parts: [FieldDescription]) -> String {
    let objects = parts.map { part in
      var object = JSONObject()
      object.add("name", text(part.name))
      object.add("offset", "\(part.range.lowerBound)")
      object.add("count", "\(part.range.count)")
      object.add("value", value(part.value))
      if !part.parts.isEmpty { object.add("parts", list(part.parts)) }
      return object.text
    }
    return "[" + objects.joined(separator: ",") + "]"
  }

  fileprivate static func sample(_ sample: Sample) -> String {
    var object = JSONObject()
    for field in sample.mask.fields {
      guard let word = sample.word(field), let value = sample[field] else { continue }
      object.add(field.name, field.scale.perCount == 1 ? "\(word)" : "\(value)")
    }
    return object.text
  }

  fileprivate static func bytes(_ bytes: [UInt8]) -> String {
    JSON.text(Hexadecimal.text(bytes, separator: "").lowercased())
  }
}
