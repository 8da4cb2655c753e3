// Did-you-mean suggestions for misspelt words and for the words of other tools.

enum Suggestion {
  /// Returns `; did you mean '…'?`, or an empty string if no name is similar.
  static func text(for word: String, among names: [String]) -> String {
    nearest(to: word, among: names).map { "; did you mean '\($0)'?" } ?? ""
  }

  /// Returns the option that another tool calls `--name`, if any, with its value if the name implies it.
  static func option(for name: String) -> String? {
    switch letters(of: name) {
    case "duration", "time", "seconds": "for"
    case "rate", "samplerate", "frequency", "hertz": "hz"
    case "device", "address", "robot": "port"
    case "fields", "sensors", "columns": "mask"
    case "samples", "number", "limit": "count"
    case "velocity", "power": "speed"
    case "csv": "format csv"
    case "json": "format json"
    default: nil
    }
  }

  /// Returns the name within one or two edits of a word, else the only name that it abbreviates.
  static func nearest(to word: String, among names: [String]) -> String? {
    let word = letters(of: word)
    // Two edits would replace most of a short word.
    let maximum = word.count <= 3 ? 1 : 2
    let near = names.map { (name: $0, distance: distance(letters(of: $0), word)) }
      .min { $0.distance < $1.distance }
    if let near, near.distance <= maximum { return near.name }
    guard word.count >= 2 else { return nil }
    let longer = names.filter { letters(of: $0).hasPrefix(word) }
    return longer.count == 1 ? longer.first : nil
  }

  /// Removes differences that do not count as edits: case and hyphens.
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
