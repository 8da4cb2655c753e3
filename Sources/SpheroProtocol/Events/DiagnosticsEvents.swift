// Diagnostic events: the report in plain text.

extension Diagnostics {
  static func events(_ catalogue: inout some CatalogueVisitor) {
    catalogue.event(Level1Diagnostics.self, "Diagnostics.Level1Diagnostics")
  }

  /// The report that ``RunLevel1Diagnostics`` asked for: lines under headings in brackets.
  ///
  /// Sphero API 1.50, asynchronous ID 02h.
  public struct Level1Diagnostics: Event {
    /// 02.
    public static let id = EventID(0x02)
    /// The report, with the NUL bytes that end it.
    public var text: WireText = ""
    /// Makes an empty report.
    public init() {}
    public mutating func layout(_ wire: inout some Wire) throws(WireError) {
      try wire.field("text", &text, count: 0...0xFFFE)
    }

    /// The headings, without their brackets.
    public var headings: [String] {
      text.description.split(separator: "\n").filter { $0.first == "[" && $0.last == "]" }
        .map { String($0.dropFirst().dropLast()) }
    }

    /// The lines of one section, without its heading.
    ///
    /// - Parameter heading: What stands in brackets, like `Network`.
    /// - Returns: The lines that are not empty, or an empty list where there is no such section.
    public func lines(under heading: some StringProtocol) -> [String] {
      let lines = text.description.split(separator: "\n")
      guard let start = lines.firstIndex(of: "[\(heading)]") else { return [] }
      return lines[(start + 1)...].prefix { $0.first != "[" }.map(String.init)
    }
  }
}
