// What goes wrong on a line, to which packets, and how often.

public import SpheroProtocol

/// What a fault may befall: packets of some kinds, or single bytes.
public struct Traffic: OptionSet, Hashable, Sendable {
  /// One bit for each kind of packet, and one for the bytes of each direction.
  public var rawValue: UInt8
  /// Takes the bits.
  public init(rawValue: UInt8) { self.rawValue = rawValue }
  /// What the host sends.
  public static let commands = Traffic(rawValue: 1 << 0)
  /// What the robot answers.
  public static let responses = Traffic(rawValue: 1 << 1)
  /// The frames of a stream.
  public static let sensorData = Traffic(rawValue: 1 << 2)
  /// What else the robot sends by itself.
  public static let events = Traffic(rawValue: 1 << 3)
  /// All that the robot sends.
  public static let fromRobot: Traffic = [.responses, .sensorData, .events]
  /// Every packet.
  public static let all: Traffic = [.commands, .fromRobot]
  /// Each byte that the host sends, whatever it belongs to.
  public static let hostBytes = Traffic(rawValue: 1 << 4)
  /// Each byte that the robot sends, whatever it belongs to.
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

/// Something that goes wrong with single packets, or with single bytes.
public struct Fault: Hashable, Sendable {
  /// What happens to the packet, or to the byte.
  ///
  /// Later versions of the library may have more, so a switch over it has a `default`.
  public enum Kind: Hashable, Sendable {
    /// It is lost.
    case drop
    /// One byte of the packet arrives as another; one bit of the byte arrives flipped.
    case corrupt
    /// The tail of the packet is lost, from a random place on; the byte and up to 15 after it are lost.
    case cut
    /// It arrives twice.
    case duplicate
    /// It arrives later, and what follows waits behind it.
    case delay(Duration)
    /// It arrives later, and what follows overtakes it; for packets.
    case late(Duration)
    /// The packet arrives in two reads; a read begins with the byte.
    case split
    /// It waits, and arrives in one read with what follows meanwhile; what waits already waits no longer for that.
    case burst(Duration)
    /// Nothing arrives for a while, in either direction; then all of it.
    case stall(Duration)
    /// Its SEQ arrives as another; for commands and responses.
    case misnumber
    /// The command never arrives, and the robot answers with this status; for commands.
    case refuse(Status)
    /// One to eight bytes that belong to no packet arrive before it.
    case stray
    /// The sensor packet before it arrives again after it; for responses.
    ///
    /// After the response to ``Sensing/SetDataStreaming`` it is a frame of the old layout.
    case stale

    /// What it can befall.
    public var possibleTraffic: Traffic {
      switch self {
      case .drop, .corrupt, .cut, .duplicate, .delay, .split, .burst, .stall, .stray: [.all, .bytes]
      case .late: .all
      case .misnumber: [.commands, .responses]
      case .refuse: .commands
      case .stale: .responses
      }
    }
  }

  /// What happens.
  public var kind: Kind
  /// How likely it is for each packet or byte, 0...1.
  public var chance: Double
  /// What it may befall; what it cannot befall does not count, see ``Kind/possibleTraffic``.
  public var traffic: Traffic
  /// The command that it may befall, with its responses; nil for any packet, and for bytes.
  public var command: CommandID?
  /// Which of these packets or bytes it may befall, counted from 0; nil for all.
  public var places: Range<Int>?

  /// Makes a fault.
  ///
  /// - Parameters:
  ///   - kind: What happens.
  ///   - chance: How likely it is for each packet or byte, 0...1.
  ///   - traffic: What it may befall.
  ///   - command: The command that it may befall, with its responses; nil for any packet, and for bytes.
  ///   - places: Which of these packets or bytes it may befall, counted from 0; nil for all.
  public init(
    _ kind: Kind, chance: Double = 1, of traffic: Traffic = .all, to command: CommandID? = nil,
    at places: Range<Int>? = nil
  ) {
    (self.kind, self.chance, self.traffic) = (kind, chance, traffic)
    (self.command, self.places) = (command, places)
  }
}

/// What goes wrong on a line: the same each time, for the same seed and the same bytes, however they are cut.
public struct FaultPlan: Hashable, Sendable {
  /// A time without a line.
  public struct Outage: Hashable, Sendable {
    /// How long the line lasts, from its opening.
    public var start: Duration
    /// How long it then cannot be opened.
    public var length: Duration
    /// Makes an outage.
    public init(after start: Duration, lasting length: Duration) {
      (self.start, self.length) = (start, length)
    }
  }

  /// The faults, in the order in which they are applied; those of bytes come after those of packets.
  public var faults: [Fault]
  /// When the line breaks, or nil for never.
  public var outage: Outage?
  /// Where chance begins.
  public var seed: UInt64

  /// Makes a plan; without arguments, nothing goes wrong.
  public init(_ faults: [Fault] = [], outage: Outage? = nil, seed: UInt64 = 1) {
    (self.faults, self.outage, self.seed) = (faults, outage, seed)
  }
}
