// Handles the events of the conversation and reports events to the page as lines of JSON.

import SpheroControls
import SpheroDrawing
import SpheroHost
import SpheroMotion
import SpheroOrientation
import SpheroProtocol

/// A bounded queue of JSON lines for the page; when it is full, all waiting lines are dropped and counted.
struct EventQueue: Sendable {
  /// The size in bytes.
  private static let capacity = 1 << 20
  private var lines: [UInt8] = []
  private var dropped = 0

  /// Appends a line without its line break.
  mutating func append(_ line: [UInt8]) {
    if lines.count + line.count >= Self.capacity {
      dropped += lines.count { $0 == UInt8(ascii: "\n") }
      lines = []
    }
    lines += line
    lines.append(UInt8(ascii: "\n"))
  }

  mutating func append(_ kind: String, _ fields: [Field]) {
    append(Array(JSON.line([Field("kind", .text(kind))] + fields).utf8))
  }

  mutating func take() -> [UInt8] {
    defer { (lines, dropped) = ([], 0) }
    guard dropped > 0 else { return lines }
    let notice = JSON.line([
      Field("kind", .text("notice")), Field("notice", .text("dropped")),
      Field("message", .text("\(dropped) lines were dropped because the page did not read them in time")),
      Field("weight", .text("warning")),
    ])
    return "\(notice)\n".utf8 + lines
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
      (link, monitor.link) = (.open, .silent)
      if mustAim { aimDeadline = now + Self.aimTimeout }
      nextQuery = now + Self.queryPeriod
    case .failed(let error): end(error)
    case .completed(let id, let result):
      let purpose = purposes.removeValue(forKey: id)
      switch result {
      case .success(let response): handle(response.packet, for: purpose)
      case .failure(let error): handle(error, for: purpose)
      }
    case .event(let packet): handle(packet)
    case .streamStarted: break
    case .samples(let id, let samples):
      if id == subscription { for sample in samples { handle(sample) } }
      if id == guidanceSubscription {
        for sample in samples {
          if let reading = Odometry(sample) { guidance?.reading = reading }
        }
      }
    case .streamEnded(let id, let error):
      if id == guidanceSubscription { guidanceSubscription = nil }
      guard id == subscription else { return }
      subscription = nil
      if link == .open { monitor.link = .silent }
      if let error { report(error) }
    case .notice(let notice): handle(notice)
    case .left:
      link = .left
      (program, pendingAbort) = (nil, nil)
      (conversation, subscription) = (nil, nil)
      events.append("end", [Field("message", .missing), Field("advice", .missing)])
    }
  }

  mutating func end(_ error: SessionError) {
    endGuidance(reporting: "the connection is over")
    loseProgram()
    (conversation, subscription, link) = (nil, nil, .closed)
    endInputs()
    events.append("end", [Field("message", .text(error.message)), Field("advice", .text(error.advice))])
  }

  /// Reports an error that does not end the conversation.
  mutating func report(_ error: SessionError) {
    events.append(
      "error",
      [
        Field("message", .text(error.message)), Field("advice", .text(error.advice)),
        Field("weight", .text("warning")),
      ])
  }

  // MARK: Responses

  private mutating func handle(_ response: ResponsePacket, for purpose: Purpose?) {
    switch purpose {
    case .name: name = (try? Core.GetBluetoothInfo.Response(payload: response.payload))?.name.description
    case .power:
      guard let power = try? Core.GetPowerState.Response(payload: response.payload) else { return }
      battery = power
      monitor.battery = power.summary
    case .color:
      guard let color = try? Lights.GetRGBLED.Response(payload: response.payload) else { return }
      // The user may have picked another colour meanwhile.
      if monitor.color == nil { wheel.show(RGB(color)) }
      (monitor.color, preview.current) = (wheel.color, wheel.color)
    case .raw(let command): report(Dissection(response, to: command), kind: "answer")
    case .program: handleProgram(response)
    case .guidance:
      if response.status != .ok {
        handleGuidance(.refused(command: Motion.Roll.name, status: response.status))
      }
    case .abort: stopMotors()
    case .setting, nil: break
    }
  }

  private mutating func handle(_ error: SessionError, for purpose: Purpose?) {
    switch (purpose, error) {
    // A newer setting replaced this one, or leaving ended it.
    case (.setting, .superseded), (.setting, .leaving): break
    case (.raw, _), (.setting, _): report(error)
    case (.guidance, _): handleGuidance(error)
    case (.program, _): failProgram(error)
    case (.abort, .leaving): break
    case (.abort, _):
      report(error)
      stopMotors()
    default: break
    }
  }

  private mutating func report(_ dissection: Dissection, kind: String) {
    let fields = dissection.message.filter { $0.name != "kind" }
    events.append(kind, [Field("message", .text(dissection.meaning))] + fields)
  }

  // MARK: Events and notices

  private mutating func handle(_ packet: EventPacket) {
    if packet.id == Sensing.Collision.id, let impact = try? Sensing.Collision(payload: packet.payload) {
      collisions = (collisions.count + 1, impact, now)
      marks.append(
        Playback.Mark(
          time: now / .seconds(1), x: odometry?.position.x, y: odometry?.position.y,
          direction: impact.direction?.degrees))
      marks.removeFirst(max(0, marks.count - Self.maximumMarkCount))
      events.append(
        "collision",
        [
          Field("time", .seconds(now)), Field("direction", .decimal(impact.direction?.degrees, digits: 0)),
          Field("power", .count(max(impact.xMagnitude, impact.yMagnitude))),
        ])
    }
    handleProgramEvent(packet)
    if packet.id == Core.PowerNotification.id,
      let power = try? Core.PowerNotification(payload: packet.payload)
    {
      battery?.state = power.state
      send(Core.GetPowerState(), .power)
    }
    report(Dissection(packet), kind: "event")
  }

  private mutating func handle(_ notice: Notice) {
    var weight = Monitor.Severity.warning
    var name: String?
    switch notice {
    case .disconnected: (weight, name) = (.alarm, "disconnected")
    case .silence: (monitor.link, name) = (.silent, "silence")
    case .gap: name = "gap"
    case .connected: (weight, name) = (.note, "connected")
    case .reconnected:
      (weight, link, monitor.link, name) = (.note, .open, .silent, "reconnected")
      if mustSwitchTailOff { send(Lights.SetBackLED(fraction: 0), .setting) }
      mustSwitchTailOff = false
      abortLostProgram()
      if measurements.mustStabilize { endGame() }
    default: break
    }
    events.append(
      "notice",
      [
        Field("notice", .text(name)), Field("message", .text(notice.description)),
        Field("weight", .text(weight.rawValue)),
      ])
  }

  private mutating func handle(_ sample: TimedSample) {
    sampleCount += 1
    lastSample = now
    let convention = Convention.sphero
    let attitude =
      sample.sample.rotation(by: convention)
      ?? sample.sample.pitchRollYaw.flatMap { convention.attitude(of: $0) }
    if let reading = Odometry(sample) {
      odometry = reading
      if aimDeadline != nil { beginAim() }
    }
    monitor.append(
      [], at: sample.time / .seconds(1), arrival: now / .seconds(1), attitude: attitude,
      position: odometry.map { ($0.position.x, $0.position.y) })
    var line: [UInt8] = []
    samplePrinter.append(to: &line) { columns.add(sample, to: &$0) }
    events.append(line)
    recording.append(sample)
    measure(sample)
  }
}
