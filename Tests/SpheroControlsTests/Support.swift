// What the tests share: rows of the tables, tolerance, seeded randomness and the numbers that hurt.
import Foundation
import SpheroControls
import TestSupport
import Testing

/// The rows of one kind in a table under `Fixtures/vectors`; one that cannot be read is an error.
func rows<Row: Decodable>(_ kind: String, of table: String, as type: Row.Type = Row.self) throws -> [Row] {
  try decoded(Table<Row>.self, table, kind: kind).cases.compactMap(\.row)
}

/// The kinds of rows in a table under `Fixtures/vectors`.
func kinds(of table: String) throws -> Set<String> {
  Set(try decoded(Table<Nothing>.self, table, kind: "").cases.map(\.kind))
}

private func decoded<T: Decodable>(_ type: T.Type, _ table: String, kind: String) throws -> T {
  let file = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().appending(path: "Fixtures/vectors/\(table).json")
  let decoder = JSONDecoder()
  decoder.keyDecodingStrategy = .custom { path in
    CamelCaseKey(stringValue: path.last?.stringValue ?? "")
  }
  if let wanted { decoder.userInfo[wanted] = kind }
  return try decoder.decode(type, from: Data(contentsOf: file))
}

/// The key of the kind whose rows are read.
private let wanted = CodingUserInfoKey(rawValue: "kind")

private struct Nothing: Decodable {}

private struct Table<Row: Decodable>: Decodable {
  let cases: [Entry<Row>]
}

/// A row: of another kind, which has other keys, or decoded.
private struct Entry<Row: Decodable>: Decodable {
  let kind: String
  let row: Row?

  enum CodingKeys: CodingKey { case kind }

  init(from decoder: any Decoder) throws {
    kind = try decoder.container(keyedBy: CodingKeys.self).decode(String.self, forKey: .kind)
    row = kind == wanted.flatMap { decoder.userInfo[$0] } as? String ? try Row(from: decoder) : nil
  }
}

/// A key with its underscores taken out: `angle_deg` is `angleDeg`, and capitals stay.
private struct CamelCaseKey: CodingKey {
  let stringValue: String
  var intValue: Int? { nil }

  init(stringValue: String) {
    let words = stringValue.split(separator: "_")
    self.stringValue = words.dropFirst().reduce(String(words.first ?? "")) { joined, word in
      joined + word.prefix(1).uppercased() + word.dropFirst()
    }
  }

  init?(intValue: Int) { nil }
}

/// Whether two numbers agree to 1e-12 of the larger, or of a scale where the numbers come from a sum of that size.
func agree(_ a: Double, _ b: Double, scale: Double = 0) -> Bool {
  abs(a - b) <= 1e-12 * max(abs(a), abs(b), scale)
}

/// Whether two angles in degrees agree to 1e-12 of a full turn, across the fold as well.
func agreeAround(_ a: Double, _ b: Double) -> Bool {
  abs((a - b).remainder(dividingBy: 360)) <= 360e-12
}

/// Zero, subnormal, tiny, usual, huge, infinite numbers and not a number, of both signs.
let hurtfulNumbers: [Double] = {
  let positive: [Double] = [
    0, .leastNonzeroMagnitude, .leastNormalMagnitude, 1e-300, 1e-12, 0.5, 0.999_999_999_999_999_9, 1, 25, 180,
    359.999_999_999_999_94, 360, 1e15, 1e155, 1e300, .greatestFiniteMagnitude, .infinity,
  ]
  return positive + positive.map { -$0 } + [.nan, -.nan]
}()

/// A number that hurts half of the time, any bit pattern otherwise.
func hurtfulNumber(using generator: inout SeededGenerator) -> Double {
  let pick = generator.next()
  guard pick % 2 == 0 else { return Double(bitPattern: generator.next()) }
  return hurtfulNumbers[Int(pick / 2 % UInt64(hurtfulNumbers.count))]
}
