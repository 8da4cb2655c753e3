// Rows that compare whole programs.

struct ProcessRow {
  let text: String

  init?(_ words: [String], isQuick: Bool) { return nil }
}
