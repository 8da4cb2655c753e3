// The stored forms of the values of this module; Docs/Storing.md shows each form.

// Embedded Swift has no coders.
#if !hasFeature(Embedded)
  extension SensorField: Codable {
    /// Reads a name like `"accel_x"`.
    public init(from decoder: any Decoder) throws {
      let name = try String(from: decoder)
      guard let field = Self.allCases.first(where: { $0.name == name }) else {
        throw decoder.refusal("'\(name)' names no sensor field")
      }
      self = field
    }

    /// Writes a name like `"accel_x"`.
    public func encode(to encoder: any Encoder) throws { try name.encode(to: encoder) }
  }

  extension SensorMask: Codable {
    /// Reads names like `"accel,gyro,q0"`, and `"none"`; throws for a text that ``init(parsing:allowsReservedBits:)`` refuses.
    public init(from decoder: any Decoder) throws {
      let text = try String(from: decoder)
      do throws(MaskError) { self = text == "none" ? [] : try Self(parsing: text) } catch {
        throw decoder.refusal(error.message)
      }
    }

    /// Writes names like `"accel,gyro,q0"`; throws for reserved bits.
    public func encode(to encoder: any Encoder) throws {
      guard isDocumented else {
        throw EncodingError.invalidValue(
          self,
          EncodingError.Context(
            codingPath: encoder.codingPath, debugDescription: "the reserved bits of '\(self)' have no names"))
      }
      try description.encode(to: encoder)
    }
  }

  extension Sample: Codable {
    private enum Key: String, CodingKey { case mask, words }

    /// Reads `{"mask": "accel", "words": [1, -2, 4096]}`; throws if the number of words does not fit the mask.
    public init(from decoder: any Decoder) throws {
      let values = try decoder.container(keyedBy: Key.self)
      let mask = try values.decode(SensorMask.self, forKey: .mask)
      let words = try values.decode([Int16].self, forKey: .words)
      guard words.count == mask.wordCount else {
        throw decoder.refusal("a sample of '\(mask)' has \(mask.wordCount) words, not \(words.count)")
      }
      self.init(mask: mask, words: words)
    }

    /// Writes `{"mask": "accel", "words": [1, -2, 4096]}`: the words of the wire, which are exact.
    public func encode(to encoder: any Encoder) throws {
      var values = encoder.container(keyedBy: Key.self)
      try values.encode(mask, forKey: .mask)
      try values.encode(rawWords, forKey: .words)
    }
  }

  extension Decoder {
    /// The error of a value that is not valid, with a sentence for people.
    package func refusal(_ sentence: String) -> DecodingError {
      .dataCorrupted(DecodingError.Context(codingPath: codingPath, debugDescription: sentence))
    }
  }
#endif
