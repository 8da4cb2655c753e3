// sphero raw: any command, by number or by name.

import SpheroProtocol
import SpheroSession

struct Raw: Subcommand {
  static let name = "raw"
  static let abstract = "Sends any command, and prints the answer."
  static let otherNames = ["send"]
  static let examples = [
    "sphero raw Lights.SetRGBLED red=255 green=128 blue=0", "sphero raw 02 20 FF 80 00 00",
    "sphero raw Core.GetPowerState",
    "sphero raw Motion.SetRotationRate rate=157deg/s", "sphero raw 00 01 --no-reply",
  ]

  static let numberHelp =
    "A number without a unit is the integer of the wire; with the unit of the field, like 156.8deg/s, "
    + "it is a value, rounded to the nearest count."

  var connection = Connection()
  var words: [String] = []
  var isOneWay = false
  var acceptsHazard = false
  var format = Format.text

  mutating func options(_ line: inout Synopsis) throws(UsageError) {
    try line.arguments(
      "command", &words, as: .command,
      "A name and its fields as field=value, or DID, CID and payload bytes in hexadecimal. "
        + "\(Self.numberHelp) 'sphero help NAME' shows fields and units. "
        + "If it sets the ball rolling, the ball stops after the answer, or in a run one second later.")
    try line.flag(
      "no-reply", nil, &isOneWay,
      "Request no answer; errors are not reported, and outside a run a rolling ball rolls on.")
    try line.flag(
      LineContext.hazardFlag, nil, &acceptsHazard, "Also send what can change the robot for good.")
    try line.option("format", "f", &format, "How to print.")
    try line.conflict("no-reply", "format", "without an answer nothing is printed")
    try connection.options(&line)
  }

  func validate() throws(UsageError) { _ = try request() }

  private func request() throws(UsageError) -> (id: CommandID, payload: [UInt8]) {
    guard let first = words.first else {
      throw UsageError("<command> is missing: a name like Motion.Roll, or DID and CID")
    }
    let request: (id: CommandID, payload: [UInt8])
    if first.contains(".") {
      request = try named(first)
    } else {
      // Joined before they are checked, "0 22 0" would be 02 20.
      let parts = words.flatMap { $0.split(separator: " ") }.map { part in
        part == "0x" ? nil : Hexadecimal.bytes(part.hasPrefix("0x") ? part.dropFirst(2) : part)
      }
      let bytes = parts.flatMap { $0 ?? [] }
      guard !parts.contains(nil), bytes.count >= 2 else {
        if let name = Suggestion.command(for: first) {
          throw UsageError("the name '\(first)' has no group; did you mean '\(name)'?")
        }
        throw UsageError(
          "'\(words.joined(separator: " "))' is not a DID, CID and payload in hexadecimal, two digits a byte")
      }
      request = (CommandID(bytes[0], bytes[1]), Array(bytes.dropFirst(2)))
    }
    if let hazard = Self.hazard(of: request.id), !acceptsHazard {
      throw UsageError("this can do harm: \(hazard) Add '--accept-hazard' to send it anyway")
    }
    return request
  }

  private static func hazard(of id: CommandID) -> String? {
    if let type = Catalogue.command(id) { return type.optionalHazard }
    // Three such commands of the bootloader erase flash: 01:02, 01:03 and 01:06.
    return "command \(id) is undocumented, and some such commands erase data that the robot needs."
  }

  var mayMove: Bool {
    guard let (id, payload) = try? request() else { return false }
    return RequestEffect(of: id, payload: payload)?.moves ?? false
  }

  private func named(_ name: String) throws(UsageError) -> (id: CommandID, payload: [UInt8]) {
    guard let type = Catalogue.command(named: name) else {
      throw UsageError(
        "unknown command '\(name)'" + Suggestion.text(for: name, among: Catalogue.commands.map { $0.name }))
    }
    let fields: [String: String]
    do throws(WireError) { fields = try Dictionary(assignments: words.dropFirst()) } catch {
      throw UsageError(error.description, advice: error.field.map { _ in "Give each field once." })
    }
    do throws(WireError) {
      return (type.id, try type.init(assigning: fields, requiresAll: true).payload())
    } catch {
      guard case .missing = error else { throw UsageError("\(type.name): \(error)") }
      throw UsageError(
        "\(type.name): \(error); nothing was sent",
        advice: "Give every field: sphero raw \(type.name) \(type.example(fields))")
    }
  }

  func run(_ terminal: Terminal) async throws {
    let (id, payload) = try request()
    try await connection.withRobot { robot in
      if isOneWay { return try await robot.post(id, payload: payload) }
      let name = Catalogue.command(id)?.name ?? "command \(id)"
      let response = try await robot.exchange(id, payload: payload)
      guard response.status == .ok else { throw SessionError.refused(command: name, status: response.status) }
      let answer = Dissection(response, to: id)
      guard format != .json else {
        // The object contains the remarks.
        return try await terminal.print(Sheet.text(answer.message, kind: answer.kind.rawValue, .json))
      }
      if !answer.fields.isEmpty {
        try await terminal.print(
          Sheet.text(answer.fields.map { Field($0) }, kind: answer.kind.rawValue, format))
      }
      for remark in answer.remarks { await terminal.note("the answer of \(name): \(remark)", connection) }
    }
  }
}

extension Catalogue {
  /// The command with a name, in upper or lower case.
  static func command(named name: String) -> (any Request.Type)? {
    commands.first { $0.name.lowercased() == name.lowercased() }
  }
}
