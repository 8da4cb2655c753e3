// A ball of another make than the simulated robot: dead time, lag, stiction, a control that stops turning too early.

import Foundation
import SpheroControls
import SpheroOrientation
import TestSupport

/// A ball on a floor behind a link, written without the robot's model, for control laws to be tried on.
///
/// Centimetres, seconds, degrees clockwise; the floor's y is heading 0.
struct RollingModel {
  /// How long a command and a reading are on their way.
  var (outbound, inbound) = (0.06, 0.04)
  /// How likely each of them is lost.
  var loss = 0.0
  /// How fast it rolls, of what was asked for, and how slowly it gets there.
  var (gain, lag) = (1.0, 0.12)
  /// What was asked for below this does not move it.
  var stiction = 0.0
  var turnRate = 300.0
  /// How near to its heading it stops to turn.
  var deadZone = 0.0
  /// How far the locator's axes are turned clockwise against headings.
  var axesTurn = 0.0
  var samplePeriod = 0.05
  /// Where it stands for good; nil for nowhere.
  var wall: Double?
  /// When its readings cease; nil for never.
  var silence: Double?

  private(set) var (x, y, speed, nose) = (0.0, 0.0, 0.0, 0.0)
  /// All that it turned, and the time.
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

  /// How a guide fared.
  struct Run {
    var last: Guidance
    var time: Double
    /// Where the ball lies, in the frame of the locator.
    var place: Position
    /// All that it turned.
    var turned: Double
    /// The place at each moment.
    var trace: [Position]
    /// The speeds that it was told, in order.
    var speeds: [Double]
  }

  /// Its place as the locator counts it: to the right and ahead on turned axes.
  var place: Position {
    let angle = axesTurn * .pi / 180
    return Position(x: x * cos(angle) - y * sin(angle), y: x * sin(angle) + y * cos(angle))
  }

  /// Lets a guide lead the ball, ten times a second, until it ends or the time is over.
  mutating func lead(_ guide: inout some Guide, limit: Double = 60) -> Run {
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
        case .arrived, .gaveUp:
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

  private mutating func advance(by length: Double, _ tell: (Position) -> Void = { _ in }) {
    let step = 0.005
    for _ in 0..<Int((length / step).rounded()) {
      time += step
      while let first = commands.first, first.time <= time {
        asked = (first.speed, first.heading)
        commands.removeFirst()
      }
      let way = (asked.heading - nose).remainder(dividingBy: 360)
      if abs(way) > deadZone {
        let turn = max(-turnRate * step, min(turnRate * step, way - (way > 0 ? deadZone : -deadZone)))
        nose += turn
        turned += turn
      }
      let wanted = asked.speed < stiction && speed < 1 ? 0 : asked.speed * gain
      speed += (wanted - speed) * min(1, step / lag)
      if abs(speed) < 0.05, wanted == 0 { speed = 0 }
      let (nextX, nextY) = (
        x + speed * sin(nose * .pi / 180) * step, y + speed * cos(nose * .pi / 180) * step
      )
      if let wall, nextY > wall { speed = 0 } else { (x, y) = (nextX, nextY) }
      tell(place)
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
