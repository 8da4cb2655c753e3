// Splits bytes into lines of bounded length.

import SpheroProtocol

/// Splits bytes into lines, and skips the rest of lines that are too long.
struct LineSplitter: Sendable {
  enum Line {
    /// A line without its line break.
    case text(ArraySlice<UInt8>)
    case tooLong
  }

  private let limit: Int
  private var window = ByteWindow()
  /// The offset of the next line, and the offset at which the search for its end continues.
  private var head = 0
  private var searched = 0
  private var isFinished = false
  /// Whether the splitter is inside a line that is too long.
  private var isSkipping = false
  /// The number of lines so far.
  private(set) var count = 0

  /// Makes a splitter for lines of at most `limit` bytes.
  init(limit: Int) { self.limit = limit }

  mutating func append(_ bytes: some Sequence<UInt8>) {
    window.forget(before: head)
    window.append(bytes)
  }

  /// Marks the end of the input, so that a last line without a line break is complete.
  mutating func finish() { isFinished = true }

  /// The offset after the last byte of the input.
  var end: Int { window.end }

  /// The remaining bytes from an offset of the input.
  func rest(from offset: Int) -> ArraySlice<UInt8> { window[max(head, offset)..<window.end] }

  /// Removes and returns the remaining bytes.
  mutating func takeRest() -> ArraySlice<UInt8> {
    defer { head = window.end }
    return rest(from: head)
  }

  /// Removes and returns the next line; nil if more bytes are needed.
  mutating func next() -> Line? {
    while head < window.end {
      let lineBreak = nextLineBreak
      let end = lineBreak ?? window.end
      searched = lineBreak.map { $0 + 1 } ?? end
      let isTooLong = end - head > limit
      guard lineBreak != nil || isFinished || isTooLong || isSkipping else { return nil }
      var text = window[head..<end]
      head = searched
      let wasSkipping = isSkipping
      isSkipping = (isTooLong || isSkipping) && lineBreak == nil
      if wasSkipping { continue }
      count += 1
      if isTooLong { return .tooLong }
      if text.last == 0x0D { text = text.dropLast() }
      // Windows programs write a byte order mark, and files may be concatenated.
      return .text(text.starts(with: [0xEF, 0xBB, 0xBF]) ? text.dropFirst(3) : text)
    }
    return nil
  }

  /// The offset of the first line break after the searched bytes.
  private var nextLineBreak: Int? {
    let rest = window.bytes.span.extracting((searched - window.base)...)
    let count = rest.count(before: 0x0A)
    return count < rest.count ? searched + count : nil
  }
}
