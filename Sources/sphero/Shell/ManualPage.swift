// The manual page in the macros of man(7), generated from the definitions of the help pages.

enum ManualPage {
  static var text: String {
    var page = """
      .TH SPHERO 1 "\(Version.date)" "sphero \(Program.version)" "User Commands"
      .ad l
      .SH NAME
      sphero \\- control the first Sphero robots over Bluetooth
      .SH SYNOPSIS
      .B sphero
      .I command
      .RI [ options ]
      .SH DESCRIPTION
      A command with
      .B \\-\\-port
      connects to the robot, does one thing, leaves the robot as it was found, and
      ends.
      Results are on the standard output, everything else is on the standard error.
      .PP
      The robot's port comes from
      .BR \(escaped("--port")) ,
      from
      .BR SPHERO_PORT ,
      or is the only device file that
      .B sphero devices
      finds.

      """
    for group in SubcommandGroup.allCases {
      page += section("Commands: \(group.rawValue)")
      page += Program.subcommands.filter { $0.group == group }.map { command($0) }.joined()
    }
    page += section("Ports") + items(Topic.portKinds) + section("Environment") + items(Topic.variables)
    page +=
      section("Exit status") + ExitCode.table.map { item(bold("\($0.code)"), sentence($0.meaning)) }.joined()
    page += section("Examples") + example(Help.examples)
    return page
  }

  private static func section(_ title: String) -> String { ".SH \(escaped(title.uppercased()))\n" }

  private static func command<S: Subcommand>(_ type: S.Type) -> String {
    let synopsis = Synopsis(type)
    var page = ".SS \(escaped(synopsis.usage))\n\(paragraph(S.abstract))"
    for entry in synopsis.entries { page += item(label(entry), synopsis.fullHelp(of: entry)) }
    for (title, table) in S.sections {
      page += paragraph("\(title.prefix(1).uppercased())\(title.dropFirst()):") + items(table)
    }
    return page + ".PP\n" + example(S.examples)
  }

  private static func label(_ entry: Synopsis.Entry) -> String {
    switch entry.kind {
    case .argument, .rest: "\\fI\(escaped(entry.name))\\fR"
    case .flag: entry.spellings.map(bold).joined(separator: ", ")
    case .option:
      entry.spellings.map(bold).joined(separator: ", ") + " \\fI\(escaped(entry.value.placeholder))\\fR"
    }
  }

  private static func items(_ table: HelpTable) -> String {
    table.map { item(bold($0.key), $0.value) }.joined()
  }

  private static func item(_ label: String, _ meaning: String) -> String {
    ".TP\n\(label)\n\(paragraph(meaning))"
  }

  /// Wraps text at 80 columns for readers of the source; roff joins the lines.
  private static func paragraph(_ meaning: String) -> String {
    meaning.wrapped { escaped($0).count <= 80 }.map { text(breakable($0)) }.joined()
  }

  /// Allows breaks after the commas of long lists without spaces.
  private static func breakable(_ line: String) -> String {
    line.split(separator: " ").map { word in
      word.count < 30
        ? String(word)
        : word.split(separator: ",", omittingEmptySubsequences: false).joined(separator: ",\u{200B}")
    }.joined(separator: " ")
  }

  private static func example(_ lines: [String]) -> String {
    ".EX\n" + lines.map { text($0) }.joined() + ".EE\n"
  }

  private static func bold(_ text: String) -> String { "\\fB\(escaped(text))\\fR" }

  private static func sentence(_ text: String) -> String {
    text.prefix(1).uppercased() + text.dropFirst() + "."
  }

  private static func text(_ line: String) -> String {
    (line.hasPrefix(".") || line.hasPrefix("'") ? "\\&" : "") + escaped(line) + "\n"
  }

  /// Escapes characters that roff would replace; hyphens remain ASCII hyphens.
  private static func escaped(_ text: String) -> String {
    text.map { character in
      switch character {
      case "\\": "\\e"
      case "-": "\\-"
      case "'": "\\(aq"
      case "`": "\\(ga"
      case "^": "\\(ha"
      case "~": "\\(ti"
      case "\"": "\\(dq"
      case "\u{200B}": "\\:"
      default: "\(character)"
      }
    }.joined()
  }
}
