// Guides a person through some poses, and tells from them what the robot means by its attitude.

import SpheroOrientation
import SpheroProtocol
import SpheroSession

/// Finds out the convention of a robot that somebody lays down in one pose after another.
struct ConventionGuide {
  var poses: Int
  var wait: Duration
  /// Tells the person something.
  var say: (String) async -> Void

  /// Takes the poses with the control system off, so that the ball stays as it is laid.
  func probe(_ robot: Robot) async throws -> ConventionProbe {
    try await robot.send(Motion.SetStabilization(mode: .off))
    // Leaving switches it on again, also where the person has had enough.
    let samples = try await collect(robot)
    guard let probe = ConventionProbe(samples) else {
      throw Failure(
        .refused, "the accelerometer does not feel 1 g where the ball lies still",
        advice: "Lay it down instead of holding it, and try again.")
    }
    return probe
  }

  private func collect(_ robot: Robot) async throws -> [ConventionSample] {
    var collector = PoseCollector(wait: wait)
    await ask(for: 1)
    for try await sample in try await robot.samples(StreamRequest(mask: [.motion, .imu])) {
      let step = collector(sample)
      switch step {
      case .unusable:
        throw Failure(
          .refused, "the robot streams no quaternion, so there is nothing to find out",
          advice: "Its firmware is older than 1.20; 'sphero info' shows it.")
      case .restless:
        throw Failure(
          .timedOut, "the ball did not lie still",
          advice: "Lean it against something, as in a cup, or give it more time with --wait.")
      case .taken, .takenAgain:
        let again = step == .takenAgain ? "; it is like one before" : ""
        await say("pose \(collector.count) of \(poses) taken\(again)")
        if collector.count >= poses { return collector.samples }
        await ask(for: collector.count + 1)
      default: continue
      }
    }
    return collector.samples
  }

  private func ask(for pose: Int) async {
    await say(
      pose == 1
        ? "pose 1 of \(poses): tilt the ball forward and to one side, 20 degrees or more each, and let it lie still"
        : "pose \(pose) of \(poses): turn it to another side, tilt it in another way, and let it lie still")
  }
}

extension ConventionProbe {
  /// What was found, with the evidence; what is ambiguous was not found.
  var fields: [Field] {
    let known = [("sphero", Convention.sphero), ("sphero_later", .spheroLater)]
    let name = isAmbiguous ? nil : known.first { $0.1 == convention }?.0
    let layout = layout.isAmbiguous ? nil : layout.choice
    let angles = angles?.isAmbiguous == false ? angles?.choice : nil
    return [
      text("convention", name), Field("ambiguous", .flag(isAmbiguous)),
      text("quaternion_words", layout.map { $0.order == .scalarFirst ? "w x y z" : "x y z w" }),
      text(
        "quaternion_takes",
        layout.map { $0.direction == .bodyToReference ? "body to reference" : "reference to body" }),
    ] + Self.evidence("quaternion", self.layout) + [
      text("angle_order", angles?.order.sequence.rawValue), axis("pitch", angles?.pitch),
      axis("roll", angles?.roll), axis("yaw", angles?.yaw),
    ] + (self.angles.map { Self.evidence("angle", $0) } ?? [])
  }

  private func text(_ name: String, _ text: String?) -> Field {
    Field(name, .text(text))
  }

  private func axis(_ name: String, _ axis: SignedAxis?) -> Field {
    text("\(name)_axis", axis.map { ($0.sign < 0 ? "-" : "+") + "\($0.axis)" })
  }

  private static func evidence<Choice>(_ name: String, _ finding: Finding<Choice>) -> [Field] {
    [
      Field("\(name)_residual", .degrees, .decimal(finding.residual.degrees, digits: 2)),
      Field("\(name)_runner_up", .degrees, .decimal(finding.runnerUp.degrees, digits: 2)),
      Field("\(name)_ambiguous", .flag(finding.isAmbiguous)),
    ]
  }
}
