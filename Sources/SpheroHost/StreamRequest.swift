// What a program wants to stream, and what it gets.

public import SpheroProtocol

/// What to stream, and how.
public struct StreamRequest: Sendable, Hashable {
  /// The values of a frame.
  public var mask: SensorMask
  /// A frame is taken every `divisor`/400 s; 1...65535.
  public var divisor: UInt16
  /// Frames in a packet; 1...65535.
  public var frames: UInt16
  /// The packets of one request, 1...255: what a robot still sends when the program dies.
  public var packets: UInt8

  /// The rate at which a robot takes samples, in Hz (Sphero API 1.50, "Set Data Streaming").
  public static let sampleRate = 400

  /// Asks for values, by default 20 times a second.
  ///
  /// The defaults are the vendor's advice for display; 200 packets follow its streaming sample.
  public init(mask: SensorMask, divisor: UInt16 = 20, frames: UInt16 = 1, packets: UInt8 = 200) {
    (self.mask, self.divisor, self.frames, self.packets) = (mask, divisor, frames, packets)
  }

  /// Asks for values at a rate.
  ///
  /// - Parameters:
  ///   - mask: The values of a frame.
  ///   - hertz: The rate; the robot can do 400/n, so the nearest of these is taken, at most 400.
  public init(mask: SensorMask, hertz: Double) {
    let divisor = (Double(Self.sampleRate) / hertz).rounded()
    // A rate that is not positive asks for the slowest one.
    self.init(
      mask: mask, divisor: divisor >= 1 && divisor <= 65_535 ? UInt16(divisor) : hertz > 1 ? 1 : 65_535)
  }

  /// The time between two frames at the nominal 400 Hz.
  public var framePeriod: Duration { .microseconds(2_500) * Int(divisor) }
  /// The time between two packets.
  public var packetPeriod: Duration { framePeriod * Int(frames) }

  /// Makes sure that a robot can send it.
  ///
  /// - Throws: ``SessionError/invalidStream(_:)``.
  package func validate() throws(SessionError) {
    guard !mask.isEmpty else { throw .invalidStream("a stream needs at least one sensor field") }
    guard mask.isDocumented else { throw .invalidStream("a stream must not have reserved fields") }
    guard divisor > 0 else { throw .invalidStream("the divisor must be 1...65535") }
    guard frames > 0, packets > 0 else { throw .invalidStream("frames and packets must be at least 1") }
    let count = mask.wordCount * 2 * Int(frames)
    // Longer packets than a decoder waits for would never be seen.
    guard count <= StreamLayout.longestPayload else {
      throw .invalidStream("a packet of \(count) bytes is too long; use fewer frames")
    }
  }
}

/// Sensor values with the time they were measured.
public struct TimedSample: Sendable, Hashable {
  /// Since the first sample: reconstructed from the robot's even rhythm and its measured rate, without jitter.
  public let time: Duration
  /// When its packet came, by the host's clock, since the first packet did; late by what the link takes.
  public let arrival: Duration
  /// When it was measured, by the host's clock, reconstructed as ``time`` is.
  public let hostTime: Duration
  /// When it was measured, since 1970, by the wall clock at the start of the session; zero where nobody knows.
  public let wallClock: Duration
  /// The values.
  public let sample: Sample

  /// Makes a sample; the host's clock is taken to begin with the first sample where it is not given.
  public init(
    time: Duration, arrival: Duration, hostTime: Duration? = nil, wallClock: Duration = .zero, sample: Sample
  ) {
    (self.time, self.arrival, self.sample) = (time, arrival, sample)
    (self.hostTime, self.wallClock) = (hostTime ?? time, wallClock)
  }
}

extension StreamRequest: CustomStringConvertible {
  /// Fields, period and sizes: `accel,gyro each 0.05 s, 1 to a packet, 200 packets`.
  public var description: String {
    "\(mask) each \(framePeriod.text()) s, \(frames) to a packet, \(packets) packets"
  }
}

extension TimedSample: CustomStringConvertible {
  /// Time and values: `0.05 s: pitch=-90° roll=5° yaw=180°`.
  public var description: String { "\(time.text()) s: \(sample)" }
}

/// Names a consumer of the robot's stream; never used twice.
public struct SubscriptionID: Hashable, Sendable {
  let number: Int
}
