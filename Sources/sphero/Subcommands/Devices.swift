// sphero devices: the files that may be robots.

import SpheroSerial

struct Devices: Subcommand {
  static let name = "devices"
  static let abstract = "Lists device files that may be robots; opens none."
  static let examples = ["sphero devices"]

  var format = Format.text

  mutating func options(_ line: inout some OptionVisitor) throws(UsageError) {
    try line.option("format", "f", &format, "How to print.")
  }

  func run(_ terminal: Terminal) async throws {
    var records = Records(format)
    let candidates = SerialDevice.candidates()
    for candidate in candidates {
      let cells = [
        Cell(name: "path", value: .text(candidate.path)),
        Cell(name: "accessible", value: .flag(candidate.mayOpen)),
      ]
      for line in records.lines(cells) { try await terminal.print(line) }
    }
    guard candidates.isEmpty else { return }
    await terminal.note("no device files of robots. \(Advice.bind)", isQuiet: false)
  }
}
