// The faults of a line, and their options: `drop=1%`, `late=5%:300ms@responses`, `corrupt=0.01%@bytes`, `close=10s:3s`.

public import SpheroProtocol

/// The traffic that a fault may strike: packets of some kinds, or single bytes.
public struct Traffic: OptionSet, Hashable, Sendable {
  public var rawValue: UInt8

  public init(rawValue: UInt8) { self.rawValue = rawValue }

  public static let commands = Traffic(rawValue: 1 << 0)
  public static let responses = Traffic(rawValue: 1 << 1)
  public static let sensorData = Traffic(rawValue: 1 << 2)
  /// All events except the packets of a sensor stream.
  public static let events = Traffic(rawValue: 1 << 3)
  public static let fromRobot: Traffic = [.responses, .sensorData, .events]
  /// All packets of both directions.
  public static let all: Traffic = [.commands, .fromRobot]
  /// Each byte of the host, inside and outside of packets.
  public static let hostBytes = Traffic(rawValue: 1 << 4)
  public static let robotBytes = Traffic(rawValue: 1 << 5)
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
  /// The effect on the packet, or on the byte; later versions may have more, so a `switch` needs a `default`.
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
    /// The latest sensor packet, which may have the layout of the previous stream, arrives again after the response.
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

  public var kind: Kind
  /// The probability for each packet or byte, 0...1.
  public var chance: Double
  /// The traffic that the fault may strike, within ``Kind/possibleTraffic``.
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

/// The faults of a line, which depend only on the seed and the bytes, not on their division into pieces.
public struct FaultPlan: Hashable, Sendable {
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
  public var outage: Outage?
  public var seed: UInt64

  public init(_ faults: [Fault] = [], outage: Outage? = nil, seed: UInt64 = 1) {
    (self.faults, self.outage, self.seed) = (faults, outage, seed)
  }

  /// The words for TRAFFIC; the last one stands for single bytes instead of packets.
  private static let words: [(name: String, traffic: Traffic)] = [
    ("commands", .commands), ("responses", .responses), ("stream", .sensorData), ("events", .events),
    ("bytes", .bytes),
  ]

  static let rows: [SimulatorOptions.Row] = [
    row("drop", "Packets are lost.") { _ in .drop },
    row("corrupt", "A byte of a packet arrives as another.") { _ in .corrupt },
    row("cut", "The tail of a packet is lost.") { _ in .cut },
    row("duplicate", "Packets arrive twice.") { _ in .duplicate },
    row("delay", "Packets arrive later, in order.", time: "100ms") { .delay($0) },
    row("late", "Packets arrive later, and are overtaken.", time: "500ms") { .reorder($0) },
    row("split", "Packets arrive in two reads.") { _ in .split },
    row("burst", "Packets wait and arrive together.", time: "50ms") { .burst($0) },
    row("stall", "Nothing arrives for a while.", time: "2s") { .stall($0) },
    row(
      "misnumber",
      "Replies, or the packets of TRAFFIC (commands, responses), carry the number of another command.",
      of: .responses
    ) { _ in .changeSequence },
    row(
      "refuse", "Commands are refused with this status, in hexadecimal digits: 07 is a bad parameter.",
      parameter: ("STATUS", "02"), of: .commands
    ) { digits in
      Hexadecimal.number(digits).flatMap { $0 == Status.ok.rawValue ? nil : .refuse(Status(rawValue: $0)) }
    },
    row("stray", "Bytes arrive that belong to no packet.", of: .fromRobot) { _ in .stray },
    row("stale", "A sensor packet of the old layout follows a change of stream.", of: .responses) { _ in
      .stale
    },
    SimulatorOptions.Row(
      name: "close", form: "TIME:TIME",
      text: "The line breaks after the first time, and comes back after the second."
    ) { options, value in
      let times = value.split(separator: ":", omittingEmptySubsequences: false)
      guard times.count == 2, let start = Duration(written: times[0]),
        let length = Duration(written: times[1])
      else { return false }
      options.faults.outage = Outage(after: start, lasting: length)
      return true
    },
  ]

  /// An option that adds a fault; without `@TRAFFIC`, it strikes `traffic`.
  ///
  /// `parameter` is the form and the default of the value after the chance; `make` returns nil for an invalid value.
  private static func row(
    _ name: String, _ text: String, parameter: (form: String, fallback: String)? = nil,
    of traffic: Traffic = .all, make: @escaping @Sendable (String) -> Fault.Kind?
  ) -> SimulatorOptions.Row {
    let fallback = parameter?.fallback ?? ""
    let choosesTraffic =
      words.count { make(fallback)?.possibleTraffic.isDisjoint(with: $0.traffic) == false } > 1
    let form = "CHANCE" + (parameter.map { "[:\($0.form)]" } ?? "") + (choosesTraffic ? "[@TRAFFIC]" : "")
    return SimulatorOptions.Row(name: name, form: form, text: text) { options, value in
      let parts = value.split(separator: "@", maxSplits: 1, omittingEmptySubsequences: false)
      let values = (parts.first ?? "").split(separator: ":", omittingEmptySubsequences: false)
      guard let first = values.first, let chance = SimulatorOptions.ratio(first, 0...1),
        values.count <= (parameter == nil ? 1 : 2),
        let kind = make(values.count > 1 ? String(values[1]) : fallback)
      else { return false }
      let named = parts.count > 1 ? Self.traffic(parts[1]) : traffic
      guard let named, parts.count == 1 || kind.possibleTraffic.isSuperset(of: named) else { return false }
      options.faults.faults.append(
        Fault(kind, chance: chance, of: named, to: kind == .stale ? Sensing.SetDataStreaming.id : nil))
      return true
    }
  }

  private static func row(
    _ name: String, _ text: String, time fallback: String, make: @escaping @Sendable (Duration) -> Fault.Kind
  ) -> SimulatorOptions.Row {
    row(name, text, parameter: ("TIME", fallback)) { Duration(written: $0).map(make) }
  }

  static let trafficHelp =
    words.dropLast().map(\.name).joined(separator: ", ")
    + ", or bytes for single bytes; several are joined by +"

  /// Parses words that are joined by `+`; nil for an unknown word.
  private static func traffic(_ text: Substring) -> Traffic? {
    var traffic: Traffic = []
    for name in text.split(separator: "+", omittingEmptySubsequences: false) {
      guard let word = words.first(where: { $0.name == name }) else { return nil }
      traffic.formUnion(word.traffic)
    }
    return traffic
  }
}
