// The rows of a table as text, until the page removes them.

/// The rows of a table as text, in pieces of whole rows with about ``Recording/resultSize`` bytes.
struct RowQueue: Sendable {
  /// The pieces, oldest first; rows are appended to the last one.
  private var pieces: [[UInt8]] = [[]]

  /// Appends a row; `write` appends its text without a line break.
  mutating func append(_ write: (inout [UInt8]) -> Void) {
    let last = pieces.count - 1
    write(&pieces[last])
    pieces[last].append(UInt8(ascii: "\n"))
    if pieces[last].count >= Recording.resultSize { pieces.append([]) }
  }

  /// Removes and returns the oldest piece; empty if no row is pending.
  mutating func take() -> [UInt8] {
    defer { if pieces.isEmpty { pieces = [[]] } }
    return pieces.removeFirst()
  }
}
