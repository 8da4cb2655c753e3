// Counts what decoding allocates for each packet: nothing, or this exits with 1.

import CAllocations
import Workloads

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

@main struct Allocations {
  static func main() {
    guard allocation_count() >= 0 else {
      print("allocations: skipped, only glibc has a way to count them")
      return
    }
    var fails = false
    for path in DecodingPath.all {
      // What is made once in a process is made here.
      _ = blocks(path, packets: 1)
      // What a decoder allocates to begin with, and as its buffer grows, is the same for both.
      let (few, many) = (blocks(path, packets: 5_000), blocks(path, packets: 25_000))
      let each = Double(many - few) / 20_000
      let isRight = path.allocates ? each >= 1 : each == 0
      print(
        "\(isRight ? "holds" : "FAILS") \(path.name): \(each) a packet, \(path.allocates ? "at least 1" : "0") wanted"
      )
      fails = fails || !isRight
    }
    if fails {
      print("the decoder allocates where it must not, or the count does not work")
      exit(1)
    }
  }

  static func blocks(_ path: DecodingPath, packets: Int) -> Int {
    let run = path.prepared(packets)
    let before = allocation_count()
    run()
    return allocation_count() - before
  }
}
