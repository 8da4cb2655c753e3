// A visitor that assigns texts to the fields of a message by name.

struct FieldAssigner: Wire {
  private var words: [String: String]
  private var names: [String] = []
  /// The required fields without a text.
  private(set) var missing: [String] = []
  /// Whether the visited fields are optional, because an earlier one was.
  private var isOptional = false

  init(_ words: [String: String]) { self.words = words }

  /// Whether the message has the optional field, or words remain that may belong to it.
  mutating func follows(_ isPresent: Bool) -> Bool {
    isOptional = true
    return isPresent || !words.isEmpty
  }

  /// Assigns an integer as on the wire, in decimal or as `0x…`, or the nearest count of a number in the unit of the field.
  mutating func field<Value: WireInteger>(
    _ name: StaticString, _ value: inout Value, _ quantity: Quantity, in range: ClosedRange<Value>
  ) throws(WireError) {
    guard let word = popWord(name) else { return }
    let limits = Int64(range.lowerBound)...Int64(range.upperBound)
    if let number = Self.number(word) {
      guard limits.contains(number), let fitting = Value(exactly: number) else {
        throw .outOfRange(field: "\(name)", value: number, allowed: limits)
      }
      value = fitting
    } else if let count = quantity.count(word), let fitting = Value(exactly: count), range.contains(fitting),
      count <= quantity.highest(of: limits)
    {
      value = fitting
    } else {
      throw .unreadable(field: "\(name)", text: word, expected: quantity.expected(limits))
    }
  }

  /// Assigns a value by its name or its number; names of bits are joined by `+`.
  mutating func field<Value: WireChoice>(
    _ name: StaticString, _ value: inout Value
  ) throws(WireError) {
    guard let word = popWord(name) else { return }
    var raw: Value.RawValue?
    if let number = Self.number(word) {
      raw = Value.RawValue(exactly: number)
    } else {
      let names = Value.isFlags ? word.split(separator: "+") : [word[...]]
      let bits = names.compactMap { name in Value.named.first { $0.name == name }?.rawValue }
      if !bits.isEmpty, bits.count == names.count { raw = bits.reduce(0, |) }
    }
    guard let raw, let choice = Value(rawValue: raw) else {
      let known = Value.named.map { $0.name }.joined(separator: ", ")
      throw .unreadable(field: "\(name)", text: word, expected: "one of \(known), or a number")
    }
    value = choice
  }

  mutating func field<Value: WireBytes>(
    _ name: StaticString, _ value: inout Value, count counts: ClosedRange<Int>
  ) throws(WireError) {
    guard let word = popWord(name) else { return }
    let bytes: [UInt8]? = Value.isText ? Array(word.utf8) : Hexadecimal.bytes(word)
    guard let bytes else { throw .unreadable(field: "\(name)", text: word, expected: "hexadecimal digits") }
    guard counts.contains(bytes.count) else {
      throw .wrongCount(field: "\(name)", count: bytes.count, allowed: counts)
    }
    value = Value(bytes: bytes)
  }

  /// Throws ``WireError/unreadable(field:text:expected:)`` if a text belongs to no visited field.
  func finish() throws(WireError) {
    guard let (name, word) = words.min(by: { $0.key < $1.key }) else { return }
    let known = names.isEmpty ? "no fields at all" : "one of the fields \(names.joined(separator: ", "))"
    throw .unreadable(field: name, text: word, expected: known)
  }

  private mutating func popWord(_ name: StaticString) -> String? {
    names.append("\(name)")
    let word = words.removeValue(forKey: "\(name)") ?? words.removeValue(forKey: Key.text("\(name)"))
    if word == nil, !isOptional { missing.append("\(name)") }
    return word
  }

  private static func number(_ word: String) -> Int64? {
    word.hasPrefix("0x") ? Hexadecimal.number(word.dropFirst(2)) : Int64(word)
  }
}

extension [String: String] {
  /// Parses words of the form `field=value`; throws for another form, and for a field that appears twice.
  package init(assignments words: some Sequence<String>) throws(WireError) {
    self = [:]
    for word in words {
      let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
      guard parts.count == 2 else { throw .unassignable(word: word) }
      guard updateValue(parts[1], forKey: parts[0]) == nil else { throw .repeated(field: parts[0]) }
    }
  }
}

extension Quantity {
  /// The nearest count of a number with the unit, like `156.8deg/s`, or of a duration, like `500ms`; nil for other texts.
  fileprivate func count(_ text: String) -> Double? {
    let number = text.prefix { "-.0123456789".contains($0) }
    let suffix = text[number.endIndex...]
    guard unit != .one, !suffix.isEmpty else { return nil }
    var amount = unit.isSpelled(suffix) ? Double(String(number)) : nil
    if unit == .seconds { amount = Duration(written: text)?.inSeconds ?? amount }
    return amount.map { ($0 / perCount).rounded() }
  }

  /// The highest count that a number with the unit can select.
  fileprivate func highest(of limits: ClosedRange<Int64>) -> Double {
    // The count 255 of the rotation rate is 400 °/s, not a multiple of the step.
    self == .rotationSteps ? 254 : Double(limits.upperBound)
  }

  fileprivate func expected(_ limits: ClosedRange<Int64>) -> String {
    let integers = "\(limits.lowerBound)...\(limits.upperBound)"
    guard unit != .one else { return "a number \(integers)" }
    let (low, high) = (value(of: limits.lowerBound), perCount * highest(of: limits))
    return
      "\(Decimal.text(low, digits: digits))...\(Decimal.text(high, digits: digits))\(unit.typed) with the unit, "
      + "or the wire's integer \(integers)"
  }
}

extension Message {
  /// Creates a message from texts by field name; other fields keep their defaults.
  ///
  /// - Parameters:
  ///   - words: For each field an integer as on the wire, a number with the unit of the field, a name, or bytes.
  ///   - requiresAll: Whether each field has to have a text, except those that a payload may leave out.
  /// - Throws: ``WireError`` with the field and the text that is not valid for it, or with the missing fields.
  public init(assigning words: [String: String], requiresAll: Bool = false) throws(WireError) {
    self.init()
    var assigner = FieldAssigner(words)
    try layout(&assigner)
    try assigner.finish()
    if requiresAll, !assigner.missing.isEmpty { throw .missing(fields: assigner.missing) }
  }

  /// Words of the form `field=value` for all required fields; those without a word have their defaults, or `…` for bytes.
  package static func example(_ words: [String: String] = [:]) -> String {
    let required = table.prefix { !$0.isOptional }
    return zip(required, Self().fields).map { row, field in
      "\(row.name)=\(words[row.name] ?? words[Key.text(row.name)] ?? field.value.assignable)"
    }.joined(separator: " ")
  }
}

extension FieldValue {
  /// The text from which a ``FieldAssigner`` makes the value; `…` for bytes.
  fileprivate var assignable: String {
    switch self {
    case .integer(_, let quantity): quantity.isMask ? description : plain + quantity.unit.typed
    case .flags(let names, _): names.isEmpty ? "0" : names.joined(separator: "+")
    case .bytes, .text: "…"
    default: plain
    }
  }
}
