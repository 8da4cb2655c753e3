// The packets of an opened recording: their number at once, their descriptions on demand.

import SpheroProtocol

/// The packets, the discarded bytes and the remarks of a recording, as lines of JSON that are made on demand.
/// Descriptions take most of the time and of the memory of an opened recording, and a list shows few of them at a time.
/// The list keeps the recorded bytes in blocks, and a copy of the dissector at the beginning of each block.
struct PacketList: Sendable {
  private static let blockSize = 256

  private enum Step: Sendable {
    /// The next bytes of the block.
    case bytes(count: Int, from: Sender, at: Duration?)
    case remark([UInt8])
    /// The end of a recording or of a connection.
    case end
    /// The beginning of another recording; indirect, because it is large and rare.
    indirect case start(Dissector)
  }

  private struct Block: Sendable {
    let first: Int
    /// The dissector before this block.
    let dissector: Dissector
    var steps: [Step] = []
    var bytes: [UInt8] = []
  }

  private var dissector = Dissector()
  private var blocks: [Block] = []
  private(set) var count = 0

  // MARK: Input

  /// Appends the bytes of a read or write; ``next()`` then returns the packets that are complete.
  mutating func append(_ bytes: [UInt8], from sender: Sender, at time: Duration?) {
    let block = openBlock()
    blocks[block].steps.append(.bytes(count: bytes.count, from: sender, at: time))
    blocks[block].bytes += bytes
    let bytes = bytes[...]
    dissector.feed(bytes.span, from: sender, at: time)
  }

  mutating func append(remark: [UInt8]) {
    blocks[openBlock()].steps.append(.remark(remark))
    count += 1
  }

  /// Ends a recording or a connection; ``next()`` then returns the bytes of incomplete packets.
  mutating func end() {
    blocks[openBlock()].steps.append(.end)
    dissector.end()
  }

  mutating func start(_ dissector: Dissector) {
    blocks[openBlock()].steps.append(.start(dissector))
    self.dissector = dissector
  }

  /// Counts and returns the next packet or run of discarded bytes, without the description of responses and events;
  /// the caller reads all of them before it appends more.
  mutating func next() -> Dissection? {
    guard let item = dissector.next(describing: false) else { return nil }
    count += 1
    return item
  }

  private mutating func openBlock() -> Int {
    if blocks.last.map({ count - $0.first >= Self.blockSize }) ?? true {
      blocks.append(Block(first: count, dissector: dissector))
    }
    return blocks.count - 1
  }

  // MARK: Lines

  /// The lines of JSON from an index on: at most `count`, and as many as fit into a result.
  func lines(from first: Int, count: Int) -> [UInt8] {
    var text: [UInt8] = []
    let following = blocks.firstIndex { $0.first > first } ?? blocks.count
    for block in blocks[max(0, following - 1)...] {
      var (dissector, bytes, index) = (block.dissector, block.bytes[...], block.first)
      func append(_ line: (inout [UInt8]) -> Void) {
        defer { index += 1 }
        guard index >= first, index - first < count, text.count < Recording.resultSize else { return }
        line(&text)
        text.append(UInt8(ascii: "\n"))
      }
      for step in block.steps {
        guard index - first < count, text.count < Recording.resultSize else { return text }
        switch step {
        case .bytes(let count, let sender, let time):
          let piece = bytes.prefix(count)
          dissector.feed(piece.span, from: sender, at: time)
          bytes = bytes.dropFirst(count)
        case .remark(let remark): append { $0 += remark }
        case .end: dissector.end()
        case .start(let other): dissector = other
        }
        while let item = dissector.next() { append { Self.append(item, to: &$0) } }
      }
    }
    return text
  }

  /// Appends the JSON of an item, with its meaning for people as the last member.
  private static func append(_ item: Dissection, to line: inout [UInt8]) {
    item.append(json: &line)
    line.removeLast()
    line += ",\"message\":".utf8
    JSON.append(text: item.meaning, to: &line)
    line.append(UInt8(ascii: "}"))
  }
}
