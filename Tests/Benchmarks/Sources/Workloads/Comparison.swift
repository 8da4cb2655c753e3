// Defines the rows of the table: work that the library and a counterpart ("baseline") implement with equal results.

/// One row of the table: two implementations of the same work.
public struct Comparison {
  /// The name of the row on the command line.
  public let name: String
  /// A description of the work.
  public let work: String
  /// The counted unit: packet, byte, sample or update.
  public let unit: String
  /// The number of units per run.
  public let count: Int
  /// The maximum time, as a multiple of the counterpart's.
  public let limit: Double
  /// The name of the counterpart.
  public let baselineName: String
  /// Runs the library's implementation once.
  public let ours: () -> Void
  /// Runs the counterpart once.
  public let baseline: () -> Void
  /// Compares all values; returns a description of the first difference, or nil.
  public let difference: () -> String?

  init(
    _ name: String, _ work: String, unit: String, count: Int, limit: Double, baselineName: String = "C",
    ours: @escaping () -> Void, baseline: @escaping () -> Void, difference: @escaping () -> String?
  ) {
    (self.name, self.work, self.unit, self.count) = (name, work, unit, count)
    (self.limit, self.baselineName) = (limit, baselineName)
    (self.ours, self.baseline, self.difference) = (ours, baseline, difference)
  }

  /// The rows in table order, created lazily; `divisor` reduces the size of the input.
  public static func makers(reducedBy divisor: Int = 1) -> [(name: String, make: () -> Comparison)] {
    decoding(divisor) + orientation(divisor)
  }
}

/// A seeded random number generator (SplitMix64).
public struct SeededNumbers: RandomNumberGenerator {
  private var state: UInt64

  /// Starts at a seed.
  public init(seed: UInt64) { state = seed }

  /// The next 64 bits.
  public mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }
}

/// Describes the first pair that differs by more than both `floor` and `tolerance` times the larger magnitude.
func firstDifference(_ ours: [Double], _ baseline: [Double], tolerance: Double, floor: Double = 0) -> String?
{
  guard ours.count == baseline.count else { return "\(ours.count) values, not \(baseline.count)" }
  for (place, (a, b)) in zip(ours, baseline).enumerated() {
    let near = abs(a - b) <= max(tolerance * max(abs(a), abs(b)), floor)
    if !near && !(a.isNaN && b.isNaN) { return "value \(place) is \(a), not \(b)" }
  }
  return nil
}
