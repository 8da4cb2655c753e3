// sphero devices: the files that may be robots.

import SpheroProtocol
import SpheroSerial

struct Devices: Subcommand {
  static let name = "devices"
  static let abstract = "Lists device files that may be robots; opens none."
  static let examples = ["sphero devices"]

  var format = Format.text

  static let columns = [Column("path"), Column("accessible")]

  mutating func options(_ line: inout some OptionVisitor) throws(UsageError) {
    try line.option("format", "f", &format, "How to print.")
  }

  func run(_ terminal: Terminal) async throws {
    var records = RecordPrinter(format, kind: "device", columns: Self.columns)
    let candidates = SerialDevice.candidates()
    for candidate in candidates {
      try await terminal.print(records.text([.text(candidate.path), .flag(candidate.mayOpen)]))
    }
    guard candidates.isEmpty else { return }
    await terminal.note("no device files of robots. \(Advice.bind)", isQuiet: false)
  }
}
