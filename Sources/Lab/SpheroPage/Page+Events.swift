// Handles the events of the conversation and reports events to the page as lines of JSON.

import SpheroControls
import SpheroDrawing
import SpheroHost
import SpheroMotion
import SpheroOrientation
import SpheroProtocol

/// A bounded queue of JSON lines for the page; when it is full, all waiting lines are dropped and counted.
struct EventQueue: Sendable {
  private static let capacity = 1 << 20
  private var lines: [UInt8] = []
  private var dropped = 0

  /// Appends a line of JSON without its line break.
  mutating func append(_ line: [UInt8]) {
    if lines.count + line.count >= Self.capacity {
      dropped += lines.count { $0 == UInt8(ascii: "\n") }
      lines = []
    }
    lines += line
    lines.append(UInt8(ascii: "\n"))
  }

  mutating func append(_ event: FieldValue) { append(Page.json(event)) }

  /// Appends the end of a motion or a program; an end with the state `failed` is a warning.
  mutating func append(
    _ kind: String, state: String, _ message: String, advice: String?, _ fields: [Field] = []
  ) {
    let texts = [
      Field("kind", .text(kind)), Field("state", .text(state)), Field("message", .text(message)),
      Field("advice", .text(advice)),
    ]
    append(.record(texts + fields + [Field("weight", state == "failed" ? "warning" : "note")]))
  }

  mutating func take() -> [UInt8] {
    defer { (lines, dropped) = ([], 0) }
    guard dropped > 0 else { return lines }
    let notice = Page.json([
      "kind": "notice", "notice": "dropped",
      "message": .text("\(dropped) lines were dropped because the page did not read them in time"),
      "weight": "warning",
    ])
    return notice + "\n".utf8 + lines
  }
}

extension Page {
  /// Handles all updates of the conversation, including those that the handling causes.
  mutating func handleUpdates() {
    while let items = conversation?.takeUpdates(), !items.isEmpty {
      for item in items { handle(item) }
    }
  }

  private mutating func handle(_ item: Conversation.Update) {
    switch item {
    case .connected:
      connection.handle(.answer)
      aiming.awaitHeading(at: now)
      robot.scheduleQuery(at: now)
    case .failed(let error): end(error)
    case .completed(let id, let result):
      guard let (purpose, command) = requests.removeValue(forKey: id) else { return }
      switch result {
      case .success(let response): handle(response.packet, to: command, for: purpose)
      case .failure(let error): handle(error, for: purpose)
      }
    case .event(let packet, let arrival): handle(packet, at: arrival)
    case .streamStarted: break
    case .samples(let id, let samples):
      if id == stream.subscription { for sample in samples { handle(sample) } }
      if id == guidance.subscription {
        for sample in samples {
          if let reading = Odometry(sample) { guidance.run?.reading = reading }
        }
      }
    case .streamEnded(let id, let error):
      if id == guidance.subscription { guidance.subscription = nil }
      guard id == stream.subscription else { return }
      stream.subscription = nil
      connection.handle(.silence)
      if let error { report(error) }
    case .notice(let notice): handle(notice)
    case .left:
      connection.handle(.end)
      program = Program()
      (conversation, stream.subscription) = (nil, nil)
      events.append(["kind": "end", "message": .missing, "advice": .missing])
    }
  }

  /// Ends the conversation without a shutdown, and reports the error.
  mutating func end(_ error: SessionError) {
    connection.handle(.failure)
    (conversation, stream.subscription) = (nil, nil)
    loseRobot(reporting: "the connection is over")
    events.append(["kind": "end", "message": .text(error.message), "advice": .text(error.advice)])
  }

  /// Ends every motion and input, because the link is lost or the conversation is over.
  mutating func loseRobot(reporting reason: String) {
    stick.reset()
    aiming.loseLink()
    endGuidance(reporting: reason)
    loseProgram()
    endInputs()
    endRobotGame()
  }

  /// Reports an error that does not end the conversation.
  mutating func report(_ error: SessionError) { reportError(error.message, error.advice) }

  mutating func reportError(_ message: String, _ advice: String?) {
    events.append([
      "kind": "error", "message": .text(message), "advice": .text(advice), "weight": "warning",
    ])
  }

  // MARK: Responses

  private mutating func handle(_ response: ResponsePacket, to command: String, for purpose: RequestPurpose) {
    switch purpose {
    case .name:
      robot.name = (try? Core.GetBluetoothInfo.Response(payload: response.payload))?.name.description
    case .power:
      robot.battery = (try? Core.GetPowerState.Response(payload: response.payload)) ?? robot.battery
    case .color:
      guard let color = try? Lights.GetRGBLED.Response(payload: response.payload) else { return }
      light.handle(RGB(color))
      monitor.color = light.visible
    case .raw(let id): report("answer", Dissection(response, to: id))
    case .program: if let end = program.run?.handle(response, at: now) { finish(end) }
    case .guidance:
      if response.status != .ok {
        handleGuidance(.refused(command: command, status: response.status))
      }
    case .abort:
      program.pendingAbort = nil
      stopMotors()
    case .locator: if response.status == .ok { clearPath() }
    case .setting:
      if response.status != .ok { report(.refused(command: command, status: response.status)) }
    }
  }

  private mutating func handle(_ error: SessionError, for purpose: RequestPurpose) {
    switch (purpose, error) {
    // A newer setting replaced this one, or leaving ended it.
    case (.setting, .superseded), (.setting, .leaving), (.locator, .leaving): break
    case (.raw, _), (.setting, _), (.locator, _): report(error)
    case (.guidance, _): handleGuidance(error)
    case (.program, _): failProgram(error)
    case (.abort, .leaving): break
    case (.abort, _):
      report(error)
      stopMotors()
    default: break
    }
  }

  private mutating func report(_ kind: FieldValue, _ dissection: Dissection) {
    let fields = [Field("kind", kind), Field("message", .text(dissection.meaning))]
    events.append(.record(fields + dissection.message))
  }

  // MARK: Events and notices

  private mutating func handle(_ packet: EventPacket, at arrival: Duration) {
    if let impact = Sensing.Collision(packet: packet) {
      robot.append(impact, at: arrival)
      events.append([
        "kind": "collision", "time": .seconds(arrival),
        "direction": .decimal(impact.direction?.degrees(digits: 0), digits: 0),
        "power": .count(max(impact.xMagnitude, impact.yMagnitude)),
      ])
    }
    handleProgramEvent(packet)
    if let power = Core.PowerNotification(packet: packet) {
      robot.battery?.state = power.state
      send(Core.GetPowerState(), .power)
    }
    report("event", Dissection(packet))
  }

  private mutating func handle(_ notice: Notice) {
    var severity = Monitor.Severity.warning
    var name: String?
    switch notice {
    case .disconnected: (severity, name) = (.alarm, "disconnected")
    case .silence:
      connection.handle(.silence)
      name = "silence"
    case .gap: name = "gap"
    case .connected: (severity, name) = (.note, "connected")
    case .reconnected:
      connection.handle(.answer)
      (severity, name) = (.note, "reconnected")
      if aiming.isTailLightLeft { setTailLight() }
      aiming.isTailLightLeft = false
      if let abort = program.pendingAbort { send(abort, .abort) }
      restoreStabilization()
    default: break
    }
    events.append([
      "kind": "notice", "notice": .text(name), "message": .text(notice.description),
      "weight": .text(severity.rawValue),
    ])
  }

  private mutating func handle(_ sample: TimedSample) {
    connection.handle(.sample)
    if let reading = Odometry(sample) {
      robot.odometry = reading
      if aiming.deadline != nil { beginAim() }
    }
    monitor.append(
      [], at: sample.time / .seconds(1), arrival: now / .seconds(1), attitude: sample.sample.attitude(),
      position: robot.odometry.map { ($0.position.x, $0.position.y) })
    events.append(stream.append(sample, at: now))
    recording.append(sample)
    measure(sample)
  }
}
