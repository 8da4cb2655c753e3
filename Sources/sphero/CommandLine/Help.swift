// Prints the pages of sphero help.

import SpheroProcess

/// How a page is laid out.
struct Layout: Sendable {
  /// The columns of the lines.
  var width = 80
  var style = Style.plain

  /// As it fits what stdout is.
  static var ofOutput: Layout {
    Layout(width: Width.columns(of: .output), style: Style(of: .output))
  }

  /// Words in lines after a margin; the first line stands after `start`, which may be longer than the margin.
  func paragraph(_ text: String, behind start: String = "", margin: Int = 0) -> String {
    let blank = String(repeating: " ", count: margin)
    var lines = [start.count < max(margin, 1) ? start + blank.dropFirst(start.count) : start]
    if start.count >= max(margin, 1) { lines.append(blank) }
    for word in text.split(separator: " ") {
      let last = lines[lines.count - 1]
      if last.count > margin, last.count + 1 + word.count > width - 1 {
        lines.append(blank + word)
      } else {
        lines[lines.count - 1] += (last.count > margin ? " " : "") + word
      }
    }
    return lines.joined(separator: "\n") + "\n"
  }

  /// A table of names and what they mean.
  func table(_ rows: [(name: String, meaning: String)], margin: Int) -> String {
    rows.map { paragraph($0.meaning, behind: "  \($0.name)", margin: margin) }.joined()
  }

  func heading(_ title: String) -> String { "\n" + style.bold(title.uppercased()) + "\n" }
}

/// How much a page says.
enum HelpDetail {
  /// `-h`: a line or two for each option.
  case short
  /// `--help`: everything.
  case full
}

/// The pages of `sphero help`.
enum Help {
  /// The page of a verb.
  static func page<S: Subcommand>(
    _ type: S.Type, _ detail: HelpDetail = .full, _ layout: Layout = Layout()
  ) -> String {
    let synopsis = Synopsis(type)
    let usage =
      (["sphero \(S.name)"] + synopsis.places.map(Synopsis.label)
      + (synopsis.options.isEmpty ? [] : ["[options]"])).joined(separator: " ")
    var page = layout.paragraph(S.abstract) + layout.heading("usage") + "  \(usage)\n"
    for (title, entries) in [("arguments", synopsis.places), ("options", synopsis.options)]
    where !entries.isEmpty {
      page += layout.heading(title)
      for entry in entries {
        page += layout.paragraph(
          text(of: entry, in: synopsis, detail), behind: "  " + Synopsis.label(entry), margin: 26)
      }
    }
    switch detail {
    case .short: page += "\n" + layout.paragraph("'sphero \(S.name) --help' says more, with examples.")
    case .full:
      if !S.examples.isEmpty { page += layout.heading("examples") + S.examples.map { "  \($0)\n" }.joined() }
    }
    return page
  }

  private static func text(of entry: Synopsis.Entry, in synopsis: Synopsis, _ detail: HelpDetail) -> String {
    guard detail == .full else { return brief(entry.help) }
    let notes = synopsis.notes(on: entry)
    return entry.help + (notes.isEmpty ? "" : " (\(notes))")
  }

  /// The first part of a help text: what comes before a colon, a semicolon or a second sentence.
  static func brief(_ help: String) -> String {
    let characters = Array(help)
    let end = characters.indices.first { index in
      ":;.".contains(characters[index]) && (index + 1 == characters.count || characters[index + 1] == " ")
    }
    return String(characters[..<(end ?? characters.count)]) + "."
  }

  /// The page of the program.
  static func overview(_ detail: HelpDetail = .full, _ layout: Layout = Layout()) -> String {
    var page =
      layout.paragraph("Controls the first Sphero robots over their serial line.")
      + layout.heading("usage") + "  sphero <command> [options]\n"
    for group in VerbGroup.allCases {
      let verbs = Program.subcommands.filter { $0.group == group }.map {
        (name: $0.name, meaning: $0.abstract)
      }
      let help = group == .shell ? [(name: "help", meaning: "Explains a command or a topic: \(topics).")] : []
      guard !(verbs + help).isEmpty else { continue }
      page += layout.heading(group.rawValue) + layout.table(verbs + help, margin: 16)
    }
    guard detail == .full else {
      return page + "\n"
        + layout.paragraph("'sphero <command> -h' lists its options; 'sphero --help' says more.")
    }
    page += layout.heading("port")
    page += layout.paragraph(
      """
      The robot's port comes from --port, from $SPHERO_PORT, or is the only device file that \
      'sphero devices' finds. With '--port sim:' a simulated robot answers.
      """, behind: "", margin: 2)
    page += layout.heading("options")
    page += layout.table(
      ProgramOption.all.map { (name: "-\($0.short), --\($0.name)", meaning: $0.help) }, margin: 26)
    page += layout.heading("examples") + examples.map { "  \($0)\n" }.joined()
    return page + layout.heading("exit codes") + layout.paragraph(exitCodes, margin: 2)
  }

  private static let topics = Topic.all.map(\.name).joined(separator: ", ")

  static let examples = [
    "sphero devices", "sphero stream --port sim: --mask accel,imu,quat --divisor 20", "sphero led 255 0 0",
    "sphero roll 90 --for 2s",
  ]

  private static var exitCodes: String {
    ExitCode.table.map { "\($0.code) \($0.meaning)" }.joined(separator: ", ")
  }
}

extension ExitCode {
  /// All codes with what they mean, those of signals too.
  static var table: [(code: Int32, meaning: String)] {
    allCases.map { ($0.rawValue, $0.meaning) } + [(129, "hung up"), (130, "Ctrl-C"), (143, "terminated")]
  }
}
