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
  /// Executes a command of Docs/Page.md and returns its result; an invalid command throws and has no effect.
  package mutating func execute(_ command: String, at now: Duration) throws(PageError) -> [UInt8] {
    advance(to: now)
    defer { handleUpdates() }
    var words = CommandParser(command)
    switch words.first {
    case "connect": try connect(&words)
    case "leave", "lost", "back", "abandon": try words.end { changeLink(words.first) }
    case "stick": try steer(&words)
    case "stop": try words.end { stop() }
    case "speed":
      stick.speed = try words.lastNumber(in: 0...1)
      if stick.end != nil { steer() }
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
      let (text, language) = try Self.program(command)
      if words.first == "check" { return Self.check(text, in: language) }
      try run(text, in: language)
    case "examples": return try words.end { Self.json(ProgramExample.list) }
    case "columns": return try words.end { columnList }
    case "news": return try words.end { events.take() }
    case "view": return try words.end { view }
    case "path": return try handlePath(&words)
    case "marks": return try words.end { markList }
    case "walls": return try words.end { SimulatedRobot.walls }
    case "disc": return Self.disc(side: Int(try words.number(in: 1...1_000)))
    case "record": try record(&words)
    case "capture": return try words.end { recording.takeCapture() }
    case "rows": return try words.end { recording.takeRows() }
    case "open": opened = OpenedRecording(name: words.rest())
    case "end": try withOpened { $0.end() }
    case "packets":
      return try withOpened { recording throws(PageError) in try recording.takePackets() }
    case "table": return try withOpened { $0.takeTable() }
    case "picture": return try withOpened { $0.picture }
    case "playback": return try play(&words)
    default: throw PageError("'\(words.first)' is not a word of a page")
    }
    return []
  }

  /// Appends bytes to the opened recording.
  package mutating func read(_ bytes: [UInt8]) throws(PageError) { try withOpened { $0.append(bytes) } }

  private mutating func withOpened<Result>(
    _ body: (inout OpenedRecording) throws(PageError) -> Result
  ) throws(PageError) -> Result {
    guard var recording = opened else { throw PageError("no recording is open: say 'open NAME' first") }
    // Moved out and back to avoid a copy.
    opened = nil
    defer { opened = recording }
    return try body(&recording)
  }

  private mutating func connect(_ words: inout CommandParser) throws(PageError) {
    let wallClock = Duration.milliseconds(try words.number(in: 0...1e15))
    let mustAim = !words.isAtEnd
    if mustAim, try words.next("aim") != "aim" {
      throw PageError("'connect' and its time are followed by aim")
    }
    try words.end { connect(wallClock: wallClock, mustAim: mustAim) }
  }

  private mutating func changeLink(_ word: String) {
    guard conversation != nil else { return }
    switch word {
    case "leave": leave()
    case "lost":
      (stick.end, drive, link, monitor.link) = (nil, .stop, .lost, .lost)
      // Aiming does not continue after reconnection, which switches the light off.
      (ring, mustSwitchTailOff) = (CalibrationRing(), mustSwitchTailOff || ring.isActive)
      endGuidance(reporting: "the link was lost")
      loseProgram()
      endInputs()
      conversation?.lineLost(at: now)
    case "back":
      link = .connecting
      recording.append(.reconnection, at: now)
      conversation?.reconnected(at: now)
    default: end(.disconnected(command: "the page"))
    }
  }

  private mutating func steer(_ words: inout CommandParser) throws(PageError) {
    guard !words.isAtEnd else { return release() }
    let point = try words.point()
    try words.end {}
    push(to: point)
  }

  private mutating func aim(_ words: inout CommandParser) throws(PageError) {
    switch try words.next("begin, turn, by, end or cancel") {
    case "begin": try words.end { beginAim() }
    case "turn": turnRing(to: try words.lastNumber(in: -36_000...36_000))
    case "by": turnRing(to: ringTurn + (try words.lastNumber(in: -360...360)))
    case "end": try words.end { perform(ring.end()) }
    case "cancel": try words.end { perform(ring.cancel()) }
    default: throw PageError("'ring' is followed by begin, turn, by, end or cancel")
    }
  }

  private mutating func twist(_ words: inout CommandParser) throws(PageError) {
    switch words.rest(ifOneOf: ["end", "cancel"]) {
    case "end": endTwist()
    case "cancel": endTwist(isCancelled: true)
    default:
      let (first, second) = (try words.point(), try words.point())
      try words.end { turn(first, second) }
    }
  }

  private mutating func tilt(_ words: inout CommandParser) throws(PageError) {
    switch words.rest(ifOneOf: ["begin", "end"]) {
    case "begin": beginTilt()
    case "end": endTilt()
    default:
      let (beta, gamma) = (try words.number(in: -180...180), try words.number(in: -90...90))
      let screen = try words.lastNumber(in: 0...270)
      guard let edge = TiltDrive.Edge(screenAngle: screen) else {
        throw PageError("the angle of a screen is 0, 90, 180 or 270, not \(screen)")
      }
      handleTilt(beta: Angle(degrees: beta), gamma: Angle(degrees: gamma), farEdge: edge)
    }
  }

  private mutating func readGamepad(_ words: inout CommandParser) throws(PageError) {
    guard !words.isAtEnd else { return dropGamepad() }
    let (left, right) = (try words.point(), try words.point())
    let buttons = GamepadButtons(rawValue: Int(try words.lastNumber(in: 0...4_294_967_295)))
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
      let word = try words.next("previous or current")
      guard word == "previous" || word == "current" else {
        throw PageError("'preview' is followed by previous or current")
      }
      try words.end { selectColor(word == "previous" ? preview.previous : preview.current) }
    default:
      let fraction = try words.lastNumber(in: 0...1)
      if conversation != nil { send(Lights.SetBackLED(fraction: fraction), .setting) }
    }
  }

  private mutating func selectSensors(_ words: inout CommandParser) throws(PageError) {
    let list = try words.next("fields like accel,gyro, or off")
    guard list != "off" else {
      try words.end {}
      request = nil
      return subscribe()
    }
    let mask: SensorMask
    do throws(MaskError) { mask = try SensorMask(parsing: list) } catch { throw PageError("\(error)") }
    let hertz = try words.lastNumber(in: 0.01...400)
    (request, shown) = (StreamRequest(mask: mask, hertz: hertz), mask)
    resetStream()
    subscribe()
  }

  private mutating func configureCollisions(_ words: inout CommandParser) throws(PageError) {
    let word = try words.next("soft, normal, hard or off")
    try words.end {}
    let preset = CollisionPreset.allCases.first { $0.rawValue == word }
    guard preset != nil || word == "off" else {
      throw PageError("'collisions' is followed by soft, normal, hard or off")
    }
    detection = preset?.detection
    send(detection ?? Sensing.ConfigureCollisionDetection(method: .off), .setting)
  }

  private mutating func sendRaw(_ words: inout CommandParser) throws(PageError) {
    let name = try words.next("the name of a command, like Core.Ping")
    let fields: [String: String]
    do throws(WireError) { fields = try FieldAssigner.values(of: words.handleAll()) } catch {
      throw PageError(error.description)
    }
    guard conversation != nil else { throw PageError("there is no robot: connect one, or simulate it") }
    var search = CommandSearch(name: name, fields: fields)
    Catalogue.visit(&search)
    guard let found = search.found else { throw PageError("unknown command '\(name)'") }
    let request = try found.get()
    send(request, .raw(request.command))
  }

  private mutating func guide(_ words: inout CommandParser) throws(PageError) {
    let limit = -FloorPath.maximumCoordinate...FloorPath.maximumCoordinate
    switch words.first {
    case "turn":
      guard words.isNext("towards") else {
        return try guide(to: .turn(.degrees(try words.lastNumber(in: -36_000...36_000))))
      }
      let (x, y) = (try words.number(in: limit), try words.lastNumber(in: limit))
      if let odometry, Aim(from: odometry.position, to: Position(x: x, y: y))?.heading == nil {
        throw PageError("the ball is at this place already, so it has no direction")
      }
      try guide(to: .turnTowards(Position(x: x, y: y)))
    default:
      var points: [Position] = []
      repeat {
        points.append(Position(x: try words.number(in: limit), y: try words.number(in: limit)))
      } while words.first == "follow" && !words.isAtEnd && points.count < FloorPath.maximumPointCount
      try words.end {}
      guard let path = FloorPath(points) else { throw PageError(MotionError.unusablePath.description) }
      try guide(to: .path(path, speed: stick.speed))
    }
  }

  /// The text of a program after two words, `run macro`, as it is.
  private static func program(
    _ command: String
  ) throws(PageError) -> (text: String, language: ProgramLanguage) {
    let parts = command.split(separator: " ", maxSplits: 2, omittingEmptySubsequences: false)
    guard parts.count > 1, let language = ProgramLanguage(rawValue: String(parts[1])) else {
      throw PageError("'\(parts.first ?? "")' is followed by macro or basic, and the text of the program")
    }
    return (parts.count > 2 ? String(parts[2]) : "", language)
  }

  private mutating func handlePath(_ words: inout CommandParser) throws(PageError) -> [UInt8] {
    guard !words.isAtEnd else { return path }
    let word = try words.next("clear or text")
    try words.end {}
    switch word {
    case "clear": clearPath()
    case "text": return pathText
    default: throw PageError("'path' is followed by clear, text or nothing")
    }
    return []
  }

  private mutating func play(_ words: inout CommandParser) throws(PageError) -> [UInt8] {
    let word = words.isAtEnd ? "" : try words.next("at, lanes or robot")
    let seconds = -1e12...1e12
    switch word {
    case "":
      return try withOpened { opened in
        Self.json(opened.track?.overview(robots: opened.robots) ?? .missing)
      }
    case "at":
      let time = try words.lastNumber(in: seconds)
      return try withOpened { Self.json($0.track?.view(at: time) ?? .missing) }
    case "lanes":
      let (start, end) = (try words.number(in: seconds), try words.lastNumber(in: seconds))
      return try withOpened { $0.track?.playback.lanes(from: start, to: end) ?? [] }
    case "robot":
      let name = words.rest()
      try withOpened { opened throws(PageError) in try opened.showRobot(name) }
      return []
    default: throw PageError("'playback' is followed by at, lanes, robot or nothing")
    }
  }

  private mutating func record(_ words: inout CommandParser) throws(PageError) {
    let word = try words.next("start or stop")
    try words.end {}
    switch word {
    case "start":
      let stream = conversation?.streamOnWire
      recording = Recording(columns: columns, stream: stream, at: now, wallClock: wallClockStart + now)
    case "stop": recording.end()
    default: throw PageError("'record' is followed by start or stop")
    }
  }
}

private struct CommandSearch: CatalogueVisitor {
  let name: String
  let fields: [String: String]
  var found: Result<EncodedRequest, PageError>?

  mutating func command<R: Request>(_ type: R.Type, _ name: StaticString) {
    guard found == nil, name.description.lowercased() == self.name.lowercased() else { return }
    if let hazard = R.optionalHazard {
      found = .failure(PageError("the page does not send hazardous commands: \(hazard)"))
      return
    }
    do throws(WireError) { found = .success(try EncodedRequest(try R(assigning: fields))) } catch {
      found = .failure(PageError("\(name): \(error)"))
    }
  }

  mutating func event<E: Event>(_ type: E.Type, _ name: StaticString) {}
}

/// A parser of words that are separated by spaces.
private struct CommandParser {
  let first: String
  private var words: ArraySlice<Substring>

  init(_ line: String) {
    let parts = line.split(separator: " ")
    first = parts.first.map { String($0) } ?? ""
    words = parts.dropFirst()
  }

  var isAtEnd: Bool { words.isEmpty }

  mutating func next(_ expected: String) throws(PageError) -> String {
    guard let word = words.popFirst() else { throw PageError("'\(first)' wants more: \(expected)") }
    return String(word)
  }

  /// Removes the next word if it is the given one, and returns whether it was.
  mutating func isNext(_ word: Substring) -> Bool {
    guard words.first == word else { return false }
    words.removeFirst()
    return true
  }

  /// Removes all remaining words and returns them as one text.
  mutating func rest() -> String { handleAll().joined(separator: " ") }

  /// Removes and returns the only remaining word if it is one of these, otherwise removes nothing.
  mutating func rest(ifOneOf names: [String]) -> String? {
    guard words.count == 1, let word = words.first, names.contains(String(word)) else { return nil }
    return rest()
  }

  mutating func handleAll() -> [String] {
    defer { words = [] }
    return words.map { String($0) }
  }

  /// Removes and returns the next word as a number within bounds.
  mutating func number(in bounds: ClosedRange<Double>) throws(PageError) -> Double {
    let word = try next("a number")
    guard let number = Double(word), bounds.contains(number) else {
      throw PageError("'\(word)' is not a number in \(bounds.lowerBound)...\(bounds.upperBound)")
    }
    return number
  }

  /// The only remaining word as a number within bounds.
  mutating func lastNumber(in bounds: ClosedRange<Double>) throws(PageError) -> Double {
    let number = try number(in: bounds)
    return try end { number }
  }

  /// The next two words as a point of a round control: x to the right, y upward.
  mutating func point() throws(PageError) -> Point {
    let (x, y) = (try number(in: -1e6...1e6), try number(in: -1e6...1e6))
    // The y axis of a pad points downward.
    return Point(x: x, y: -y)
  }

  /// Calls a closure if no words remain.
  func end<Result>(_ body: () -> Result) throws(PageError) -> Result {
    guard let word = words.first else { return body() }
    throw PageError("'\(word)' is unexpected after '\(first)'")
  }
}
