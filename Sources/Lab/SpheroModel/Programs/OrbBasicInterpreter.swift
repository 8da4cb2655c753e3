// Holds orbBasic programs and runs one of them, as the robot's interpreter does.

public import SpheroProtocol

/// Holds orbBasic programs and runs one of them.
///
/// A value without a clock: methods take the time, and ``nextDeadline`` says when ``advance(to:actions:)`` is due.
/// Methods that answer a command of the host return the status of its response and send nothing themselves.
/// orbBasic 1.07; Sphero API 1.50, DID 02h, CIDs 60h...65h.
public struct OrbBasicInterpreter: Hashable, Sendable {
  /// What a program asks for with `basflg`, until it ends.
  public struct Flags: OptionSet, Hashable, Sendable {
    /// The number after `basflg`.
    public var rawValue: UInt8
    /// Takes the number after `basflg`.
    public init(rawValue: UInt8) { self.rawValue = rawValue }
    /// Takes no driving commands from outside.
    public static let exclusiveDrive = Flags(rawValue: 1 << 0)
    /// Does not keep the robot awake.
    public static let stealth = Flags(rawValue: 1 << 1)
    /// Keeps its colour while a macro runs.
    public static let keepsColor = Flags(rawValue: 1 << 2)
    /// Lets ``Settings/TemporaryOptions/stopOnDisconnect`` stop the robot.
    public static let stopOnDisconnect = Flags(rawValue: 1 << 3)
  }

  /// Lines that one call of ``advance(to:actions:)`` runs at most.
  public static let mostLinesPerCall = 4096
  /// Bytes of the area in flash.
  public static let flashSize = 4096
  /// How long it waits before it asks again whether the queue of events has room.
  private static let pollInterval = Duration.milliseconds(10)
  /// Messages that wait for room while programs are started and aborted; more are lost.
  private static let mostMessages = 16

  private let ramSize: Int
  private var ram: [UInt8] = []
  private var flash: [UInt8] = []
  private var random: SplitMix64
  private var running: OrbBasicRun?
  private var outgoing: [OrbBasicRun.Message] = []
  /// When the messages are tried next.
  private var outgoingDue = Duration.zero

  /// Makes an interpreter without programs.
  ///
  /// - Parameters:
  ///   - ramSize: Bytes of the area in RAM: 1024, 3072 or, from API 1.47 on, 4096.
  ///   - seed: Where the random numbers of `rnd` begin.
  public init(ramSize: Int = 4096, seed: UInt64 = 1) {
    (self.ramSize, random) = (max(0, ramSize), SplitMix64(seed: seed))
  }

  /// Whether a program runs.
  public var isRunning: Bool { running != nil }

  /// What the program that runs asked for with `basflg`.
  public var flags: Flags { running?.flags ?? [] }

  /// When the next line or message is due; nil while nothing is.
  ///
  /// In the past where a call had more to do than its bound.
  public var nextDeadline: Duration? { outgoing.isEmpty ? running?.due : outgoingDue }

  /// Erases an area.
  ///
  /// - Returns: ``Status/failedToExecute`` while the program of the area runs.
  public mutating func erase(_ area: OrbBasic.Area) -> Status {
    guard running?.area != area else { return .failedToExecute }
    switch area {
    case .ram: ram = []
    case .flash: flash = []
    }
    return .ok
  }

  /// Adds text to an area.
  ///
  /// - Returns: ``Status/failedToExecute`` where it is full, nothing being added then, and while its program runs.
  public mutating func append(_ text: [UInt8], to area: OrbBasic.Area) -> Status {
    let (held, size) = area == .ram ? (ram.count, ramSize) : (flash.count, Self.flashSize)
    guard running?.area != area, text.count <= size - held else { return .failedToExecute }
    switch area {
    case .ram: ram += text
    case .flash: flash += text
    }
    return .ok
  }

  /// Copies the program in RAM over the one in flash.
  ///
  /// - Returns: ``Status/failedToExecute`` while the program in flash runs, and where it does not fit.
  public mutating func commitToFlash() -> Status {
    guard running?.area != .flash, ram.count <= Self.flashSize else { return .failedToExecute }
    flash = ram
    return .ok
  }

  /// Starts the program of an area at a line, which is due now.
  ///
  /// Where there is no such line the program ends at once with ``OrbBasic/ErrorCode/badLineNumber``.
  ///
  /// - Returns: ``Status/failedToExecute`` while a program runs.
  public mutating func execute(_ area: OrbBasic.Area, line: UInt16, at now: Duration) -> Status {
    guard running == nil else { return .failedToExecute }
    let text = area == .ram ? ram : flash
    running = OrbBasicRun(text, area: area, from: line, at: now, random: random)
    if running == nil { post([.error(line: line, .badLineNumber)], at: now) }
    return .ok
  }

  /// Ends the program that runs with ``OrbBasic/ErrorCode/aborted``; succeeds also where none does.
  public mutating func abort(at now: Duration) -> Status {
    guard let stopped = running else { return .ok }
    running = nil
    post([.error(line: stopped.line, .aborted)], at: now)
    return .ok
  }

  /// Answers the `input` statement that waits; ignored where none does.
  public mutating func submit(_ value: Int32, at now: Duration) { running?.submit(value, at: now) }

  /// Ends the program and forgets the one in RAM, as sleep does.
  public mutating func sleep() {
    (running, ram, outgoing) = (nil, [], [])
  }

  /// Runs the lines that are due, and sends what they print.
  ///
  /// Call it at each ``nextDeadline``; after a later call the program catches up, and its rhythm is kept.
  ///
  /// - Parameters:
  ///   - now: The time.
  ///   - actions: What the statements act on.
  public mutating func advance(to now: Duration, actions: inout some RobotActions) {
    for _ in 0..<Self.mostLinesPerCall {
      guard let due = nextDeadline, due <= now else { return }
      guard outgoing.isEmpty else {
        deliver(at: due, &actions)
        continue
      }
      let goesOn = running?.step(&actions) == true
      if let run = running { random = run.random }
      let messages = running?.outgoing ?? []
      running?.outgoing = []
      if !goesOn { running = nil }
      post(messages, at: due)
    }
  }

  private mutating func post(_ messages: [OrbBasicRun.Message], at now: Duration) {
    if outgoing.isEmpty { outgoingDue = now }
    outgoing += messages.prefix(max(0, Self.mostMessages - outgoing.count))
  }

  /// Sends what waits, as far as there is room; until all has left, no further line runs.
  private mutating func deliver(at now: Duration, _ actions: inout some RobotActions) {
    while let message = outgoing.first {
      guard actions.hasRoomForEvents else {
        outgoingDue = now + Self.pollInterval
        return
      }
      outgoing.removeFirst()
      switch message {
      case .print(let bytes): actions.send(OrbBasic.PrintMessage(text: WireText(bytes: bytes)))
      case .error(let line, let code):
        actions.send(OrbBasic.ErrorMessage(line: line, error: code))
        var text = OrbBasic.ErrorText()
        text.text = WireText("Line \(line): \(code.sentence)\n")
        actions.send(text)
      }
    }
    if let due = running?.due, due < now { running?.due = now }
  }
}

extension OrbBasic.ErrorCode {
  /// The name with a capital letter.
  fileprivate var sentence: String { name.prefix(1).uppercased() + name.dropFirst() }
}
