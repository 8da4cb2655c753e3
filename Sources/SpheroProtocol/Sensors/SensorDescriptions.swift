// What sensor fields and masks print.

extension SensorField: CustomStringConvertible {
  /// The name in Swift, like `accelX`; ``name`` is that of JSON and CSV.
  public var description: String {
    let words = name.split(separator: "_")
    return words.dropFirst().reduce(String(words.first ?? "")) { joined, word in
      joined + word.prefix(1).uppercased() + word.dropFirst()
    }
  }
}

extension SensorMask: CustomStringConvertible {
  /// The groups and fields, as ``init(parsing:)`` reads them: `accel,gyro,q0`; `none` where there are none.
  ///
  /// Reserved bits stand at the end in hexadecimal.
  public var description: String {
    var rest = self
    var chosen: SensorMask = []
    let bySize = Self.groups.sorted { $0.value.rawValue.nonzeroBitCount > $1.value.rawValue.nonzeroBitCount }
    var groups: Set<String> = []
    for (name, group) in bySize where isSuperset(of: group) && chosen.isDisjoint(with: group) {
      groups.insert(name)
      chosen.formUnion(group)
    }
    rest.subtract(chosen)
    var words = Self.groups.map { $0.key }.filter { groups.contains($0) } + rest.fields.map { $0.optionName }
    let reserved = SensorMask(rawValue: rawValue & ~Self.known)
    if !reserved.isEmpty {
      words.append(
        "0x" + Hexadecimal.text(reserved.mask.bytes, separator: "")
          + ":0x" + Hexadecimal.text(reserved.mask2.bytes, separator: ""))
    }
    return words.isEmpty ? "none" : words.joined(separator: ",")
  }
}

extension UInt32 {
  /// The four bytes, most significant first.
  fileprivate var bytes: [UInt8] { [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: self >> $0) } }
}
