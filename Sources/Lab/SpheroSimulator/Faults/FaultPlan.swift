// The faults of a line: their kinds, the traffic that they strike, and their probabilities.

public import SpheroProtocol

/// The traffic that a fault may strike: packets of some kinds, or single bytes.
public struct Traffic: OptionSet, Hashable, Sendable {
  /// One bit for each kind of packet, and one for the bytes of each direction.
  public var rawValue: UInt8

  public init(rawValue: UInt8) { self.rawValue = rawValue }

  /// Packets from the host.
  public static let commands = Traffic(rawValue: 1 << 0)
  /// Packets that answer a command.
  public static let responses = Traffic(rawValue: 1 << 1)
  /// The packets of a sensor stream.
  public static let sensorData = Traffic(rawValue: 1 << 2)
  /// All events except the packets of a sensor stream.
  public static let events = Traffic(rawValue: 1 << 3)
  /// All packets of the robot.
  public static let fromRobot: Traffic = [.responses, .sensorData, .events]
  /// All packets of both directions.
  public static let all: Traffic = [.commands, .fromRobot]
  /// Each byte of the host, inside and outside of packets.
  public static let hostBytes = Traffic(rawValue: 1 << 4)
  /// Each byte of the robot, inside and outside of packets.
  public static let robotBytes = Traffic(rawValue: 1 << 5)
  /// Each byte of both directions.
  public static let bytes: Traffic = [.hostBytes, .robotBytes]

  init(_ packet: Packet) {
    switch packet {
    case .command: self = .commands
    case .response: self = .responses
    case .event(let event): self = event.id == Sensing.SensorData.id ? .sensorData : .events
    }
  }
}

/// A fault that strikes single packets or single bytes.
public struct Fault: Hashable, Sendable {
  /// The effect on the packet, or on the byte.
  ///
  /// Later versions of the library may add kinds, so a `switch` over a kind needs a `default`.
  public enum Kind: Hashable, Sendable {
    /// The packet or byte is lost.
    case drop
    /// One byte of the packet arrives with another value; or one bit of the byte arrives inverted.
    case corrupt
    /// The end of the packet is lost, from a random byte on; or the byte and up to 15 following bytes are lost.
    case cut
    /// The packet or byte arrives twice.
    case duplicate
    /// The packet or byte arrives later, and delays the following ones.
    case delay(Duration)
    /// The packet arrives later, and the following ones overtake it.
    case reorder(Duration)
    /// The packet arrives in two reads; or the byte begins a read.
    case split
    /// The packet or byte waits for this time, and arrives in one read with the following ones.
    case burst(Duration)
    /// Nothing arrives for this time, in either direction; then all pending bytes arrive.
    case stall(Duration)
    /// SEQ arrives as another number; for commands and responses.
    case changeSequence
    /// The command never arrives, and the robot answers with this status; for commands.
    case refuse(Status)
    /// One to eight bytes that belong to no packet arrive before the packet or byte.
    case stray
    /// The latest sensor packet arrives again after the response; for responses.
    ///
    /// After the response to `Sensing.SetDataStreaming`, this packet still has the layout of the previous stream.
    case stale

    /// The traffic that this kind can strike.
    public var possibleTraffic: Traffic {
      switch self {
      case .drop, .corrupt, .cut, .duplicate, .delay, .split, .burst, .stall, .stray: [.all, .bytes]
      case .reorder: .all
      case .changeSequence: [.commands, .responses]
      case .refuse: .commands
      case .stale: .responses
      }
    }
  }

  /// The effect of the fault.
  public var kind: Kind
  /// The probability for each packet or byte, 0...1.
  public var chance: Double
  /// The traffic that the fault may strike; traffic outside ``Kind/possibleTraffic`` is ignored.
  public var traffic: Traffic
  /// The command that the fault strikes, with its responses; nil for every packet. It has no effect on single bytes.
  public var command: CommandID?
  /// The range to strike among the packets or bytes that match traffic and command, counted from 0; nil for all.
  public var indices: Range<Int>?

  public init(
    _ kind: Kind, chance: Double = 1, of traffic: Traffic = .all, to command: CommandID? = nil,
    at indices: Range<Int>? = nil
  ) {
    (self.kind, self.chance, self.traffic) = (kind, chance, traffic)
    (self.command, self.indices) = (command, indices)
  }
}

/// The faults of a line.
///
/// The same seed and the same bytes produce the same faults, however the bytes are divided into pieces.
public struct FaultPlan: Hashable, Sendable {
  /// A period without a line.
  public struct Outage: Hashable, Sendable {
    /// The time from the first opening of the line to its loss.
    public var start: Duration
    /// The time from the loss until the line can be opened again.
    public var length: Duration

    public init(after start: Duration, lasting length: Duration) {
      (self.start, self.length) = (start, length)
    }
  }

  /// The faults, in the order of application; the faults of bytes apply after those of packets.
  public var faults: [Fault]
  /// The period without a line; nil for none.
  public var outage: Outage?
  /// The seed of the random numbers.
  public var seed: UInt64

  public init(_ faults: [Fault] = [], outage: Outage? = nil, seed: UInt64 = 1) {
    (self.faults, self.outage, self.seed) = (faults, outage, seed)
  }
}
