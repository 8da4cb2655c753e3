// The robot's macro executive.

public import SpheroProtocol

/// Stores macros and runs one of them.
///
/// A value without a clock: methods receive the time, and ``advance(to:actions:)`` is due at ``nextDeadline``.
/// Methods that execute a command of the host send nothing; those that store or start a macro return the status of the
/// response.
/// Sphero Macros 0.92; Sphero API 1.50, DID 02h, CIDs 50h...58h.
public struct MacroExecutive: Hashable, Sendable {
  /// The maximum number of commands that one call of ``advance(to:actions:)`` executes.
  public static let maximumCommandsPerCall = 4096
  /// The maximum number of commands at one time, after which the executive pauses for a millisecond.
  public static let maximumCommandsPerInstant = 20

  private var store: MacroStore
  private var parameters = MacroParameters()
  private var running: MacroRun?

  /// - Parameter system: Macros of the system, IDs 1...31; others are ignored.
  public init(system: [Macro] = []) { store = MacroStore(system: system) }

  public var isRunning: Bool { running != nil }

  /// The running macro and its present command; zeros if none runs.
  public var status: Macros.GetMacroStatus.Response {
    Macros.GetMacroStatus.Response {
      if let running { ($0.macro, $0.command) = (running.macro, running.number) }
    }
  }

  /// The flags of the running macro; none if none runs.
  public var flags: Macro.Flags { running?.flags ?? [] }

  /// The time at which the next command is due; nil if none is.
  ///
  /// The time is in the past after a call that has reached its maximum number of commands.
  public var nextDeadline: Duration? { running?.due }

  /// Starts a macro; its first command is due now. `isConnected` is whether a host is connected.
  ///
  /// - Returns: `Status.failedToExecute` while a macro runs, or if it must not run with a host;
  ///   `Status.badParameter` for an ID without a macro.
  public mutating func run(_ id: UInt8, at now: Duration, isConnected: Bool) -> Status {
    guard running == nil else { return .failedToExecute }
    guard let macro = store.load(id) else { return .badParameter }
    return start(macro, at: now, isConnected: isConnected)
  }

  private mutating func start(_ macro: LoadedMacro, at now: Duration, isConnected: Bool) -> Status {
    guard !isConnected || !macro.flags.contains(.onlyAlone) else { return .failedToExecute }
    running = MacroRun(macro, at: now)
    return .ok
  }

  /// Stores the temporary macro; ends it first if it runs.
  public mutating func saveTemporary(_ bytes: [UInt8]) -> Status {
    endTemporary()
    store.saveTemporary(bytes)
    return .ok
  }

  /// Adds a chunk to the temporary macro; ends it first if it runs. Returns `Status.failedToExecute` without room for
  /// the whole chunk in the buffer of 1 KB.
  public mutating func append(_ chunk: [UInt8]) -> Status {
    endTemporary()
    return store.append(chunk)
  }

  private mutating func endTemporary() {
    if running?.uses(Macro.temporaryID) == true { running = nil }
  }

  /// Stores a macro of the user: ID, flags, commands and 00; with the ID of the stream, starts or extends it.
  ///
  /// - Returns: `Status.badMessageFormat` without an ID, and for a stream without flags;
  ///   `Status.badParameter` for IDs of the system and the temporary macro,
  ///   `Status.failedToExecute` for an ID in use, without room for the macro,
  ///   and for a stream while another macro runs.
  public mutating func save(_ bytes: [UInt8], at now: Duration, isConnected: Bool) -> Status {
    guard let id = bytes.first else { return .badMessageFormat }
    guard id == Macro.streamID else { return store.save(bytes, id: id) }
    guard let piece = LoadedMacro(bytes, id: id) else { return .badMessageFormat }
    guard isRunning else { return start(piece, at: now, isConnected: isConnected) }
    return running?.feed(piece, at: now) == true ? .ok : .failedToExecute
  }

  /// Ends the running macro; the next chunk begins a new temporary macro.
  ///
  /// Motors and rotations continue; its colour and fade end, as they do at the end of every macro.
  ///
  /// - Returns: The macro and its last command; command FFFFh for a macro of the system that cannot be ended.
  public mutating func abort() -> Macros.AbortMacro.Response {
    let status = status
    var response = Macros.AbortMacro.Response { ($0.macro, $0.command) = (status.macro, status.command) }
    if running?.isUnkillable == true { response.command = .max } else { running = nil }
    store.isBufferClean = true
    return response
  }

  /// Ends the running macro and erases the macros of the user.
  public mutating func reinitialize() {
    running = nil
    (store.user, store.isBufferClean) = ([:], true)
  }

  /// Ends the running macro and erases parameters and all macros but those of the system, as sleep does.
  public mutating func sleep() {
    store.saveTemporary([])
    reinitialize()
    parameters = MacroParameters()
  }

  public mutating func setParameter(_ command: Macros.SetMacroParameter) {
    let delay = UInt16(command.value1) << 8 | UInt16(command.value2)
    switch command.parameter {
    case .systemDelay1: parameters.delay1 = delay
    case .systemDelay2: parameters.delay2 = delay
    case .systemSpeed1: parameters.speed1 = command.value1
    case .systemSpeed2: parameters.speed2 = command.value1
    case .loopCount: parameters.loopCount = command.value1
    }
  }

  /// Receives a collision, on which the running macro may branch.
  public mutating func collide(at now: Duration) {
    if running?.branch(in: store, at: now) == false { running = nil }
  }

  /// Executes the commands that are due.
  ///
  /// Call this method at each ``nextDeadline``; after a later call the macro catches up, with the same timing.
  public mutating func advance(to now: Duration, actions: inout some Actuators) {
    for _ in 0..<Self.maximumCommandsPerCall {
      guard let due = nextDeadline, due <= now else { return }
      if running?.step(store, &parameters, &actions) == false { running = nil }
    }
  }
}

struct MacroParameters: Hashable, Sendable {
  /// SD1 in milliseconds.
  var delay1: UInt16 = 0
  /// SD2 in milliseconds.
  var delay2: UInt16 = 0
  /// SPD1.
  var speed1: UInt8 = 0
  /// SPD2.
  var speed2: UInt8 = 0
  /// The count of `Macro.LoopStartSystem`.
  var loopCount: UInt8 = 0
}
