// A connected robot: requests and their replies, and the streams it sends by itself.

public import SpheroProtocol
public import SpheroTransport

/// A robot at the other end of a line.
///
/// Make one with ``withRobot(on:time:patience:_:)``, which also puts the robot back when the program leaves.
public actor Robot {
  /// How long to wait for an answer, and how often to ask.
  public struct Patience: Sendable {
    /// The wait for each answer.
    public var timeout: Duration
    /// Tries in all, for commands that may be repeated.
    public var attempts: Int
    /// Sets the wait and the tries.
    public init(timeout: Duration = .seconds(1), attempts: Int = 3) {
      (self.timeout, self.attempts) = (timeout, max(1, attempts))
    }
  }

  private let transport: any Transport
  let time: any TimeSource
  let patience: Patience
  private var requests = Requests()
  var decoder = PacketDecoder(from: .robot)
  var listeners: [Int: (id: EventID?, mailbox: Mailbox<EventPacket>)] = [:]
  var stream: SensorStream?
  var watch: Task<Void, Never>?
  var renewal: Task<Void, Never>?
  let outgoing = Mailbox<[UInt8]>(capacity: 1_024)
  /// Since when the decoder has been waiting for the rest of the same packet.
  private var pendingSince = Duration.zero
  var count = 0
  private var end: (any Error)?
  /// The heading to stop on, where something was told to move.
  var heading: UInt16?
  var hasRawMotors = false
  var hasStreamed = false
  var hasPowerNotification = false
  var detectsCollisions = false

  /// Whether the robot has answered anything so far.
  public private(set) var hasEverAnswered = false
  /// The longest that one of the last answers took.
  public private(set) var roundTrip = Duration.milliseconds(50)

  init(_ transport: any Transport, time: any TimeSource, patience: Patience) {
    (self.transport, self.time, self.patience) = (transport, time, patience)
  }

  /// Connects a robot for as long as `body` runs.
  ///
  /// However `body` ends, also by an error or by cancellation, the robot is put back before this returns:
  /// what was started is stopped (streaming, rolling), and the line is closed.
  ///
  /// - Parameters:
  ///   - transport: The line, which is closed in the end.
  ///   - time: The clock for time-outs.
  ///   - patience: How long to wait for answers.
  ///   - body: What to do with the robot.
  /// - Returns: What `body` returns.
  /// - Throws: What `body` throws.
  public static func withRobot<Result>(
    on transport: some Transport, time: any TimeSource = SystemTime(), patience: Patience = Patience(),
    _ body: (Robot) async throws -> Result
  ) async throws -> Result {
    let robot = Robot(transport, time: time, patience: patience)
    // Not child tasks: they must go on while a cancelled program leaves.
    let reader = time.start { await robot.listen() }
    let writer = time.start { await robot.speak() }
    let keeper = time.start { await robot.releaseStuckBytes() }
    let outcome: Swift.Result<Result, any Error>
    do { outcome = .success(try await body(robot)) } catch { outcome = .failure(error) }
    // In a task of its own, so that a cancelled program leaves as patiently as any other.
    await time.start {
      await robot.leave()
      await writer.value
      await transport.close()
    }.value
    keeper.cancel()
    await reader.value
    return try outcome.get()
  }

  /// What the decoder has seen: packets, bytes that belong to none, wrong checksums.
  public var statistics: PacketDecoder.Statistics { decoder.statistics }

  /// Answers that came too late or that nobody asked for.
  public var strayAnswers: Int { requests.strayCount }

  // MARK: Requests

  /// Sends a command and waits for its response.
  ///
  /// A request runs to its answer or time-out even where the task is cancelled, so that leaving always works.
  ///
  /// - Parameter command: The command.
  /// - Returns: The response.
  /// - Throws: ``SessionError``, `LinkError`, `WireError` where a value of the command is out of range,
  ///   `CancellationError` between two tries.
  @discardableResult
  public func send<C: Command>(_ command: C) async throws -> C.Response { try await perform(command) }

  /// Sends a request that can do harm, whose type says what can go wrong.
  ///
  /// - Parameters:
  ///   - request: The request.
  ///   - acceptingHazard: Whether the hazard is accepted; where it is not, nothing is sent.
  /// - Returns: The response.
  /// - Throws: As ``send(_:)``; ``SessionError/hazardous(command:hazard:)`` where the hazard is not accepted.
  @discardableResult
  public func send<R: HazardousCommand>(_ request: R, acceptingHazard: Bool) async throws -> R.Response {
    guard acceptingHazard else { throw SessionError.hazardous(command: R.name, hazard: R.hazard) }
    return try await perform(request)
  }

  /// Sends any command by its bytes and asks for no answer: errors are silent too.
  ///
  /// What it starts is not undone on leaving.
  ///
  /// - Parameters:
  ///   - id: DID and CID.
  ///   - payload: The bytes between DLEN and CHK.
  /// - Throws: `WireError` where the payload does not fit; `LinkError` where the link is gone.
  public func post(_ id: CommandID, payload: [UInt8]) throws {
    if let end { throw end }
    let packet = CommandPacket(id: id, options: .resetTimeout, sequence: 0, payload: payload)
    outgoing.push([try Packet.command(packet).encoded()])
  }

  func perform<R: Request>(_ request: R, stream: Int? = nil) async throws -> R.Response {
    // Before anything is noted: what cannot be encoded changes nothing.
    let payload = try request.payload()
    note(request)
    let response = try await ask(
      R.id, name: R.name, payload: payload, attempts: patience.attempts, stream: stream)
    guard response.status == .ok else {
      throw SessionError.refused(command: R.name, status: response.status)
    }
    do throws(WireError) { return try R.Response(payload: response.payload) } catch {
      throw SessionError.malformed(command: R.name, error)
    }
  }

  /// Sends any command by its bytes and waits for its response, whatever its status.
  ///
  /// What it starts is not undone on leaving.
  ///
  /// - Parameters:
  ///   - id: DID and CID.
  ///   - payload: The bytes between DLEN and CHK.
  /// - Returns: The response.
  /// - Throws: ``SessionError``, `LinkError`, `WireError`.
  public func exchange(_ id: CommandID, payload: [UInt8]) async throws -> ResponsePacket {
    try await ask(id, name: Catalogue.command(id)?.name ?? "command \(id)", payload: payload, attempts: 1)
  }

  /// Remembers what must be undone on leaving.
  private func note(_ request: some Request) {
    switch request {
    case let roll as Motion.Roll: heading = roll.heading
    // Headings count from the new aim now, also the one to stop on.
    case let aim as Motion.SetHeading: if heading != nil { heading = aim.heading }
    case let power as Core.SetPowerNotification: hasPowerNotification = power.isOn
    case let collision as Sensing.ConfigureCollisionDetection: detectsCollisions = collision.method != .off
    case is Motion.Boost: heading = heading ?? 0
    case is Motion.SetRawMotors:
      heading = heading ?? 0
      hasRawMotors = true
    default: break
    }
  }

  private func ask(
    _ id: CommandID, name: String, payload: [UInt8], attempts: Int, stream: Int? = nil
  ) async throws -> ResponsePacket {
    for attempt in 1...attempts {
      if attempt > 1 { try Task.checkCancellation() }
      guard let number = requests.nextNumber() else { throw SessionError.tooManyRequests }
      let packet = CommandPacket(id: id, sequence: number, payload: payload)
      let bytes = try Packet.command(packet).encoded()
      let sentAt = time.now
      if let response = try await answer(to: bytes, number, stream) {
        roundTrip = max(time.now - sentAt, roundTrip * 0.9)
        return response
      }
    }
    throw SessionError.timedOut(command: name, hasEverAnswered: hasEverAnswered)
  }

  /// Sends a packet and waits under its number; nil after the time-out.
  private func answer(to bytes: [UInt8], _ number: UInt8, _ stream: Int?) async throws -> ResponsePacket? {
    if let end { throw end }
    let deadline = time.now + patience.timeout
    let timer = time.start {
      do { try await self.time.sleep(until: deadline) } catch { return }
      await self.expire(number)
    }
    defer { timer.cancel() }
    return try await withCheckedThrowingContinuation { waiter in
      requests.wait(waiter, for: number, stream: stream)
      outgoing.push([bytes])
    }
  }

  private func expire(_ number: UInt8) { requests.expire(number) }

  // MARK: Listening and speaking

  private func listen() async {
    while true {
      do {
        guard let bytes = try await transport.read() else { return finish(LinkError.closed) }
        decoder.append(bytes)
        takePackets()
      } catch { return finish(error) }
    }
  }

  private func speak() async {
    do {
      while let packets = try await outgoing.receive() {
        for packet in packets { try await transport.write(packet) }
      }
    } catch { finish(error) }
  }

  private func takePackets() {
    let before = decoder.statistics
    while let packet = decoder.next() { take(packet) }
    if decoder.statistics != before || decoder.pendingCount == 0 { pendingSince = time.now }
  }

  /// Lets an incomplete packet go after a second: a false header must not hold good packets back.
  private func releaseStuckBytes() async {
    while (try? await time.sleep(for: .milliseconds(250))) != nil {
      guard decoder.pendingCount > 0, time.now - pendingSince >= .seconds(1) else { continue }
      decoder.giveUpOnIncomplete()
      takePackets()
    }
  }

  private func take(_ packet: Packet) {
    switch packet {
    case .command: break
    case .response(let response):
      hasEverAnswered = true
      // At once: the first frames may lie behind the response in the same bytes.
      if let asked = requests.answer(response), response.status == .ok { acknowledge(asked) }
    case .event(let event):
      if event.id == Sensing.SensorData.id {
        stream?.take(event.payload, at: time.now)
        if stream?.needsRenewal(roundTrip: roundTrip) == true { renew() }
      }
      for listener in listeners.values {
        // Samples have a sequence of their own; there are too many of them to be events among others.
        let isAmongAll = listener.id == nil && event.id != Sensing.SensorData.id
        if listener.id == event.id || isAmongAll { listener.mailbox.push([event]) }
      }
    }
  }

  private func finish(_ error: any Error) {
    guard end == nil else { return }
    end = error
    requests.fail(error)
    stream?.mailbox.finish(throwing: error)
    for listener in listeners.values { listener.mailbox.finish(throwing: error) }
  }

  // MARK: Events

  /// The events of one kind, from now on; those that do not fit their layout are left out.
  ///
  /// - Parameter type: The kind, like `Sensing.Collision.self`.
  /// - Returns: A sequence for one consumer; the newest 256 wait where it is slow.
  public func events<E: Event>(of type: E.Type) -> EventSequence<E> {
    let (mailbox, number) = listen(to: E.id)
    return EventSequence(
      mailbox: mailbox, decode: { try? E(payload: $0.payload) }, onEnd: { Task { await self.forget(number) } }
    )
  }

  /// All events but sensor data, as packets, from now on.
  ///
  /// - Returns: A sequence for one consumer; the newest 256 wait where it is slow.
  public func events() -> EventSequence<EventPacket> {
    let (mailbox, number) = listen(to: nil)
    return EventSequence(
      mailbox: mailbox, decode: { $0 }, onEnd: { Task { await self.forget(number) } })
  }

  private func listen(to id: EventID?) -> (Mailbox<EventPacket>, Int) {
    let mailbox = Mailbox<EventPacket>(capacity: 256)
    if let end { mailbox.finish(throwing: end) }
    count += 1
    listeners[count] = (id, mailbox)
    return (mailbox, count)
  }

  private func forget(_ number: Int) { listeners[number] = nil }
}
