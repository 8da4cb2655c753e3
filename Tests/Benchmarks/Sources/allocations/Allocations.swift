// Counts the allocations per decoded packet; exits with 1 if a path allocates unexpectedly.

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
      print("allocations: skipped, counting requires Linux")
      return
    }
    var hasFailed = false
    for path in DecodingPath.all {
      // Performs the allocations that occur once per process.
      _ = blocks(path, packets: 1)
      // The initial allocations of a decoder and the growth of its buffer are the same for both counts.
      let (few, many) = (blocks(path, packets: 5_000), blocks(path, packets: 25_000))
      let each = Double(many - few) / 20_000
      let isExpected = path.allocates ? each >= 1 : each == 0
      print(
        "\(isExpected ? "ok" : "FAILS") \(path.name): \(each) per packet, \(path.allocates ? "at least 1" : "0") expected"
      )
      hasFailed = hasFailed || !isExpected
    }
    if hasFailed {
      print("the decoder allocates unexpectedly, or the counter does not work")
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
