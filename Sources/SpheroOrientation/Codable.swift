// The stored forms that need more than synthesized Codable conformance; Docs/Storing.md shows each form.

// Embedded Swift has no Codable.
#if !hasFeature(Embedded)
  extension Decoder {
    /// Returns the error for a decoded value that violates a constraint.
    package func refusal(_ sentence: String) -> DecodingError {
      .dataCorrupted(DecodingError.Context(codingPath: codingPath, debugDescription: sentence))
    }
  }

  /// An enumeration that is stored as the text of its description.
  private protocol StoredAsText: Codable {
    static var words: [(Self, String)] { get }
  }

  extension StoredAsText where Self: Equatable {
    fileprivate init(word decoder: any Decoder) throws {
      let word = try decoder.singleValueContainer().decode(String.self)
      guard let choice = Self.words.first(where: { $0.1 == word })?.0 else {
        let known = Self.words.map { $0.1 }.joined(separator: ", ")
        throw decoder.refusal("'\(word)' is none of \(known)")
      }
      self = choice
    }

    fileprivate func encode(word encoder: any Encoder) throws {
      var container = encoder.singleValueContainer()
      try container.encode(Self.words.first { $0.0 == self }?.1 ?? "")
    }
  }

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

  extension EulerOrder: Codable, StoredAsText {
    fileprivate static var words: [(EulerOrder, String)] { all.map { ($0, $0.description) } }

    public init(from decoder: any Decoder) throws { try self.init(word: decoder) }
    public func encode(to encoder: any Encoder) throws { try encode(word: encoder) }
  }

  extension SignedAxis: Codable, StoredAsText {
    fileprivate static var words: [(SignedAxis, String)] { allCases.map { ($0, $0.description) } }

    public init(from decoder: any Decoder) throws { try self.init(word: decoder) }
    public func encode(to encoder: any Encoder) throws { try encode(word: encoder) }
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

  extension QuaternionLayout.Order: Codable, StoredAsText {
    fileprivate static var words: [(Self, String)] { allCases.map { ($0, $0.description) } }

    public init(from decoder: any Decoder) throws { try self.init(word: decoder) }
    public func encode(to encoder: any Encoder) throws { try encode(word: encoder) }
  }

  extension QuaternionLayout.Direction: Codable, StoredAsText {
    fileprivate static var words: [(Self, String)] { allCases.map { ($0, $0.description) } }

    public init(from decoder: any Decoder) throws { try self.init(word: decoder) }
    public func encode(to encoder: any Encoder) throws { try encode(word: encoder) }
  }

  extension AccelerometerSign: Codable, StoredAsText {
    fileprivate static var words: [(Self, String)] { allCases.map { ($0, $0.description) } }

    public init(from decoder: any Decoder) throws { try self.init(word: decoder) }
    public func encode(to encoder: any Encoder) throws { try encode(word: encoder) }
  }
#endif
