// A random script of a hand that tilts a controller.

/// Returns a script of a hand that tilts a controller in random directions, and holds it level after each of them.
///
/// It begins level for a time, because the first reading is the zero level.
public func handScript(
  _ random: inout SeededGenerator, for length: Duration, level: Duration = .seconds(2)
) -> String {
  var lines = ["hold level", "wait \(Int(level / .milliseconds(1)))ms"]
  for _ in 0..<max(1, Int(length / .seconds(3))) {
    let (pitch, roll) = (Int.random(in: -20...20, using: &random), Int.random(in: -20...20, using: &random))
    lines += ["hold pitch \(pitch) roll \(roll < 0 ? roll - 8 : roll + 8)"]
    lines += ["wait \(Int.random(in: 1_000...3_000, using: &random))ms"]
    lines += ["hold level", "wait \(Int.random(in: 300...900, using: &random))ms"]
  }
  return lines.joined(separator: "\n")
}
