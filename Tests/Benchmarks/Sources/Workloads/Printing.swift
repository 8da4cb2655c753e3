// Defines the rows that format dissections as text; only their instructions are counted.

import SpheroProtocol

extension Comparison {
  /// The rows without a counterpart in C.
  public static func printing(reducedBy divisor: Int) -> [(name: String, make: () -> Comparison)] {
    [
      ("json", { printing("json", divisor) { $0.json.utf8.count } }),
      ("text", { printing("text", divisor) { $0.description.utf8.count } }),
    ]
  }

  private static func printing(
    _ name: String, _ divisor: Int, _ length: @escaping (Dissection) -> Int
  ) -> Comparison {
    let stream = SensorBytes(packets: 2000 / divisor)
    return Comparison(
      name, "dissection as \(name)", unit: "packet", count: stream.packets, limit: 1,
      ours: {
        var dissector = Dissector(mask: SensorBytes.mask, frames: 1)
        var sum = 0
        for piece in stream.pieces {
          for item in dissector.append(piece, from: .robot, at: nil) { sum &+= length(item) }
        }
        keep(sum)
      }, baseline: {}, difference: { nil })
  }
}
