// The text commands of the page; Docs/Page.md lists them.

import SpheroCapture
import SpheroControls
import SpheroDrawing
import SpheroHost
import SpheroMotion
import SpheroOrientation
import SpheroProtocol

package struct PageError: Error, Hashable, Sendable, CustomStringConvertible {
  package let description: String

  init(_ description: String) { self.description = description }
}

extension Page {
  /// Executes a command, and returns the result that Docs/Page.md states; an invalid command throws and has no effect.
  package mutating func execute(_ command: String, at now: Duration) throws(PageError) -> [UInt8] {
    advance(to: now)
    defer { handleUpdates() }
    var words = CommandParser(command)
    switch words.first {
    case "connect": try connect(&words)
    case "port": try changePort(&words)
    case "bluetooth": return try handleBluetooth(&words, at: now)
    case "leave": try words.end { if connection.handle(.leave), conversation != nil { leave() } }
    case "lost": try words.end { loseLink() }
    case "back":
      try words.end {}
      guard connection.handle(.reconnection) else { break }
      recording.append(.reconnection, at: now)
      conversation?.reconnected(at: now)
    case "abandon": try words.end { if conversation != nil { end(.disconnected(command: "the page")) } }
    case "stick": try steer(&words)
    case "stop": try words.end { stop() }
    case "speed":
      stick.speed = try words.lastNumber(in: 0...1)
      if stick.isHeld { steer() }
    case "halt": return try words.end { Self.halt }
    case "ring": try aim(&words)
    case "twist": try twist(&words)
    case "tilt": try tilt(&words)
    case "gamepad": try readGamepad(&words)
    case "wheel", "brightness", "color", "picked", "preview", "tail": try light(&words)
    case "sensors": try selectSensors(&words)
    case "collisions": try configureCollisions(&words)
    case "raw": try sendRaw(&words)
    case "go", "turn", "follow": try guide(&words)
    case "check", "run":
      let (text, language) = try Self.programText(in: command)
      if words.first == "check" { return Self.check(text, in: language) }
      try run(text, in: language)
    case "filter": try selectFilter(&words)
    case "motion": try selectMotion(&words)
    case "calibrate": try calibrate(&words, command)
    case "balance": try balance(&words)
    case "examples": return try words.end { Self.json(ProgramExample.list) }
    case "groups": return try words.end { Self.json(SensorGroup.list) }
    case "lanes":
      return try words.end { Self.json(.list(SensorLane.lanes(of: stream.columns.columns).map { $0.view })) }
    case "news": return try words.end { events.take() }
    case "status":
      let hasFailed = words.skip("failed")
      return try words.end { Self.json(hasFailed ? ConnectionState.failed.view() : status) }
    case "view":
      let isChanges = words.skip("changes")
      try words.end {}
      return isChanges ? viewChanges.take(view) : Self.json(view)
    case "path": return try handlePath(&words)
    case "disc": return Self.disc(side: Int(try words.lastNumber(in: 1...1_000)))
    case "record": try record(&words)
    case "capture": return try words.end { recording.takeCapture() }
    case "rows": return try words.end { recording.takeRows() }
    case "open": opened = OpenedRecording(name: words.rest())
    case "end":
      try words.end {}
      try withOpened { $0.end() }
    case "packets": return try listPackets(&words)
    case "table":
      try words.end {}
      return try withOpened { $0.takeTable() }
    case "picture":
      try words.end {}
      return try withOpened { $0.picture }
    case "playback": return try play(&words)
    default: throw PageError("'\(words.first)' is not a word of a page")
    }
    return []
  }

  package mutating func read(_ bytes: [UInt8]) throws(PageError) { try withOpened { $0.append(bytes) } }

  mutating func withOpened<Result>(
    _ body: (inout OpenedRecording) throws(PageError) -> Result
  ) throws(PageError) -> Result {
    guard var recording = opened else { throw PageError("no recording is open: say 'open NAME' first") }
    // The property is nil during the call: a second reference to the recording would cause a copy.
    opened = nil
    defer { opened = recording }
    return try body(&recording)
  }

  /// The number of packets of the opened recording, or the lines of some of them.
  private mutating func listPackets(_ words: inout CommandParser) throws(PageError) -> [UInt8] {
    let list = try withOpened { recording throws(PageError) in try recording.list() }
    guard !words.isAtEnd else { return Self.json(.count(list.count)) }
    let first = Int(try words.number(in: 0...1e9))
    return list.lines(from: first, count: Int(try words.lastNumber(in: 1...1_000)))
  }

  private mutating func changePort(_ words: inout CommandParser) throws(PageError) {
    let events: [ConnectionState.Event] = [.portChoice, .portOpening, .portRefusal, .portClosing]
    let word = try words.next(of: events.map { $0.rawValue })
    try words.end {}
    guard let event = ConnectionState.Event(rawValue: word), connection.handle(event) else {
      throw PageError("a port cannot be \(word) while the connection is \(connection.rawValue)")
    }
    if event == .portClosing {
      conversation = nil
      restartMeasurements()
    }
  }

  private mutating func loseLink() {
    guard conversation != nil else { return }
    connection.handle(.loss)
    loseRobot(reporting: "the link was lost")
    conversation?.lineLost(at: now)
  }

  private mutating func steer(_ words: inout CommandParser) throws(PageError) {
    guard !words.isAtEnd else { return release() }
    let point = try words.point()
    try words.end { push(to: point) }
  }

  private mutating func aim(_ words: inout CommandParser) throws(PageError) {
    switch try words.next(of: ["begin", "turn", "by", "end", "cancel"]) {
    case "begin": try words.end { beginAim() }
    case "turn": perform(aiming.turn(to: try words.lastNumber(in: -36_000...36_000)))
    case "by": perform(aiming.turn(to: aiming.turn + (try words.lastNumber(in: -360...360))))
    case "end": try words.end { perform(aiming.ring.end()) }
    default: try words.end { perform(aiming.ring.cancel()) }
    }
  }

  private mutating func twist(_ words: inout CommandParser) throws(PageError) {
    if words.skip("end") { return try words.end { endTwist() } }
    if words.skip("cancel") { return try words.end { endTwist(isCancelled: true) } }
    let (first, second) = (try words.point(), try words.point())
    try words.end { turn(first, second) }
  }

  private mutating func tilt(_ words: inout CommandParser) throws(PageError) {
    if words.skip("begin") { return try words.end { beginTilt() } }
    if words.skip("end") { return try words.end { endTilt() } }
    let (gravity, edge) = try words.orientation()
    handleTilt(gravity: gravity, farEdge: edge)
  }

  private mutating func readGamepad(_ words: inout CommandParser) throws(PageError) {
    guard !words.isAtEnd else { return dropGamepad() }
    let (left, right) = (try words.point(), try words.point())
    // In WebAssembly, Int has 32 bits, too few for the bit of the last of 32 buttons.
    let buttons = UInt32(try words.lastNumber(in: 0...4_294_967_295))
    handleGamepad(left: left, right: right, buttons: buttons)
  }

  private mutating func light(_ words: inout CommandParser) throws(PageError) {
    switch words.first {
    case "wheel":
      let point = try words.point()
      try words.end { changeColor { $0.pick(at: point) } }
    case "brightness":
      let brightness = try words.lastNumber(in: 0...1)
      changeColor { $0.setBrightness(brightness) }
    case "color":
      let color: RGB
      do throws(ColorParsingError) { color = try RGB(parsing: words.rest()) } catch {
        throw PageError(error.description)
      }
      finishColor()
      changeColor { $0.show(color) }
      finishColor()
    case "picked": try words.end { finishColor() }
    case "preview":
      let word = try words.next(of: ["previous", "current"])
      try words.end { if light.select(word == "previous" ? .previous : .current) { showColor() } }
    default:
      let fraction = try words.lastNumber(in: 0...1)
      guard conversation != nil else { return }
      light.tail = fraction
      // During an aim the tail light has full brightness; the end of the aim sets the selected brightness.
      if !aiming.isActive { setTailLight() }
    }
  }

  private mutating func selectSensors(_ words: inout CommandParser) throws(PageError) {
    let list = try words.next("fields like accel,gyro, or off")
    guard list != "off" else {
      try words.end {}
      stream.request = nil
      // Without a stream, the latest heading, speed and position become outdated.
      robot.odometry = nil
      resetStream()
      return subscribe()
    }
    let mask: SensorMask
    do throws(MaskError) { mask = try SensorMask(parsing: list) } catch { throw PageError("\(error)") }
    let hertz = try words.lastNumber(in: 0.01...400)
    (stream.request, stream.mask) = (StreamRequest(mask: mask, hertz: hertz), mask)
    resetStream()
    subscribe()
  }

  private mutating func configureCollisions(_ words: inout CommandParser) throws(PageError) {
    let word = try words.next(of: CollisionPreset.allCases.map { $0.rawValue } + ["off"])
    try words.end {}
    detection = CollisionPreset(rawValue: word)?.detection
    send(detection ?? Sensing.ConfigureCollisionDetection(method: .off), .setting)
  }

  private mutating func sendRaw(_ words: inout CommandParser) throws(PageError) {
    let name = try words.next("the name of a command, like Core.Ping")
    let fields: [String: String]
    do throws(WireError) { fields = try Dictionary(assignments: words.takeAll()) } catch {
      throw PageError(error.description)
    }
    guard conversation != nil else { throw PageError("there is no robot: connect one, or simulate it") }
    var search = CommandSearch(name: name.lowercased())
    Catalogue.visit(&search)
    guard let encode = search.encode else { throw PageError("unknown command '\(name)'") }
    if let hazard = search.hazard { throw PageError("the page does not send hazardous commands: \(hazard)") }
    let request: EncodedRequest
    do throws(WireError) { request = try encode(fields) } catch {
      throw PageError("\(search.title): \(error)")
    }
    send(request, .raw(request.command))
  }

  private mutating func record(_ words: inout CommandParser) throws(PageError) {
    guard try words.next(of: ["start", "stop"]) == "start" else { return try words.end { recording.end() } }
    // The monotonic clock of a browser may stand still while the computer is suspended.
    let wallClock =
      words.isAtEnd ? wallClockStart + now : .milliseconds(try words.lastNumber(in: 0...1e15))
    recording = Recording(
      columns: Self.columns(of: stream.mask, divisor: stream.divisor), stream: conversation?.streamOnWire,
      at: now, wallClock: wallClock)
    recording.setCalibration(measurements.calibration, at: now)
  }
}

private struct CommandSearch: CatalogueVisitor {
  let name: String
  var title = ""
  var hazard: String?
  var encode: (([String: String]) throws(WireError) -> EncodedRequest)?

  mutating func command<R: Request>(_ type: R.Type, _ title: StaticString) {
    guard title.description.lowercased() == name else { return }
    (self.title, hazard) = (title.description, R.optionalHazard)
    encode = { (fields: [String: String]) throws(WireError) in
      try EncodedRequest(R(assigning: fields, requiresAll: true))
    }
  }

  mutating func event<E: Event>(_ type: E.Type, _ name: StaticString) {}
}
