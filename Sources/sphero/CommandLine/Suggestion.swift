// What somebody may have meant who wrote a word that nobody knows.

/// What somebody may have meant.
enum Suggestion {
  /// `; did you mean '…'?`, or nothing where no name is near.
  static func text(for word: String, among names: [String]) -> String {
    nearest(to: word, among: names).map { "; did you mean '\($0)'?" } ?? ""
  }

  /// The name that is nearest to a word: a slip or two away, or beginning with it.
  static func nearest(to word: String, among names: [String]) -> String? {
    let word = letters(of: word)
    // Of a short word, two letters are too much to be a slip.
    let most = word.count <= 3 ? 1 : 2
    let near = names.map { (name: $0, distance: distance(letters(of: $0), word)) }
      .min { $0.distance < $1.distance }
    if let near, near.distance <= most { return near.name }
    guard word.count >= 2 else { return nil }
    let longer = names.filter { letters(of: $0).hasPrefix(word) }
    return longer.count == 1 ? longer.first : nil
  }

  /// A word without its case and its hyphens, which are no slips.
  private static func letters(of word: String) -> String {
    word.lowercased().filter { $0 != "-" && $0 != "_" }
  }

  /// The slips between two words: letters put in, left out, exchanged, or swapped with their neighbour
  /// (Damerau 1964; each letter is part of one slip).
  static func distance(_ first: String, _ second: String) -> Int {
    let (first, second) = (Array(first.prefix(64)), Array(second.prefix(64)))
    var rows = [Array(0...second.count)]
    for (index, letter) in first.enumerated() {
      var row = [index + 1]
      for (column, other) in second.enumerated() {
        var least = min(rows[index][column + 1], row[column]) + 1
        least = min(least, rows[index][column] + (letter == other ? 0 : 1))
        if index > 0, column > 0, letter == second[column - 1], other == first[index - 1] {
          least = min(least, rows[index - 1][column - 1] + 1)
        }
        row.append(least)
      }
      rows.append(row)
    }
    return rows[first.count][second.count]
  }
}
