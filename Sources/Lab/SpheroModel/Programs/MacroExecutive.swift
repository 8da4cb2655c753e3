// The robot's macro executive, the storage of macros, and the decoder of their commands.

public import SpheroProtocol

/// Stores macros and runs one of them.
///
/// A value without a clock: ``advance(to:actions:)`` is due at ``nextDeadline``. Methods that execute a command of the
/// host return its status if it can fail. Sphero Macros 0.92; Sphero API 1.50, DID 02h, CIDs 50h...58h.
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

  /// The time at which the next command is due, in the past after ``maximumCommandsPerCall``; nil if none is due.
  public var nextDeadline: Duration? { running?.due }

  /// Starts a macro; its first command is due now. `isConnected` is whether a host is connected.
  ///
  /// - Returns: `failedToExecute` while a macro runs, or if it must run alone; `badParameter` without the macro.
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

  /// Adds a chunk to the temporary macro; ends it first if it runs. Fails without room for the whole chunk in 1 KB.
  public mutating func append(_ chunk: [UInt8]) -> Status {
    endTemporary()
    return store.append(chunk)
  }

  private mutating func endTemporary() {
    if running?.uses(Macro.temporaryID) == true { running = nil }
  }

  /// Stores a macro of the user: ID, flags, commands and 00; with the ID of the stream, starts or extends it.
  ///
  /// - Returns: `badMessageFormat` without an ID or the flags of a stream; `badParameter` for IDs of the system and the
  ///   temporary macro; `failedToExecute` for an ID in use, without room, and for a stream that must run
  ///   alone or that begins while another macro runs.
  public mutating func save(_ bytes: [UInt8], at now: Duration, isConnected: Bool) -> Status {
    guard let id = bytes.first else { return .badMessageFormat }
    guard id == Macro.streamID else { return store.save(bytes, id: id) }
    guard let piece = LoadedMacro(bytes, id: id) else { return .badMessageFormat }
    guard isRunning else { return start(piece, at: now, isConnected: isConnected) }
    return running?.feed(piece, at: now) == true ? .ok : .failedToExecute
  }

  /// Ends the running macro, but neither motors nor rotations; the next chunk begins a new temporary macro.
  ///
  /// - Returns: The macro and its last command; FFFFh for a macro of the system that cannot be ended.
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

  /// Ends the running macro and erases parameters and all macros but those of the system.
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

  /// Executes the commands that are due; after a late call the macro catches up, with the same timing.
  public mutating func advance(to now: Duration, actions: inout some Actuators) {
    for _ in 0..<Self.maximumCommandsPerCall {
      guard let due = nextDeadline, due <= now else { return }
      if running?.step(store, &parameters, &actions) == false { running = nil }
    }
  }
}

/// The parameters SD1 and SD2 in milliseconds, SPD1 and SPD2, and the count of `Macro.LoopStartSystem`.
struct MacroParameters: Hashable, Sendable {
  var delay1: UInt16 = 0
  var delay2: UInt16 = 0
  var speed1: UInt8 = 0
  var speed2: UInt8 = 0
  var loopCount: UInt8 = 0
}

struct MacroStore: Hashable, Sendable {
  /// The bytes of flash for all macros of the user (Sphero Macros 0.92).
  static let largestHeap = 2048
  static let mostEntries = 16
  static let userIDs: ClosedRange<UInt8> = 32...253

  private var system: [UInt8: [UInt8]] = [:]
  var user: [UInt8: [UInt8]] = [:]
  private var temporary: [UInt8] = []
  /// Whether the next chunk begins a new temporary macro.
  var isBufferClean = true

  init(system macros: [Macro]) {
    for macro in macros where (1...31).contains(macro.id) {
      if let bytes = try? macro.payload() { system[macro.id] = bytes }
    }
  }

  func load(_ id: UInt8) -> LoadedMacro? {
    if id == Macro.temporaryID { return LoadedMacro(temporary, id: id) }
    guard let bytes = user[id] ?? system[id] else { return nil }
    return LoadedMacro(bytes, id: id)
  }

  /// Stores a macro of the user under an ID without one.
  mutating func save(_ bytes: [UInt8], id: UInt8) -> Status {
    guard Self.userIDs.contains(id) else { return .badParameter }
    let used = user.values.reduce(0) { $0 + $1.count }
    guard user[id] == nil, user.count < Self.mostEntries, bytes.count <= Self.largestHeap - used else {
      return .failedToExecute
    }
    user[id] = bytes
    return .ok
  }

  mutating func saveTemporary(_ bytes: [UInt8]) { (temporary, isBufferClean) = (bytes, false) }

  /// Extends the temporary macro, or begins a new one in a clean buffer.
  mutating func append(_ chunk: [UInt8]) -> Status {
    let kept = isBufferClean ? [] : temporary
    guard chunk.count <= Macro.maximumTemporaryLength - kept.count else { return .failedToExecute }
    saveTemporary(kept + chunk)
    return .ok
  }
}

/// The decoded commands of a macro, or of a piece of a stream, up to the first error.
struct LoadedMacro: Hashable, Sendable {
  /// The ID by which the macro was loaded; the ID in its first byte may differ.
  var id: UInt8
  var flags: Macro.Flags
  /// The commands, up to and including `Macro.End`, which a stream does not have.
  var steps: [MacroCommand] = []
  /// Whether invalid bytes follow the last step; a stream then ends, too, instead of waiting for its next piece.
  var isBroken = false

  /// Decodes the bytes of a macro; nil if they have no header.
  init?(_ bytes: [UInt8], id: UInt8) {
    var reader = Reader(bytes)
    var head = Macro()
    do throws(WireError) { try head.layoutHead(&reader) } catch { return nil }
    (self.id, flags) = (id, head.flags)
    while reader.offset < bytes.count {
      guard let command = try? MacroCommand(from: &reader), !command.isUnknown else {
        isBroken = true
        return
      }
      // Commands after the end of a macro are unreachable; in a stream the end has no meaning.
      guard command != .end || id != Macro.streamID else { continue }
      steps.append(command)
      if command == .end { return }
    }
  }
}
