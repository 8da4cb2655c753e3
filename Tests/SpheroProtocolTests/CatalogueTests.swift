// Round trips of every message of the catalogue with random values; the order and the names of the catalogue.

import SpheroProtocol
import TestSupport
import Testing

/// Assigns a random valid value to each field.
struct Scrambler: Wire {
  var random: SeededGenerator
  var remaining: Int? { nil }
  /// Whether an optional field was omitted; no field may follow it.
  var hasEnded = false
  init(seed: UInt64) { random = SeededGenerator(seed: seed) }

  mutating func follows(_ isPresent: Bool) -> Bool {
    if Bool.random(using: &random) { hasEnded = true }
    return !hasEnded
  }
  mutating func field<Value: WireInteger>(
    _ name: StaticString, _ value: inout Value, _ quantity: Quantity, in range: ClosedRange<Value>
  ) {
    value = Value(
      truncatingIfNeeded: Int.random(
        in: Int(range.lowerBound)...Int(range.upperBound), using: &random))
  }
  mutating func field<Value: WireChoice>(_ name: StaticString, _ value: inout Value) {
    // An unknown opcode would consume all bytes after it.
    if "\(name)" == "opcode" {
      value = Value.named.randomElement(using: &random) ?? value
      return
    }
    repeat {
      if let drawn = Value(rawValue: Value.RawValue(truncatingIfNeeded: random.next())) {
        value = drawn
        return
      }
    } while Value.named.isEmpty
    value = Value.named.randomElement(using: &random) ?? value
  }
  mutating func field<Value: WireBytes>(
    _ name: StaticString, _ value: inout Value, count counts: ClosedRange<Int>
  ) {
    let longest = min(counts.upperBound, counts.lowerBound + 16)
    let count = Int.random(in: counts.lowerBound...longest, using: &random)
    // A repeated word reveals misplaced bytes as well as noise does, and is much faster.
    let word = random.next()
    var bytes = [UInt8](repeating: UInt8(truncatingIfNeeded: word), count: count)
    for index in bytes.indices.prefix(8) {
      bytes[index] = UInt8(truncatingIfNeeded: word >> (index * 8))
    }
    value = Value(bytes: bytes)
  }
}

/// Compares the names of closed choices with reflection.
struct NameChecker: Wire {
  var checked: Set<String> = []
  var remaining: Int? { nil }

  mutating func follows(_ isPresent: Bool) -> Bool { true }
  mutating func field<Value: WireInteger>(
    _ name: StaticString, _ value: inout Value, _ quantity: Quantity, in range: ClosedRange<Value>
  ) {}
  mutating func field<Value: WireBytes>(
    _ name: StaticString, _ value: inout Value, count counts: ClosedRange<Int>
  ) {}
  mutating func field<Value: WireChoice>(_ name: StaticString, _ value: inout Value) {
    guard let type = Value.self as? any CaseIterable.Type else { return }
    #expect(Value.named.map { $0.name } == cases(of: type).map { "\($0)" }, "\(Value.self)")
    checked.insert("\(Value.self)")
  }

  private func cases<Choice: CaseIterable>(of type: Choice.Type) -> [Choice] {
    Array(Choice.allCases)
  }
}

extension Message {
  /// The name according to reflection: the namespace and the type, like `Motion.Roll`.
  static var reflectedName: String {
    String(reflecting: Self.self).drop { $0 != "." }.dropFirst().description
  }
}

@Suite(.ownThread) struct CatalogueTests {
  static let seed: UInt64 = 0x5EED_0002

  private func checkRoundTrip<M: Message>(_ type: M.Type, decode: ([UInt8]) throws -> M) throws {
    // A message without fields has one value only.
    let rounds = M.table.isEmpty ? 1 : 10_000
    var scrambler = Scrambler(seed: Self.seed)
    for round in 0..<rounds {
      scrambler.hasEnded = false
      var message = M()
      try message.layout(&scrambler)
      let payload = try message.payload()
      let decoded = try decode(payload)
      let isDescribed = round > 100 || message.fields.last?.range.upperBound ?? 0 == payload.count
      guard decoded == message, isDescribed else {
        Issue.record(
          "\(M.reflectedName), let seed: UInt64 = \(Self.seed), round \(round): \(message) became \(decoded)"
        )
        return
      }
    }
  }

  @Test(arguments: Catalogue.commands.indices) func commandRoundTrips(_ index: Int) throws {
    func check<R: Request>(_ type: R.Type) throws {
      try checkRoundTrip(type) { try R(request: $0) }
      try checkRoundTrip(R.Response.self) { try R.Response(payload: $0) }
    }
    try check(Catalogue.commands[index])
  }

  @Test(arguments: Catalogue.events.indices) func eventRoundTrips(_ index: Int) throws {
    func check<E: Event>(_ type: E.Type) throws { try checkRoundTrip(type) { try E(payload: $0) } }
    try check(Catalogue.events[index])
  }

  @Test(arguments: Catalogue.commands.indices) func truncatedPayloadIsRefusedOrShorter(_ index: Int)
    throws
  {
    func check<M: Message>(_ type: M.Type) throws {
      // The default of a block cannot be encoded.
      guard let payload = try? M().payload() else { return }
      for count in payload.indices {
        // A record with optional fields may be truncated; then it is encoded to the bytes that were read.
        if let short = try? M(payload: Array(payload.prefix(count))) {
          #expect(try short.payload() == Array(payload.prefix(count)), "\(M.reflectedName)")
        }
      }
    }
    func both<R: Request>(_ type: R.Type) throws {
      try check(type)
      try check(R.Response.self)
    }
    try both(Catalogue.commands[index])
  }

  /// A payload that is decoded can be encoded again, and none traps.
  @Test func randomPayloadIsDecodedOrRefused() throws {
    let seed: UInt64 = 0x5EED_0005
    var random = SeededGenerator(seed: seed)
    func check<M: Message>(_ type: M.Type) throws {
      for _ in 0..<300 {
        let count = Int.random(in: 0...40, using: &random)
        let payload = (0..<count).map { _ in
          UInt8(truncatingIfNeeded: random.next() & random.next())
        }
        guard let message = try? M(payload: payload) else { continue }
        let written = try message.payload()
        let isSame = payload.starts(with: written)
        #expect(
          isSame, "\(M.reflectedName), let seed: UInt64 = \(seed): \(payload) became \(written)")
      }
    }
    func both<R: Request>(_ type: R.Type) throws {
      try check(type)
      try check(R.Response.self)
    }
    for type in Catalogue.commands { try both(type) }
    for type in Catalogue.events { try check(type) }
    try check(MacroCommand.self)
    try check(Macro.self)
  }

  @Test func everyMessageIsInTheCatalogue() {
    let requests = Set(Catalogue.commands.map { $0.name })
    let events = Set(Catalogue.events.map { $0.name })
    var found = 0
    for declaration in SourceText.declarations {
      let isRequest = !declaration.conformances.isDisjoint(with: [
        "Command", "HazardousCommand", "Request",
      ])
      let isEvent = declaration.conformances.contains("Event")
      guard isRequest || isEvent else { continue }
      found += 1
      if !(isRequest ? requests : events).contains(declaration.name) {
        Issue.record(
          "\(declaration.name) is not in the catalogue", sourceLocation: declaration.location
        )
      }
    }
    #expect(found == requests.count + events.count)
  }

  @Test func everyVectorOfKnownLayoutIsChecked() {
    // The command that erases the user's configuration is not supported.
    let left = CommandID(0x01, 0x06)
    for vector in Vector.all {
      let fields = vector.fields
      if let did = fields.did, let cid = fields.cid, fields.args != nil || fields.values != nil {
        let id = CommandID(did, cid)
        #expect(Catalogue.command(id) != nil || id == left, "\(vector.id)")
      } else if let id = fields.id, fields.values != nil {
        #expect(Catalogue.event(EventID(id)) != nil, "\(vector.id)")
      }
    }
  }

  @Test func catalogueIsSorted() {
    let commands = Catalogue.commands.map { Int($0.id.device) << 8 | Int($0.id.command) }
    #expect(commands == commands.sorted())
    #expect(
      Catalogue.events.map { $0.id.rawValue } == Catalogue.events.map { $0.id.rawValue }.sorted())
  }

  @Test func idsAreUnique() {
    #expect(Set(Catalogue.commands.map { $0.id }).count == Catalogue.commands.count)
    #expect(Set(Catalogue.events.map { $0.id }).count == Catalogue.events.count)
  }

  @Test func namesAreNamespaceAndType() {
    #expect(Motion.Roll.name == "Motion.Roll")
    #expect(Sensing.Collision.name == "Sensing.Collision")
    func command<R: Request>(_ type: R.Type) { #expect(R.name == R.reflectedName) }
    func event<E: Event>(_ type: E.Type) { #expect(E.name == E.reflectedName) }
    for type in Catalogue.commands { command(type) }
    for type in Catalogue.events { event(type) }
  }

  @Test func unlistedMessagesAreNamedByTheirID() {
    struct Unknown: Command { static let id = CommandID(0x7F, 0x01) }
    struct UnknownEvent: Event { static let id = EventID(0x7E) }
    #expect(Unknown.name == "command 7F:01")
    #expect(UnknownEvent.name == "event 7E")
  }

  @Test func namesOfChoicesAreTheirCases() throws {
    var names = NameChecker()
    func command<R: Request>(_ type: R.Type) throws {
      var (request, response) = (R(), R.Response())
      try request.layout(&names)
      try response.layout(&names)
    }
    func event<E: Event>(_ type: E.Type) throws {
      var event = E()
      try event.layout(&names)
    }
    for type in Catalogue.commands { try command(type) }
    for type in Catalogue.events { try event(type) }
    #expect(names.checked.isSuperset(of: ["Mode", "State", "Range", "Area", "Parameter"]))
  }

  @Test func namesOfStepsAreTheirTypes() {
    struct Names: MacroStepVisitor {
      var count = 0
      mutating func step<S: MacroStep>(_ type: S.Type, _ name: StaticString) {
        let words = "\(S.self)"
        let start = words.hasPrefix("RGB") ? 3 : 1
        #expect("\(name)" == words.prefix(start).lowercased() + words.dropFirst(start))
        count += 1
      }
    }
    var names = Names()
    Macro.visitSteps(&names)
    #expect(names.count == MacroCommand.all.count)
    #expect(Set(MacroCommand.all.map(\.name)).count == MacroCommand.all.count)
    #expect(Set(MacroCommand.all.map(\.opcode)).count == MacroCommand.all.count)
    // A step that is not listed could not be decoded.
    let steps = SourceText.declarations.filter {
      !$0.conformances.isDisjoint(with: ["MacroStep", "MacroStepWithDelay", "MacroStepWithTime"])
    }
    #expect(steps.count == names.count)
  }

  @Test func namesOfSensorFieldsAreTheirCases() {
    for field in SensorField.allCases {
      let snake = "\(field)".map { $0.isUppercase ? "_" + $0.lowercased() : String($0) }.joined()
      #expect(field.name == snake)
    }
  }

  @Test func ledPacketHasLiteralBytes() throws {
    let packet = try Lights.SetRGBLED(red: 255, green: 0, blue: 0).packet(sequence: 0x52)
    let wire = try Packet.command(packet).encoded()
    #expect(wire == [0xFF, 0xFF, 0x02, 0x20, 0x52, 0x05, 0xFF, 0x00, 0x00, 0x00, 0x87])
  }

  @Test func outOfRangeIsRefusedByBothSides() throws {
    #expect(throws: WireError.outOfRange(field: "heading", value: 360, allowed: 0...359)) {
      try Motion.Roll(speed: 1, heading: 360).payload()
    }
    #expect(throws: WireError.outOfRange(field: "heading", value: 360, allowed: 0...359)) {
      try Motion.Roll(request: [1, 0x01, 0x68, 1])
    }
    #expect(throws: WireError.truncated(field: "heading", offset: 1)) {
      try Motion.Roll(request: [1, 2])
    }
    #expect(throws: WireError.excess(offset: 2, count: 1)) {
      try Motion.SetHeading(request: [0, 1, 2])
    }
    #expect(throws: WireError.unknownValue(field: "state", value: 3, offset: 3)) {
      try Motion.Roll(request: [1, 0, 1, 3])
    }
  }

  @Test func fieldsHaveNameValueUnitAndRange() {
    let fields = Motion.Roll(speed: 128, heading: 90).fields
    #expect(fields.map(\.description) == ["speed=128", "heading=90°", "state=drive"])
    #expect(fields.map(\.range) == [0..<1, 1..<3, 3..<4])
  }
}
