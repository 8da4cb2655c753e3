// The pages of `sphero help`, `--help` and `-h`: commands, and topics that concern several of them.

import SpheroControls
import SpheroModel
import SpheroProcess
import SpheroProtocol

struct Layout: Sendable {
  var width = 80
  var style = Style(hasColor: false)

  static var ofOutput: Layout {
    let columns = width(
      stated: ProcessContext.environment("COLUMNS"), window: StandardStream.output.size?.width)
    return Layout(width: columns, style: .of(.output))
  }

  /// The stated width in columns, else that of the window, else 80; limited to 40...120.
  static func width(stated: String?, window: Int?) -> Int {
    let window = window.flatMap { $0 > 0 ? $0 : nil }
    return min(max(statedWidth(stated) ?? window ?? 80, 40), 120)
  }

  static func statedWidth(_ text: String?) -> Int? {
    text.flatMap { Int($0) }.flatMap { $0 > 0 ? $0 : nil }
  }

  /// Wraps text after a margin that begins with `start`, or below `start` if that does not fit in the margin.
  func paragraph(_ text: String, after start: String = "", margin: Int = 0) -> String {
    let blank = String(repeating: " ", count: margin)
    let isShort = start.count < max(margin, 1)
    let lines = text.wrapped { margin + $0.count < width }
    return start + (isShort ? String(blank.dropFirst(start.count)) : "\n" + blank)
      + lines.joined(separator: "\n" + blank) + "\n"
  }

  func table(_ rows: [(key: String, value: String)], margin: Int) -> String {
    rows.map { paragraph($0.value, after: "  \($0.key)", margin: margin) }.joined()
  }

  func heading(_ title: String) -> String { "\n" + style.bold(title.uppercased()) + "\n" }
}

extension String {
  /// Breaks the text at spaces; a word that does not fit has its own line.
  func wrapped(fits: (String) -> Bool) -> [String] {
    var lines = [""]
    for word in split(separator: " ") {
      let last = lines[lines.count - 1]
      let longer = last.isEmpty ? String(word) : last + " " + word
      if last.isEmpty || fits(longer) {
        lines[lines.count - 1] = longer
      } else {
        lines.append(String(word))
      }
    }
    return lines
  }
}

enum HelpDetail {
  case short
  case full
}

enum Help {
  static func page<S: Subcommand>(
    _ type: S.Type, _ detail: HelpDetail = .full, _ layout: Layout = Layout()
  ) -> String {
    let synopsis = Synopsis(type)
    var page =
      layout.paragraph(S.abstract) + layout.heading("usage") + "  \(synopsis.usage)\n"
    for (title, entries) in [("arguments", synopsis.arguments), ("options", synopsis.options)]
    where !entries.isEmpty {
      page += layout.heading(title)
      for entry in entries {
        let text = detail == .full ? synopsis.fullHelp(of: entry) : brief(entry.help)
        page += layout.paragraph(text, after: "  " + entry.label, margin: 26)
      }
    }
    switch detail {
    case .short: page += "\n" + layout.paragraph("'sphero \(S.name) --help' has details and examples.")
    case .full:
      for (title, table) in S.sections {
        page += layout.heading(title) + layout.table(Array(table), margin: 26)
      }
      if !S.examples.isEmpty { page += layout.heading("examples") + S.examples.map { "  \($0)\n" }.joined() }
    }
    return page
  }

  /// The beginning of a help text up to a colon, a semicolon or the end of the first sentence, with a full stop.
  static func brief(_ help: String) -> String {
    let characters = Array(help)
    let end = characters.indices.first { index in
      ":;.".contains(characters[index]) && (index + 1 == characters.count || characters[index + 1] == " ")
    }
    return String(characters[..<(end ?? characters.count)]) + "."
  }

  static func overview(_ detail: HelpDetail = .full, _ layout: Layout = Layout()) -> String {
    var page =
      layout.paragraph("Controls the first Sphero robots over Bluetooth.")
      + layout.heading("usage") + "  sphero <command> [options]\n"
    for group in SubcommandGroup.allCases where detail == .full || group != .more {
      let verbs = Program.subcommands.filter { $0.group == group }.map { (key: $0.name, value: $0.abstract) }
      page += layout.heading(group.rawValue) + layout.table(verbs, margin: 14)
    }
    guard detail == .full else {
      return page + "\n"
        + layout.paragraph(
          "'sphero help all' lists the other commands, and 'sphero <command> --help' explains one. "
            + "'--port sim:' is a simulated robot.")
    }
    page += layout.heading("port")
    page += layout.paragraph(
      """
      The robot's port comes from --port, from $SPHERO_PORT, or is the only device file that \
      'sphero devices' finds. With '--port sim:' a simulated robot answers.
      """, margin: 2)
    page += layout.heading("options")
    page += layout.table(
      Synopsis.programOptions.map { (key: $0.label, value: $0.help) }, margin: 26)
    let codes = ExitCode.table.map { "\($0.code) \($0.meaning)" }.joined(separator: ", ")
    page += layout.heading("examples") + examples.map { "  \($0)\n" }.joined()
    page += layout.paragraph(
      "The files that examples name are in Fixtures/examples of the sources.", margin: 2)
    return page + layout.heading("exit codes")
      + layout.paragraph(
        codes + ". The last four are the statuses that a shell reports when a signal ends the process.",
        margin: 2)
  }

  static let examples = [
    "sphero devices", "sphero stream --port sim: --mask accel,imu,quat --divisor 20", "sphero led 255 0 0",
    "sphero roll 90 --for 2s",
  ]
}

struct Topic: Sendable {
  var name: String
  var page: @Sendable (Layout) -> String

  static let all = [
    Topic(name: "masks", page: masks), Topic(name: "colours", page: colours),
    Topic(name: "macros", page: macros), Topic(name: "statements", page: orbBasic),
    Topic(name: "commands", page: commands), Topic(name: "environment", page: environment),
    Topic(name: "ports", page: ports),
  ]

  /// Returns the topic with a name; `colors` is also valid.
  static func named(_ name: String) -> Topic? {
    all.first { $0.name == (name == "colors" ? "colours" : name) }
  }

  private static func masks(_ layout: Layout) -> String {
    var page = layout.paragraph(
      """
      '--mask' takes groups and fields, joined by commas, and masks as on the wire: 0xMASK[:MASK2]. \
      It may be given several times.
      """)
    let groups = SensorMask.groups.map { name, mask in
      let fields =
        mask == .all ? "Every field but speed." : mask.fields.map(\.optionName).joined(separator: ", ")
      return (key: name, value: fields)
    }
    let motion =
      "Attitude, gravity, user acceleration and rotation rate, computed from quat, accel and gyro."
    page += layout.heading("groups") + layout.table(groups + [(key: "motion", value: motion)], margin: 16)
    page += layout.heading("fields")
    page += layout.table(
      SensorField.allCases.map { field in
        let unit = "\(field.scale.unit.symbol)".filter { $0 != " " }
        let step = field.scale.perCount
        let steps =
          step == 1 ? "whole \(unit.isEmpty ? "counts" : unit)" : "steps of \(Decimal.text(Float(step)))"
        return (key: field.optionName, value: unit.isEmpty || step == 1 ? steps : "\(steps) \(unit)")
      }, margin: 18)
    return page
  }

  private static func colours(_ layout: Layout) -> String {
    var page = layout.paragraph(
      """
      A colour is three numbers from 0 to 255 for red, green and blue, with blanks or commas between them; \
      six hexadecimal digits, with or without #; #rgb with each digit doubled; or a name.
      """)
    page += layout.heading("examples")
    page += ["255 136 0", "255,136,0", "ff8800", "'#ff8800'", "'#f80'", "orange"].map {
      "  sphero led \($0)\n"
    }.joined()
    page += layout.heading("names")
    for color in NamedColor.allCases {
      let rgb = color.rgb
      page += "  \(layout.style.patch(red: rgb.red, green: rgb.green, blue: rgb.blue))"
      page += color.rawValue.padded(to: 14) + "\(rgb)  \(rgb.red),\(rgb.green),\(rgb.blue)\n"
    }
    return page
  }

  private static func macros(_ layout: Layout) -> String {
    struct Rows: MacroStepVisitor {
      var rows: [(key: String, value: String)] = []
      mutating func step<S: MacroStep>(_ type: S.Type, _ name: StaticString) {
        guard !MacroCommand(S()).isAddedDuringSending else { return }
        let fields = S.table.map { row in
          let unit = row.unit == "0.001 s" ? "ms" : row.unit
          return [row.name, unit.isEmpty ? "" : "in \(unit)", row.values].filter { !$0.isEmpty }
            .joined(separator: " ")
        }
        rows.append((key: "\(name)", value: fields.isEmpty ? "no fields" : fields.joined(separator: ", ")))
      }
    }
    var steps = Rows()
    Macro.visitSteps(&steps)
    return layout.paragraph(
      """
      A line is a step: its name, then its fields as 'field=value', or as values in this order. \
      Omitted fields have their defaults; # begins a comment. 'sphero program' runs the text.
      """) + layout.heading("steps") + layout.table(steps.rows, margin: 26)
  }

  private static func orbBasic(_ layout: Layout) -> String {
    layout.paragraph(
      """
      A line is a number, a space, and a statement or an assignment like 'A = B + 1'; \
      ' begins a comment. Case matters. 'sphero program' runs the text.
      """) + layout.heading("statements")
      + layout.table(Array(OrbBasicStatement.help), margin: 30)
      + layout.heading("values")
      + layout.table(Array(OrbBasicStatement.values), margin: 30)
  }

  private static func commands(_ layout: Layout) -> String {
    var page = layout.paragraph(
      """
      'sphero raw NAME field=value' sends any of these; 'sphero help NAME' shows the fields of one. \
      With ! it can do harm, and 'sphero raw' requires '--accept-hazard'.
      """)
    page += layout.heading("commands")
    page += layout.table(
      Catalogue.commands.map { type in
        let mark = type.optionalHazard == nil ? "" : "!"
        let fields = type.table.map(\.name).joined(separator: " ")
        let meaning = hexadecimal(type.id) + (fields.isEmpty ? "" : "  " + fields)
        return (key: "\(type.name)\(mark)", value: meaning)
      }, margin: 38)
    return page
  }

  private static func hexadecimal(_ id: CommandID) -> String { Hexadecimal.text([id.device, id.command]) }

  static func command(_ type: any Request.Type, _ layout: Layout) -> String {
    var page = layout.paragraph("\(type.name) is command \(hexadecimal(type.id)).")
    if let hazard = type.optionalHazard {
      page += layout.paragraph("It can do harm: \(hazard) 'sphero raw' requires '--accept-hazard'.")
    }
    let rows = type.table
    if !rows.isEmpty {
      page += layout.heading("fields")
      page += layout.table(
        rows.map { row in
          let parts = [row.type, row.unit, row.values, row.isOptional ? "may be left out" : ""]
          return (key: row.name, value: parts.filter { !$0.isEmpty }.joined(separator: ", "))
        }, margin: 26)
    }
    if rows.contains(where: { $0.quantity.unit != .one }) {
      page += "\n" + layout.paragraph(Raw.numberHelp)
    }
    let fields = rows.isEmpty ? "" : " " + type.example()
    return page + layout.heading("example") + "  sphero raw \(type.name)\(fields)\n"
  }

  static let variables: HelpTable = [
    "SPHERO_PORT": "The robot's port if --port is not given: see 'sphero help ports'.",
    "NO_COLOR": "If set and not empty, nothing is printed in colour.",
    "CLICOLOR_FORCE": "If set and not 0, colours are printed to pipes and files too.",
    "TERM":
      "If it is not set or 'dumb', there are no panels, and colours only if CLICOLOR_FORCE is set.",
    "COLORTERM": "If it is 'truecolor' or '24bit', panels use 24-bit colours.",
    "LC_ALL":
      "The locale, else LC_CTYPE, else LANG: if it is set, but not to UTF-8, pictures are drawn in ASCII.",
    "COLUMNS":
      "The width of help pages, 40 to 120, and of tables on a terminal; by default, that of the window.",
  ]

  private static func environment(_ layout: Layout) -> String {
    layout.paragraph("There is no configuration file; these variables are read.")
      + layout.heading("variables") + layout.table(Array(variables), margin: 18)
  }

  static let portKinds: HelpTable = [
    "/dev/rfcomm0":
      "A serial device file: on Linux after 'rfcomm bind', on macOS like /dev/cu.Sphero-RGB-AMP-SPP.",
    "68:86:E7:01:02:03":
      "A robot by its Bluetooth address, without a device file (Linux); @2 after it is the channel.",
    "ble:BB-D911":
      "An Ollie, BB-8 or SPRK+ by its name, or by its address as ble:C1:6E:04:5E:D9:11 (Linux); untried on a robot.",
    "tcp:127.0.0.1:4000": "A server that passes bytes on, like ser2net, socat or 'sphero simulate --listen'.",
    "sim:": "A simulated robot; options follow the colon: sim:model=ollie,drop=1%.",
    "replay:FILE": "A recording that answers as the robot did.",
  ]

  private static func ports(_ layout: Layout) -> String {
    layout.paragraph(
      "'--port' or $SPHERO_PORT says where the robot is. 'sphero devices' lists what there is.")
      + layout.heading("ports") + layout.table(Array(portKinds), margin: 22)
      + layout.heading("first use on Linux") + PairingSteps.linux.map { "  \($0)\n" }.joined()
      + layout.heading("first use on macOS") + PairingSteps.mac.map { "  \($0)\n" }.joined()
  }
}
