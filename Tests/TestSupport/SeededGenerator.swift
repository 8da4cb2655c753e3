// Random numbers that are the same for the same seed, and the seed that a failure prints.

import Foundation

/// A generator of random numbers that are the same for the same seed on every machine.
///
/// Steele, Lea and Flood, "Fast splittable pseudorandom number generators", 2014.
public struct SeededGenerator: RandomNumberGenerator, Sendable {
  private var state: UInt64

  /// Starts at a seed.
  public init(seed: UInt64) { state = seed }

  /// The next 64 bits.
  public mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  /// True with a probability of 0...1.
  public mutating func isTrue(_ probability: Double) -> Bool {
    Double.random(in: 0..<1, using: &self) < probability
  }
}

/// How long a random test runs and where it begins.
///
/// The environment variables `SPHERO_STEPS` and `SPHERO_SEED` say so; without a seed, each run has another.
public struct RandomRun: Sendable {
  /// Steps to take at least.
  public let steps: Int
  /// Where the next history begins.
  public private(set) var seed: UInt64

  /// Takes the environment's choice.
  ///
  /// - Parameters:
  ///   - steps: Steps where the environment says nothing.
  ///   - usual: The seed where the environment says nothing; nil for another one each time.
  public init(steps: Int, seed usual: UInt64? = nil) {
    let environment = ProcessInfo.processInfo.environment
    self.steps = environment["SPHERO_STEPS"].flatMap { Int($0) } ?? steps
    seed =
      environment["SPHERO_SEED"].flatMap { UInt64($0) } ?? usual ?? UInt64.random(in: 0...UInt64(UInt32.max))
  }

  /// What repeats the present history.
  public var repetition: String { "SPHERO_SEED=\(seed)" }

  /// Starts the next history.
  public mutating func next() { seed &+= 1 }
}
