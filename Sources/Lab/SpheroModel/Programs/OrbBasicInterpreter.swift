// The robot's orbBasic interpreter.

public import SpheroProtocol

/// Stores orbBasic programs and runs one of them.
///
/// A value without a clock: ``advance(to:actions:)`` is due at ``nextDeadline``. Methods that execute a command of the
/// host return its status if it can fail. orbBasic 1.07; Sphero API 1.50, DID 02h, CIDs 60h...65h.
public struct OrbBasicInterpreter: Hashable, Sendable {
  /// The flags that a program sets with `basflg`, until it ends.
  public struct Flags: OptionSet, Hashable, Sendable {
    /// The number after `basflg`.
    public var rawValue: UInt8

    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// The robot ignores drive commands of the host.
    public static let exclusiveDrive = Flags(rawValue: 1 << 0)
    /// The program does not keep the robot awake.
    public static let stealth = Flags(rawValue: 1 << 1)
    /// The colour of the program has priority over that of a macro.
    public static let keepsColor = Flags(rawValue: 1 << 2)
    /// `Settings.TemporaryOptions.stopOnDisconnect` stops the robot although the program runs.
    public static let stopOnDisconnect = Flags(rawValue: 1 << 3)
  }

  /// The maximum number of lines that one call runs.
  public static let maximumLinesPerCall = 4096
  /// The size of each program area, in bytes; that in RAM has this size since API 1.47.
  public static let areaSize = 4096

  private var programs: [OrbBasic.Area: [UInt8]] = [:]
  private var random: SplitMix64
  private var running: OrbBasicRun?
  private var outgoing: [OrbBasicRun.Message] = []
  /// The time of the next attempt to send ``outgoing``.
  private var outgoingDue = Duration.zero

  /// Creates an interpreter without programs; `seed` is that of the random numbers of `rnd`.
  public init(seed: UInt64 = 1) { random = SplitMix64(seed: seed) }

  public var isRunning: Bool { running != nil }

  /// The flags of the running program; none if none runs.
  public var flags: Flags { running?.flags ?? [] }

  /// The time at which the next line or message is due, in the past after ``maximumLinesPerCall``; nil if none is due.
  public var nextDeadline: Duration? { outgoing.isEmpty ? running?.due : outgoingDue }

  /// Erases the program of an area; returns `Status.failedToExecute` while it runs.
  public mutating func erase(_ area: OrbBasic.Area) -> Status {
    guard running?.area != area else { return .failedToExecute }
    programs[area] = nil
    return .ok
  }

  /// Appends text to the program of an area; returns `Status.failedToExecute` while it runs, or without room.
  public mutating func append(_ text: [UInt8], to area: OrbBasic.Area) -> Status {
    let used = programs[area, default: []].count
    guard running?.area != area, text.count <= Self.areaSize - used else { return .failedToExecute }
    programs[area, default: []] += text
    return .ok
  }

  /// Copies the program in RAM over the one in flash; returns `Status.failedToExecute` while the latter runs.
  public mutating func commitToFlash() -> Status {
    guard running?.area != .flash else { return .failedToExecute }
    programs[.flash] = programs[.ram]
    return .ok
  }

  /// Starts the program of an area at a line, due at `now`; returns `Status.failedToExecute` while one runs.
  /// Without the line, the program ends immediately with `OrbBasic.ErrorCode.badLineNumber`.
  public mutating func execute(_ area: OrbBasic.Area, line: UInt16, at now: Duration) -> Status {
    guard running == nil else { return .failedToExecute }
    running = OrbBasicRun(programs[area, default: []], area: area, from: line, at: now, random: random)
    if running == nil { post([.error(line: line, .badLineNumber)], at: now) }
    return .ok
  }

  /// Ends the running program with `OrbBasic.ErrorCode.aborted`; does nothing if no program runs.
  public mutating func abort(at now: Duration) {
    guard let stopped = running else { return }
    running = nil
    post([.error(line: stopped.line, .aborted)], at: now)
  }

  /// Assigns a value to the variable of the pending `input` statement; does nothing if none is pending.
  public mutating func submit(_ value: Int32, at now: Duration) { running?.submit(value, at: now) }

  /// Ends the running program, and erases the program in RAM and the pending messages.
  public mutating func sleep() {
    (running, programs[.ram], outgoing) = (nil, nil, [])
  }

  /// Runs the lines that are due, and sends their output; after a late call, each line runs as of the time it was due.
  public mutating func advance(to now: Duration, actions: inout some Actuators) {
    for _ in 0..<Self.maximumLinesPerCall {
      guard let due = nextDeadline, due <= now else { return }
      guard outgoing.isEmpty else {
        deliver(at: due, &actions)
        continue
      }
      let continues = running?.step(&actions) == true
      if let run = running { random = run.random }
      let messages = running?.outgoing ?? []
      running?.outgoing = []
      if !continues { running = nil }
      post(messages, at: due)
    }
  }

  /// Queues messages; a host that starts and aborts programs again and again loses those beyond 16.
  private mutating func post(_ messages: [OrbBasicRun.Message], at now: Duration) {
    if outgoing.isEmpty { outgoingDue = now }
    outgoing += messages.prefix(max(0, 16 - outgoing.count))
  }

  /// Sends pending messages while the output queue has room. No line runs before all messages are sent.
  private mutating func deliver(at now: Duration, _ actions: inout some Actuators) {
    while let message = outgoing.first {
      guard actions.hasRoomForEvents else {
        outgoingDue = now + .milliseconds(10)
        return
      }
      outgoing.removeFirst()
      switch message {
      case .print(let bytes): actions.send(OrbBasic.PrintMessage(text: WireText(bytes: bytes)))
      case .error(let line, let code):
        actions.send(OrbBasic.ErrorMessage(line: line, error: code))
        let sentence = "\(code.name.prefix(1).uppercased())\(code.name.dropFirst())"
        actions.send(OrbBasic.ErrorText { $0.text = WireText("Line \(line): \(sentence)\n") })
      }
    }
    // A program that waited for the queue continues now, and does not catch up.
    if let due = running?.due, due < now { running?.due = now }
  }
}
