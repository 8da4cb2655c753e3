// The stored forms that need more than synthesized Codable conformance; Docs/Storing.md shows each form.

// Embedded Swift has no Codable.
#if !hasFeature(Embedded)
  extension Decoder {
    /// Returns the error for a decoded value that violates a constraint.
    package func refusal(_ sentence: String) -> DecodingError {
      .dataCorrupted(DecodingError.Context(codingPath: codingPath, debugDescription: sentence))
    }
  }

  /// A type with few values, stored as their descriptions.
  protocol StoredAsText: Codable, CustomStringConvertible {
    static var choices: [Self] { get }
  }

  extension StoredAsText {
    public init(from decoder: any Decoder) throws {
      let text = try String(from: decoder)
      guard let choice = Self.choices.first(where: { $0.description == text }) else {
        let known = Self.choices.map { $0.description }.joined(separator: ", ")
        throw decoder.refusal("'\(text)' is none of \(known)")
      }
      self = choice
    }

    public func encode(to encoder: any Encoder) throws { try description.encode(to: encoder) }
  }

  extension StoredAsText where Self: CaseIterable {
    static var choices: [Self] { Array(allCases) }
  }

  extension EulerOrder: Codable, StoredAsText {
    static var choices: [EulerOrder] { all }
  }

  extension SignedAxis: Codable, StoredAsText {}
  extension QuaternionLayout.Order: Codable, StoredAsText {}
  extension QuaternionLayout.Direction: Codable, StoredAsText {}
  extension AccelerometerSign: Codable, StoredAsText {}

  extension Rotation: Codable {
    /// - Throws: `DecodingError` for a quaternion whose length differs from 1 by more than 0.001.
    public init(from decoder: any Decoder) throws {
      let quaternion = try Quaternion(from: decoder)
      guard abs(quaternion.norm - 1) <= 1e-3, let rotation = Rotation(quaternion) else {
        throw decoder.refusal("the quaternion of a rotation has length 1, not \(quaternion.norm)")
      }
      // Normalizing a unit quaternion again would change its last digits.
      self = abs(quaternion.norm - 1) <= 4 * .ulpOfOne ? Rotation(unit: quaternion) : rotation
    }

    public func encode(to encoder: any Encoder) throws { try quaternion.encode(to: encoder) }
  }

  extension QuaternionWords: Codable {
    /// Decodes an array of four numbers, in the order of delivery.
    public init(from decoder: any Decoder) throws {
      let words = try [Double](from: decoder)
      guard words.count == 4 else { throw decoder.refusal("a quaternion has 4 words, not \(words.count)") }
      self.init(words[0], words[1], words[2], words[3])
    }

    public func encode(to encoder: any Encoder) throws { try [q0, q1, q2, q3].encode(to: encoder) }
  }
#endif
