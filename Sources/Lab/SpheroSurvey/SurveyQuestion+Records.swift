// What the robot's own records say: their lengths, the option flags, the order of response and event.

import SpheroProtocol

extension SurveyQuestion {
  static let recordQuestions = [
    SurveyQuestion(
      "version-record", "How long is the version record (00:02)?", ["8 bytes", "10 bytes"], assumed: nil,
      by: "records"
    ) { length(of: Core.GetVersioning.id, [8, 10], in: $0[0]) },
    SurveyQuestion(
      "bluetooth-record", "How is the Bluetooth record (00:11) laid out?",
      ["name 16, address 12, colours", "name 16, address 16", "name 48, address 16"], assumed: nil,
      by: "records", judge: { bluetoothRecord($0[0]) }),
    SurveyQuestion(
      "power-record", "How long is the power record (00:20)?", ["8 bytes"], assumed: 0, by: "records"
    ) { length(of: Core.GetPowerState.id, [8], in: $0[0]) },
    SurveyQuestion(
      "permanent-options", "Are permanent option flags set that API 1.50 does not name (bit 9 and up)?",
      ["none", "some"], assumed: nil, by: "records", judge: { permanentOptions($0[0]) }),
    SurveyQuestion(
      "temporary-options", "Does the robot know temporary option flags (02:38)?", ["answered", "refused"],
      assumed: nil, by: "records"
    ) { knows(Settings.GetTemporaryOptions.id, in: $0[0]) },
    SurveyQuestion(
      "read-locator", "Does the robot answer Read Locator (02:15)?", ["answered", "refused"], assumed: nil,
      by: "records"
    ) { knows(Sensing.ReadLocator.id, in: $0[0]) },
    SurveyQuestion(
      "event-order", "Which comes first: the response to a command, or the event that it causes?",
      ["the response", "the event"], assumed: nil, by: "event-gap", judge: { eventOrder($0[0]) }),
  ]

  /// The response to a command of a step, or why there is none to judge.
  private static func payload(
    of id: CommandID, in part: SurveyLog.Part
  ) -> (bytes: [UInt8]?, failure: SurveyJudgement) {
    guard let response = part.response(to: id) else { return (nil, .open([], "no answer came")) }
    guard response.status == .ok else { return (nil, .open([], "refused with \(response.status)")) }
    return (response.payload, .open([], ""))
  }

  private static func length(
    of id: CommandID, _ lengths: [Int], in part: SurveyLog.Part
  ) -> SurveyJudgement {
    let (bytes, failure) = payload(of: id, in: part)
    guard let bytes else { return failure }
    let text = Hexadecimal.text(bytes)
    return lengths.firstIndex(of: bytes.count).map { .side($0, text) }
      ?? .unexplained("\(bytes.count) bytes", text)
  }

  private static func bluetoothRecord(_ part: SurveyLog.Part) -> SurveyJudgement {
    let (bytes, failure) = payload(of: Core.GetBluetoothInfo.id, in: part)
    guard let bytes else { return failure }
    let text = Hexadecimal.text(bytes)
    switch bytes.count {
    case 32:
      let (digits, tail) = (bytes[16..<28], bytes[28...])
      // Three letters after a zero, or nothing at all.
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

  private static func permanentOptions(_ part: SurveyLog.Part) -> SurveyJudgement {
    let (bytes, failure) = payload(of: Settings.GetPermanentOptions.id, in: part)
    guard let bytes else { return failure }
    guard bytes.count == 4 else { return .unexplained("\(bytes.count) bytes", Hexadecimal.text(bytes)) }
    let flags = bytes.reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
    let unnamed = (UInt32(9)..<32).filter { flags >> $0 & 1 == 1 }
    let text = Hexadecimal.text(bytes)
    return unnamed.isEmpty
      ? .side(0, text) : .side(1, "\(text): bits \(unnamed.map { "\($0)" }.joined(separator: ", "))")
  }

  private static func knows(_ id: CommandID, in part: SurveyLog.Part) -> SurveyJudgement {
    guard let response = part.response(to: id) else { return .open([0, 1], "no answer came") }
    return response.status == .ok
      ? .side(0, "\(response.payload.count) bytes: \(Hexadecimal.text(response.payload))")
      : .side(1, "\(response.status)")
  }

  /// Where the events stand that level 1 diagnostics cause, and how far from the response.
  private static func eventOrder(_ part: SurveyLog.Part) -> SurveyJudgement {
    var (first, second) = (0, 0)
    var gaps: [Double] = []
    var (answered, told): (Duration?, Duration?) = (nil, nil)
    var refusal: Status?
    for entry in part.entries {
      switch entry.item {
      case .sent: (answered, told) = (nil, nil)
      case .answered(let response, let command):
        guard command.id == Diagnostics.RunLevel1Diagnostics.id else { continue }
        if response.status != .ok { refusal = response.status }
        answered = entry.time
        if let told {
          second += 1
          gaps.append((told - entry.time) / .milliseconds(1))
        }
      case .event(let event):
        guard event.id == Diagnostics.Level1Diagnostics.id else { continue }
        told = entry.time
        if let answered {
          first += 1
          gaps.append((entry.time - answered) / .milliseconds(1))
        }
      }
    }
    guard let least = gaps.min(), let most = gaps.max() else {
      return .open([0, 1], refusal.map { "refused with \($0)" } ?? "no event came")
    }
    let evidence =
      "\(first + second) events, \(Decimal.text(least, digits: 1)) to \(Decimal.text(most, digits: 1)) ms "
      + "after the response"
    if first > 0, second > 0 { return .open([0, 1], "both orders were seen", evidence) }
    return .side(first > 0 ? 0 : 1, evidence)
  }
}
