// Splits a stream of bytes into lines of bounded length.

/// Splits bytes into lines; a line that is too long is reported once, and its rest is discarded on arrival.
package struct LineSplitter: Sendable {
  /// A line without its line feed and a preceding carriage return.
  package enum Line: Hashable, Sendable {
    case whole([UInt8])
    /// The beginning of a line that exceeds the limit.
    case tooLong([UInt8])
  }

  private let maximumCount: Int
  private var bytes: [UInt8] = []
  private var isTooLong = false

  /// - Parameter longest: The maximum number of bytes of a line.
  package init(longest: Int) { maximumCount = longest }

  /// Appends bytes.
  ///
  /// - Returns: The lines that a line feed in these bytes ends.
  package mutating func append(_ piece: some Sequence<UInt8>) -> [Line] {
    var lines: [Line] = []
    for byte in piece {
      if byte == 0x0A {
        lines.append(takeLine())
      } else if bytes.count < maximumCount + 1 {
        bytes.append(byte)
      } else {
        isTooLong = true
      }
    }
    return lines
  }

  /// Ends the input; returns the last line where no line feed ends it.
  package mutating func finish() -> Line? { bytes.isEmpty && !isTooLong ? nil : takeLine() }

  private mutating func takeLine() -> Line {
    // A carriage return belongs to the line ending.
    if !isTooLong, bytes.last == 0x0D { bytes.removeLast() }
    defer { (bytes, isTooLong) = ([], false) }
    return isTooLong || bytes.count > maximumCount
      ? .tooLong(Array(bytes.prefix(maximumCount))) : .whole(bytes)
  }
}
