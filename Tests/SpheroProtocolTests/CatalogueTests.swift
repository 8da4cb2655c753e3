// Every message of the catalogue, filled at random, survives the wire.

import SpheroProtocol
import Testing

/// Fills every field it visits with a random value that may be sent.
struct Scrambler: Wire {
  var random: SeededGenerator
  var remaining: Int? { nil }
  /// Once an optional field is left out, nothing may follow.
  private var hasEnded = false
  init(seed: UInt64) { random = SeededGenerator(seed: seed) }

  mutating func follows(_ isPresent: Bool) -> Bool {
    if Bool.random(using: &random) { hasEnded = true }
    return !hasEnded
  }
  mutating func field<Value: WireInteger>(
    _ name: StaticString, _ value: inout Value, _ quantity: Quantity, in range: ClosedRange<Value>
  ) {
    value = Value(
      truncatingIfNeeded: Int.random(in: Int(range.lowerBound)...Int(range.upperBound), using: &random))
  }
  mutating func field<Value: WireChoice>(_ name: StaticString, _ value: inout Value) {
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
    let count = Int.random(
      in: counts.lowerBound...min(counts.upperBound, counts.lowerBound + 300), using: &random)
    value = Value(bytes: (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) })
  }
}

@Suite struct CatalogueTests {
  static let seed: UInt64 = 0x5EED_0002
  static let rounds = 1_000

  private func survives<M: Message>(_ type: M.Type, decode: ([UInt8]) throws -> M) throws {
    var scrambler = Scrambler(seed: Self.seed)
    for round in 0..<Self.rounds {
      var message = M()
      try message.layout(&scrambler)
      let payload = try message.payload()
      #expect(try decode(payload) == message, "\(M.name), seed \(Self.seed), round \(round)")
      #expect(message.fields.last?.range.upperBound ?? 0 == payload.count, "\(M.name)")
    }
  }

  @Test(arguments: Catalogue.commands.indices) func commandSurvives(_ index: Int) throws {
    func check<C: Command>(_ type: C.Type) throws {
      try survives(type) { try C(request: $0) }
      try survives(C.Response.self) { try C.Response(payload: $0) }
    }
    try check(Catalogue.commands[index])
  }

  @Test(arguments: Catalogue.events.indices) func eventSurvives(_ index: Int) throws {
    func check<E: Event>(_ type: E.Type) throws { try survives(type) { try E(payload: $0) } }
    try check(Catalogue.events[index])
  }

  @Test func idsAreUnique() {
    #expect(Set(Catalogue.commands.map { $0.id }).count == Catalogue.commands.count)
    #expect(Set(Catalogue.events.map { $0.id }).count == Catalogue.events.count)
  }

  @Test func namesAreFeatureAndType() {
    #expect(Motion.Roll.name == "Motion.Roll")
    #expect(Core.GetVersioning.Response.name == "Core.GetVersioning.Response")
  }

  @Test func ledOnTheWire() throws {
    let packet = try Lights.SetRGBLED(red: 255, green: 0, blue: 0).packet(sequence: 0x52)
    let wire = try Packet.command(packet).encoded()
    #expect(wire == [0xFF, 0xFF, 0x02, 0x20, 0x52, 0x05, 0xFF, 0x00, 0x00, 0x00, 0x87])
  }

  @Test func outOfRangeIsRefusedOnBothSides() throws {
    #expect(throws: WireError.outOfRange(field: "heading", value: 360, allowed: 0...359)) {
      try Motion.Roll(speed: 1, heading: 360).payload()
    }
    #expect(throws: WireError.outOfRange(field: "heading", value: 360, allowed: 0...359)) {
      try Motion.Roll(request: [1, 0x01, 0x68, 1])
    }
    #expect(throws: WireError.truncated(field: "heading", offset: 1)) { try Motion.Roll(request: [1, 2]) }
    #expect(throws: WireError.excess(offset: 2, count: 1)) { try Motion.SetHeading(request: [0, 1, 2]) }
    #expect(throws: WireError.unknownValue(field: "state", value: 3, offset: 3)) {
      try Motion.Roll(request: [1, 0, 1, 3])
    }
  }

  @Test func fieldsNameValueUnitAndPlace() {
    let fields = Motion.Roll(speed: 128, heading: 90).fields
    #expect(fields.map(\.description) == ["speed=128", "heading=90°", "state=drive"])
    #expect(fields.map(\.range) == [0..<1, 1..<3, 3..<4])
  }
}
