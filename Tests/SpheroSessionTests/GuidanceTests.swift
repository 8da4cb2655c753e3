// Guided motions of the simulated robot, over a slow link that loses packets: the figures of Docs/Reliability.md.

import Foundation
import SpheroControls
import SpheroModel
import SpheroOrientation
import SpheroProtocol
import SpheroSession
import SpheroSimulator
import SpheroSystem
import SpheroTransport
import TestSupport
import Testing

/// The number of seeds for each row: SPHERO_SEEDS, or a few.
private let seeds = 1...(ProcessInfo.processInfo.environment["SPHERO_SEEDS"].flatMap { UInt64($0) } ?? 4)

/// The result of a motion by the state of the simulated robot, not by its stream.
private struct Trial: Sendable {
  /// Centimetres or degrees from the goal at the end, at rest.
  var error: Double
  /// The maximum distance beyond the goal along the last segment, in centimetres.
  var beyond = 0.0
  /// The maximum distance from the path, in centimetres.
  var aside = 0.0
  var seconds: Double
}

/// Median and maximum of some figures.
private func spread(_ values: [Double], digits: Int = 1) -> String {
  let sorted = values.sorted()
  guard let worst = sorted.last else { return "-" }
  return String(format: "%.\(digits)f / %.\(digits)f", sorted[sorted.count / 2], worst)
}

/// Prints a row of Docs/Reliability.md if SPHERO_FIGURES is set.
private func figure(_ name: String, _ trials: [Trial], isTurn: Bool = false) {
  guard ProcessInfo.processInfo.environment["SPHERO_FIGURES"] != nil else { return }
  let way = isTurn ? "" : " | \(spread(trials.map(\.beyond))) | \(spread(trials.map(\.aside)))"
  print("figure: | \(name) | \(spread(trials.map(\.error)))\(way) | \(spread(trials.map(\.seconds))) |")
}

private func degrees(_ radians: Double) -> Double { radians * 180 / .pi }

@Suite(.ownThread) struct GuidanceTests {
  /// A link of 80 ms that loses one packet in 20, both ways.
  private static let lossy = [Fault(.drop, chance: 0.05, of: .all)]
  /// The same, with a delay of 80 ms for answers and samples as well.
  private static let slow = lossy + [Fault(.delay(.milliseconds(80)), of: .fromRobot)]

  private func game(_ seed: UInt64) -> Game {
    Game {
      $0.latency = .milliseconds(80)
      $0.seed = seed
    }
  }

  /// Follows a path from the origin, and measures the state of the ball.
  private func trial(
    _ points: [Position], _ seed: UInt64, _ faults: [Fault], speed: Double = 120.0 / 255
  ) async throws -> Trial {
    let game = game(seed)
    let path = try #require(FloorPath(points))
    let corners = [Position(x: 0, y: 0)] + points
    let (beyond, aside) = (Locked(-Double.infinity), Locked(0.0))
    let motion = try await game.play(faults: faults, seed: seed, settings: Robot.Settings()) { robot in
      let watch = Task(executorPreference: game.time) {
        while true {
          let place = await game.robot.locatorPosition
          let here = Position(x: place.x, y: place.y)
          beyond.withLock { $0 = max($0, Self.way(of: here, beyond: corners)) }
          aside.withLock { $0 = max($0, Self.distance(of: here, from: corners)) }
          try await game.time.sleep(for: .milliseconds(10))
        }
      }
      defer { watch.cancel() }
      return try await robot.follow(path, speed: speed)
    }
    #expect(motion.error <= 3)
    let (place, goal) = (await game.robot.locatorPosition, path.end)
    let error = ((place.x - goal.x) * (place.x - goal.x) + (place.y - goal.y) * (place.y - goal.y))
      .squareRoot()
    #expect(await game.robot.speed < 0.01, "seed \(seed): it rests")
    return Trial(
      error: error, beyond: beyond.withLock { $0 }, aside: aside.withLock { $0 },
      seconds: motion.duration / .seconds(1))
  }

  private static func way(of place: Position, beyond corners: [Position]) -> Double {
    let (start, end) = (corners[corners.count - 2], corners[corners.count - 1])
    let (x, y) = (end.x - start.x, end.y - start.y)
    return ((place.x - end.x) * x + (place.y - end.y) * y) / (x * x + y * y).squareRoot()
  }

  private static func distance(of place: Position, from corners: [Position]) -> Double {
    zip(corners, corners.dropFirst()).map { start, end in
      let (x, y) = (end.x - start.x, end.y - start.y)
      let along = ((place.x - start.x) * x + (place.y - start.y) * y) / (x * x + y * y)
      let part = max(0, min(1, along))
      let (right, ahead) = (place.x - start.x - part * x, place.y - start.y - part * y)
      return (right * right + ahead * ahead).squareRoot()
    }.min() ?? 0
  }

  /// A position 2 m away in a direction that the seed determines.
  private func goal(_ seed: UInt64, _ distance: Double) -> Position {
    var generator = SeededGenerator(seed: seed)
    let angle = Double.random(in: 0..<(2 * .pi), using: &generator)
    return Position(x: distance * sin(angle), y: distance * cos(angle))
  }

  @Test(arguments: [("80 ms", lossy), ("80 ms each way", slow)])
  func twoMetres(_ name: String, _ faults: [Fault]) async throws {
    var trials: [Trial] = []
    for seed in seeds {
      let trial = try await trial([goal(seed, 200)], seed, faults)
      #expect(
        trial.error <= 3 && trial.beyond <= 5 && trial.seconds <= (name == "80 ms" ? 6 : 8),
        "seed \(seed): \(trial)")
      trials.append(trial)
    }
    figure("go, 2 m, \(name)", trials)
  }

  @Test func shortWays() async throws {
    for distance in [5.0, 30] {
      var trials: [Trial] = []
      for seed in seeds {
        let trial = try await trial([goal(seed, distance)], seed, Self.lossy)
        #expect(trial.error <= 3.5 && trial.beyond <= 5 && trial.seconds <= 6, "seed \(seed): \(trial)")
        trials.append(trial)
      }
      figure("go, \(Int(distance)) cm, 80 ms", trials)
    }
  }

  @Test func aSquare() async throws {
    var trials: [Trial] = []
    let square = [
      Position(x: 0, y: 100), Position(x: 100, y: 100), Position(x: 100, y: 0), Position(x: 0, y: 0),
    ]
    for seed in seeds {
      let trial = try await trial(square, seed, Self.lossy)
      #expect(trial.error <= 3.5 && trial.beyond <= 5 && trial.aside <= 20, "seed \(seed): \(trial)")
      trials.append(trial)
    }
    figure("follow, a square of 1 m, 80 ms", trials)
  }

  @Test(arguments: [("80 ms", lossy), ("80 ms each way", slow)])
  func turns(_ name: String, _ faults: [Fault]) async throws {
    var trials: [Trial] = []
    for seed in seeds {
      var generator = SeededGenerator(seed: seed)
      let angle = Double.random(in: -540...540, using: &generator).rounded()
      let game = game(seed)
      let motion = try await game.play(faults: faults, seed: seed, settings: Robot.Settings()) { robot in
        try await robot.turn(by: .degrees(angle))
      }
      let error = abs((await game.robot.locatorPosition.heading - angle).remainder(dividingBy: 360))
      #expect(error <= 2, "seed \(seed): \(angle) degrees, \(motion)")
      trials.append(Trial(error: error, seconds: motion.duration / .seconds(1)))
    }
    figure("turn, -540...540°, \(name)", trials, isTurn: true)
  }
}
