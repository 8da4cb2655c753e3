// Holds macros and runs one of them, as the robot's macro executive does.

public import SpheroProtocol

/// Holds macros and runs one of them.
///
/// A value without a clock: methods take the time, and ``nextDeadline`` says when ``advance(to:actions:)`` is due.
/// Methods that answer a command of the host return the status of its response and send nothing themselves.
/// Sphero Macros 0.92; Sphero API 1.50, DID 02h, CIDs 50h...58h.
public struct MacroExecutive: Hashable, Sendable {
  /// Commands that one call of ``advance(to:actions:)`` executes at most.
  public static let mostCommandsPerCall = 4096
  /// Commands that run in one instant before the executive pauses for a millisecond.
  public static let mostCommandsPerInstant = 20

  private var store: MacroStore
  private var parameters = MacroParameters()
  private var running: MacroRun?

  /// Makes an executive that runs nothing.
  ///
  /// - Parameter system: Macros of the system, IDs 1...31; others are left out.
  public init(system: [Macro] = []) { store = MacroStore(system: system) }

  /// Whether a macro runs.
  public var isRunning: Bool { running != nil }

  /// Which macro runs and which command it stands at; zeros where none runs.
  public var status: Macros.GetMacroStatus.Response {
    var status = Macros.GetMacroStatus.Response()
    if let running { (status.macro, status.command) = (running.macro, running.number) }
    return status
  }

  /// The flags of the macro that runs; none where none runs.
  public var flags: Macro.Flags { running?.flags ?? [] }

  /// When the next command is due; nil while nothing is.
  ///
  /// In the past where a call had more to do than its bound.
  public var nextDeadline: Duration? { running?.due }

  /// Starts a macro; its first command is due now.
  ///
  /// - Parameters:
  ///   - id: The macro.
  ///   - now: The time.
  ///   - isConnected: Whether a host is connected, for ``Macro/Flags/onlyAlone``.
  /// - Returns: ``Status/failedToExecute`` while one runs or a host keeps it from running,
  ///   ``Status/badParameter`` where there is none.
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

  /// Stores the temporary macro; ends it first where it runs.
  public mutating func saveTemporary(_ bytes: [UInt8]) -> Status {
    endTemporary()
    store.saveTemporary(bytes)
    return .ok
  }

  /// Adds a chunk to the temporary macro; ends it first where it runs.
  ///
  /// - Returns: ``Status/failedToExecute`` where the buffer of 1 KB is too small; nothing is added then.
  public mutating func append(_ chunk: [UInt8]) -> Status {
    endTemporary()
    return store.append(chunk)
  }

  private mutating func endTemporary() {
    if running?.uses(Macro.temporaryID) == true { running = nil }
  }

  /// Stores a macro of the user, or starts or feeds the stream.
  ///
  /// - Parameters:
  ///   - bytes: ID, flags, commands and 00; the ID decides where it goes.
  ///   - now: The time.
  ///   - isConnected: Whether a host is connected, for ``Macro/Flags/onlyAlone``.
  /// - Returns: ``Status/badParameter`` for IDs of the system and the temporary macro,
  ///   ``Status/failedToExecute`` for one that is stored already, where there is no room,
  ///   and for a stream while another macro runs.
  public mutating func save(_ bytes: [UInt8], at now: Duration, isConnected: Bool) -> Status {
    guard let id = bytes.first else { return .badMessageFormat }
    guard id == Macro.streamID else { return store.save(bytes, id: id) }
    guard let piece = LoadedMacro(bytes, id: id) else { return .badMessageFormat }
    guard isRunning else { return start(piece, at: now, isConnected: isConnected) }
    return running?.feed(piece, at: now) == true ? .ok : .failedToExecute
  }

  /// Ends the macro that runs, and lets the next chunk begin a new temporary macro.
  ///
  /// Motors, lights and what runs in the background stay as they are.
  ///
  /// - Returns: Where it stood; command FFFFh for a macro of the system that cannot be ended.
  public mutating func abort() -> Macros.AbortMacro.Response {
    var response = Macros.AbortMacro.Response()
    let status = status
    (response.macro, response.command) = (status.macro, status.command)
    if running?.isUnkillable == true {
      response.command = .max
    } else {
      running = nil
    }
    store.cleanBuffer()
    return response
  }

  /// Ends any macro and forgets those of the user.
  public mutating func reinitialize() {
    running = nil
    store.forgetUserMacros()
    store.cleanBuffer()
  }

  /// Ends any macro and forgets parameters and all macros but those of the system, as sleep does.
  public mutating func sleep() {
    reinitialize()
    store.forgetTemporaryMacro()
    parameters = MacroParameters()
  }

  /// Sets a value that macros use by name.
  public mutating func setParameter(_ command: Macros.SetMacroParameter) { parameters.set(command) }

  /// Tells of a collision, which the macro that runs may have asked for.
  public mutating func collide(at now: Duration) {
    if running?.branch(in: store, at: now) == false { running = nil }
  }

  /// Executes what is due, in its order.
  ///
  /// Call it at each ``nextDeadline``; after a later call the macro catches up, and its rhythm is kept.
  ///
  /// - Parameters:
  ///   - now: The time.
  ///   - actions: What the commands act on.
  public mutating func advance(to now: Duration, actions: inout some RobotActions) {
    for _ in 0..<Self.mostCommandsPerCall {
      guard let due = nextDeadline, due <= now else { return }
      if running?.step(store, &parameters, &actions) == false { running = nil }
    }
  }
}

/// The values that macros use by name.
struct MacroParameters: Hashable, Sendable {
  /// SD1 in milliseconds.
  var delay1: UInt16 = 0
  /// SD2 in milliseconds.
  var delay2: UInt16 = 0
  /// SPD1.
  var speed1: UInt8 = 0
  /// SPD2.
  var speed2: UInt8 = 0
  /// How often a loop with the system's count runs.
  var loopCount: UInt8 = 0

  /// Sets the value that a command names.
  mutating func set(_ command: Macros.SetMacroParameter) {
    let delay = UInt16(command.value1) << 8 | UInt16(command.value2)
    switch command.parameter {
    case .systemDelay1: delay1 = delay
    case .systemDelay2: delay2 = delay
    case .systemSpeed1: speed1 = command.value1
    case .systemSpeed2: speed2 = command.value1
    case .loopCount: loopCount = command.value1
    }
  }
}
