// The help pages: `sphero help`, `--help` and `-h`.

import SpheroProcess

/// The layout of a page of text.
struct Layout: Sendable {
  /// The columns of a line.
  var width = 80
  var style = Style(hasColor: false)

  /// The layout for stdout.
  static var ofOutput: Layout {
    let columns = width(
      stated: ProcessContext.environment("COLUMNS"), window: StandardStream.output.columns)
    return Layout(width: columns, style: Style(of: .output))
  }

  /// The stated width, else that of the window, else 80; limited to 40...120.
  static func width(stated: String?, window: Int?) -> Int {
    let widths = [stated.flatMap { Int($0) }, window].compactMap { $0 }
    return min(max(widths.first { $0 > 0 } ?? 80, 40), 120)
  }

  /// Wraps text after a margin; the first line begins with `start`, which may be longer than the margin.
  func paragraph(_ text: String, after start: String = "", margin: Int = 0) -> String {
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

  /// A table of names and their meanings.
  func table(_ rows: [(name: String, meaning: String)], margin: Int) -> String {
    rows.map { paragraph($0.meaning, after: "  \($0.name)", margin: margin) }.joined()
  }

  func heading(_ title: String) -> String { "\n" + style.bold(title.uppercased()) + "\n" }
}

enum HelpDetail {
  /// `-h`: a line or two for each option.
  case short
  /// `--help`.
  case full
}

enum Help {
  /// The page of a verb.
  static func page<S: Subcommand>(
    _ type: S.Type, _ detail: HelpDetail = .full, _ layout: Layout = Layout()
  ) -> String {
    let synopsis = Synopsis(type)
    var page =
      layout.paragraph(S.abstract) + layout.heading("usage") + "  \(synopsis.usage(of: S.name))\n"
    for (title, entries) in [("arguments", synopsis.arguments), ("options", synopsis.options)]
    where !entries.isEmpty {
      page += layout.heading(title)
      for entry in entries {
        let text = detail == .full ? synopsis.fullHelp(of: entry) : brief(entry.help)
        page += layout.paragraph(text, after: "  " + entry.label, margin: 26)
      }
    }
    switch detail {
    case .short: page += "\n" + layout.paragraph("'sphero \(S.name) --help' says more, with examples.")
    case .full:
      if !S.examples.isEmpty { page += layout.heading("examples") + S.examples.map { "  \($0)\n" }.joined() }
    }
    return page
  }

  /// The part of a help text before a colon, a semicolon or a second sentence.
  static func brief(_ help: String) -> String {
    let characters = Array(help)
    let end = characters.indices.first { index in
      ":;.".contains(characters[index]) && (index + 1 == characters.count || characters[index + 1] == " ")
    }
    return String(characters[..<(end ?? characters.count)]) + "."
  }

  /// The page of the program, with all verbs.
  static func overview(_ detail: HelpDetail = .full, _ layout: Layout = Layout()) -> String {
    var page =
      layout.paragraph("Controls the first Sphero robots over their serial line.")
      + layout.heading("usage") + "  sphero <command> [options]\n"
    for group in VerbGroup.allCases {
      var verbs = Program.subcommands.filter { $0.group == group }.map { ($0.name, $0.abstract) }
      if group == .shell {
        let topics = Topic.all.map(\.name).joined(separator: ", ")
        verbs.append(("help", "Explains a command or a topic: \(topics)."))
      }
      page += layout.heading(group.rawValue) + layout.table(verbs, margin: 16)
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
      """, margin: 2)
    page += layout.heading("options")
    page += layout.table(
      ProgramOption.all.map { (name: "-\($0.short), --\($0.name)", meaning: $0.help) }, margin: 26)
    let codes = ExitCode.table.map { "\($0.code) \($0.meaning)" }.joined(separator: ", ")
    page += layout.heading("examples") + examples.map { "  \($0)\n" }.joined()
    return page + layout.heading("exit codes") + layout.paragraph(codes, margin: 2)
  }

  static let examples = [
    "sphero devices", "sphero stream --port sim: --mask accel,imu,quat --divisor 20", "sphero led 255 0 0",
    "sphero roll 90 --for 2s",
  ]
}
