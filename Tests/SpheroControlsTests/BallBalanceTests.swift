// The ball on the tilting screen against the tables of the corrected and of the original algorithm.
import SpheroControls
import TestSupport
import Testing

struct BallRow: Decodable, Sendable {
  let view: [Double]
  let ball: Double
  let accelPerGPxS2: Double
  let axG: [Double]
  let ayG: [Double]
  let tS: [Double]
  let statePxPyVxVy: [[Double]]

  func makeBall() throws -> BallBalance {
    let size = Point(x: view[0], y: view[1])
    return try #require(
      BallBalance(
        viewSize: size, ballSize: Point(x: ball, y: ball), accelerationPerG: accelPerGPxS2))
  }

  /// Integrates the samples from an index on, and compares the state after each with the table.
  func replay(from first: Int) throws {
    var ball = try makeBall()
    for index in tS.indices[first...] {
      ball.update(accelerationX: axG[index], accelerationY: ayG[index], timestamp: tS[index])
      let state = [ball.position.x, ball.position.y, ball.velocity.x, ball.velocity.y]
      for (value, expected) in zip(state, statePxPyVxVy[index]) {
        #expect(agree(value, expected), "sample \(index)")
      }
    }
  }
}

@Suite(.ownThread) struct BallBalanceTests {
  @Test func correctedTable() throws {
    let table = try rows("ball_balance_first_sample_guarded", of: "drive", as: BallRow.self)
    #expect(!table.isEmpty)
    for row in table { try row.replay(from: 0) }
  }

  @Test func originalAgreesAfterItsFirstSample() throws {
    let table = try rows("ball_balance_seed_verbatim", of: "drive", as: BallRow.self)
    #expect(!table.isEmpty)
    for row in table {
      // The first sample of the original integrates the uptime; the second resets the ball.
      #expect(row.statePxPyVxVy[0][3] == -row.ayG[0] * row.accelPerGPxS2 * row.tS[0])
      try row.replay(from: 1)
    }
  }

  @Test func gapsAreNotIntegrated() throws {
    var ball = try #require(BallBalance(viewSize: Point(x: 320, y: 480)))
    // The timestamp is below the maximum gap, so only the rule for the first sample holds the ball.
    ball.update(accelerationX: 1, accelerationY: 0, timestamp: 0.5)
    #expect(ball.velocity == Point(x: 0, y: 0))
    ball.update(accelerationX: 1, accelerationY: 0, timestamp: 0.625)
    let moving = ball
    #expect((moving.position, moving.velocity) == (Point(x: 163.125, y: 240), Point(x: 25, y: 0)))
    ball.update(accelerationX: 1, accelerationY: 0, timestamp: 3600)
    #expect((ball.position, ball.velocity) == (moving.position, moving.velocity))
    ball.update(accelerationX: 1, accelerationY: 0, timestamp: 5)
    #expect((ball.position, ball.velocity) == (moving.position, moving.velocity))
    ball.update(accelerationX: 0, accelerationY: 0, timestamp: 3600.5)
    #expect(ball.position == Point(x: 175.625, y: 240))
  }

  @Test func ballOffTheScreenIsReset() throws {
    var ball = try #require(BallBalance(viewSize: Point(x: 320, y: 480)))
    for step in 0...20 {
      ball.update(accelerationX: 1, accelerationY: 0, timestamp: Double(step) * 0.1)
      #expect(ball.position.x <= 320)
    }
    ball.update(accelerationX: -1e9, accelerationY: 0, timestamp: 2.1)
    #expect((ball.position, ball.velocity) == (Point(x: 160, y: 240), Point(x: 0, y: 0)))
  }

  /// The walls hold the upper left corner of the ball within 0...220 and 0...380; each step is half a second.
  @Test func wallsBounce() throws {
    var ball = try #require(BallBalance(viewSize: Point(x: 320, y: 480)))
    ball.edge = .wall
    for (x, time) in [(0, 0), (1, 0.5), (-1, 1.0)] as [(Double, Double)] {
      ball.update(accelerationX: x, accelerationY: 0, timestamp: time)
    }
    // 160 + 100 · 0.5 = 210; then the velocity is 0.
    #expect((ball.position, ball.velocity) == (Point(x: 210, y: 240), Point(x: 0, y: 0)))
    ball.update(accelerationX: 2, accelerationY: -4, timestamp: 1.5)
    // 210 + 200 · 0.5 exceeds 220: half of the speed remains. 240 + 400 · 0.5 = 440 exceeds 380.
    #expect((ball.position, ball.velocity) == (Point(x: 220, y: 380), Point(x: -100, y: -200)))
    ball.update(accelerationX: -7, accelerationY: 8, timestamp: 2)
    // 220 - 800 · 0.5 and 380 - 1000 · 0.5 are beyond the other walls.
    #expect((ball.position, ball.velocity) == (Point(x: 0, y: 0), Point(x: 400, y: 500)))
    #expect(ball.resets == 0)
  }

  @Test func aBallThatWasPressedAgainstAWallStaysThereOnALevelScreen() throws {
    var ball = try #require(BallBalance(viewSize: Point(x: 320, y: 480)))
    ball.edge = .wall
    for step in 0...2_000 {
      let tilt = step < 400 ? 0.5 : 0
      ball.update(accelerationX: tilt, accelerationY: tilt, timestamp: Double(step) * 0.025)
    }
    #expect((ball.position, ball.velocity) == (Point(x: 220, y: 0), Point(x: 0, y: 0)))
  }

  @Test func aScreenSmallerThanTheBallHoldsIt() throws {
    var ball = try #require(BallBalance(viewSize: Point(x: 50, y: 50)))
    ball.edge = .wall
    for step in 0...20 {
      ball.update(accelerationX: 1, accelerationY: -1, timestamp: Double(step) * 0.1)
    }
    #expect(ball.position == Point(x: 0, y: 0) && ball.resets == 0)
  }

  @Test func resetsAreCounted() throws {
    var ball = try #require(BallBalance(viewSize: Point(x: 320, y: 480)))
    ball.update(accelerationX: 0, accelerationY: 0, timestamp: 0)
    for step in 1...3 {
      ball.update(accelerationX: 1e9, accelerationY: 0, timestamp: Double(step) * 0.1)
      #expect(ball.resets == step)
    }
    ball.reset()
    #expect(ball.resets == 3)
  }
}
