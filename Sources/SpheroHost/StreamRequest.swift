// Streams: their requests, and the samples of one consumer, their buffer and their rate.

public import SpheroProtocol

/// The fields, rate and packet sizes of a stream.
public struct StreamRequest: Sendable, Hashable {
  /// The fields of a frame.
  public var mask: SensorMask
  /// The period of the frames in units of 1/400 s; 1...65535.
  public var divisor: UInt16
  /// The number of frames in a packet; 1...65535.
  public var frames: UInt16
  /// The number of packets of one request, 1...255.
  ///
  /// After the program crashes, the robot sends at most this number. A session requests more if it is less than ten, or
  /// if the packets last less than 0.3 s or five round trips.
  public var packets: UInt8

  /// The rate of the robot's sample clock in Hz (Sphero API 1.50, "Set Data Streaming").
  public static let sampleRate = 400

  /// Creates a request, by default for 20 frames per second.
  ///
  /// The vendor recommends these defaults for display; its streaming sample requests 200 packets.
  public init(mask: SensorMask, divisor: UInt16 = 20, frames: UInt16 = 1, packets: UInt8 = 200) {
    (self.mask, self.divisor, self.frames, self.packets) = (mask, divisor, frames, packets)
  }

  /// Creates a request for the rate 400/n Hz that is nearest to `hertz`, at most 400 Hz.
  ///
  /// A rate that is not above zero gives the divisor 0, which no robot accepts.
  public init(mask: SensorMask, hertz: Double) {
    guard hertz > 0 else {
      self.init(mask: mask, divisor: 0)
      return
    }
    let rate = Double(Self.sampleRate)
    let divisor = min(max((rate / hertz).rounded(.down), 1), 65_534)
    let isFaster = rate / divisor - hertz <= hertz - rate / (divisor + 1)
    self.init(mask: mask, divisor: UInt16(isFaster ? divisor : divisor + 1))
  }

  /// The time between two frames at the nominal 400 Hz.
  public var framePeriod: Duration { .microseconds(2_500) * Int(divisor) }
  /// The nominal time between two packets.
  public var packetPeriod: Duration { framePeriod * Int(frames) }

  /// Checks that a robot can send the stream.
  ///
  /// - Throws: ``SessionError/invalidStream(_:)``.
  package func validate() throws(SessionError) {
    guard !mask.isEmpty else { throw .invalidStream("a stream needs at least one sensor field") }
    guard mask.isDocumented else {
      throw .invalidStream("the mask of a stream: \(MaskError.reservedBits(mask.reservedBits))")
    }
    guard divisor > 0 else { throw .invalidStream("the rate must be above 0 Hz, and the divisor 1...65535") }
    guard frames > 0, packets > 0 else { throw .invalidStream("frames and packets must be at least 1") }
    // The decoder does not wait for longer packets.
    guard payloadCount <= Self.maximumPayload else {
      throw .invalidStream("a packet of \(payloadCount) bytes is too long; use fewer frames")
    }
  }
}

/// The layout of the one stream that a robot has.
extension StreamRequest {
  /// The maximum payload of a sensor packet in bytes; the decoder does not wait for much longer packets.
  static let maximumPayload = 4_000
  /// The minimum duration of one count: renewals at 30 % of it are at most 11 a second.
  private static let minimumSpan = Duration.milliseconds(300)
  /// The minimum count. A smaller one could run out before a late renewal, and a robot that restarts its period
  /// with each renewal could send no packet between two of them.
  private static let minimumPackets: UInt8 = 10

  /// Joins valid requests: all fields, at the fastest rate; nil without any.
  ///
  /// One count has at least ``minimumPackets``, and lasts for at least five times `roundTrip` and ``minimumSpan``, as far
  /// as 255 packets and the size of a packet permit.
  init?(joining requests: [StreamRequest], roundTrip: Duration) {
    guard let divisor = requests.map({ $0.divisor }).min(),
      let period = requests.map({ Int($0.divisor) * Int($0.frames) }).min()
    else { return nil }
    self.init(
      mask: requests.reduce(into: SensorMask()) { $0.formUnion($1.mask) }, divisor: divisor,
      packets: requests.map { $0.packets }.reduce(Self.minimumPackets, max))
    let maximumFrames = max(1, Self.maximumPayload / max(2, mask.wordCount * 2))
    frames = UInt16(min(max(1, period / Int(divisor)), maximumFrames))
    let needed = max(roundTrip * 5, Self.minimumSpan)
    guard span < needed else { return }
    packets = UInt8(min((needed / packetPeriod).rounded(.up), 255))
    guard span < needed else { return }
    let more = (needed / (framePeriod * Int(packets))).rounded(.up)
    frames = UInt16(min(max(Int(frames), Int(min(more, Double(Self.maximumPayload)))), maximumFrames))
  }

  var span: Duration { packetPeriod * Int(packets) }
  var payloadCount: Int { mask.wordCount * 2 * Int(frames) }
  var cost: Double { Double(payloadCount) / packetPeriod.inSeconds }
  var format: StreamFormat { StreamFormat(mask: mask, divisor: divisor, frames: frames) }
  var command: Sensing.SetDataStreaming {
    Sensing.SetDataStreaming(divisor: divisor, frames: frames, mask: mask, packetCount: packets)
  }

  /// Whether the fields and rates of `other` are part of this layout.
  func covers(_ other: StreamRequest) -> Bool {
    mask.isSuperset(of: other.mask) && divisor <= other.divisor && packetPeriod <= other.packetPeriod
  }

  /// Returns this layout, if possible with a packet length that is not taken by another recent layout.
  ///
  /// A sensor packet does not carry its layout. If its length identifies the layout, the stream changes without a pause,
  /// and no late packet is decoded by the wrong layout. Additional frames or fields change the length.
  func distinct(from isTaken: (StreamRequest) -> Bool) -> StreamRequest {
    // The bits of the first mask come first; every firmware streams them.
    let spare = SensorField.allCases.filter {
      SensorMask.all.contains(SensorMask($0)) && !mask.contains(SensorMask($0))
    }
    for moreFrames in 0...3 as ClosedRange<UInt16> {
      var other = self
      other.frames = frames + moreFrames
      for extra in [nil] + spare.prefix(4).map(Optional.some) {
        if let extra { other.mask.formUnion(SensorMask(extra)) }
        if !isTaken(other), other.payloadCount <= Self.maximumPayload { return other }
      }
    }
    return self
  }
}

/// Sensor values with the time of their measurement.
public struct TimedSample: Sendable, Hashable {
  /// The time since the first sample, reconstructed from the robot's even sample clock and its measured rate.
  public let time: Duration
  /// The time between the arrivals of the first packet and of its packet, by the host's clock; it includes the delay of
  /// the link.
  public let arrival: Duration
  /// The time of measurement by the host's clock, reconstructed like ``time``.
  public let hostTime: Duration
  /// The time of measurement since 1970, by the wall clock at the start of the session; zero if unknown.
  public let wallClock: Duration
  /// The values.
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

/// The behaviour of a stream that is faster than its consumer.
///
/// Later versions of the library may add cases; a switch over it needs a `default`.
public enum BufferingPolicy: Hashable, Sendable {
  /// The buffer keeps this number of the newest samples; older ones are dropped and counted.
  case newest(Int)
  /// No sample is dropped for lack of space: while this number is buffered, the session does not read the line.
  ///
  /// The robot's answers to commands are delayed as well.
  case wait(Int)

  /// The number of buffered samples, at least 1, at which the oldest are dropped or reading pauses. A packet that reaches
  /// it is kept whole.
  package var capacity: Int {
    switch self {
    case .newest(let count), .wait(let count): max(1, count)
    }
  }
}

/// The buffered samples of one consumer.
public struct SampleBuffer: Sendable {
  /// The capacity of the buffer, and its behaviour when it is full.
  public let policy: BufferingPolicy
  /// The age beyond which a sample is dropped; nil for no limit.
  public let ageLimit: Duration?
  /// The number of dropped samples.
  public private(set) var dropped = 0

  private var waiting = Queue<(sample: TimedSample, received: Duration)>()
  private var isClosed = false

  public init(_ policy: BufferingPolicy, ageLimit: Duration?) {
    (self.policy, self.ageLimit) = (policy, ageLimit)
  }

  /// The number of samples that wait for the consumer.
  public var count: Int { waiting.count }

  /// Whether the session must not read the line until the consumer has removed samples.
  public var appliesBackpressure: Bool {
    if case .wait = policy { !isClosed && count >= policy.capacity } else { false }
  }

  /// Discards all further samples; the buffered ones remain.
  public mutating func close() { isClosed = true }

  public mutating func push(_ samples: [TimedSample], at now: Duration) {
    guard !isClosed else { return }
    dropOld(at: now)
    for sample in samples { waiting.append((sample, now)) }
    if case .newest = policy, count > policy.capacity { drop(count - policy.capacity) }
  }

  /// Removes and returns the oldest sample within the age limit; nil without one.
  public mutating func pop(at now: Duration) -> TimedSample? {
    dropOld(at: now)
    return waiting.popFirst()?.sample
  }

  private mutating func dropOld(at now: Duration) {
    guard let ageLimit else { return }
    while let first = waiting.first, now - first.received > ageLimit { drop(1) }
  }

  private mutating func drop(_ count: Int) {
    waiting.removeFirst(count)
    dropped &+= count
  }
}

/// The number and the rate of the samples of a stream.
package struct StreamStatistics: Sendable {
  package private(set) var count = 0
  private var first = Duration.zero
  /// The time between the first and the newest sample by their `time`, which is free of jitter.
  package private(set) var span = Duration.zero
  /// The time at which the newest sample was processed, by the clock of the session; zero before the first.
  package private(set) var last = Duration.zero

  package init() {}

  package mutating func add(_ sample: TimedSample, at now: Duration) {
    if count == 0 { first = sample.time }
    (span, last) = (sample.time - first, now)
    count += 1
  }

  /// The samples per second between the first and the last; nil for fewer than two, or for equal times.
  package var rate: Double? {
    guard count > 1, span > .zero else { return nil }
    return Double(count - 1) / (span / .seconds(1))
  }
}

extension Duration {
  /// Multiplies by an `Int`.
  ///
  /// The standard library's operator takes any integer type and costs hundreds of instructions;
  /// each packet needs dozens of such products.
  static func * (span: Duration, count: Int) -> Duration {
    Duration(attoseconds: span.attoseconds &* Int128(count))
  }

  /// Rounds to whole microseconds, so that a sum of periods is printed with at most six decimals.
  ///
  /// Returns zero for a number that is not finite, and for one whose microseconds exceed an `Int64`.
  static func rounded(seconds: Double) -> Duration {
    let microseconds = (seconds * 1e6).rounded()
    return abs(microseconds) < 9e18 ? .microseconds(Int64(microseconds)) : .zero
  }
}
