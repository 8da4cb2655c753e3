// Prints rows of the table that compares the library with equivalent C code.
//
//   benchmark [--quick] [NAME...]                        the rows that require no other program
//   benchmark names                                      the names of these rows
//   benchmark counted                                    the names of the rows whose instructions are counted
//   benchmark once NAME COUNT                            runs a tenth of the library's work of a row COUNT times
//   benchmark bytes|capture COUNT                        writes sensor packets to stdout, for the programs below
//   benchmark [--quick] start WORK LIMIT OURS -- C       compares the run time of two programs
//   benchmark [--quick] print WORK LIMIT FILE OURS -- C  compares two programs with the same output
//   benchmark live SECONDS OURS -- C                     compares two programs that stream from a robot

import Workloads

@main struct Benchmark {
  static func main() {
    var words = Array(CommandLine.arguments.dropFirst())
    let isQuick = words.first == "--quick"
    if isQuick { words.removeFirst() }
    switch words.first {
    case "names": for maker in Comparison.makers() { print(maker.name) }
    case "counted": for maker in counted { print(maker.name) }
    case "bytes" where words.count == 2: SensorFile.write(packets: Int(words[1]) ?? 0, isCapture: false)
    case "capture" where words.count == 2: SensorFile.write(packets: Int(words[1]) ?? 0, isCapture: true)
    case "once" where words.count == 3: once(words[1], Int(words[2]) ?? 0)
    default:
      if let row = ProcessRow(words, isQuick: isQuick) { return print(row.text) }
      for maker in Comparison.makers() where words.isEmpty || words.contains(maker.name) {
        print(Measurement(maker.make(), isQuick: isQuick).text)
      }
    }
  }

  private static var counted: [(name: String, make: () -> Comparison)] {
    Comparison.makers(reducedBy: 10) + Comparison.printing(reducedBy: 10)
  }

  private static func once(_ name: String, _ count: Int) {
    guard let maker = counted.first(where: { $0.name == name }) else {
      fatalError("no row has the name \(name)")
    }
    let row = maker.make()
    for _ in 0..<count { row.ours() }
    print(row.count, row.unit)
  }
}
