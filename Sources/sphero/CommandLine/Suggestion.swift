// Suggestions for misspelt words, and for the words of other tools.

import SpheroProtocol

enum Suggestion {
  /// Returns `; did you mean '…'?` with the synonym or else the nearest name; an empty string if there is neither.
  static func text(for word: String, synonym: String? = nil, among names: [String]) -> String {
    (synonym ?? nearest(to: word, among: names)).map { "; did you mean '\($0)'?" } ?? ""
  }

  /// Returns the option that other tools call `--name`, with its value if the name implies one; nil for other names.
  static func option(for name: String) -> String? {
    switch letters(of: name) {
    case "duration", "time", "seconds": "for"
    case "rate", "samplerate", "freq", "frequency", "hertz", "interval", "period": "hz"
    case "device", "address", "robot": "port"
    case "fields", "sensors", "columns": "mask"
    case "samples", "number", "limit", "c": "count"
    case "output", "out", "o": "output"
    case "velocity", "power": "speed"
    case "csv": "format csv"
    case "json": "format json"
    default: nil
    }
  }

  /// Returns the verb that other tools call `name`, or else `raw` with the protocol command of that name.
  static func verb(for name: String, among verbs: [any Subcommand.Type]) -> String? {
    verbs.first { $0.otherNames.contains(name.lowercased()) }?.name ?? command(for: name).map { "raw \($0)" }
  }

  /// Returns the protocol command whose name without its group, or also without `Set` or `Get`, is a word.
  static func command(for word: String) -> String? {
    let word = letters(of: word)
    let names = Catalogue.commands.map { $0.name }
    let meant = [word, "set" + word, "get" + word].lazy.compactMap { ending in
      names.first { letters(of: $0).hasSuffix("." + ending) }
    }
    return meant.first
  }

  static func fields(for name: String) -> String? {
    switch letters(of: name) {
    case "euler", "attitude", "angles", "orientation": "imu"
    case "position", "location", "locator": "odometer"
    case "motor", "motors": "emf"
    default: nil
    }
  }

  /// Returns the name within one or two edits of a word, else the only name that the word abbreviates, else the longest
  /// name with which the word begins.
  static func nearest(to word: String, among names: [String]) -> String? {
    let word = letters(of: word)
    // Two edits would replace most of a short word.
    let maximum = word.count < 6 ? 1 : 2
    let near = names.map { (name: $0, distance: distance(letters(of: $0), word)) }
      .min { $0.distance < $1.distance }
    if let near, near.distance <= maximum { return near.name }
    guard word.count >= 2 else { return nil }
    let longer = names.filter { letters(of: $0).hasPrefix(word) }
    if longer.count == 1 { return longer.first }
    return names.filter { $0.count >= 4 && word.hasPrefix(letters(of: $0)) }.max { $0.count < $1.count }
  }

  /// Removes differences that do not count as edits: case, hyphens and underscores.
  private static func letters(of word: String) -> String {
    word.lowercased().filter { $0 != "-" && $0 != "_" }
  }

  /// Returns the optimal string alignment distance: insertions, deletions, substitutions and swaps of neighbours
  /// (Damerau 1964), each letter in one edit at most.
  static func distance(_ first: String, _ second: String) -> Int {
    let (first, second) = (Array(first.prefix(64)), Array(second.prefix(64)))
    var rows = [Array(0...second.count)]
    for (index, letter) in first.enumerated() {
      var row = [index + 1]
      for (column, other) in second.enumerated() {
        var count = min(rows[index][column + 1], row[column]) + 1
        count = min(count, rows[index][column] + (letter == other ? 0 : 1))
        if index > 0, column > 0, letter == second[column - 1], other == first[index - 1] {
          count = min(count, rows[index - 1][column - 1] + 1)
        }
        row.append(count)
      }
      rows.append(row)
    }
    return rows[first.count][second.count]
  }
}
