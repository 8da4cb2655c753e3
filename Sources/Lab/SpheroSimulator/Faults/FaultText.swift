// The faults as options: `drop=1%`, `late=5%:300ms@responses`, `corrupt=0.01%@bytes`, `close=10s:3s`.

import SpheroModel
import SpheroProtocol

extension FaultPlan {
  /// A fault as an option.
  private struct Row: Sendable {
    var name: String
    /// The form and the default of the value after the chance: a time, or a status.
    var parameter: (form: String, fallback: String)?
    var text: String
    /// Makes the fault from its parameter, which is empty if it has none; nil for an invalid parameter.
    var make: @Sendable (String) -> Fault.Kind?
    /// The traffic that the fault affects if the option does not name any.
    var traffic = Traffic.all

    var form: String {
      "\(name)=CHANCE" + (parameter.map { "[:\($0.form)]" } ?? "") + (choosesTraffic ? "[@TRAFFIC]" : "")
    }

    /// Whether the option may name the traffic.
    var choosesTraffic: Bool {
      guard let kind = make(parameter?.fallback ?? "") else { return false }
      return words.count { !kind.possibleTraffic.isDisjoint(with: $0.traffic) } > 1
    }
  }

  /// The words for TRAFFIC; the last one stands for single bytes instead of packets.
  private static let words: [(name: String, traffic: Traffic)] = [
    ("commands", .commands), ("responses", .responses), ("stream", .sensorData), ("events", .events),
    ("bytes", .bytes),
  ]

  private static let rows: [Row] = [
    Row(name: "drop", text: "Packets are lost.") { _ in .drop },
    Row(name: "corrupt", text: "A byte of a packet arrives as another.") { _ in .corrupt },
    Row(name: "cut", text: "The tail of a packet is lost.") { _ in .cut },
    Row(name: "duplicate", text: "Packets arrive twice.") { _ in .duplicate },
    Row(name: "delay", parameter: ("TIME", "100ms"), text: "Packets arrive later, in order.") {
      Duration(written: $0).map { .delay($0) }
    },
    Row(name: "late", parameter: ("TIME", "500ms"), text: "Packets arrive later, and are overtaken.") {
      Duration(written: $0).map { .reorder($0) }
    },
    Row(name: "split", text: "Packets arrive in two reads.") { _ in .split },
    Row(name: "burst", parameter: ("TIME", "50ms"), text: "Packets wait and arrive together.") {
      Duration(written: $0).map { .burst($0) }
    },
    Row(name: "stall", parameter: ("TIME", "2s"), text: "Nothing arrives for a while.") {
      Duration(written: $0).map { .stall($0) }
    },
    Row(
      name: "misnumber",
      text: "Replies, or the packets of TRAFFIC (commands, responses), carry the number of another command.",
      make: { _ in .changeSequence }, traffic: .responses),
    Row(
      name: "refuse", parameter: ("STATUS", "02"),
      text: "Commands are refused with this status, in hexadecimal digits: 07 is a bad parameter.",
      make: { digits in
        Hexadecimal.number(digits).flatMap { $0 == Status.ok.rawValue ? nil : .refuse(Status(rawValue: $0)) }
      }, traffic: .commands),
    Row(
      name: "stray", text: "Bytes arrive that belong to no packet.", make: { _ in .stray },
      traffic: .fromRobot),
    Row(
      name: "stale", text: "A sensor packet of the old layout follows a change of stream.",
      make: { _ in .stale }, traffic: .responses),
  ]

  /// The names of the faults as options.
  static var names: [String] { rows.map(\.name) + ["close"] }

  /// The form and the effect of each fault.
  static var help: [(form: String, text: String)] {
    rows.map { ($0.form, $0.text) }
      + [("close=TIME:TIME", "The line breaks after the first time, and comes back after the second.")]
  }

  /// The meaning of TRAFFIC.
  static let trafficHelp =
    words.dropLast().map(\.name).joined(separator: ", ")
    + ", or bytes for single bytes; several are joined by +"

  /// The form of the option with a name; the name itself if it is unknown.
  static func form(of name: String) -> String { help.first { $0.form.hasPrefix(name + "=") }?.form ?? name }

  /// Adds a fault; returns false if the value is not valid.
  mutating func set(_ name: String, _ value: String) -> Bool {
    if name == "close" {
      let times = value.split(separator: ":", omittingEmptySubsequences: false)
      guard times.count == 2, let start = Duration(written: times[0]),
        let length = Duration(written: times[1])
      else { return false }
      outage = Outage(after: start, lasting: length)
      return true
    }
    let parts = value.split(separator: "@", maxSplits: 1, omittingEmptySubsequences: false)
    let values = (parts.first ?? "").split(separator: ":", omittingEmptySubsequences: false)
    guard let row = Self.rows.first(where: { $0.name == name }), let first = values.first,
      let chance = SimulatorOptions.fraction(first), values.count <= (row.parameter == nil ? 1 : 2),
      let kind = row.make(values.count > 1 ? String(values[1]) : row.parameter?.fallback ?? "")
    else { return false }
    var traffic = row.traffic
    if parts.count > 1 {
      guard let named = Self.traffic(parts[1]), kind.possibleTraffic.isSuperset(of: named) else {
        return false
      }
      traffic = named
    }
    faults.append(
      Fault(kind, chance: chance, of: traffic, to: kind == .stale ? Sensing.SetDataStreaming.id : nil))
    return true
  }

  /// Parses words that are joined by `+`; nil for an unknown word.
  private static func traffic(_ text: Substring) -> Traffic? {
    var traffic: Traffic = []
    for name in text.split(separator: "+", omittingEmptySubsequences: false) {
      guard let word = words.first(where: { $0.name == name }) else { return nil }
      traffic.formUnion(word.traffic)
    }
    return traffic
  }
}
