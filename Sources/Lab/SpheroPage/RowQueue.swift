// Lines of text that wait for the page, which removes them in large pieces.

/// Lines of text in one array, which are removed in large pieces.
struct LineQueue: Sendable {
  private var text: [UInt8] = []
  /// The number of bytes that have been removed.
  private var head = 0

  /// Appends the line that a closure appends without a line break.
  mutating func append(_ line: (inout [UInt8]) -> Void) {
    line(&text)
    text.append(UInt8(ascii: "\n"))
  }

  /// Removes and returns at least one line, and as many as fit into a result.
  mutating func take() -> [UInt8] {
    let rest = text[head...]
    guard rest.count > Recording.resultSize else {
      defer { (text, head) = ([], 0) }
      return head == 0 ? text : Array(rest)
    }
    let isBreak = { (byte: UInt8) in byte == UInt8(ascii: "\n") }
    let last = rest.prefix(Recording.resultSize).lastIndex(where: isBreak) ?? rest.firstIndex(where: isBreak)
    let piece = Array(rest[...(last ?? rest.endIndex - 1)])
    head += piece.count
    return piece
  }
}
