// The settings and the counters of a conversation.

public import SpheroProtocol

/// Timeouts, retries and rates of a host.
public struct HostSettings: Hashable, Sendable {
  /// The timeout of each attempt of a request.
  public var timeout: Duration
  /// The maximum number of attempts of a request that may be repeated, 1...1,000,000; other values are clamped.
  ///
  /// Stops, aborts and the commands with which the session protects the ball have up to six shorter attempts before.
  /// It does not apply to `Robot.ping()`, set-points, renewals of a stream and the commands of a shutdown.
  public var attempts: Int { didSet { attempts = Self.clamped(attempts) } }
  /// How long the robot may take to answer for the first time.
  ///
  /// An RFCOMM link is open before the robot processes commands.
  public var connectTimeout: Duration = .seconds(15)
  /// Whether each ping of the handshake follows commands that abort programs inside the robot, and each repeated ping also
  /// a stop of the ball on heading 0.
  ///
  /// A program that only stops the robot sets it, so that it also stops one whose answers are all lost. No stop precedes
  /// the first ping: a robot that answers it reports its heading, on which a stop does not turn the ball.
  public var stopsWhileConnecting = false
  /// The maximum duration of the shutdown; it starts again once if the process had no processor time to send the stop.
  public var shutdownTimeout: Duration = .seconds(1)
  /// The maximum number of requests of the program in flight; renewals and cleanup do not count.
  public var maximumInFlight = 4
  /// The maximum number of queued requests of the program.
  public var maximumWaiting = 256
  /// The maximum rate of commands per second, except renewals and cleanup; the vendor's site gives about 12.
  public var commandsPerSecond = 12
  /// The number of commands that may be sent at once before the rate limit applies.
  public var burst = 12
  /// The time without commands after which a ping keeps the robot awake; nil, zero or less lets it sleep.
  ///
  /// The factory setting of its inactivity timeout is 600 s (Sphero API 1.50, "Set Inactivity Timeout").
  public var keepAlive: Duration? = .seconds(60)
  /// Whether the session enables the robot's stop on disconnect before the first motion.
  public var stopsOnDisconnect = true
  /// Whether the shutdown puts the robot to sleep, after the stop and the other cleanup; the line drops then.
  public var sleepsAtShutdown = false
  /// The time after the last motion command at which the robot stops, at most 65.535 s; nil keeps the timeout of the robot.
  ///
  /// The session sets it before the first motion, if the robot's permanent options enable motion timeouts.
  public var motionTimeout: Duration? = .seconds(2)
  /// Whether the session ends a stream that no consumer requested, such as one that a former program left on.
  ///
  /// False for a program that sends `Sensing.SetDataStreaming` itself; the shutdown then ends its streams.
  public var stopsStrayStreams = true
  /// The sequence number of the first request, 1...255; with 0, a session chooses one at random.
  ///
  /// With a random number, the answers to a former program hardly ever match requests of this one.
  public var firstSequence: UInt8 = 0
  /// The time since 1970 at zero of the host's clock, for ``TimedSample/wallClock``.
  public var wallClockStart: Duration = .zero

  public init(timeout: Duration = .seconds(1), attempts: Int = 3) {
    (self.timeout, self.attempts) = (timeout, Self.clamped(attempts))
  }

  /// The period of the pings that keep the robot awake; nil if it may sleep.
  var keepAlivePeriod: Duration? { keepAlive.flatMap { $0 > .zero ? $0 : nil } }

  /// The limit prevents an overflow of the total time of all attempts.
  private static func clamped(_ attempts: Int) -> Int { min(max(1, attempts), 1_000_000) }
}

/// Counts of packets, bytes, retries and losses of a conversation.
public struct HostStatistics: Sendable {
  /// The counts of packets, of bytes that belong to no packet, and of wrong checksums.
  public internal(set) var decoder = PacketDecoder.Statistics()
  /// The number of bytes received from the line.
  public internal(set) var bytesReceived = 0
  /// The number of bytes sent to the line.
  public internal(set) var bytesSent = 0
  /// The number of commands sent, including retries and renewals.
  public internal(set) var commandsSent = 0
  /// The number of retries: requests sent again because no answer arrived.
  public internal(set) var repetitions = 0
  /// The number of requests that renewed the count of a stream, including retries.
  public internal(set) var renewals = 0
  /// The number of silences of a stream that exceeded three packet periods and 250 ms.
  public internal(set) var stalls = 0
  /// The number of frames lost on the link.
  public internal(set) var lostFrames = 0
  /// The number of samples dropped because a consumer was too slow.
  public package(set) var droppedSamples = 0
  /// The number of answers that arrived too late, match no request, or do not decode as the answer of their request.
  public internal(set) var strayAnswers = 0
  /// The number of times that the line was lost and reopened.
  public internal(set) var reconnections = 0
  /// The total duration of suspensions; see ``Notice/suspended(_:)``.
  public internal(set) var suspended = Duration.zero
  /// The times from a command to its response.
  public package(set) var roundTrip = RoundTrip()

  package init() {}
}

extension PacketDecoder.Statistics {
  mutating func add(_ other: PacketDecoder.Statistics) {
    packets += other.packets
    discarded += other.discarded
    badChecksums += other.badChecksums
    falsePackets += other.falsePackets
  }
}
