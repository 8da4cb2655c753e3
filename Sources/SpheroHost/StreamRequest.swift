// The request for a stream, and the samples of it.

public import SpheroProtocol

/// The fields, rate and packet sizes of a stream.
public struct StreamRequest: Sendable, Hashable {
  /// The fields of a frame.
  public var mask: SensorMask
  /// The period of the frames in units of 1/400 s; 1...65535.
  public var divisor: UInt16
  /// Frames in a packet; 1...65535.
  public var frames: UInt16
  /// The packets of one request, 1...255: the maximum that a robot sends after the program dies.
  public var packets: UInt8

  /// The rate of the robot's sample clock in Hz (Sphero API 1.50, "Set Data Streaming").
  public static let sampleRate = 400

  /// Creates a request, by default for 20 frames per second.
  ///
  /// The defaults are the vendor's advice for display; 200 packets follow its streaming sample.
  public init(mask: SensorMask, divisor: UInt16 = 20, frames: UInt16 = 1, packets: UInt8 = 200) {
    (self.mask, self.divisor, self.frames, self.packets) = (mask, divisor, frames, packets)
  }

  /// Creates a request for the rate 400/n Hz that is nearest to `hertz`, at most 400 Hz.
  public init(mask: SensorMask, hertz: Double) {
    let divisor = (Double(Self.sampleRate) / hertz).rounded()
    // A rate that is not positive selects the slowest one.
    self.init(
      mask: mask, divisor: divisor >= 1 && divisor <= 65_535 ? UInt16(divisor) : hertz > 1 ? 1 : 65_535)
  }

  /// The time between two frames at the nominal 400 Hz.
  public var framePeriod: Duration { .microseconds(2_500) * Int(divisor) }
  public var packetPeriod: Duration { framePeriod * Int(frames) }

  /// Checks that a robot can send the stream.
  ///
  /// - Throws: ``SessionError/invalidStream(_:)``.
  package func validate() throws(SessionError) {
    guard !mask.isEmpty else { throw .invalidStream("a stream needs at least one sensor field") }
    guard mask.isDocumented else { throw .invalidStream("a stream must not have reserved fields") }
    guard divisor > 0 else { throw .invalidStream("the divisor must be 1...65535") }
    guard frames > 0, packets > 0 else { throw .invalidStream("frames and packets must be at least 1") }
    let count = mask.wordCount * 2 * Int(frames)
    // The decoder does not wait for longer packets.
    guard count <= StreamLayout.maximumPayload else {
      throw .invalidStream("a packet of \(count) bytes is too long; use fewer frames")
    }
  }
}

/// Sensor values with the time of their measurement.
public struct TimedSample: Sendable, Hashable {
  /// The time since the first sample, reconstructed from the robot's even sample clock and its measured rate.
  public let time: Duration
  /// The arrival of its packet since that of the first one, by the host's clock; it includes the delay of the link.
  public let arrival: Duration
  /// The time of measurement by the host's clock, reconstructed like ``time``.
  public let hostTime: Duration
  /// The time of measurement since 1970, by the wall clock at the start of the session; zero if unknown.
  public let wallClock: Duration
  public let sample: Sample

  /// Creates a sample; without `hostTime`, the host's clock starts with the first sample.
  public init(
    time: Duration, arrival: Duration, hostTime: Duration? = nil, wallClock: Duration = .zero, sample: Sample
  ) {
    (self.time, self.arrival, self.sample) = (time, arrival, sample)
    (self.hostTime, self.wallClock) = (hostTime ?? time, wallClock)
  }

  /// The value of a field in its unit, like `sample[.yaw]`; nil if it is not streamed.
  public subscript(field: SensorField) -> Double? { sample[field] }
}

extension StreamRequest: CustomStringConvertible {
  /// Fields, period and sizes, like `accel,gyro each 0.05 s, 1 to a packet, 200 packets`.
  public var description: String {
    "\(mask) each \(framePeriod.text()) s, \(frames) to a packet, \(packets) packets"
  }
}

extension TimedSample: CustomStringConvertible {
  /// Time and values, like `0.05 s: pitch=-90° roll=5° yaw=180°`.
  public var description: String { "\(time.text()) s: \(sample)" }
}

/// Identifies a consumer of the robot's stream; never reused.
public struct SubscriptionID: Hashable, Sendable {
  let number: Int
}
