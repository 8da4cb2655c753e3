// Questions about the robot's records: their lengths, the option flags, the order of response and event.

import SpheroProtocol

extension SurveyQuestion {
  static let recordQuestions = [
    SurveyQuestion(
      "version-record", "How long is the version record (00:02)?", ["8 bytes", "10 bytes"], assumed: nil,
      step: "records"
    ) { step throws(SurveyJudgement) in try length(of: Core.GetVersioning.id, [8, 10], in: step) },
    SurveyQuestion(
      "bluetooth-record", "How is the Bluetooth record (00:11) laid out?",
      ["name 16, address 12, colours", "name 16, address 16", "name 48, address 16"], assumed: nil,
      step: "records", judge: bluetoothRecord),
    SurveyQuestion(
      "power-record", "How long is the power record (00:20)?", ["8 bytes"], assumed: 0, step: "records"
    ) { step throws(SurveyJudgement) in try length(of: Core.GetPowerState.id, [8], in: step) },
    SurveyQuestion(
      "permanent-options", "Are permanent option flags set that API 1.50 does not name (bit 9 and up)?",
      ["none", "some"], assumed: nil, step: "records", judge: permanentOptions),
    SurveyQuestion(
      "temporary-options", "Does the robot know temporary option flags (02:38)?", ["answered", "refused"],
      assumed: nil, step: "records"
    ) { support(of: Settings.GetTemporaryOptions.id, in: $0) },
    SurveyQuestion(
      "read-locator", "Does the robot answer Read Locator (02:15)?", ["answered", "refused"], assumed: nil,
      step: "records"
    ) { support(of: Sensing.ReadLocator.id, in: $0) },
    SurveyQuestion(
      "event-order", "Which comes first: the response to a command, or the event that it causes?",
      ["the response", "the event"], assumed: nil, step: "event-gap", judge: eventOrder),
  ]

  /// The payload of the response to a command of a step.
  private static func payload(
    of id: CommandID, in step: SurveyLog.StepLog
  ) throws(SurveyJudgement) -> [UInt8] {
    guard let response = step.response(to: id) else { throw .open([], "no response was received") }
    guard response.status == .ok else { throw .open([], "refused with \(response.status)") }
    return response.payload
  }

  private static func length(
    of id: CommandID, _ lengths: [Int], in step: SurveyLog.StepLog
  ) throws(SurveyJudgement) -> SurveyJudgement {
    let bytes = try payload(of: id, in: step)
    return .match(bytes.count, of: lengths, otherwise: "\(bytes.count) bytes", Hexadecimal.text(bytes))
  }

  private static func bluetoothRecord(_ step: SurveyLog.StepLog) throws(SurveyJudgement) -> SurveyJudgement {
    let bytes = try payload(of: Core.GetBluetoothInfo.id, in: step)
    let text = Hexadecimal.text(bytes)
    switch bytes.count {
    case 32:
      let (digits, tail) = (bytes[16..<28], bytes[28...])
      // Three letters after a zero, or only zeros.
      let hasColors =
        tail.first == 0 && tail.dropFirst().allSatisfy { $0 == 0 || "RGBYOPW".utf8.contains($0) }
      let isAddress = digits.allSatisfy { byte in
        (0x30...0x39).contains(byte) || (0x41...0x46).contains(byte & 0xDF)
      }
      return .side(isAddress && hasColors ? 0 : 1, text)
    case 64: return .side(2, text)
    default: return .unexplained("\(bytes.count) bytes", text)
    }
  }

  private static func permanentOptions(_ step: SurveyLog.StepLog) throws(SurveyJudgement) -> SurveyJudgement {
    let bytes = try payload(of: Settings.GetPermanentOptions.id, in: step)
    let text = Hexadecimal.text(bytes)
    guard bytes.count == 4 else { return .unexplained("\(bytes.count) bytes", text) }
    let flags = bytes.reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
    let unnamed = (UInt32(9)..<32).filter { flags >> $0 & 1 == 1 }
    return unnamed.isEmpty
      ? .side(0, text) : .side(1, "\(text): bits \(unnamed.map { "\($0)" }.joined(separator: ", "))")
  }

  private static func support(of id: CommandID, in step: SurveyLog.StepLog) -> SurveyJudgement {
    guard let response = step.response(to: id) else { return .open([0, 1], "no response was received") }
    return response.status == .ok
      ? .side(0, "\(response.payload.count) bytes: \(Hexadecimal.text(response.payload))")
      : .side(1, "\(response.status)")
  }

  /// The order and the distance of level 1 diagnostics events and their responses.
  private static func eventOrder(_ step: SurveyLog.StepLog) -> SurveyJudgement {
    var (responseFirst, eventFirst) = (0, 0)
    var gaps: [Double] = []
    var (responseAt, eventAt): (Duration?, Duration?) = (nil, nil)
    var refusal: Status?
    for entry in step.entries {
      switch entry.item {
      case .sent: (responseAt, eventAt) = (nil, nil)
      case .answered(let response, let command):
        guard command.id == Diagnostics.RunLevel1Diagnostics.id else { continue }
        if response.status != .ok { refusal = response.status }
        responseAt = entry.time
        if let eventAt {
          eventFirst += 1
          gaps.append((eventAt - entry.time) / .milliseconds(1))
        }
      case .event(let event):
        guard event.id == Diagnostics.Level1Diagnostics.id else { continue }
        eventAt = entry.time
        if let responseAt {
          responseFirst += 1
          gaps.append((entry.time - responseAt) / .milliseconds(1))
        }
      }
    }
    guard let shortest = gaps.min(), let longest = gaps.max() else {
      return .open([0, 1], refusal.map { "refused with \($0)" } ?? "no event was received")
    }
    let evidence =
      "\(gaps.count) events, \(Decimal.text(shortest, digits: 1)) to \(Decimal.text(longest, digits: 1)) ms "
      + "after the response"
    if responseFirst > 0, eventFirst > 0 { return .open([0, 1], "both orders were seen", evidence) }
    return .side(responseFirst > 0 ? 0 : 1, evidence)
  }
}
