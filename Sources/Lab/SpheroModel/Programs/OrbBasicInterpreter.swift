// The robot's orbBasic interpreter.

public import SpheroProtocol

/// Stores orbBasic programs and runs one of them.
///
/// A value without a clock: methods receive the time, and ``advance(to:actions:)`` is due at ``nextDeadline``.
/// Methods that execute a command of the host return the status of its response and send nothing.
/// orbBasic 1.07; Sphero API 1.50, DID 02h, CIDs 60h...65h.
public struct OrbBasicInterpreter: Hashable, Sendable {
  /// The flags that a program sets with `basflg`, until it ends.
  public struct Flags: OptionSet, Hashable, Sendable {
    /// The number after `basflg`.
    public var rawValue: UInt8

    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// Ignores drive commands of the host.
    public static let exclusiveDrive = Flags(rawValue: 1 << 0)
    /// Does not keep the robot awake.
    public static let stealth = Flags(rawValue: 1 << 1)
    /// Keeps its colour while a macro runs.
    public static let keepsColor = Flags(rawValue: 1 << 2)
    /// Lets `Settings.TemporaryOptions.stopOnDisconnect` stop the robot.
    public static let stopOnDisconnect = Flags(rawValue: 1 << 3)
  }

  /// The maximum number of lines that one call of ``advance(to:actions:)`` runs.
  public static let maximumLinesPerCall = 4096
  /// The size of the area in flash, in bytes.
  public static let flashSize = 4096
  /// The interval between attempts to send messages while the queue of events is full.
  private static let pollInterval = Duration.milliseconds(10)
  /// The maximum number of pending messages; further ones are lost.
  ///
  /// A host that starts and aborts programs while the queue of events is full can exceed it.
  private static let maximumMessages = 16

  private let ramSize: Int
  private var texts: [OrbBasic.Area: [UInt8]] = [:]
  private var random: SplitMix64
  private var running: OrbBasicRun?
  private var outgoing: [OrbBasicRun.Message] = []
  /// The time of the next attempt to send the messages.
  private var outgoingDue = Duration.zero

  /// Creates an interpreter without programs.
  ///
  /// - Parameters:
  ///   - ramSize: The size of the area in RAM in bytes: 1024, 3072 or, from API 1.47 on, 4096.
  ///   - seed: The seed of `rnd`.
  public init(ramSize: Int = 4096, seed: UInt64 = 1) {
    (self.ramSize, random) = (max(0, ramSize), SplitMix64(seed: seed))
  }

  /// Whether a program runs.
  public var isRunning: Bool { running != nil }

  /// The flags of the running program; none if none runs.
  public var flags: Flags { running?.flags ?? [] }

  /// The time at which the next line or message is due; nil if none is.
  ///
  /// The time is in the past after a call that has reached its maximum number of lines.
  public var nextDeadline: Duration? { outgoing.isEmpty ? running?.due : outgoingDue }

  /// Erases an area.
  ///
  /// - Returns: `Status.failedToExecute` while the program of the area runs.
  public mutating func erase(_ area: OrbBasic.Area) -> Status {
    guard running?.area != area else { return .failedToExecute }
    texts[area] = nil
    return .ok
  }

  /// Adds text to an area.
  ///
  /// - Returns: `Status.failedToExecute` while the program of the area runs, or if the area has no room for the text.
  public mutating func append(_ text: [UInt8], to area: OrbBasic.Area) -> Status {
    let size = area == .ram ? ramSize : Self.flashSize
    let held = texts[area, default: []].count
    guard running?.area != area, text.count <= size - held else { return .failedToExecute }
    texts[area, default: []] += text
    return .ok
  }

  /// Copies the program in RAM over the one in flash.
  ///
  /// - Returns: `Status.failedToExecute` while the program in flash runs, or if the program is too long.
  public mutating func commitToFlash() -> Status {
    let text = texts[.ram, default: []]
    guard running?.area != .flash, text.count <= Self.flashSize else { return .failedToExecute }
    texts[.flash] = text
    return .ok
  }

  /// Starts the program of an area at a line, which is due now.
  ///
  /// If the line does not exist, the program ends immediately with `OrbBasic.ErrorCode.badLineNumber`.
  ///
  /// - Returns: `Status.failedToExecute` while a program runs.
  public mutating func execute(_ area: OrbBasic.Area, line: UInt16, at now: Duration) -> Status {
    guard running == nil else { return .failedToExecute }
    running = OrbBasicRun(texts[area, default: []], area: area, from: line, at: now, random: random)
    if running == nil { post([.error(line: line, .badLineNumber)], at: now) }
    return .ok
  }

  /// Ends the running program with `OrbBasic.ErrorCode.aborted`; succeeds also if none runs.
  public mutating func abort(at now: Duration) -> Status {
    guard let stopped = running else { return .ok }
    running = nil
    post([.error(line: stopped.line, .aborted)], at: now)
    return .ok
  }

  /// Completes the pending `input` statement; ignored if none is pending.
  public mutating func submit(_ value: Int32, at now: Duration) { running?.submit(value, at: now) }

  /// Ends the running program and erases the program in RAM, as a robot does when it falls asleep.
  public mutating func sleep() {
    (running, texts[.ram], outgoing) = (nil, nil, [])
  }

  /// Runs the lines that are due, and sends their output.
  ///
  /// Call this method at each ``nextDeadline``; after a later call the program catches up, with the same timing.
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

  private mutating func post(_ messages: [OrbBasicRun.Message], at now: Duration) {
    if outgoing.isEmpty { outgoingDue = now }
    outgoing += messages.prefix(max(0, Self.maximumMessages - outgoing.count))
  }

  /// Sends pending messages while the queue has room; no line runs before all are sent.
  private mutating func deliver(at now: Duration, _ actions: inout some Actuators) {
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
  fileprivate var sentence: String { name.prefix(1).uppercased() + name.dropFirst() }
}
