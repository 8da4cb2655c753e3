// How patient the host is, and how fast it speaks.

/// How a host talks to a robot: time limits, repetitions, pace.
public struct HostSettings: Hashable, Sendable {
  /// The wait for each answer.
  public var timeout: Duration
  /// The tries in all, for requests that may be repeated; at least 1.
  public var attempts: Int
  /// How long a robot may take to answer for the first time.
  ///
  /// A link over RFCOMM is open before the robot hears.
  public var connectTimeout: Duration = .seconds(15)
  /// How long leaving may take in all.
  public var leaveTimeout: Duration = .seconds(1)
  /// The most requests of the program that wait for their answers at once; renewals and undoing do not count.
  public var maximumInFlight = 4
  /// The most requests of the program that wait to be sent.
  public var maximumWaiting = 256
  /// The commands in a second; the vendor's site gives about 12. Renewals and undoing do not count.
  public var commandsPerSecond = 12
  /// The commands that may follow each other at once before the pace holds them back.
  public var burst = 12
  /// The silence after which a ping keeps the robot awake; nil lets it sleep.
  ///
  /// The factory's inactivity time-out is 600 s (Sphero API 1.50, "Set Inactivity Timeout").
  public var keepAlive: Duration? = .seconds(60)
  /// Whether the robot is told to stop by itself when the link drops, before it is moved for the first time.
  public var stopsOnDisconnect = true
  /// The motion time-out to set before the robot is moved, where its permanent options enable motion time-outs;
  /// nil leaves it as it is.
  public var motionTimeout: Duration? = .seconds(2)
  /// Whether a robot is told to stop a stream that no consumer asked for, as one that a former program left on;
  /// false for a program that sends `Sensing.SetDataStreaming` itself. Leaving then ends its streams.
  public var endsStrayStreams = true
  /// The sequence number of the first request, 1...255; with 0, a session chooses one at random.
  ///
  /// A random one keeps the answers to a former program from being taken for answers to this one.
  public var firstSequence: UInt8 = 0
  /// The time since 1970 at zero of the host's clock, for ``TimedSample/wallClock``.
  public var wallClockStart: Duration = .zero

  /// Makes settings.
  ///
  /// - Parameters:
  ///   - timeout: The wait for each answer.
  ///   - attempts: The tries in all, for requests that may be repeated.
  public init(timeout: Duration = .seconds(1), attempts: Int = 3) {
    (self.timeout, self.attempts) = (timeout, attempts < 1 ? 1 : attempts)
  }
}
