// Asks a person for poses of the ball, and determines the robot's convention from them.

import SpheroOrientation
import SpheroProtocol
import SpheroSession

extension Survey {
  /// The time limit of each new pose, and of the measurement of the offsets, if `--for` is not given.
  static let measurementTime = Duration.seconds(30)

  func findConventions(_ terminal: Terminal) async throws {
    let probe = try await connection.withRobot { robot in
      // Without the control system, the ball stays in each pose. The shutdown of the session switches it on again.
      try await robot.send(Motion.SetStabilization(mode: .off))
      let collector = try await collect(robot, terminal)
      guard let probe = ConventionProbe(collector.poses, turns: collector.turns) else {
        throw Failure(
          .refused, "the accelerometer does not feel 1 g where the ball lies still",
          advice: "Lay it down instead of holding it, and try again.")
      }
      for remark in probe.remarks { await terminal.note(remark, connection) }
      return probe
    }
    try await terminal.print(Sheet.text(probe.fields, kind: "conventions", format))
  }

  private func collect(_ robot: Robot, _ terminal: Terminal) async throws -> PoseCollector {
    let poses = poses ?? 5
    func report(_ text: String) async { await terminal.note(text, connection) }
    func ask(_ collector: PoseCollector) async {
      let pose = collector.count < collector.requested.count ? collector.requested[collector.count] : nil
      await report(
        "pose \(collector.count + 1) of \(poses), \(ProbePose.words(for: pose)), and let it lie still")
    }
    var collector = PoseCollector(wait: wait ?? Self.measurementTime, requesting: ProbePose.allCases)
    await ask(collector)
    for try await sample in try await robot.samples(StreamRequest(mask: [.motion, .imu])) {
      let step = collector(sample)
      switch step {
      case .unusable:
        throw Failure(
          .refused, "the robot streams no quaternion, so there is nothing to find out",
          advice: "Its firmware is older than 1.20; 'sphero info' shows it.")
      case .timedOut:
        throw Failure(
          .timedOut, "the ball did not lie still",
          advice: "Lean it against something, as in a cup, or give it more time with --for.")
      case .completed, .completedSimilar:
        let again = step == .completedSimilar ? "; it is like one before" : ""
        await report("pose \(collector.count) of \(poses) taken\(again)")
        if collector.count >= poses { return collector }
        await ask(collector)
      default: continue
      }
    }
    return collector
  }
}

extension ProbePose {
  static func words(for pose: ProbePose?) -> String {
    switch pose {
    case .level: "level: lay it upright, the blue tail light toward you"
    case .turnedLeft:
      "turned left: turn it level by a quarter counter-clockwise, until the tail light is on the right"
    case .noseUp:
      "nose up: tail light toward you again, lean it back by 30 degrees or more, the tail light down"
    case .rightSideDown:
      "right side down: tail light toward you again, lean it to the right by 30 degrees or more"
    case nil: "any other: tilt it forward and to one side at once, 20 degrees or more each"
    }
  }

  var name: String { String(Self.words(for: self).prefix { $0 != ":" }) }
}

extension Convention {
  /// The name, or the parts of a convention without a name.
  var label: String {
    // Of two equal conventions, the later name is the more specific one.
    if let name = Self.named.last(where: { $0.convention == self })?.name { return name }
    return
      "\(layout.orderText), \(layout.direction), \(body.text); accelerometer \(accelerometerAxes.text)"
  }
}

extension QuaternionLayout {
  fileprivate var orderText: String { order == .scalarFirst ? "w x y z" : "x y z w" }
}

extension AxisMap {
  fileprivate var text: String {
    [x, y, z].map { axis in
      switch axis {
      case .x: "right"
      case .minusX: "left"
      case .y: "ahead"
      case .minusY: "back"
      case .z: "up"
      case .minusZ: "down"
      }
    }.joined(separator: " ")
  }
}

extension ConventionProbe {
  /// The name for `--convention`; nil if the convention is undecided, has no name, or is not one of a Sphero.
  private var name: String? {
    verdict == .decided && convention.isSpheroReading ? convention.name : nil
  }

  fileprivate var remarks: [String] {
    switch verdict {
    case .unexplained:
      return [
        "nothing explains these poses: one lies otherwise than asked for, or a sensor is wrong; try again"
      ]
    case .undecided(let next):
      if let gyroscope, !gyroscope.isExplained {
        return [
          "the gyroscope disagrees with \(candidateNames): a turn went the other way, or its axes are no right-handed ones; "
            + "repeat the pose '\(ProbePose.turnedLeft.name)'"
        ]
      }
      let advice =
        next.map { "the pose '\($0.name)' decides" } ?? "try again with all poses, laid as exactly as you can"
      return ["the poses leave it open between \(candidateNames); \(advice)"]
    case .decided:
      var remarks = [
        name.map { "pass it on as '--convention \($0)'" }
          ?? "no convention with a name is like it; in code, make a 'Convention' of these parts"
      ]
      if let gyroscope, !gyroscope.isAmbiguous, gyroscope.choice != convention.accelerometerAxes {
        remarks.append("the gyroscope has other axes than the accelerometer: \(gyroscope.choice.text)")
      }
      return remarks
    }
  }

  /// The conventions that explain the poses: their names, and the number of those without a name.
  private var candidateNames: String {
    let named = candidates.compactMap { $0.convention.name == nil ? nil : $0.convention.label }.sorted()
    let others = candidates.count - named.count
    return (named + (others > 0 ? ["\(others) without a name"] : [])).joined(separator: ", ")
  }

  var fields: [Field] {
    let isDecided = verdict == .decided
    let found = isDecided ? convention : nil
    let best = candidates.first
    let (verdictText, open, next): (String, String?, ProbePose?) =
      switch verdict {
      case .decided: ("decided", nil, nil)
      case .undecided(let next): ("undecided", candidateNames, next)
      case .unexplained: ("unexplained", nil, nil)
      }
    let meaning = angles.flatMap { $0.isDecided ? $0.choice.renamed(by: convention.body.inverse) : nil }
    return [
      text("verdict", verdictText), text("reading", isDecided ? best?.convention.label : nil),
      text("convention", name),
      text("open", open), text("next_pose", next?.name),
      text("quaternion_words", found?.layout.orderText),
      text("quaternion_takes", found?.layout.direction.description),
      text("quaternion_axes", found?.body.text), text("accelerometer_axes", found?.accelerometerAxes.text),
      angle("accelerometer_residual", best?.accelerometerResidual),
      angle("pose_residual", best?.poseResidual), angle("heading_residual", best?.headingResidual),
      text("runner_up", runnerUp?.convention.label),
      angle("runner_up_accelerometer_residual", runnerUp?.accelerometerResidual),
      angle("runner_up_pose_residual", runnerUp?.poseResidual),
      text("angle_order", meaning?.order.sequence.rawValue),
      text("pitch_counts", meaning.map { $0.pitch == .x ? "nose up" : "nose down" }),
      text("roll_counts", meaning.map { $0.roll == .y ? "right side down" : "left side down" }),
      text("yaw_counts", meaning.map { $0.yaw == .z ? "counter-clockwise" : "clockwise" }),
      angle("angle_residual", angles?.residual), angle("angle_runner_up", angles?.runnerUp),
      text("gyroscope_axes", gyroscope.flatMap { $0.isDecided ? $0.choice.text : nil }),
      angle("gyroscope_residual", gyroscope?.residual), angle("gyroscope_runner_up", gyroscope?.runnerUp),
    ]
  }

  private func text(_ name: String, _ text: String?) -> Field {
    Field(name, .text(text))
  }

  private func angle(_ name: String, _ angle: Angle?) -> Field {
    Field(name, .degrees, .decimal(angle?.degrees, digits: 2))
  }
}
