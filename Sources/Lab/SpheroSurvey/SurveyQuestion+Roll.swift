// The locator's axes and units, by a short way on the floor.

import SpheroOrientation
import SpheroProtocol

extension SurveyQuestion {
  static let rollQuestions = [
    SurveyQuestion(
      "locator-ahead", "Where does the locator go on heading 0?", ["Y grows", "X grows"], assumed: 0,
      by: "roll", judge: { locatorAhead($0[0]) }),
    SurveyQuestion(
      "locator-right", "And on heading 90, to the right?", ["X grows", "X falls"], assumed: 0, by: "roll",
      judge: { locatorRight($0[0]) }),
    SurveyQuestion(
      "velocity-unit", "What is a count of the streamed velocity, where a count of the locator is 1 cm?",
      ["1 mm/s", "1 cm/s"], assumed: 0, by: "roll", judge: { velocityUnit($0[0]) }),
    SurveyQuestion(
      "locator-unit", "What is a count of the locator?", ["1 cm", "1 mm"], assumed: 0, by: "roll",
      judge: { locatorUnit($0[0]) }),
    SurveyQuestion(
      "emf-unit", "What is a count of the filtered back EMF?", ["22.5 cm/s"], assumed: nil,
      takes: "no unit, counts alone", by: "roll", judge: { emfUnit($0[0]) }),
  ]

  /// A way on one heading: how far it went in counts, and the sums over its samples.
  private struct Leg {
    var x = 0.0, y = 0.0
    /// Velocity times time, in counts times seconds.
    var xTravel = 0.0, yTravel = 0.0
    /// Velocities of the locator and of the wheels, added up while it rolls.
    var velocity = 0.0, wheels = 0.0
    var distance: Double { (x * x + y * y).squareRoot() }
  }

  /// What was streamed between the command to roll on a heading and the next turn.
  private static func leg(_ heading: UInt16, in part: SurveyLog.Part) -> Leg? {
    var sampler = SurveySampler()
    var isRolling = false
    var samples: [Sample] = []
    for entry in part.entries {
      let new = sampler(entry)
      if case .sent(let command) = entry.item, command.id == Motion.Roll.id,
        let roll = try? Motion.Roll(payload: command.payload), roll.state == .drive
      {
        isRolling = roll.heading == heading && roll.speed > 0
      }
      if isRolling { samples += new.map(\.sample) }
    }
    let step = part.streams(with: SurveyStep.rolling.sensorMask).first?.framePeriod ?? 0
    guard let first = samples.first, let last = samples.last, samples.count >= 20 else { return nil }
    func change(_ field: SensorField) -> Double { (last[field] ?? 0) - (first[field] ?? 0) }
    var leg = Leg(x: change(.odometerX), y: change(.odometerY))
    for sample in samples {
      let (x, y) = (sample[.velocityX] ?? 0, sample[.velocityY] ?? 0)
      leg.xTravel += x * step
      leg.yTravel += y * step
      let wheels = (abs(sample[.emfLeft] ?? 0) + abs(sample[.emfRight] ?? 0)) / 2
      if wheels >= 1 {
        leg.velocity += (x * x + y * y).squareRoot()
        leg.wheels += wheels
      }
    }
    return leg
  }

  private static let still = SurveyJudgement.open([], "the ball hardly moved, or too few samples came")

  /// A leg on which the ball went somewhere.
  private static func way(_ heading: UInt16, in part: SurveyLog.Part) -> Leg? {
    leg(heading, in: part).flatMap { $0.distance >= 10 ? $0 : nil }
  }

  private static func text(_ value: Double, _ digits: Int = 0) -> String {
    (value > 0 ? "+" : "") + Decimal.text(value, digits: digits)
  }

  private static func locatorAhead(_ part: SurveyLog.Part) -> SurveyJudgement {
    guard let leg = way(0, in: part) else { return still }
    let evidence = "X \(text(leg.x)), Y \(text(leg.y))"
    // Within 30 degrees of an axis.
    if leg.y > 0.86 * leg.distance { return .side(0, evidence) }
    if leg.x > 0.86 * leg.distance { return .side(1, evidence) }
    return .unexplained("neither X nor Y grows alone", evidence)
  }

  private static func locatorRight(_ part: SurveyLog.Part) -> SurveyJudgement {
    guard let leg = way(90, in: part) else { return still }
    let evidence = "X \(text(leg.x)), Y \(text(leg.y))"
    guard abs(leg.x) > 0.86 * leg.distance else { return .unexplained("X does not change alone", evidence) }
    return .side(leg.x > 0 ? 0 : 1, evidence)
  }

  private static func velocityUnit(_ part: SurveyLog.Part) -> SurveyJudgement {
    guard let leg = way(0, in: part) else { return still }
    let travel = (leg.xTravel * leg.xTravel + leg.yTravel * leg.yTravel).squareRoot()
    guard travel > 0 else { return .unexplained("the velocity stays zero") }
    let unit = leg.distance / travel * 10
    return .nearest(
      unit, of: [1, 10], within: 0.3, seen: "\(Decimal.text(unit, digits: 2)) mm/s",
      "\(Decimal.text(unit, digits: 2)) mm/s")
  }

  private static func locatorUnit(_ part: SurveyLog.Part) -> SurveyJudgement {
    guard let leg = way(0, in: part) else { return still }
    let evidence = "\(Decimal.text(leg.distance, digits: 0)) counts in 1.5 s at speed 60, about half a metre"
    // Speeds differ by robot and floor: a factor of 3 either way still tells the two apart.
    switch leg.distance {
    case 17...150: return .side(0, evidence)
    case 170...1_500: return .side(1, evidence)
    default: return .unexplained(evidence, evidence)
    }
  }

  private static func emfUnit(_ part: SurveyLog.Part) -> SurveyJudgement {
    guard let leg = way(0, in: part) else { return still }
    guard leg.wheels > 0 else { return .unexplained("the back EMF stays zero") }
    let unit = leg.velocity / leg.wheels / 10
    let evidence = "\(Decimal.text(unit, digits: 2)) cm/s by the velocity in mm/s"
    return .nearest(unit, of: [22.5], within: 0.25, seen: evidence, evidence)
  }
}
