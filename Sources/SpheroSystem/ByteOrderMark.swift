// Reads files without the byte order mark at the beginning of a text.

/// Skips the UTF-8 byte order mark that some editors write; no packet of a robot begins with its bytes.
package struct ByteOrderMarkFilter: Sendable {
  private static let mark: [UInt8] = [0xEF, 0xBB, 0xBF]

  /// The first bytes while they may be the beginning of a mark; nil once that is decided.
  private var beginning: [UInt8]? = []

  package init() {}

  /// Returns the bytes so far, unless they may be the beginning of a mark; an empty piece is the end of the input.
  package mutating func callAsFunction(_ piece: [UInt8]) -> [UInt8] {
    guard let start = beginning else { return piece }
    let bytes = start + piece
    if !piece.isEmpty, bytes.count < Self.mark.count, Self.mark.starts(with: bytes) {
      beginning = bytes
      return []
    }
    beginning = nil
    return bytes.starts(with: Self.mark) ? Array(bytes.dropFirst(Self.mark.count)) : bytes
  }
}

extension System {
  /// Calls `body` with each piece of an open file or pipe, without a byte order mark, and with nil at the end.
  ///
  /// An empty piece, or the held bytes of an incomplete mark, may precede nil.
  package static func readAll(_ descriptor: Int32, _ body: ([UInt8]?) throws -> Void) async throws {
    var filter = ByteOrderMarkFilter()
    while true {
      try Task.checkCancellation()
      while !isReadable(descriptor) { try await Task.sleep(for: .milliseconds(20)) }
      let piece = try read(descriptor, atMost: 1 << 16)
      try body(filter(piece))
      if piece.isEmpty { return try body(nil) }
    }
  }
}
