import Workloads

@main struct Benchmark {
  static func main() {
    for maker in Comparison.makers {
      let row = maker.make()
      let clock = ContinuousClock()
      if let d = row.difference() { print(row.name, d) }
      var a = Double.infinity
      var b = Double.infinity
      for _ in 0..<7 {
        a = min(a, clock.measure { row.ours() } / .nanoseconds(1) / Double(row.count))
        b = min(b, clock.measure { row.twin() } / .nanoseconds(1) / Double(row.count))
      }
      print(row.name, a, b, a / b)
    }
  }
}
