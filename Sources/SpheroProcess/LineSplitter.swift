// Bytes that come in pieces, taken apart into lines of bounded length.

/// Takes bytes apart into lines; a line that is too long is reported once, and its rest is dropped as it comes.
package struct LineSplitter: Sendable {
  /// A line without its line feed and the carriage return in front of that.
  package enum Line: Hashable, Sendable {
    case whole([UInt8])
    /// It is longer than what is kept of it.
    case tooLong([UInt8])
  }

  private let longest: Int
  private var bytes: [UInt8] = []
  private var isTooLong = false

  /// Begins with no bytes.
  ///
  /// - Parameter longest: The most bytes of a line.
  package init(longest: Int) { self.longest = longest }

  /// Takes bytes; what no line feed has ended yet waits for more.
  ///
  /// - Returns: The lines that end in them.
  package mutating func append(_ piece: some Sequence<UInt8>) -> [Line] {
    var lines: [Line] = []
    for byte in piece {
      if byte == 0x0A {
        lines.append(take())
      } else if bytes.count < longest + 1 {
        bytes.append(byte)
      } else {
        isTooLong = true
      }
    }
    return lines
  }

  /// Ends the bytes.
  ///
  /// - Returns: The last line where no line feed ends it; nil where one does.
  package mutating func finish() -> Line? { bytes.isEmpty && !isTooLong ? nil : take() }

  private mutating func take() -> Line {
    // A carriage return is the end of the line, not a byte of it.
    if !isTooLong, bytes.last == 0x0D { bytes.removeLast() }
    defer { (bytes, isTooLong) = ([], false) }
    return isTooLong || bytes.count > longest ? .tooLong(Array(bytes.prefix(longest))) : .whole(bytes)
  }
}
