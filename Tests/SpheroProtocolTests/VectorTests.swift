// Every vector is decoded, encoded again and described.

import SpheroProtocol
import TestSupport
import Testing

@Suite(.ownThread) struct VectorTests {
  @Test func everyVectorIsTested() throws {
    let kinds = try Vector.file.get().map(\.kind)
    #expect(kinds.count >= 353)
    #expect(Set(kinds) == ["command", "response", "async", "stream"], "each has a test")
  }

  @Test(arguments: Vector.of("command")) func command(_ vector: Vector) throws {
    let wire = bytes(vector.hex)
    var decoder = PacketDecoder(from: .host)
    decoder.append(wire)
    guard case .command(let packet) = decoder.next() else {
      Issue.record("no command")
      return
    }
    let fields = vector.fields
    #expect(packet.id == CommandID(try #require(fields.did), try #require(fields.cid)))
    #expect(packet.sequence == fields.seq)
    #expect(packet.options.sop2 == fields.sop2)
    #expect(packet.payload == bytes(try #require(fields.data)))
    #expect(decoder.pendingCount == 0)
    #expect(try Packet.command(packet).encoded() == wire)

    guard let type = Catalogue.command(packet.id), let arguments = fields.args else { return }
    let message = try type.init(request: packet.payload)
    #expect(try message.payload() == packet.payload)
    compare(message.fields, with: arguments)
  }

  @Test(arguments: Vector.of("response")) func response(_ vector: Vector) throws {
    let wire = bytes(vector.hex)
    var decoder = PacketDecoder(from: .robot)
    decoder.append(wire)
    guard case .response(let packet) = decoder.next() else {
      Issue.record("no response")
      return
    }
    let fields = vector.fields
    #expect(packet.status.rawValue == fields.mrsp)
    #expect(packet.sequence == fields.seq)
    #expect(packet.payload == bytes(try #require(fields.data)))
    #expect(decoder.pendingCount == 0)
    #expect(try Packet.response(packet).encoded() == wire)

    guard let did = fields.did, let cid = fields.cid, let values = fields.values, packet.status == .ok,
      let type = Catalogue.command(CommandID(did, cid))
    else { return }
    let message = try type.decodeResponse(packet.payload)
    #expect(try message.payload() == packet.payload)
    compare(message.fields, with: values)
  }

  @Test(arguments: Vector.of("async")) func event(_ vector: Vector) throws {
    let wire = bytes(vector.hex)
    var decoder = PacketDecoder(from: .robot)
    decoder.append(wire)
    guard case .event(let packet) = decoder.next() else {
      Issue.record("no event")
      return
    }
    let fields = vector.fields
    #expect(packet.id.rawValue == fields.id)
    #expect(packet.payload == bytes(try #require(fields.data)))
    #expect(decoder.pendingCount == 0)
    #expect(try Packet.event(packet).encoded() == wire)

    if let mask = fields.mask, let mask2 = fields.mask2, let frames = fields.frames {
      try sensor(packet, SensorMask(mask: mask, mask2: mask2), frames: frames, scaled: fields.scaled)
    }
    guard let type = Catalogue.event(packet.id), let values = fields.values else { return }
    let message = try type.init(payload: packet.payload)
    #expect(try message.payload() == packet.payload)
    compare(message.fields, with: values)
  }

  private func sensor(
    _ packet: EventPacket, _ mask: SensorMask, frames: [[String: Int16]], scaled: [[String: Double]]?
  ) throws {
    guard mask.isDocumented else { return }
    let samples = try #require(Sample.samples(in: packet.payload, mask: mask, frames: frames.count))
    #expect(Sensing.SensorData(samples).frames == packet.payload)
    for (sample, words) in zip(samples, frames) {
      #expect(words.count == mask.fields.count)
      for (name, word) in words { #expect(sample.word(try sensorField(name)) == word, "\(name)") }
    }
    for (sample, values) in zip(samples, scaled ?? []) {
      for (name, value) in values {
        let mine = try #require(sample[try sensorField(name)])
        #expect(abs(mine - value) <= 1e-12 * max(1, abs(value)), "\(name)")
      }
    }
  }

  /// The vectors have the axis or side at another position of a field's name.
  private func sensorField(_ name: String) throws -> SensorField {
    let spelling = [
      "rightEmf": "emfRight", "leftEmf": "emfLeft", "rightEmfRaw": "emfRawRight", "leftEmfRaw": "emfRawLeft",
      "leftPwm": "pwmLeft", "rightPwm": "pwmRight", "odomX": "odometerX", "odomY": "odometerY",
      "velX": "velocityX", "velY": "velocityY",
    ]
    var mine = spelling[name] ?? name
    if mine.hasSuffix("Raw") {
      let axis = mine.dropLast(3).suffix(1)
      mine = mine.dropLast(4) + "Raw" + axis
    }
    return try #require(SensorField.allCases.first { "\($0)" == mine }, "\(name)")
  }

  /// Field names that differ in the vectors.
  private static let spelling = [
    "n": "divisor", "m": "frames", "pcnt": "packetCount", "enable": "isOn", "macroExec": "macroExecutive",
    "idColors": "colors", "payload": "data",
  ]

  private func compare(_ fields: [FieldDescription], with expected: [String: Vector.Value]) {
    for (name, value) in expected {
      let name = fields.contains { $0.name == name } ? name : Self.spelling[name] ?? name
      guard let field = fields.first(where: { $0.name == name }) else {
        Issue.record("no field '\(name)' among \(fields)")
        continue
      }
      switch (field.value, value) {
      case (.integer(let mine, _), .integer(let theirs)): #expect(mine == theirs, "\(name)")
      case (.choice(_, let mine), .integer(let theirs)), (.flags(_, let mine), .integer(let theirs)):
        #expect(mine == Int64(theirs), "\(name)")
      case (.flag(let mine), .integer(let theirs)): #expect((mine ? 1 : 0) == theirs, "\(name)")
      case (.bytes(let mine), .text(let theirs)): #expect(mine == bytes(theirs), "\(name)")
      case (.text(let mine), .text(let theirs)):
        // Descriptions omit the NUL bytes that terminate or pad a text.
        #expect(mine == "\(WireText(theirs))" || mine == "\(WireText(bytes: bytes(theirs)))", "\(name)")
      default:
        Issue.record("\(name): \(field.value) is not \(value)")
      }
    }
  }
}

extension Request {
  /// Decodes a payload as this command's response.
  static func decodeResponse(_ payload: [UInt8]) throws -> any Message { try Response(payload: payload) }
}
