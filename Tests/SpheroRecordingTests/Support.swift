// What the tests of recordings share: fixtures, bytes as text, random values by seed.

import Foundation

let fixtures = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
  .deletingLastPathComponent().appending(path: "Fixtures")

func cut(_ bytes: [UInt8], into size: Int) -> [[UInt8]] {
  stride(from: 0, to: bytes.count, by: size).map { Array(bytes[$0..<min($0 + size, bytes.count)]) }
}
