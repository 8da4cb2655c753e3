// The vector tables and seeded random input.
import Foundation
import SpheroOrientation
import TestSupport

enum Fixture {
  /// Returns the content of a file in the folder `Fixtures`.
  static func data(_ path: String) throws -> Data {
    let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().appending(path: "Fixtures")
    return try Data(contentsOf: folder.appending(path: path))
  }

  /// A table of `Fixtures/vectors`, in which NaN and infinity are strings.
  static func table<Table: Decodable>(_ name: String, as type: Table.Type = Table.self) throws -> Table {
    let decoder = JSONDecoder()
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    decoder.nonConformingFloatDecodingStrategy = .convertFromString(
      positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
    return try decoder.decode(type, from: data("vectors/\(name).json"))
  }
}

extension Quaternion {
  /// The words of a table row, scalar first.
  init(wxyz words: [Double]) {
    self.init(w: words[0], x: words[1], y: words[2], z: words[3])
  }

  /// The words of a table row, scalar last.
  init(xyzw words: [Double]) {
    self.init(w: words[3], x: words[0], y: words[1], z: words[2])
  }
}

extension Vector3 {
  /// The components of a table row.
  init(_ components: [Double]) {
    self.init(components[0], components[1], components[2])
  }
}

/// Random input.
extension SeededGenerator {
  mutating func vector() -> Vector3 { Vector3(number(), number(), number()) }

  mutating func rotation() -> Rotation {
    Rotation(w: number(), x: number(), y: number(), z: number()) ?? .identity
  }

  /// Returns an extreme number with a probability of 50 %.
  mutating func awkwardNumber() -> Double {
    let numbers = [
      0, -0.0, .leastNonzeroMagnitude, -.leastNonzeroMagnitude, .leastNormalMagnitude, 1e-300, 1e-162, -1e-17,
      1, -1, 1e154, 1e300, -1e300,
      .greatestFiniteMagnitude, -.greatestFiniteMagnitude, .infinity, -.infinity, .nan, .pi, -.pi,
    ]
    return Bool.random(using: &self) ? number() : numbers.randomElement(using: &self) ?? 0
  }

  mutating func awkwardVector() -> Vector3 {
    Vector3(awkwardNumber(), awkwardNumber(), awkwardNumber())
  }

  mutating func awkwardQuaternion() -> Quaternion {
    Quaternion(real: awkwardNumber(), imaginary: awkwardVector())
  }
}
