// Random numbers that are the same for the same seed on every computer.

/// A small generator of random numbers, the same for the same seed on every computer.
///
/// It is not suitable for secrets.
/// The algorithm is SplitMix64 (Steele, Lea and Flood 2014, "Fast splittable pseudorandom number
/// generators").
package struct SplitMix64: RandomNumberGenerator, Hashable, Sendable {
  private var state: UInt64

  package init(seed: UInt64) { state = seed }

  package mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  /// A number from -amplitude up to, but not including, amplitude.
  package mutating func next(within amplitude: Double) -> Double {
    // A `Double` represents the upper 53 bits exactly.
    amplitude * (Double(next() >> 11) * 0x1p-52 - 1)
  }
}
