// Records of several lengths, and the known fields of flash images.

import SpheroProtocol
import TestSupport
import Testing

@Suite(.ownThread) struct RecordTests {
  private func event(_ id: String) throws -> [UInt8] {
    bytes(try #require(Vector.all.first { $0.id == id }?.fields.data, "\(id)"))
  }

  @Test func configurationBlockAsRecorded() throws {
    let payload = try event("pwnrb-get_factory_config-a3")
    let event = try Configuration.ConfigurationBlock(payload: payload)
    #expect(try event.payload() == payload)
    #expect(
      Configuration.ConfigurationBlock.parts(of: payload).map { "\($0)" } == [
        "lowTripPoint=7.00 V", "criticalTripPoint=6.50 V", "chassis=5", "userColor=A6 D2 EC",
        "inactivityTimeout=600 s", "yawP=90.0", "yawI=0.05", "yawD=1200.0", "rollP=21.0", "rollI=0.3",
        "rollD=50.0",
      ])
  }

  @Test func truncatedBlocksHaveFewerParts() {
    var block = [UInt8](repeating: 0, count: 0x57)
    block.replaceSubrange(0x4C..<0x50, with: [0x00, 0x00, 0xC0, 0x7F])
    func names(_ count: Int) -> [String] {
      Configuration.ConfigurationBlock.parts(of: Array(block.prefix(count))).map { $0.name }
    }
    #expect(names(0x05) == ["lowTripPoint"] && names(0x06) == ["lowTripPoint", "criticalTripPoint"])
    let known = names(0x3E)
    #expect(known.suffix(2) == ["userColor", "inactivityTimeout"])
    #expect(names(0x57) == known + ["yawI"], "yawP is not a number, and yawD is truncated")
    #expect(names(0).isEmpty)
  }

  @Test func recordsHaveShortAndLongForms() throws {
    let name = Array("A long name beyond sixteen bytes".utf8)
    let long = name + Array(repeating: 0, count: 16) + Array("6886E7001234".utf8) + [0] + Array("RGB".utf8)
    let info = try Core.GetBluetoothInfo.Response(payload: long)
    #expect("\(info.name)" == "A long name beyond sixteen bytes")
    #expect("\(info.colors)" == "RGB")
    #expect(try info.payload() == long)

    // Between the two lengths, bytes after the shorter form are ignored.
    let address = Array("ef80a84a1234".utf8)
    let short = Array("BB-1234".utf8) + Array(repeating: 0, count: 9) + address + [0, 0x52, 0x47, 0x42]
    for count in 0...31 {
      let info = try Core.GetBluetoothInfo.Response(payload: short + Array(repeating: 0x55, count: count))
      let text = "\(info.name) \(info.address) \(info.colors)"
      #expect(text == "BB-1234 ef80a84a1234 RGB", "\(32 + count) bytes")
      #expect(try info.payload() == short)
    }
    #expect(throws: WireError.truncated(field: "colors", offset: 29)) {
      try Core.GetBluetoothInfo.Response(payload: Array(short.dropLast()))
    }
    var unpadded = Core.GetBluetoothInfo.Response()
    unpadded.name = "Twenty bytes of name"
    #expect(throws: WireError.wrongCount(field: "name", count: 20, allowed: 16...16)) {
      try unpadded.payload()
    }

    #expect(try Motion.Boost(request: [1]) == Motion.Boost(isOn: true))
    var boost = Motion.Boost(state: 10)
    boost.legacyHeading = 45
    #expect(try Motion.Boost(request: [10, 0, 45]) == boost)
    #expect(throws: WireError.truncated(field: "legacyHeading", offset: 1)) {
      try Motion.Boost(request: [10, 0])
    }
    #expect(try Core.Sleep(request: [0, 1, 2]).orbBasicLine == nil)
    #expect(try Core.GetVersioning.Response(payload: [1, 3, 1, 0, 0, 0x33, 0, 0]).apiMajor == nil)
    #expect(try Core.GetVersioning.Response(payload: [2, 3, 1, 3, 73, 0x33, 0, 6, 1, 50]).apiMinor == 50)
  }

  @Test func unknownCodesKeepTheirNumber() throws {
    #expect(
      try Core.GetVersioning.Response(payload: [1, 0x77, 1, 0, 0, 0, 0, 0]).model.name == "unknown 77h")
    #expect(try Motion.SelfLevelResult(payload: [9]).result.name == "unknown 9h")
    #expect(try Sensing.GyroLimit(payload: [0xC1]).axes.name == "xPositive+0xC0")
    #expect(throws: WireError.unknownValue(field: "range", value: 4, offset: 0)) {
      try Sensing.SetAccelerometerRange(request: [4])
    }
  }
}
