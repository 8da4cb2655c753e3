// Questions about the axes and units of the locator, judged by a short roll.

import SpheroOrientation
import SpheroProtocol

extension SurveyQuestion {
  static let rollQuestions = [
    SurveyQuestion(
      "locator-ahead", "Where does the locator go on heading 0?", ["Y grows", "X grows"], assumed: 0,
      step: "roll"
    ) { step throws(SurveyJudgement) in
      let leg = try leg(0, in: step)
      // Within about 30 degrees of an axis: the cosine of 30 degrees is 0.866.
      if leg.y > 0.86 * leg.distance { return .answer(0, leg.evidence) }
      if leg.x > 0.86 * leg.distance { return .answer(1, leg.evidence) }
      return .unexplained("neither X nor Y grows alone", leg.evidence)
    },
    SurveyQuestion(
      "locator-right", "Where does the locator go on heading 90, to the right?", ["X grows", "X falls"],
      assumed: 0, step: "roll"
    ) { step throws(SurveyJudgement) in
      let leg = try leg(90, in: step)
      guard abs(leg.x) > 0.86 * leg.distance else {
        return .unexplained("X does not change alone", leg.evidence)
      }
      return .answer(leg.x > 0 ? 0 : 1, leg.evidence)
    },
    SurveyQuestion(
      "velocity-unit", "What is a count of the streamed velocity, where a count of the locator is 1 cm?",
      ["1 mm/s", "1 cm/s"], assumed: 0, step: "roll"
    ) { step throws(SurveyJudgement) in
      let leg = try leg(0, in: step)
      let travel = (leg.xTravel * leg.xTravel + leg.yTravel * leg.yTravel).squareRoot()
      guard travel > 0 else { return .unexplained("the velocity stays zero") }
      // With 1 cm for a count of the locator, the quotient is in cm/s.
      let unit = leg.distance / travel * 10
      let evidence = "\(text(unit, 2)) mm/s"
      return .nearest(unit, of: [1, 10], within: 0.3, seen: evidence, evidence)
    },
    SurveyQuestion(
      "locator-unit", "What is a count of the locator?", ["1 cm", "1 mm"], assumed: 0, step: "roll"
    ) { step throws(SurveyJudgement) in
      let leg = try leg(0, in: step)
      let evidence =
        "\(text(leg.distance, 0)) counts in 1.5 s at speed 60, about half a metre"
      // The speed depends on robot and floor: the ranges allow a third to three times the expected distance.
      switch leg.distance {
      case 17...150: return .answer(0, evidence)
      case 170...1_500: return .answer(1, evidence)
      default: return .unexplained(evidence, evidence)
      }
    },
    SurveyQuestion(
      "emf-unit", "What is a count of the filtered back EMF?", ["22.5 cm/s"], assumed: nil,
      otherwise: "no unit, counts alone", step: "roll"
    ) { step throws(SurveyJudgement) in
      let leg = try leg(0, in: step)
      guard leg.wheelSpeed > 0 else { return .unexplained("the back EMF stays zero") }
      // With 1 mm/s for a count of the velocity, the quotient is in mm/s.
      let unit = leg.speed / leg.wheelSpeed / 10
      let evidence = "\(text(unit, 2)) cm/s by the velocity in mm/s"
      return .nearest(unit, of: [22.5], within: 0.25, seen: evidence, evidence)
    },
  ]

  private struct Leg {
    /// The change of the locator in counts.
    let x: Double
    let y: Double
    /// The integral of the velocity in counts times seconds.
    var xTravel = 0.0
    var yTravel = 0.0
    /// The sum of the magnitudes of the velocity, in counts, over the samples with a back EMF of at least one count.
    var speed = 0.0
    /// The sum of the mean back EMF of both wheels, in counts, over the same samples.
    var wheelSpeed = 0.0

    var distance: Double { (x * x + y * y).squareRoot() }
    var evidence: String { "X \(text(x)), Y \(text(y))" }

    private func text(_ value: Double) -> String { (value > 0 ? "+" : "") + SurveyQuestion.text(value, 0) }
  }

  /// Evaluates the samples between the command to roll on a heading and the next command to drive.
  private static func leg(_ heading: UInt16, in step: SurveyLog.StepLog) throws(SurveyJudgement) -> Leg {
    var sampler = SurveySampler()
    var isRolling = false
    /// Each sample with the nominal time from the one before it, in seconds.
    var samples: [(period: Double, sample: Sample)] = []
    var time = Duration.zero
    for entry in step.entries {
      if case .sent(let command) = entry.item, command.id == Motion.Roll.id,
        let roll = try? Motion.Roll(payload: command.payload), roll.state == .drive
      {
        isRolling = roll.heading == heading && roll.speed > 0
      }
      for (moment, sample) in sampler(entry) {
        if isRolling { samples.append(((moment - time) / .seconds(1), sample)) }
        time = moment
      }
    }
    let tooLittle = SurveyJudgement.undecided([], "the ball hardly moved, or too few samples were received")
    // A leg of 3 s has about 60 samples, and about 50 or 500 counts of the locator.
    guard let first = samples.first?.sample, let last = samples.last?.sample, samples.count >= 20 else {
      throw tooLittle
    }
    func change(_ field: SensorField) -> Double { (last[field] ?? 0) - (first[field] ?? 0) }
    var leg = Leg(x: change(.odometerX), y: change(.odometerY))
    guard leg.distance >= 10 else { throw tooLittle }
    for (period, sample) in samples {
      let (x, y) = (sample[.velocityX] ?? 0, sample[.velocityY] ?? 0)
      leg.xTravel += x * period
      leg.yTravel += y * period
      let wheelSpeed = (abs(sample[.emfLeft] ?? 0) + abs(sample[.emfRight] ?? 0)) / 2
      if wheelSpeed >= 1 {
        leg.speed += (x * x + y * y).squareRoot()
        leg.wheelSpeed += wheelSpeed
      }
    }
    return leg
  }

}
