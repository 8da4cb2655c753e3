// Assigns texts to the fields of a message by name.

/// Parses texts and assigns them to the visited fields, by field name or by JSON key.
public struct FieldAssigner: Wire {
  private var words: [String: String]
  private var names: [String] = []

  /// Creates an assigner of texts by field name.
  public init(_ words: [String: String]) { self.words = words }

  /// Parses words of the form `field=value`; throws for a word of another form, or a field that appears twice.
  package static func values(of words: some Sequence<String>) throws(WireError) -> [String: String] {
    var values: [String: String] = [:]
    for word in words {
      let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
      guard parts.count == 2 else { throw .unassignable(word: word) }
      guard values.updateValue(parts[1], forKey: parts[0]) == nil else { throw .repeated(field: parts[0]) }
    }
    return values
  }

  public var remaining: Int? { nil }

  /// Whether the message has the optional field, or words remain that may belong to it.
  public mutating func follows(_ isPresent: Bool) -> Bool { isPresent || !words.isEmpty }

  /// Assigns a whole number, decimal or as `0x…`.
  public mutating func field<Value: WireInteger>(
    _ name: StaticString, _ value: inout Value, _ quantity: Quantity, in range: ClosedRange<Value>
  ) throws(WireError) {
    guard let word = popWord(name) else { return }
    let limits = Int64(range.lowerBound)...Int64(range.upperBound)
    guard let number = Self.number(word) else {
      throw .unreadable(
        field: "\(name)", text: word, expected: "a number \(limits.lowerBound)...\(limits.upperBound)")
    }
    guard limits.contains(number), let fitting = Value(exactly: number) else {
      throw .outOfRange(field: "\(name)", value: number, allowed: limits)
    }
    value = fitting
  }

  /// Assigns a value by its name or its number; names of bits are joined by `+`.
  public mutating func field<Value: WireChoice>(
    _ name: StaticString, _ value: inout Value
  ) throws(WireError) {
    guard let word = popWord(name) else { return }
    var raw: Value.RawValue?
    if let number = Self.number(word) {
      raw = Value.RawValue(exactly: number)
    } else if Value.isFlags {
      let bits = word.split(separator: "+").map { part in Value.named.first { $0.name == part }?.rawValue }
      if !bits.isEmpty, !bits.contains(nil) { raw = bits.compactMap { $0 }.reduce(0, |) }
    } else {
      raw = Value.named.first { $0.name == word }?.rawValue
    }
    guard let raw, let choice = Value(rawValue: raw) else {
      let known = Value.named.map { $0.name }.joined(separator: ", ")
      throw .unreadable(field: "\(name)", text: word, expected: "one of \(known), or a number")
    }
    value = choice
  }

  /// Assigns text unchanged, or bytes in hexadecimal.
  public mutating func field<Value: WireBytes>(
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

  /// Checks that every word has been assigned; throws ``WireError/unreadable(field:text:expected:)``.
  public func finish() throws(WireError) {
    guard let (name, word) = words.min(by: { $0.key < $1.key }) else { return }
    let known = names.isEmpty ? "no fields at all" : "one of the fields \(names.joined(separator: ", "))"
    throw .unreadable(field: name, text: word, expected: known)
  }

  private mutating func popWord(_ name: StaticString) -> String? {
    names.append("\(name)")
    return words.removeValue(forKey: "\(name)") ?? words.removeValue(forKey: Key.text("\(name)"))
  }

  private static func number(_ word: String) -> Int64? {
    word.hasPrefix("0x") ? Int64(word.dropFirst(2), radix: 16) : Int64(word)
  }
}

extension Message {
  /// Creates a message from texts by field name; other fields keep their defaults.
  ///
  /// - Throws: ``WireError`` with the field and the text that is not valid for it.
  public init(assigning words: [String: String]) throws(WireError) {
    self.init()
    var assigner = FieldAssigner(words)
    try layout(&assigner)
    try assigner.finish()
  }
}
