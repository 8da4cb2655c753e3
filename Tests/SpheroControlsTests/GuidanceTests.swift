// The control laws on an independent model of a ball, with dead times, lags and losses.

import Foundation
import SpheroOrientation
import TestSupport
import Testing

@testable import SpheroControls

/// The seeds for each ball; SPHERO_SEEDS sets their number.
private let seeds = 1...(ProcessInfo.processInfo.environment["SPHERO_SEEDS"].flatMap { UInt64($0) } ?? 20)

/// Prints a row of Docs/Reliability.md, median and maximum of each column, if SPHERO_FIGURES is set.
private func figure(_ name: String, _ columns: [[Double]]) {
  guard ProcessInfo.processInfo.environment["SPHERO_FIGURES"] != nil else { return }
  let cells = columns.map { column in
    let sorted = column.sorted()
    return String(format: "%.1f / %.1f", sorted[sorted.count / 2], sorted.last ?? 0)
  }
  print("figure: | \(([name] + cells).joined(separator: " | ")) |")
}

@Suite struct PathGuidanceTests {
  /// A ball and its limits for a path of 2 m; Docs/Reliability.md has the figures of 100 seeds.
  struct Ball: CustomTestStringConvertible, Sendable {
    var name: String
    var roundTrip = 0.1
    /// The maximum time in seconds.
    var maximumTime = 6.0
    /// The maximum overshoot in centimetres.
    var maximumOvershoot = 5.0
    var configure: @Sendable (inout RollingModel) -> Void
    var testDescription: String { name }
  }

  static let balls = [
    Ball(name: "as documented") { $0.loss = 0.05 },
    Ball(name: "80 ms each way", roundTrip: 0.16) { ($0.loss, $0.outbound, $0.inbound) = (0.05, 0.08, 0.08) },
    Ball(name: "one packet in five lost", maximumTime: 7) { $0.loss = 0.2 },
    Ball(name: "half a second of dead time", roundTrip: 0.5, maximumTime: 12) {
      ($0.loss, $0.outbound, $0.inbound) = (0.05, 0.3, 0.2)
    },
    Ball(name: "three times slower than its answers", roundTrip: 0.1, maximumTime: 8) {
      ($0.loss, $0.outbound, $0.inbound) = (0.05, 0.2, 0.1)
    },
    Ball(name: "sluggish, at half of the speed", maximumTime: 12) {
      ($0.loss, $0.gain, $0.lag) = (0.05, 0.5, 0.5)
    },
    Ball(name: "quick, and a third too fast") { ($0.loss, $0.gain, $0.lag) = (0.05, 1.3, 0.05) },
    Ball(name: "locator turned by 40°") { ($0.loss, $0.axesTurn) = (0.05, 40) },
    Ball(name: "locator turned round", maximumTime: 7) { ($0.loss, $0.axesTurn) = (0.05, 180) },
    Ball(name: "stops to turn 10° too early", maximumTime: 8) { ($0.loss, $0.deadZone) = (0.05, 10) },
    Ball(name: "sticks below 8 cm/s", maximumTime: 9) { ($0.loss, $0.stiction, $0.lag) = (0.05, 8, 0.2) },
  ]

  /// Drives a ball along a path from the origin; returns the run and the overshoot in centimetres.
  static func drive(_ ball: Ball, _ points: [Position], _ seed: UInt64) throws -> (RollingModel.Run, Double) {
    var model = RollingModel(seed: seed, ball.configure)
    let path = try #require(FloorPath([Position(x: 0, y: 0)] + points))
    var guide = PathGuidance(along: path, topSpeed: 120.0 / 255, roundTrip: ball.roundTrip)
    let run = model.run(&guide)
    let (start, end) = (path.points[path.points.count - 2], path.end)
    let (x, y) = (end.x - start.x, end.y - start.y)
    let along = run.trace.map { (place) -> Double in (place.x - end.x) * x + (place.y - end.y) * y }
    return (run, (along.max() ?? 0) / (x * x + y * y).squareRoot())
  }

  @Test(arguments: balls) func twoMetres(_ ball: Ball) throws {
    var columns: [[Double]] = [[], [], []]
    for seed in seeds {
      let (run, overshoot) = try Self.drive(ball, [Position(x: 120, y: 160)], seed)
      #expect(run.last == .arrived, "seed \(seed): \(run.place)")
      let error = run.place.distance(to: Position(x: 120, y: 160))
      #expect(error <= 3, "seed \(seed): \(run.place)")
      #expect(overshoot <= ball.maximumOvershoot, "seed \(seed)")
      #expect(run.time <= ball.maximumTime, "seed \(seed)")
      for (index, value) in [error, overshoot, run.time].enumerated() { columns[index].append(value) }
    }
    figure(ball.name, columns)
  }

  @Test func speedDecreasesBeforeTheEnd() throws {
    let (run, _) = try Self.drive(Ball(name: "good") { _ in }, [Position(x: 0, y: 200)], 1)
    // The limit is 120/255 of full speed, and 25 cm/s until the rotation of the axes is known.
    #expect(abs(try #require(run.speeds.max()) - 120.0 / 255) < 1e-9)
    #expect(run.speeds.prefix(3).allSatisfy { $0 <= 0.125 + 1e-12 })
    let last = run.speeds.suffix(6)
    #expect(last.allSatisfy { $0 < 0.1 } && zip(last, last.dropFirst()).allSatisfy { $0 >= $1 - 1e-12 })
  }

  @Test func cornersAreNotCut() throws {
    let square = [(0.0, 100.0), (100, 100), (100, 0), (0, 0)].map { Position(x: $0.0, y: $0.1) }
    // At full speed, a ball with this turn rate would leave the square by 12 cm.
    let (run, _) = try Self.drive(Ball(name: "slow to turn") { $0.turnRate = 120 }, square, 1)
    #expect(run.last == .arrived)
    for corner in square {
      let nearest = run.trace.map { $0.distance(to: corner) }.min()
      #expect(try #require(nearest) < 12, "\(corner)")
    }
    let floor = -6.0...106
    #expect(run.trace.allSatisfy { floor.contains($0.x) && floor.contains($0.y) })
  }

  @Test func ballAtTheGoalDoesNotMove() throws {
    let (run, _) = try Self.drive(
      Ball(name: "good") { _ in }, [Position(x: 0, y: 0), Position(x: 1, y: 0)], 1)
    #expect(run.last == .arrived && run.speeds.isEmpty)
  }

  /// The speed increases while the ball is held; after the release it must not overshoot its goal.
  @Test(arguments: [1.0, 2, 3]) func aBallThatWasHeldArrives(_ seconds: Double) throws {
    for seed in 1...10 as ClosedRange<UInt64> {
      let ball = Ball(name: "held") { ($0.loss, $0.held) = (0.05, seconds) }
      let (run, overshoot) = try Self.drive(ball, [Position(x: 120, y: 160)], seed)
      #expect(run.last == .arrived && overshoot <= 8, "seed \(seed): \(run.place), \(overshoot)")
      #expect(run.time < seconds + 8, "seed \(seed): \(run.time)")
    }
  }

  @Test func wallEndsTheGuidance() throws {
    let (run, _) = try Self.drive(Ball(name: "wall") { $0.wall = 100 }, [Position(x: 0, y: 200)], 1)
    #expect(run.last == .failed(.noProgress))
    #expect(run.time < 10)
  }

  /// The place 5 cm further is the same one.
  @Test func aHairpinHasACourse() throws {
    let points = [Position(x: 0, y: 0), Position(x: 0, y: 100), Position(x: 0, y: 0)]
    let path = try #require(FloorPath(points))
    #expect(path.course(at: 97.5) == .ahead && path.course(at: 100) == .behind)
    #expect(path.course(at: 200) == nil)
  }

  @Test func missingReadingsStopTheBall() throws {
    var model = RollingModel(seed: 1) { $0.silence = 2 }
    let path = try #require(FloorPath([Position(x: 0, y: 0), Position(x: 0, y: 500)]))
    var guide = PathGuidance(along: path)
    let run = model.run(&guide)
    #expect(run.last == .failed(.noReadings))
    // The guidance stops the ball after half a second without readings, before it fails.
    #expect(run.time < 6 && abs(run.place.y - (run.trace.last?.y ?? 0)) < 0.1 && run.place.y < 160)
  }

  @Test func motionAfterMissingReadingsBeginsAsTheFirst() throws {
    let path = try #require(FloorPath([Position(x: 0, y: 0), Position(x: 0, y: 4)]))
    var guide = PathGuidance(along: path, tolerance: 1)
    func decision(reading time: Double, at now: Double) -> Guidance {
      let origin = Position(x: 0, y: 0)
      return guide.step(Odometry(time: time, position: origin, velocity: origin, heading: .ahead), at: now)
    }
    let first = decision(reading: 0, at: 0)
    guard case .drive = first else { throw Failure() }
    #expect(decision(reading: 0, at: 0.7) == .stop)
    // The speed does not increase for the time without readings: 0.45 s must pass again before it does.
    for time in [1, 1.1, 1.2, 1.3, 1.4] { #expect(decision(reading: time, at: time) == first, "\(time) s") }
    #expect(decision(reading: 1.5, at: 1.5) != first)
  }

  private struct Failure: Error {}

  @Test func timeLimitEndsTheGuidance() throws {
    var model = RollingModel(seed: 1)
    let path = try #require(FloorPath([Position(x: 0, y: 0), Position(x: 0, y: 500)]))
    var guide = PathGuidance(along: path, timeLimit: 3)
    let run = model.run(&guide)
    #expect(run.last == .failed(.timeout) && run.time <= 3.2)
  }

  @Test func extremeNumbersGiveValidDrives() throws {
    var generator = SeededGenerator(seed: 7)
    let path = try #require(FloorPath([Position(x: 0, y: 0), Position(x: 10, y: 0)]))
    for _ in 0..<2_000 {
      var guide = PathGuidance(
        along: path, tolerance: extremeNumber(using: &generator), topSpeed: extremeNumber(using: &generator),
        timeLimit: extremeNumber(using: &generator), roundTrip: extremeNumber(using: &generator))
      var turn = TurnGuidance(
        by: .degrees(extremeNumber(using: &generator)), tolerance: .degrees(extremeNumber(using: &generator)),
        timeLimit: extremeNumber(using: &generator), roundTrip: extremeNumber(using: &generator))
      for _ in 0..<5 {
        func number() -> Double { extremeNumber(using: &generator) }
        let reading = Odometry(
          time: number(), position: Position(x: number(), y: number()),
          velocity: Position(x: number(), y: number()), heading: Heading(degrees: number()) ?? .ahead)
        let now = number()
        for decision in [guide.step(reading, at: now), turn.step(reading, at: now)] {
          guard case .drive(let drive) = decision else { continue }
          #expect(drive.speed.isFinite && drive.speed <= 1)
        }
      }
    }
  }
}

@Suite struct TurnGuidanceTests {
  @Test(arguments: [90.0, -90, 3, 180, -270, 720, 0])
  func turnsByTheAngle(_ angle: Double) {
    for seed in 1...10 as ClosedRange<UInt64> {
      var model = RollingModel(seed: seed) { ($0.loss, $0.turnRate) = (0.05, 1_000) }
      var guide = TurnGuidance(by: .degrees(angle))
      let run = model.run(&guide)
      #expect(run.last == .arrived && abs(run.turned - angle) <= 1.5, "seed \(seed): \(run.turned)")
      #expect(run.time < 2 + abs(angle) / 100, "seed \(seed)")
    }
  }

  /// A correction while the ball is held must not make a command lead by more than half a turn.
  @Test(arguments: [100.0, -180, 360]) func aBallThatWasHeldTurnsInTheRightDirection(_ angle: Double) {
    for seed in 1...10 as ClosedRange<UInt64> {
      var model = RollingModel(seed: seed) { ($0.loss, $0.held) = (0.05, 0.8) }
      var guide = TurnGuidance(by: .degrees(angle))
      let run = model.run(&guide)
      #expect(run.last == .arrived && abs(run.turned - angle) <= 1.5, "seed \(seed): \(run.turned)")
    }
  }

  @Test func aRobotThatStartsLateIsNotLedPastTheGoal() throws {
    var guide = TurnGuidance(by: .degrees(90))
    let origin = Position(x: 0, y: 0)
    for time in stride(from: 0, through: 1.5, by: 0.1) {
      let guidance = guide.step(Odometry(time: time, position: origin, heading: .ahead), at: time)
      guard case .drive(let drive) = guidance else {
        Issue.record("\(guidance) at \(time) s")
        return
      }
      #expect(drive.heading == 90, "at \(time) s")
    }
  }

  @Test func aCommandLeadsByAtMost120Degrees() throws {
    var guide = TurnGuidance(by: .degrees(180))
    let origin = Position(x: 0, y: 0)
    for time in stride(from: 0, through: 2, by: 0.1) {
      let guidance = guide.step(Odometry(time: time, position: origin, heading: .ahead), at: time)
      guard case .drive(let drive) = guidance else { break }
      #expect(try #require(drive.heading).degrees <= 120, "at \(time) s")
    }
  }

  /// Some robots stop 15 degrees before the commanded heading.
  @Test(arguments: [90.0, -90, 20, 720])
  func correctsARobotThatStopsEarly(_ angle: Double) {
    for seed in 1...10 as ClosedRange<UInt64> {
      var model = RollingModel(seed: seed) { ($0.loss, $0.deadZone, $0.turnRate) = (0.05, 15, 150) }
      var guide = TurnGuidance(by: .degrees(angle))
      let run = model.run(&guide)
      #expect(run.last == .arrived && abs(run.turned - angle) <= 1.5, "seed \(seed): \(run.turned)")
    }
  }

  @Test func turnsInTheShorterDirection() throws {
    for (heading, way) in [(350.0, -10.0), (170, 170), (190, -170), (0, 0)] {
      var model = RollingModel(seed: 1)
      var guide = TurnGuidance(by: Heading.ahead.turn(to: try #require(Heading(degrees: heading))))
      let run = model.run(&guide)
      #expect(run.last == .arrived && abs(run.turned - way) <= 1.5, "\(heading): \(run.turned)")
    }
  }

  @Test func blockedRobotEndsTheGuidance() {
    var model = RollingModel(seed: 1) { $0.turnRate = 0 }
    var guide = TurnGuidance(by: .degrees(90))
    let run = model.run(&guide)
    #expect(run.last == .failed(.noProgress) && run.time < 6)
  }
}

@Suite struct FloorPathTests {
  @Test func parsesOnePointPerLine() throws {
    let path = try FloorPath(parsing: "# a corner\r\n0 100\r\n\n  50.5,-3 # left\n\t100.\t-0")
    #expect(path.points == [Position(x: 0, y: 100), Position(x: 50.5, y: -3), Position(x: 100, y: 0)])
  }

  @Test(arguments: [
    ("1 2\n3", 2, "3"), ("x y", 1, "x y"), ("1 2 3", 1, "1 2 3"), ("\n\nnan 0", 3, "nan 0"),
    ("0 inf", 1, "0 inf"), ("1e3 0", 1, "1e3 0"),
    ("0x10 0", 1, "0x10 0"), ("0 +5", 1, "0 +5"), ("0 -", 1, "0 -"), ("0 --5", 1, "0 --5"), ("1;2", 1, "1;2"),
    ("\u{1B}[2J 1", 1, "?[2J 1"),
  ])
  func errorsNameTheInvalidLine(_ text: String, _ line: Int, _ seen: String) {
    #expect {
      try FloorPath(parsing: text)
    } throws: { error in
      let error = error as? TextLineError
      return error?.code == .unknownLine && error?.line == line && error?.text == seen
    }
  }

  @Test func sizeAndCoordinatesAreLimited() {
    let codes = [
      "32001 0", "0 -1" + String(repeating: "0", count: 400), String(repeating: "0 0\n", count: 10_000),
      "# nothing", "",
    ].map {
      text in
      do throws(TextLineError) { _ = try FloorPath(parsing: text) } catch { return error.code }
      return TextLineError.Code.unknownLine
    }
    #expect(codes == [.tooFar, .tooFar, .tooLong, .empty, .empty])
    #expect(FloorPath([]) == nil && FloorPath([Position(x: .nan, y: 0)]) == nil)
  }

  @Test func positionsAlongThePath() throws {
    let path = try FloorPath(parsing: "0 0\n30 40\n30 40\n30 140")
    #expect(path.length == 150)
    #expect(
      path.position(at: 25) == Position(x: 15, y: 20) && path.position(at: 60) == Position(x: 30, y: 50))
    #expect(path.position(at: -1) == Position(x: 0, y: 0) && path.position(at: 1e9) == path.end)
    let later = try #require(path.beginning(at: Position(x: 5, y: 6), isRelative: true))
    #expect(later.points.first == Position(x: 5, y: 6) && later.end == Position(x: 35, y: 146))
    #expect(path.beginning(at: Position(x: 5, y: 6), isRelative: false)?.end == path.end)
    #expect(path.beginning(at: Position(x: 32_000, y: 0), isRelative: true) == nil)
  }
}
