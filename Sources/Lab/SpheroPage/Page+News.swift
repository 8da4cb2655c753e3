// What the conversation says, and what the page makes of it.

import SpheroControls
import SpheroDrawing
import SpheroHost
import SpheroMotion
import SpheroOrientation
import SpheroProtocol

extension Page {
  /// Acts on what the conversation has to say.
  mutating func settle() {
    while let items = conversation?.takeNews(), !items.isEmpty {
      for item in items { take(item) }
    }
    if let lost = conversation?.statistics.lostFrames { monitor.lostSamples = lost }
  }

  private mutating func take(_ item: Conversation.News) {
    switch item {
    case .connected:
      (link, monitor.link) = (.open, .silent)
      nextInquiry = now + Self.inquiryPeriod
    case .failed(let error): end(error)
    case .completed(let id, let result): take(result.map { $0.packet }, of: inquiries.removeValue(forKey: id))
    case .event(let packet): take(packet)
    case .streamStarted: break
    case .samples(let id, let samples):
      if id == subscription { for sample in samples { take(sample) } }
    case .streamEnded(let id, let error):
      guard id == subscription else { return }
      subscription = nil
      if link == .open { monitor.link = .silent }
      if let error { tell(error) }
    case .notice(let notice): take(notice)
    case .left:
      link = .left
      (conversation, subscription) = (nil, nil)
      news.append([Field("kind", .text("end")), Field("message", .missing), Field("advice", .missing)])
    }
  }

  /// The conversation has failed.
  mutating func end(_ error: SessionError) {
    (conversation, subscription, link) = (nil, nil, .closed)
    news.append([
      Field("kind", .text("end")), Field("message", .text(error.message)),
      Field("advice", .text(error.advice)),
    ])
  }

  /// Tells that something did not happen.
  mutating func tell(_ error: SessionError) {
    news.append([
      Field("kind", .text("error")), Field("message", .text(error.message)),
      Field("advice", .text(error.advice)), Field("weight", .text("warning")),
    ])
  }

  // MARK: Answers

  private mutating func take(_ result: Result<ResponsePacket, SessionError>, of inquiry: Inquiry?) {
    switch result {
    case .success(let response): take(response, of: inquiry)
    case .failure(let error):
      // What a newer command has replaced, or leaving has ended, is no news; what nobody asked for is none either.
      switch inquiry {
      case .raw: tell(error)
      case .quiet:
        switch error {
        case .superseded, .leaving: break
        default: tell(error)
        }
      default: break
      }
    }
  }

  private mutating func take(_ response: ResponsePacket, of inquiry: Inquiry?) {
    switch inquiry {
    case .name: name = (try? Core.GetBluetoothInfo.Response(payload: response.payload))?.name.description
    case .power:
      guard let power = try? Core.GetPowerState.Response(payload: response.payload) else { return }
      battery = power
      monitor.battery = power.summary
    case .color:
      guard let answer = try? Lights.GetRGBLED.Response(payload: response.payload) else { return }
      // A hand may have been faster.
      if monitor.color == nil { wheel.show(RGB(answer)) }
      monitor.color = wheel.color
    case .raw(let command): tell(Dissection(response, to: command), kind: "answer")
    case .quiet, nil: break
    }
  }

  private mutating func tell(_ dissection: Dissection, kind: String) {
    var fields = [Field("kind", .text(kind)), Field("message", .text(dissection.meaning))]
    // The kind is said already.
    fields += dissection.message.filter { $0.name != "kind" }
    news.append(fields)
  }

  // MARK: Events and remarks

  private mutating func take(_ packet: EventPacket) {
    if packet.id == Sensing.Collision.id, let impact = try? Sensing.Collision(payload: packet.payload) {
      collisions = (collisions.count + 1, impact, now)
      news.append([
        Field("kind", .text("collision")), Field("time", .seconds(now)),
        Field("direction", .decimal(impact.direction?.degrees, digits: 0)),
        Field("power", .count(max(impact.xMagnitude, impact.yMagnitude))),
      ])
    }
    if packet.id == Core.PowerNotification.id,
      let power = try? Core.PowerNotification(payload: packet.payload)
    {
      battery?.state = power.state
      ask(Core.GetPowerState(), .power)
    }
    tell(Dissection(packet), kind: "event")
  }

  private mutating func take(_ notice: Notice) {
    var weight = Monitor.Weight.warning
    var name: String?
    switch notice {
    case .disconnected: (weight, name) = (.alarm, "disconnected")
    case .silence: (monitor.link, name) = (.silent, "silence")
    case .gap: name = "gap"
    case .connected: (weight, name) = (.note, "connected")
    case .reconnected:
      (weight, link, monitor.link, name) = (.note, .open, .silent, "reconnected")
      if mustDarken { ask(Lights.SetBackLED(fraction: 0), .quiet) }
      mustDarken = false
    default: break
    }
    news.append([
      Field("kind", .text("notice")), Field("notice", .text(name)),
      Field("message", .text(notice.description)), Field("weight", .text(weight.name)),
    ])
  }

  // MARK: Samples

  private mutating func take(_ sample: TimedSample) {
    sampleCount += 1
    lastSample = now
    let convention = Convention.sphero
    let values = sample.sample
    let attitude =
      values.rotation(by: convention)
      ?? values.pitchRollYaw.flatMap { convention.attitude(of: $0) }
    if let reading = Odometry(sample) { odometry = reading }
    let place = odometry.map { (x: $0.position.x, y: $0.position.y) }
    monitor.take(
      [], at: sample.time / .seconds(1), arrival: now / .seconds(1), attitude: attitude, place: place)
    var line: [UInt8] = []
    samplePrinter.append(to: &line) { columns.add(sample, to: &$0) }
    news.append(line)
    recording.take(sample)
  }
}

extension Monitor.Weight {
  /// The word of JSON.
  var name: String {
    switch self {
    case .note: "note"
    case .warning: "warning"
    case .alarm: "alarm"
    }
  }
}
