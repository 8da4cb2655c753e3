// A model of a rolling ball with dead time, lag, stiction and a heading control that stops early.

import Foundation
import SpheroControls
import SpheroOrientation
import TestSupport

/// A ball on a floor and its link, independent of the simulated robot.
///
/// The units are centimetres, seconds and degrees clockwise; y is heading 0.
struct RollingModel {
  /// The delays of a command and of a reading.
  var (outbound, inbound) = (0.06, 0.04)
  /// The probability that a command or a reading is lost.
  var loss = 0.0
  /// The ratio of the actual speed to the commanded one, and the time constant.
  var (gain, lag) = (1.0, 0.12)
  /// The minimum commanded speed that moves the ball.
  var stiction = 0.0
  var turnRate = 300.0
  /// The heading error at which the ball stops turning.
  var deadZone = 0.0
  /// The clockwise rotation of the locator's axes against headings.
  var axesTurn = 0.0
  var samplePeriod = 0.05
  /// The y of a wall; nil without one.
  var wall: Double?
  /// The time for which a hand holds the ball.
  var held = 0.0
  /// The time after which there are no readings; nil for no limit.
  var silence: Double?

  private(set) var (x, y, speed, nose) = (0.0, 0.0, 0.0, 0.0)
  /// The total rotation, and the time.
  private(set) var (turned, time) = (0.0, 0.0)
  private var asked = (speed: 0.0, heading: 0.0)
  private var commands: [(time: Double, speed: Double, heading: Double)] = []
  private var readings: [Odometry] = []
  private var generator: SeededGenerator
  private var sampled = 0.0

  init(seed: UInt64 = 1, _ configure: (inout RollingModel) -> Void = { _ in }) {
    generator = SeededGenerator(seed: seed)
    configure(&self)
  }

  struct Run {
    var last: Guidance
    var time: Double
    /// The final position in the frame of the locator.
    var place: Position
    /// The total rotation.
    var turned: Double
    /// The position at each step.
    var trace: [Position]
    /// The commanded speeds, 0...1.
    var speeds: [Double]
  }

  /// The position on the rotated axes of the locator.
  var place: Position {
    let angle = axesTurn * .pi / 180
    return Position(x: x * cos(angle) - y * sin(angle), y: x * sin(angle) + y * cos(angle))
  }

  /// Steps a guide ten times a second until it ends or the time limit expires.
  mutating func run(_ guide: inout some Guide, limit: Double = 60) -> Run {
    var (last, trace, speeds) = (Guidance.stop, [place], [Double]())
    advance(by: 0.2)
    while time < limit {
      if let reading = newest {
        last = guide.step(reading, at: time)
        switch last {
        case .drive(let drive):
          speeds.append(drive.speed)
          send(
            speed: Double(drive.speedByte) / 255 * 200, heading: drive.heading.map { Double($0.wholeDegrees) }
          )
        case .stop: send(speed: 0, heading: nil)
        case .arrived, .failed:
          return Run(last: last, time: time - 0.2, place: place, turned: turned, trace: trace, speeds: speeds)
        }
      }
      advance(by: 0.1) { trace.append($0) }
    }
    return Run(last: last, time: time, place: place, turned: turned, trace: trace, speeds: speeds)
  }

  private var newest: Odometry? { readings.last { $0.time + inbound <= time } }

  private mutating func send(speed: Double, heading: Double?) {
    guard !generator.isTrue(loss) else { return }
    commands.append((time + outbound, speed, heading ?? asked.heading))
  }

  private mutating func advance(by length: Double, _ record: (Position) -> Void = { _ in }) {
    let step = 0.005
    for _ in 0..<Int((length / step).rounded()) {
      time += step
      while let first = commands.first, first.time <= time {
        asked = (first.speed, first.heading)
        commands.removeFirst()
      }
      let error = (asked.heading - nose).remainder(dividingBy: 360)
      let isHeld = time < held
      if abs(error) > deadZone, !isHeld {
        let turn = max(-turnRate * step, min(turnRate * step, error - (error > 0 ? deadZone : -deadZone)))
        nose += turn
        turned += turn
      }
      let target = isHeld || asked.speed < stiction && speed < 1 ? 0 : asked.speed * gain
      speed += (target - speed) * min(1, step / lag)
      if abs(speed) < 0.05, target == 0 { speed = 0 }
      let (nextX, nextY) = (
        x + speed * sin(nose * .pi / 180) * step, y + speed * cos(nose * .pi / 180) * step
      )
      if let wall, nextY > wall { speed = 0 } else { (x, y) = (nextX, nextY) }
      record(place)
      sample()
    }
  }

  private mutating func sample() {
    guard time >= sampled + samplePeriod, silence.map({ time < $0 }) ?? true else { return }
    sampled = time
    guard !generator.isTrue(loss) else { return }
    let angle = (nose - axesTurn) * .pi / 180
    let place = place
    readings.append(
      Odometry(
        time: time, position: Position(x: place.x.rounded(), y: place.y.rounded()),
        velocity: Position(
          x: (speed * sin(angle) * 10).rounded() / 10, y: (speed * cos(angle) * 10).rounded() / 10),
        heading: Heading(degrees: nose.rounded()) ?? .ahead))
    if readings.count > 100 { readings.removeFirst(50) }
  }
}
