// Prints the table: the library's work beside the same in C.
//
//   benchmark [--quick] [NAME...]     rows of Markdown; without a NAME, all that need no other program
//   benchmark names                   the names of those rows
//   benchmark once NAME COUNT         does the library's work of a row COUNT times, for whoever counts instructions
//   benchmark start COUNT OURS C      start to end of two programs
//   benchmark print NAME LIMIT FILE OURS -- C    two commands that print the same of a file
//   benchmark live SECONDS LIMIT OURS -- C       two programs that print what a robot streams
import CProcesses
import Workloads

@main struct Benchmark {
  static func main() {
    var words = Array(CommandLine.arguments.dropFirst())
    let isQuick = words.first == "--quick"
    if isQuick { words.removeFirst() }
    switch words.first {
    case "names": for maker in Comparison.makers { print(maker.name) }
    case "once" where words.count == 3: once(words[1], Int(words[2]) ?? 0)
    default:
      if let row = ProcessRow(words, isQuick: isQuick) { return print(row.text) }
      for maker in Comparison.makers where words.isEmpty || words.contains(maker.name) {
        print(Measurement(maker.make(), isQuick: isQuick).text)
      }
    }
  }

  private static func once(_ name: String, _ count: Int) {
    guard let maker = Comparison.makers.first(where: { $0.name == name }) else {
      fatalError("no row has the name \(name)")
    }
    let row = maker.make()
    for _ in 0..<count { row.ours() }
    print(row.count, row.unit)
  }
}
