// How the values of this module are stored; Docs/Storing.md shows each form.

// Embedded Swift has no coders.
#if !hasFeature(Embedded)
  import SpheroOrientation

  extension RGB: Codable {
    /// Reads `"#ff8000"`, or whatever else ``init(parsing:)`` reads.
    public init(from decoder: any Decoder) throws {
      let text = try decoder.singleValueContainer().decode(String.self)
      do throws(ColorParsingError) { try self.init(parsing: text) } catch {
        throw decoder.refusal(error.message)
      }
    }

    /// Writes `"#ff8000"`.
    public func encode(to encoder: any Encoder) throws {
      var container = encoder.singleValueContainer()
      try container.encode(description)
    }
  }

  extension NamedColor: Codable {}

  extension HSB: Codable {
    private enum Key: String, CodingKey { case hue, saturation, brightness }

    /// Reads `{"hue": 30, "saturation": 1, "brightness": 0.5}`; parts outside their ranges are refused.
    public init(from decoder: any Decoder) throws {
      let values = try decoder.container(keyedBy: Key.self)
      let hue = try values.decode(Double.self, forKey: .hue)
      let saturation = try values.decode(Double.self, forKey: .saturation)
      let brightness = try values.decode(Double.self, forKey: .brightness)
      guard (0..<360).contains(hue), (0...1).contains(saturation), (0...1).contains(brightness) else {
        throw decoder.refusal(
          "a hue is 0..<360, saturation and brightness are 0...1, not \(hue), \(saturation), \(brightness)")
      }
      self.init(folding: hue, saturation: saturation, brightness: brightness)
    }

    /// Writes `{"hue": 30, "saturation": 1, "brightness": 0.5}`.
    public func encode(to encoder: any Encoder) throws {
      var values = encoder.container(keyedBy: Key.self)
      try values.encode(hue, forKey: .hue)
      try values.encode(saturation, forKey: .saturation)
      try values.encode(brightness, forKey: .brightness)
    }
  }

  extension Drive: Codable {
    private enum Key: String, CodingKey { case heading, speed }

    /// Reads `{"heading": {"degrees": 90}, "speed": 0.5}`, the heading perhaps absent; a speed outside 0...1 is refused.
    public init(from decoder: any Decoder) throws {
      let values = try decoder.container(keyedBy: Key.self)
      let speed = try values.decode(Double.self, forKey: .speed)
      guard (0...1).contains(speed) else { throw decoder.refusal("a speed is 0...1, not \(speed)") }
      self.init(heading: try values.decodeIfPresent(Heading.self, forKey: .heading), speed: speed)
    }

    /// Writes `speed`, and `heading` where there is one.
    public func encode(to encoder: any Encoder) throws {
      var values = encoder.container(keyedBy: Key.self)
      try values.encodeIfPresent(heading, forKey: .heading)
      try values.encode(speed, forKey: .speed)
    }
  }

  extension Position: Codable {
    private enum Key: String, CodingKey { case x, y }

    /// Reads `{"x": 10, "y": -20}`, in centimetres.
    public init(from decoder: any Decoder) throws {
      let values = try decoder.container(keyedBy: Key.self)
      self.init(x: try values.decode(Double.self, forKey: .x), y: try values.decode(Double.self, forKey: .y))
    }

    /// Writes `{"x": 10, "y": -20}`, in centimetres.
    public func encode(to encoder: any Encoder) throws {
      var values = encoder.container(keyedBy: Key.self)
      try values.encode(x, forKey: .x)
      try values.encode(y, forKey: .y)
    }
  }

  extension ResponseCurve: Codable {
    private enum Key: String, CodingKey { case deadZone, exponential }

    /// Reads `{"deadZone": 0.1, "exponential": 0.5}`; parts outside 0...1 are refused.
    public init(from decoder: any Decoder) throws {
      let values = try decoder.container(keyedBy: Key.self)
      let deadZone = try values.decode(Double.self, forKey: .deadZone)
      let exponential = try values.decode(Double.self, forKey: .exponential)
      guard (0...1).contains(deadZone), (0...1).contains(exponential) else {
        throw decoder.refusal("dead zone and exponential are 0...1, not \(deadZone) and \(exponential)")
      }
      self.init(deadZone: deadZone, exponential: exponential)
    }

    /// Writes `{"deadZone": 0.1, "exponential": 0.5}`; parts outside 0...1 are refused, as they are in reading.
    public func encode(to encoder: any Encoder) throws {
      guard (0...1).contains(deadZone), (0...1).contains(exponential) else {
        throw EncodingError.invalidValue(
          self,
          .init(
            codingPath: encoder.codingPath,
            debugDescription: "dead zone and exponential are 0...1, not \(deadZone) and \(exponential)"))
      }
      var values = encoder.container(keyedBy: Key.self)
      try values.encode(deadZone, forKey: .deadZone)
      try values.encode(exponential, forKey: .exponential)
    }
  }
#endif
