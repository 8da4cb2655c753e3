// Shared test code: rows of the tables, tolerances, random and extreme numbers.
import Foundation
import SpheroControls
import TestSupport
import Testing

/// Returns the rows of one kind in a table of `Fixtures/vectors`.
func rows<Row: Decodable>(_ kind: String, of table: String, as type: Row.Type = Row.self) throws -> [Row] {
  try decoded(Table<Row>.self, table, kind: kind).cases.compactMap(\.row)
}

/// Returns the kinds of rows in a table of `Fixtures/vectors`.
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
  if let kindKey { decoder.userInfo[kindKey] = kind }
  return try decoder.decode(type, from: Data(contentsOf: file))
}

/// The key of the kind of the rows to decode.
private let kindKey = CodingUserInfoKey(rawValue: "kind")

private struct Nothing: Decodable {}

private struct Table<Row: Decodable>: Decodable {
  let cases: [Entry<Row>]
}

/// A row, decoded if it has the requested kind; other kinds have other keys.
private struct Entry<Row: Decodable>: Decodable {
  let kind: String
  let row: Row?

  enum CodingKeys: CodingKey { case kind }

  init(from decoder: any Decoder) throws {
    kind = try decoder.container(keyedBy: CodingKeys.self).decode(String.self, forKey: .kind)
    row = kind == kindKey.flatMap { decoder.userInfo[$0] } as? String ? try Row(from: decoder) : nil
  }
}

/// A snake-case key as camel case: `angle_deg` becomes `angleDeg`; capitals are kept.
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

/// Whether two numbers agree to 1e-12 of the larger one, or of the scale of the terms whose sum they are.
func agree(_ a: Double, _ b: Double, scale: Double = 0) -> Bool {
  abs(a - b) <= 1e-12 * max(abs(a), abs(b), scale)
}

/// Whether two directions in degrees agree to 1e-12 of a full turn.
func agreeAround(_ a: Double, _ b: Double) -> Bool {
  abs((a - b).remainder(dividingBy: 360)) <= 360e-12
}

/// Zero, subnormal, tiny, usual, huge and infinite numbers and NaN, of both signs.
let extremeNumbers: [Double] = {
  let positive: [Double] = [
    0, .leastNonzeroMagnitude, .leastNormalMagnitude, 1e-300, 1e-12, 0.5, 0.999_999_999_999_999_9, 1, 25, 180,
    359.999_999_999_999_94, 360, 1e15, 1e155, 1e300, .greatestFiniteMagnitude, .infinity,
  ]
  return positive + positive.map { -$0 } + [.nan, -.nan]
}()

/// Returns an extreme number or, with a probability of 50 %, any bit pattern.
func extremeNumber(using generator: inout SeededGenerator) -> Double {
  let pick = generator.next()
  guard pick % 2 == 0 else { return Double(bitPattern: generator.next()) }
  return extremeNumbers[Int(pick / 2 % UInt64(extremeNumbers.count))]
}
