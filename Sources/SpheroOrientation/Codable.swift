// How the values of this module are stored; Docs/Storing.md shows each form.

// Embedded Swift has no coders, so all of them are in this file; the compiler writes none outside a type's own file.
#if !hasFeature(Embedded)
  extension Decoder {
    /// The error of a value that is read where it must not be, in a sentence.
    package func refusal(_ sentence: String) -> DecodingError {
      .dataCorrupted(DecodingError.Context(codingPath: codingPath, debugDescription: sentence))
    }
  }

  /// A choice that is stored as a word.
  private protocol StoredAsWord: Codable {
    /// Each choice and its word.
    static var words: [(Self, String)] { get }
  }

  extension StoredAsWord where Self: Equatable {
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

  // The angle, with its unit named: {"radians": 1.5}.
  extension Angle: Codable {
    private enum Key: String, CodingKey { case radians }

    /// Reads `{"radians": 1.5}`.
    public init(from decoder: any Decoder) throws {
      self.init(radians: try decoder.container(keyedBy: Key.self).decode(Double.self, forKey: .radians))
    }

    /// Writes `{"radians": 1.5}`.
    public func encode(to encoder: any Encoder) throws {
      var values = encoder.container(keyedBy: Key.self)
      try values.encode(radians, forKey: .radians)
    }
  }

  extension Heading: Codable {
    private enum Key: String, CodingKey { case degrees }

    /// Reads `{"degrees": 270}`; degrees outside 0..<360 are refused.
    public init(from decoder: any Decoder) throws {
      let degrees = try decoder.container(keyedBy: Key.self).decode(Double.self, forKey: .degrees)
      guard (0..<360).contains(degrees), let heading = Heading(degrees: degrees) else {
        throw decoder.refusal("a heading is 0..<360 degrees, not \(degrees)")
      }
      self = heading
    }

    /// Writes `{"degrees": 270}`.
    public func encode(to encoder: any Encoder) throws {
      var values = encoder.container(keyedBy: Key.self)
      try values.encode(degrees, forKey: .degrees)
    }
  }

  extension Vector3: Codable {
    private enum Key: String, CodingKey { case x, y, z }

    /// Reads `{"x": 1, "y": 2, "z": 3}`.
    public init(from decoder: any Decoder) throws {
      let values = try decoder.container(keyedBy: Key.self)
      self.init(
        x: try values.decode(Double.self, forKey: .x), y: try values.decode(Double.self, forKey: .y),
        z: try values.decode(Double.self, forKey: .z))
    }

    /// Writes `{"x": 1, "y": 2, "z": 3}`.
    public func encode(to encoder: any Encoder) throws {
      var values = encoder.container(keyedBy: Key.self)
      try values.encode(x, forKey: .x)
      try values.encode(y, forKey: .y)
      try values.encode(z, forKey: .z)
    }
  }

  extension Quaternion: Codable {
    private enum Key: String, CodingKey { case w, x, y, z }

    /// Reads `{"w": 1, "x": 0, "y": 0, "z": 0}`.
    public init(from decoder: any Decoder) throws {
      let values = try decoder.container(keyedBy: Key.self)
      self.init(
        w: try values.decode(Double.self, forKey: .w), x: try values.decode(Double.self, forKey: .x),
        y: try values.decode(Double.self, forKey: .y), z: try values.decode(Double.self, forKey: .z))
    }

    /// Writes `{"w": 1, "x": 0, "y": 0, "z": 0}`.
    public func encode(to encoder: any Encoder) throws {
      var values = encoder.container(keyedBy: Key.self)
      try values.encode(w, forKey: .w)
      try values.encode(x, forKey: .x)
      try values.encode(y, forKey: .y)
      try values.encode(z, forKey: .z)
    }
  }

  extension Rotation: Codable {
    /// Reads a ``Quaternion``; one whose length is not within a thousandth of 1 is refused.
    public init(from decoder: any Decoder) throws {
      let quaternion = try Quaternion(from: decoder)
      guard abs(quaternion.norm - 1) <= 1e-3, let rotation = Rotation(quaternion) else {
        throw decoder.refusal("the quaternion of a rotation has length 1, not \(quaternion.norm)")
      }
      // To normalise what is of length 1 already would change its last digits.
      self = abs(quaternion.norm - 1) <= 4 * .ulpOfOne ? Rotation(unit: quaternion) : rotation
    }

    /// Writes its ``quaternion``.
    public func encode(to encoder: any Encoder) throws { try quaternion.encode(to: encoder) }
  }

  extension EulerSequence: Codable {}

  extension EulerOrder: Codable, StoredAsWord {
    fileprivate static var words: [(EulerOrder, String)] { all.map { ($0, $0.description) } }

    /// Reads a word like `intrinsic zxy`.
    public init(from decoder: any Decoder) throws { try self.init(word: decoder) }
    /// Writes a word like `intrinsic zxy`.
    public func encode(to encoder: any Encoder) throws { try encode(word: encoder) }
  }

  extension EulerAngles: Codable {
    private enum Key: String, CodingKey { case first, second, third, order }

    /// Reads `first`, `second`, `third`, each an angle, and `order`.
    public init(from decoder: any Decoder) throws {
      let values = try decoder.container(keyedBy: Key.self)
      self.init(
        try values.decode(Angle.self, forKey: .first), try values.decode(Angle.self, forKey: .second),
        try values.decode(Angle.self, forKey: .third),
        order: try values.decode(EulerOrder.self, forKey: .order))
    }

    /// Writes `first`, `second`, `third` and `order`.
    public func encode(to encoder: any Encoder) throws {
      var values = encoder.container(keyedBy: Key.self)
      try values.encode(first, forKey: .first)
      try values.encode(second, forKey: .second)
      try values.encode(third, forKey: .third)
      try values.encode(order, forKey: .order)
    }
  }

  extension PitchRollYaw: Codable {
    private enum Key: String, CodingKey { case pitch, roll, yaw }

    /// Reads `pitch`, `roll` and `yaw`, each an angle.
    public init(from decoder: any Decoder) throws {
      let values = try decoder.container(keyedBy: Key.self)
      self.init(
        pitch: try values.decode(Angle.self, forKey: .pitch),
        roll: try values.decode(Angle.self, forKey: .roll),
        yaw: try values.decode(Angle.self, forKey: .yaw))
    }

    /// Writes `pitch`, `roll` and `yaw`.
    public func encode(to encoder: any Encoder) throws {
      var values = encoder.container(keyedBy: Key.self)
      try values.encode(pitch, forKey: .pitch)
      try values.encode(roll, forKey: .roll)
      try values.encode(yaw, forKey: .yaw)
    }
  }

  extension InertialSample: Codable {
    private enum Key: String, CodingKey { case timestamp, rotationRate, acceleration, magneticField }

    /// Reads `timestamp`, `rotationRate`, `acceleration` and perhaps `magneticField`.
    public init(from decoder: any Decoder) throws {
      let values = try decoder.container(keyedBy: Key.self)
      self.init(
        timestamp: try values.decode(Double.self, forKey: .timestamp),
        rotationRate: try values.decode(Vector3.self, forKey: .rotationRate),
        acceleration: try values.decode(Vector3.self, forKey: .acceleration),
        magneticField: try values.decodeIfPresent(Vector3.self, forKey: .magneticField))
    }

    /// Writes `timestamp`, `rotationRate`, `acceleration`, and `magneticField` where there is one.
    public func encode(to encoder: any Encoder) throws {
      var values = encoder.container(keyedBy: Key.self)
      try values.encode(timestamp, forKey: .timestamp)
      try values.encode(rotationRate, forKey: .rotationRate)
      try values.encode(acceleration, forKey: .acceleration)
      try values.encodeIfPresent(magneticField, forKey: .magneticField)
    }
  }

  extension DeviceMotion: Codable {
    private enum Key: String, CodingKey {
      case timestamp, attitude, rotationRate, rotationRateBias, userAcceleration
    }

    /// Reads `timestamp`, `attitude`, `rotationRate`, `rotationRateBias` and `userAcceleration`.
    public init(from decoder: any Decoder) throws {
      let values = try decoder.container(keyedBy: Key.self)
      self.init(
        timestamp: try values.decode(Double.self, forKey: .timestamp),
        attitude: try values.decode(Rotation.self, forKey: .attitude),
        rotationRate: try values.decode(Vector3.self, forKey: .rotationRate),
        rotationRateBias: try values.decode(Vector3.self, forKey: .rotationRateBias),
        userAcceleration: try values.decode(Vector3.self, forKey: .userAcceleration))
    }

    /// Writes `timestamp`, `attitude`, `rotationRate`, `rotationRateBias` and `userAcceleration`.
    public func encode(to encoder: any Encoder) throws {
      var values = encoder.container(keyedBy: Key.self)
      try values.encode(timestamp, forKey: .timestamp)
      try values.encode(attitude, forKey: .attitude)
      try values.encode(rotationRate, forKey: .rotationRate)
      try values.encode(rotationRateBias, forKey: .rotationRateBias)
      try values.encode(userAcceleration, forKey: .userAcceleration)
    }
  }

  extension RestCalibration: Codable {
    private enum Key: String, CodingKey { case rotationRateOffset, accelerationOffset, sampleCount }

    /// Reads both offsets and the count; offsets that are not finite and counts below 1 are refused.
    public init(from decoder: any Decoder) throws {
      let values = try decoder.container(keyedBy: Key.self)
      let rate = try values.decode(Vector3.self, forKey: .rotationRateOffset)
      let acceleration = try values.decode(Vector3.self, forKey: .accelerationOffset)
      let count = try values.decode(Int.self, forKey: .sampleCount)
      guard rate.isFinite, acceleration.isFinite else {
        throw decoder.refusal("the offsets of a calibration are finite, not \(rate) and \(acceleration)")
      }
      guard count >= 1 else { throw decoder.refusal("a calibration has at least one reading, not \(count)") }
      self.init(rotationRateOffset: rate, accelerationOffset: acceleration, sampleCount: count)
    }

    /// Writes `rotationRateOffset`, `accelerationOffset` and `sampleCount`.
    public func encode(to encoder: any Encoder) throws {
      var values = encoder.container(keyedBy: Key.self)
      try values.encode(rotationRateOffset, forKey: .rotationRateOffset)
      try values.encode(accelerationOffset, forKey: .accelerationOffset)
      try values.encode(sampleCount, forKey: .sampleCount)
    }
  }

  extension SignedAxis: Codable, StoredAsWord {
    fileprivate static var words: [(SignedAxis, String)] { allCases.map { ($0, $0.description) } }

    /// Reads a word like `-y`.
    public init(from decoder: any Decoder) throws { try self.init(word: decoder) }
    /// Writes a word like `-y`.
    public func encode(to encoder: any Encoder) throws { try encode(word: encoder) }
  }

  extension AxisMap: Codable {
    private enum Key: String, CodingKey { case x, y, z }

    /// Reads `{"x": "y", "y": "-x", "z": "z"}`; axes that are not right-handed are refused.
    public init(from decoder: any Decoder) throws {
      let values = try decoder.container(keyedBy: Key.self)
      let (x, y, z) = (
        try values.decode(SignedAxis.self, forKey: .x), try values.decode(SignedAxis.self, forKey: .y),
        try values.decode(SignedAxis.self, forKey: .z)
      )
      guard let map = AxisMap(x: x, y: y, z: z) else {
        throw decoder.refusal("the axes \(x), \(y), \(z) are not right-handed")
      }
      self = map
    }

    /// Writes `{"x": "y", "y": "-x", "z": "z"}`.
    public func encode(to encoder: any Encoder) throws {
      var values = encoder.container(keyedBy: Key.self)
      try values.encode(x, forKey: .x)
      try values.encode(y, forKey: .y)
      try values.encode(z, forKey: .z)
    }
  }

  extension QuaternionWords: Codable {
    /// Reads `[9985, -539, 86, 0]`, in the order of delivery.
    public init(from decoder: any Decoder) throws {
      let words = try [Double](from: decoder)
      guard words.count == 4 else { throw decoder.refusal("a quaternion has 4 words, not \(words.count)") }
      self.init(words[0], words[1], words[2], words[3])
    }

    /// Writes `[9985, -539, 86, 0]`, in the order of delivery.
    public func encode(to encoder: any Encoder) throws { try [q0, q1, q2, q3].encode(to: encoder) }
  }

  extension QuaternionLayout.Order: Codable, StoredAsWord {
    fileprivate static var words: [(Self, String)] { allCases.map { ($0, $0.description) } }

    /// Reads `scalar first` or `scalar last`.
    public init(from decoder: any Decoder) throws { try self.init(word: decoder) }
    /// Writes `scalar first` or `scalar last`.
    public func encode(to encoder: any Encoder) throws { try encode(word: encoder) }
  }

  extension QuaternionLayout.Direction: Codable, StoredAsWord {
    fileprivate static var words: [(Self, String)] { allCases.map { ($0, $0.description) } }

    /// Reads `body to reference` or `reference to body`.
    public init(from decoder: any Decoder) throws { try self.init(word: decoder) }
    /// Writes `body to reference` or `reference to body`.
    public func encode(to encoder: any Encoder) throws { try encode(word: encoder) }
  }

  extension QuaternionLayout: Codable {
    private enum Key: String, CodingKey { case order, direction }

    /// Reads `order` and `direction`.
    public init(from decoder: any Decoder) throws {
      let values = try decoder.container(keyedBy: Key.self)
      self.init(
        try values.decode(Order.self, forKey: .order), try values.decode(Direction.self, forKey: .direction))
    }

    /// Writes `order` and `direction`.
    public func encode(to encoder: any Encoder) throws {
      var values = encoder.container(keyedBy: Key.self)
      try values.encode(order, forKey: .order)
      try values.encode(direction, forKey: .direction)
    }
  }

  extension AccelerometerSign: Codable, StoredAsWord {
    fileprivate static var words: [(Self, String)] { allCases.map { ($0, $0.description) } }

    /// Reads `specific force` or `minus specific force`.
    public init(from decoder: any Decoder) throws { try self.init(word: decoder) }
    /// Writes `specific force` or `minus specific force`.
    public func encode(to encoder: any Encoder) throws { try encode(word: encoder) }
  }

  extension AngleConvention: Codable {
    private enum Key: String, CodingKey { case pitch, roll, yaw, order, pitchOffset }

    /// Reads three signed axes, the order and the offset; what does not fit together is refused.
    public init(from decoder: any Decoder) throws {
      let values = try decoder.container(keyedBy: Key.self)
      let convention = AngleConvention(
        pitch: try values.decode(SignedAxis.self, forKey: .pitch),
        roll: try values.decode(SignedAxis.self, forKey: .roll),
        yaw: try values.decode(SignedAxis.self, forKey: .yaw),
        order: try values.decode(EulerOrder.self, forKey: .order),
        pitchOffset: try values.decode(Angle.self, forKey: .pitchOffset))
      guard let convention else {
        throw decoder.refusal(
          "pitch, roll and yaw turn about three different axes, in an order of three, with a finite offset")
      }
      self = convention
    }

    /// Writes `pitch`, `roll`, `yaw`, `order` and `pitchOffset`.
    public func encode(to encoder: any Encoder) throws {
      var values = encoder.container(keyedBy: Key.self)
      try values.encode(pitch, forKey: .pitch)
      try values.encode(roll, forKey: .roll)
      try values.encode(yaw, forKey: .yaw)
      try values.encode(order, forKey: .order)
      try values.encode(pitchOffset, forKey: .pitchOffset)
    }
  }

  extension Convention: Codable {
    private enum Key: String, CodingKey {
      case layout, body, reference, angles, accelerometer, accelerometerAxes, gyroscopeAxes
    }

    /// Reads each property by its name; axes of sensors that are missing are as where they are not given.
    public init(from decoder: any Decoder) throws {
      let values = try decoder.container(keyedBy: Key.self)
      self.init(
        layout: try values.decode(QuaternionLayout.self, forKey: .layout),
        body: try values.decode(AxisMap.self, forKey: .body),
        reference: try values.decode(AxisMap.self, forKey: .reference),
        angles: try values.decode(AngleConvention.self, forKey: .angles),
        accelerometer: try values.decode(AccelerometerSign.self, forKey: .accelerometer),
        accelerometerAxes: try values.decodeIfPresent(AxisMap.self, forKey: .accelerometerAxes),
        gyroscopeAxes: try values.decodeIfPresent(AxisMap.self, forKey: .gyroscopeAxes))
    }

    /// Writes each property under its name.
    public func encode(to encoder: any Encoder) throws {
      var values = encoder.container(keyedBy: Key.self)
      try values.encode(layout, forKey: .layout)
      try values.encode(body, forKey: .body)
      try values.encode(reference, forKey: .reference)
      try values.encode(angles, forKey: .angles)
      try values.encode(accelerometer, forKey: .accelerometer)
      try values.encode(accelerometerAxes, forKey: .accelerometerAxes)
      try values.encode(gyroscopeAxes, forKey: .gyroscopeAxes)
    }
  }
#endif
