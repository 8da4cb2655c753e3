// The faults of a line as text: `drop=1%`, `late=5%:300ms`, `close=10s:3s`.

import SpheroModel
import SpheroProtocol

extension FaultPlan {
  private struct Row: Sendable {
    var name: String
    /// The value behind the chance, and where it is left out: a time in milliseconds, or a status.
    var parameter: (form: String, fallback: String)?
    var text: String
    var make: @Sendable (String) -> Fault.Kind?
    var traffic = Traffic.all
  }

  private static let rows: [Row] = [
    Row(name: "drop", text: "Packets are lost.") { _ in .drop },
    Row(name: "corrupt", text: "A byte of a packet arrives as another.") { _ in .corrupt },
    Row(name: "cut", text: "The tail of a packet is lost.") { _ in .cut },
    Row(name: "duplicate", text: "Packets arrive twice.") { _ in .duplicate },
    Row(name: "delay", parameter: ("TIME", "100ms"), text: "Packets arrive later, in order.") {
      Duration(written: $0).map { .delay($0) }
    },
    Row(name: "late", parameter: ("TIME", "500ms"), text: "Packets arrive later, and are overtaken.") {
      Duration(written: $0).map { .late($0) }
    },
    Row(name: "split", text: "Packets arrive in two reads.") { _ in .split },
    Row(name: "burst", parameter: ("TIME", "50ms"), text: "Packets wait and arrive together.") {
      Duration(written: $0).map { .burst($0) }
    },
    Row(name: "stall", parameter: ("TIME", "2s"), text: "Nothing arrives for a while.") {
      Duration(written: $0).map { .stall($0) }
    },
    Row(
      name: "misnumber", text: "Replies come with the number of another command.",
      make: { _ in .misnumber }, traffic: .responses),
    Row(
      name: "refuse", parameter: ("STATUS", "02"), text: "Commands are refused with this status.",
      make: { UInt8($0, radix: 16).map { .refuse(Status(rawValue: $0)) } }, traffic: .commands),
    Row(
      name: "stray", text: "Bytes arrive that belong to no packet.", make: { _ in .stray },
      traffic: .fromRobot),
    Row(
      name: "stale", text: "A frame of the old layout follows a change of stream.",
      make: { _ in .stale }, traffic: .responses),
  ]

  /// The names of the faults as options.
  static var names: [String] { rows.map(\.name) + ["close"] }

  /// One line for each fault: how it is written, and what it does.
  static var help: [(form: String, text: String)] {
    rows.map { row in
      ("\(row.name)=CHANCE" + (row.parameter.map { "[:\($0.form)]" } ?? ""), row.text)
    } + [("close=TIME:TIME", "The line breaks after the first time, and comes back after the second.")]
  }

  /// Adds a fault; false where the value means nothing.
  mutating func set(_ name: String, _ value: String) -> Bool {
    let parts = value.split(separator: ":", omittingEmptySubsequences: false)
    if name == "close" {
      guard parts.count == 2, let start = Duration(written: parts[0]),
        let length = Duration(written: parts[1])
      else { return false }
      outage = Outage(after: start, lasting: length)
      return true
    }
    guard let row = Self.rows.first(where: { $0.name == name }),
      let chance = SimulatorOptions.fraction(parts[0]),
      parts.count <= (row.parameter == nil ? 1 : 2),
      let kind = row.make(parts.count > 1 ? String(parts[1]) : row.parameter?.fallback ?? "")
    else { return false }
    faults.append(
      Fault(
        kind, chance: chance, of: row.traffic,
        to: name == "stale" ? Sensing.SetDataStreaming.id : nil))
    return true
  }
}
