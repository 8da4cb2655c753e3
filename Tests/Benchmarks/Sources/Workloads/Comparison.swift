// A piece of work that the library and a twin do alike, and what must be equal before it is timed.

/// One row of the table: the same work done twice.
public struct Comparison {
  /// The word that names the row on the command line.
  public let name: String
  /// What is done.
  public let work: String
  /// What is counted: packet, byte, sample, update.
  public let unit: String
  /// How many of them a run has.
  public let count: Int
  /// The longest time wanted.
  public let wanted: Wanted
  /// Who the other is.
  public let twinName: String
  /// Does the work once.
  public let ours: () -> Void
  /// Does the work once.
  public let twin: () -> Void
  /// Compares all values; gives what differs, or nil.
  public let difference: () -> String?

  /// The longest time wanted.
  public enum Wanted {
    /// That many times the twin's.
    case times(Double)
    /// That many nanoseconds for each of what is counted.
    case nanoseconds(Double)
  }

  init(
    _ name: String, _ work: String, unit: String, count: Int, wanted: Wanted, twinName: String = "C",
    ours: @escaping () -> Void, twin: @escaping () -> Void, difference: @escaping () -> String?
  ) {
    (self.name, self.work, self.unit, self.count) = (name, work, unit, count)
    (self.wanted, self.twinName) = (wanted, twinName)
    (self.ours, self.twin, self.difference) = (ours, twin, difference)
  }

  /// The rows in the order of the table, made when asked for, with all that is decoded less by a divisor.
  public static func makers(reducedBy divisor: Int = 1) -> [(name: String, make: () -> Comparison)] {
    decoding(divisor) + orientation(divisor)
  }
}

/// Numbers that follow from a seed (SplitMix64).
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

/// Where two lists of numbers differ by more than `tolerance` times the larger size, and by more than `floor`.
func firstDifference(_ ours: [Double], _ twin: [Double], tolerance: Double, floor: Double = 0) -> String? {
  guard ours.count == twin.count else { return "\(ours.count) values, not \(twin.count)" }
  for (place, (a, b)) in zip(ours, twin).enumerated() {
    let near = abs(a - b) <= max(tolerance * max(abs(a), abs(b)), floor)
    if !near && !(a.isNaN && b.isNaN) { return "value \(place) is \(a), not \(b)" }
  }
  return nil
}
