// Tests of the systematic errors of the gyroscope, and of motors that measure pushes in one direction.

import SpheroOrientation
import SpheroProtocol
import TestSupport
import Testing

@testable import SpheroModel

@Suite(.ownThread) struct SensorOptionTests {
  /// The streamed rates of a spinning robot in degrees per second: the last of a second, without noise.
  private func rate(
    _ axes: SensorAxes, spinning spin: Vector3, _ configure: (inout GyroscopeErrors) -> Void
  ) throws -> [Double] {
    var talk = Talk {
      $0.sensorAxes = axes
      ($0.errors.accelerationNoise, $0.errors.rateNoise) = (0, 0)
      configure(&$0.errors.gyroscope)
    }
    talk.robot.spin(spin * (.pi / 180), at: talk.now)
    // Filtered gyroscope, 0.1 degrees per second a count, 10 Hz.
    _ = talk.send(0x02, 0x11, [0, 40, 0, 1, 0, 0, 0x1C, 0, 0])
    let last = frames(talk.wait(.seconds(1))).last
    return try #require(last).map { Double($0) / 10 }
  }

  @Test(arguments: [Duration.seconds(Int64.max), .seconds(-1)]) func anyEventGapIsAccepted(_ gap: Duration) {
    var configuration = RobotModel.Configuration()
    configuration.eventGap = gap
    var robot = RobotModel(configuration)
    robot.connect(at: .zero)
    robot.receive(Talk.packet(0x02, 0x11, [0, 40, 0, 1, 0, 0, 0x1C, 0, 0]), at: .zero)
    robot.tick(at: .seconds(1))
    #expect(!robot.takeOutput().isEmpty)
  }

  private func isNear(_ rates: [Double], _ expected: [Double]) -> Bool {
    rates.count == expected.count && zip(rates, expected).allSatisfy { abs($0 - $1) <= 0.1 }
  }

  @Test func theBiasIsAddedOnTheAxesOfTheStream() throws {
    for axes in SensorAxes.allCases {
      let rates = try rate(axes, spinning: .zero) { $0.bias = Vector3(1.5, -2, 3) }
      #expect(isNear(rates, [1.5, -2, 3]), "\(axes) \(rates)")
    }
  }

  @Test func theScaleMultipliesEachAxis() throws {
    let rates = try rate(.a, spinning: Vector3(100, -200, 300)) { $0.scale = Vector3(0.1, -0.05, 0.01) }
    #expect(isNear(rates, [110, -190, 303]), "\(rates)")
    // In reading C, x and y point the other way; the scale keeps the sign.
    let turned = try rate(.c, spinning: Vector3(100, -200, 300)) { $0.scale = Vector3(0.1, -0.05, 0.01) }
    #expect(isNear(turned, [-110, 190, 303]), "\(turned)")
  }

  @Test func theMisalignmentTurnsTheGyroscope() throws {
    // Turned by 90 degrees about z, its x axis lies along the robot's y, and its y axis against the robot's x.
    let rates = try rate(.a, spinning: Vector3(100, 20, 5)) { $0.misalignment = Vector3(0, 0, 90) }
    #expect(isNear(rates, [20, -100, 5]), "\(rates)")
    // By 2 degrees about x: y measures z sin 2 degrees.
    let small = try rate(.a, spinning: Vector3(0, 0, 100)) { $0.misalignment = Vector3(2, 0, 0) }
    #expect(isNear(small, [0, 3.49, 99.94]), "\(small)")
  }

  @Test func theDriftFollowsTheTemperature() throws {
    var talk = Talk {
      ($0.sensorAxes, $0.errors.rateNoise) = (.a, 0)
      $0.permanentOptions = []
      $0.errors.gyroscope.drift = Vector3(1, 0, -2)
    }
    // Both motors forward at full power for a minute, then braked; 15 degrees of warming with a constant of 600 s.
    _ = talk.send(0x02, 0x33, [1, 255, 1, 255])
    _ = talk.wait(.seconds(60))
    _ = talk.send(0x02, 0x33, [3, 0, 3, 0])
    _ = talk.wait(.seconds(4))
    // Get Temperature: whole degrees and tenths.
    let response = talk.ask(0x02, 0x16)
    let answer = try #require(response)
    let warming = Double(answer[0]) + Double(answer[1]) / 10 - 24.5
    _ = talk.send(0x02, 0x11, [0, 40, 0, 1, 0, 0, 0x1C, 0, 0])
    let last = frames(talk.wait(.seconds(1))).last
    let rates = try #require(last).map { Double($0) / 10 }
    #expect(warming > 1.2 && warming < 1.5)
    #expect(isNear(rates, [warming, 0, -2 * warming]), "\(warming) \(rates)")
  }

  @Test func withoutErrorsTheRatesAreExact() throws {
    #expect(isNear(try rate(.a, spinning: Vector3(10, 20, 30)) { _ in }, [10, 20, 30]))
  }

  // MARK: The locator

  /// The locator's y in centimetres after a push ahead or back, before and after the motors have driven.
  private func pushed(_ change: Double, missing: Bool, afterDrive: Bool) throws -> Double {
    var talk = Talk { $0.missesForwardPushes = missing }
    if afterDrive {
      talk.roll(60, 0)
      _ = talk.wait(.milliseconds(300))
      talk.roll(0, 0, state: 0)
      _ = talk.wait(.seconds(2))
    }
    // Stabilization off, so that the motors are off.
    _ = talk.send(0x02, 0x02, [0])
    let start = talk.robot.locatorPosition.y
    talk.robot.knock(Planar(0, change), at: talk.now)
    _ = talk.wait(.seconds(1))
    return talk.robot.locatorPosition.y - start
  }

  @Test func thePushAheadIsMissedOnlyAfterADriveAndOnlyIfConfigured() throws {
    // A push of 0.5 m/s rolls for 42 cm in a second: 0.15 m/s² of friction.
    for (change, missing, afterDrive, expected) in [
      (0.5, false, true, 42.5), (-0.5, false, true, -42.5), (0.5, true, false, 42.5),
      (0.5, true, true, 0), (-0.5, true, true, -42.5),
    ] {
      let way = try pushed(change, missing: missing, afterDrive: afterDrive)
      #expect(abs(way - expected) < 0.5, "\(change) \(missing) \(afterDrive): \(way)")
    }
  }

  @Test func theBackEMFMissesThePushAheadToo() throws {
    for missing in [false, true] {
      var talk = Talk { $0.missesForwardPushes = missing }
      // Motors off by raw mode 0, after a drive.
      _ = talk.send(0x02, 0x33, [1, 60, 1, 60])
      _ = talk.wait(.milliseconds(200))
      _ = talk.send(0x02, 0x33, [0, 0, 0, 0])
      talk.robot.knock(Planar(0, 1), at: talk.now)
      // Filtered back EMF of both motors and velocity y, 10 Hz.
      _ = talk.send(0x02, 0x11, [0, 40, 0, 1, 0, 0, 0, 0x60, 0, 0x00, 0x80, 0, 0])
      let first = frames(talk.wait(.milliseconds(200))).first
      let words = try #require(first)
      #expect(words.count == 3 && words.allSatisfy { missing ? $0 == 0 : $0 > 0 }, "\(words)")
    }
  }

  // MARK: The floor

  @Test func twoRobotsDoNotStartInOnePlace() throws {
    #expect(try Floor(parsing: "start 0 0\nstart 0.08 0").starts.count == 2)
    for (text, line, other) in [
      ("start 0 0\nstart 0 1\n\nstart 0 0", 4, 1), ("\nstart 0 1\nstart 0.05 1", 3, 2),
    ] {
      let error = #expect(throws: TextLineError.self) { try Floor(parsing: text) }
      #expect(error?.code == .tooClose && error?.line == line, "\(text)")
      #expect(error?.expected == "the ball overlaps that of line \(other)", "\(text)")
    }
  }

  @Test func aStartOutsideTheRoomIsAnError() throws {
    #expect(try Floor(parsing: "start 0.9 -0.9\nroom 2 2").starts == [Planar(0.9, -0.9)])
    #expect(try Floor(parsing: "wall 5 0 6 0\nstart 20 20").starts.count == 1)
    for (text, line, range) in [
      ("room 2 2\nstart 1.5 0", 2, "of 2 by 2 m; write X from -0.963 to 0.963"),
      ("start 0 -0.97\nroom 4 2", 1, "and Y from -0.963 to 0.963"),
      ("room 4 4\nroom 2 2\nstart 0 1.5", 3, "of 2 by 2 m"),
    ] {
      let error = #expect(throws: TextLineError.self) { try Floor(parsing: text) }
      #expect(error?.code == .tooFar && error?.line == line, "\(text)")
      #expect(error?.expected.contains(range) == true, "\(text)")
    }
    #expect(Floor.room.walls == Floor(width: 2, depth: 2).walls)
  }
}
