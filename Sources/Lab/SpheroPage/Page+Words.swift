// What is said to a page: words in, bytes out; Docs/Page.md lists them.

import SpheroCapture
import SpheroControls
import SpheroDrawing
import SpheroHost
import SpheroMotion
import SpheroOrientation
import SpheroProtocol

extension Page {
  /// Does what words ask for.
  ///
  /// - Parameters:
  ///   - words: One of the lines of Docs/Page.md, in words with spaces between them.
  ///   - now: The time.
  /// - Returns: The answer; empty where there is none.
  /// - Throws: ``PageError`` where the words cannot be followed; nothing is done then.
  package mutating func say(_ words: String, at now: Duration) throws(PageError) -> [UInt8] {
    advance(to: now)
    defer { settle() }
    var words = WordReader(words)
    switch words.first {
    case "connect": connect(wallClock: .milliseconds(try words.number(in: 0...1e15)))
    case "leave", "lost", "back", "abandon": try words.end { link(words.first) }
    case "stick", "stop", "speed": try driving(&words)
    case "halt": return try words.end { Self.halt }
    case "ring": try aim(&words)
    case "wheel", "brightness", "color", "tail": try lighting(&words)
    case "sensors": try sensors(&words)
    case "collisions": try collisions(&words)
    case "raw": try raw(&words)
    case "columns": return try words.end { columnList }
    case "news": return try words.end { news.take() }
    case "view": return try words.end { view }
    case "path": return try words.end { path }
    case "disc": return Self.disc(side: Int(try words.number(in: 1...1_000)))
    case "record": try record(&words)
    case "capture": return try words.end { recording.takeCapture() }
    case "rows": return try words.end { recording.takeRows() }
    case "open": opened = OpenedRecording(name: words.rest())
    case "end": try look { $0.end() }
    case "packets":
      return try look { recording throws(PageError) in try recording.takePackets() }
    case "table": return try look { $0.takeTable() }
    case "picture": return try look { $0.picture }
    default: throw PageError("'\(words.first)' is not a word of a page")
    }
    return []
  }

  /// Takes bytes of the recording that is looked at.
  package mutating func look(at bytes: [UInt8]) throws(PageError) { try look { $0.take(bytes) } }

  private mutating func look<Answer>(
    _ body: (inout OpenedRecording) throws(PageError) -> Answer
  ) throws(PageError) -> Answer {
    guard var recording = opened else { throw PageError("no recording is open: say 'open NAME' first") }
    // Moved out and back, so that it is not copied.
    opened = nil
    defer { opened = recording }
    return try body(&recording)
  }

  private mutating func link(_ word: String) {
    guard conversation != nil else { return }
    switch word {
    case "leave": leave()
    case "lost":
      (stick.end, drive, link, monitor.link) = (nil, .stop, .lost, .lost)
      // A line that comes back does not go on with aiming; the robot's light is switched off then.
      (ring, mustDarken) = (CalibrationRing(), mustDarken || ring.isActive)
      conversation?.lineLost(at: now)
    case "back":
      link = .connecting
      recording.note(.reconnection, at: now)
      conversation?.reconnected(at: now)
    default: end(.disconnected(command: "the page"))
    }
  }

  private mutating func driving(_ words: inout WordReader) throws(PageError) {
    switch words.first {
    case "stop": try words.end { stop() }
    case "speed":
      stick.speed = try words.number(in: 0...1)
      try words.end {}
      if stick.end != nil { steer() }
    default:
      guard !words.isAtEnd else { return release() }
      let point = try words.point()
      try words.end {}
      push(to: point)
    }
  }

  private mutating func aim(_ words: inout WordReader) throws(PageError) {
    switch try words.next("begin, turn, end or cancel") {
    case "begin":
      try words.end {}
      guard link == .open else { return }
      release()
      perform(ring.begin(at: odometry?.heading ?? .ahead))
    case "turn":
      let degrees = try words.number(in: -36_000...36_000)
      try words.end {}
      perform(ring.turn(sinceBeginning: degrees))
    case "end": try words.end { perform(ring.end()) }
    case "cancel": try words.end { perform(ring.cancel()) }
    default: throw PageError("'ring' is followed by begin, turn, end or cancel")
    }
  }

  private mutating func lighting(_ words: inout WordReader) throws(PageError) {
    switch words.first {
    case "wheel": wheel.pick(at: try words.point())
    case "brightness": wheel.setBrightness(try words.number(in: 0...1))
    case "color":
      do throws(ColorParsingError) { wheel.show(try RGB(parsing: words.rest())) } catch {
        throw PageError(error.description)
      }
    default:
      let fraction = try words.number(in: 0...1)
      try words.end {}
      guard conversation != nil else { return }
      return ask(Lights.SetBackLED(fraction: fraction), .quiet)
    }
    try words.end {}
    showColor()
  }

  private mutating func sensors(_ words: inout WordReader) throws(PageError) {
    let list = try words.next("fields like accel,gyro, or off")
    guard list != "off" else {
      try words.end {}
      request = nil
      return subscribe()
    }
    var mask: SensorMask = []
    do throws(MaskError) { mask = try SensorMask(parsing: list) } catch {
      throw PageError("\(error)")
    }
    let hertz = try words.number(in: 0.01...400)
    try words.end {}
    (request, shown) = (StreamRequest(mask: mask, hertz: hertz), mask)
    makeMonitor()
    subscribe()
  }

  private mutating func collisions(_ words: inout WordReader) throws(PageError) {
    let word = try words.next("soft, normal, hard or off")
    try words.end {}
    if word == "off" {
      detection = nil
      return ask(Sensing.ConfigureCollisionDetection(method: .off), .quiet)
    }
    guard let preset = CollisionPreset.allCases.first(where: { $0.rawValue == word }) else {
      throw PageError("'collisions' is followed by soft, normal, hard or off")
    }
    detection = preset.detection
    ask(preset.detection, .quiet)
  }

  private mutating func raw(_ words: inout WordReader) throws(PageError) {
    let name = try words.next("the name of a command, like Core.Ping")
    let fields: [String: String]
    do throws(WireError) { fields = try FieldAssigner.values(of: words.takeAll()) } catch {
      throw PageError(error.description)
    }
    guard conversation != nil else { throw PageError("there is no robot: connect one, or simulate it") }
    var search = CommandSearch(name: name, words: fields)
    Catalogue.visit(&search)
    guard let found = search.found else { throw PageError("unknown command '\(name)'") }
    let request = try found.get()
    ask(request, .raw(request.command))
  }

  private mutating func record(_ words: inout WordReader) throws(PageError) {
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

/// Looks for a command by its name, and fills it from words.
private struct CommandSearch: CatalogueVisitor {
  let name: String
  let words: [String: String]
  var found: Result<EncodedRequest, PageError>?

  mutating func command<R: Request>(_ type: R.Type, _ name: StaticString) {
    guard found == nil, name.description.lowercased() == self.name.lowercased() else { return }
    if let danger = R.danger {
      found = .failure(PageError("the page does not send hazardous commands: \(danger)"))
      return
    }
    do throws(WireError) {
      found = .success(try EncodedRequest(try R(assigning: words)))
    } catch { found = .failure(PageError("\(name): \(error)")) }
  }

  mutating func event<E: Event>(_ type: E.Type, _ name: StaticString) {}
}

/// Reads words with spaces between them.
struct WordReader {
  /// The first word.
  let first: String
  private var words: ArraySlice<Substring>

  init(_ line: String) {
    let parts = line.split(separator: " ")
    first = parts.first.map { String($0) } ?? ""
    words = parts.dropFirst()
  }

  /// Whether all words were read.
  var isAtEnd: Bool { words.isEmpty }

  /// The next word.
  mutating func next(_ expected: String) throws(PageError) -> String {
    guard let word = words.popFirst() else {
      throw PageError("'\(first)' wants more: \(expected)")
    }
    return String(word)
  }

  /// All words that are left.
  mutating func rest() -> String { takeAll().joined(separator: " ") }

  /// All words that are left, one by one.
  mutating func takeAll() -> [String] {
    defer { words = [] }
    return words.map { String($0) }
  }

  /// The next word as a number within bounds.
  mutating func number(in bounds: ClosedRange<Double>) throws(PageError) -> Double {
    let word = try next("a number")
    guard let number = Double(word), bounds.contains(number) else {
      throw PageError("'\(word)' is not a number in \(bounds.lowerBound)...\(bounds.upperBound)")
    }
    return number
  }

  /// The next two words as a place on a round control: x to the right, y up on the page.
  mutating func point() throws(PageError) -> Point {
    let (x, y) = (try number(in: -1e6...1e6), try number(in: -1e6...1e6))
    // On a pad, y grows downward.
    return Point(x: x, y: -y)
  }

  /// Does something where no more words follow.
  func end<Answer>(_ body: () -> Answer) throws(PageError) -> Answer {
    guard let word = words.first else { return body() }
    throw PageError("'\(word)' is unexpected after '\(first)'")
  }
}
