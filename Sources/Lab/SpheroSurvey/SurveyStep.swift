// The steps of a survey: instructions for the person, and commands for the robot.

import SpheroMotion
import SpheroProtocol

/// A step of a survey. No step writes to flash: no effect outlasts a power cycle.
public struct SurveyStep: Sendable {
  enum Action: Sendable {
    /// Sends a command and waits for its response, which may be an error.
    case send(any Command)
    case wait(Duration)
    /// Waits until the step has received a number of sensor packets, or for a timeout.
    case packets(Int, within: Duration)
    case stream(Sensing.SetDataStreaming)
    case person(Cue)
  }

  /// The condition by which a person completes a step.
  enum Cue: Hashable, Sendable {
    case consent
    case rest
    /// The ball is at rest in another pose than in the previous step.
    case pose
    /// The ball has been turned around and is at rest.
    case turn
  }

  /// The identifier for programs and for the capture.
  public let name: String
  /// The measured quantity.
  public let purpose: String
  /// The task of the person; nil if the step needs none.
  public private(set) var instruction: String?
  /// The duration of a step without a person.
  public private(set) var duration = Duration.zero
  let actions: [Action]
  /// The commands at the end, even if the step was skipped.
  private(set) var closing: [any Command] = []

  /// Every step, in the order in which a survey runs them.
  public static let all: [SurveyStep] =
    [records, eventGap, count, change, maskZero, reserved, rate] + poses + [turn, roll]

  /// The commands after the last step if the ball was held.
  static let closing: [any Command] = [Lights.SetBackLED(brightness: 0), Motion.SetStabilization(mode: .on)]

  static let off = Sensing.SetDataStreaming()

  // MARK: Steps without a person

  private static let records = SurveyStep(
    name: "records", purpose: "record lengths and option flags", duration: .seconds(1),
    actions: [
      .send(Core.GetVersioning()), .send(Core.GetBluetoothInfo()), .send(Core.GetPowerState()),
      .send(Settings.GetPermanentOptions()), .send(Settings.GetTemporaryOptions()),
      .send(Sensing.ReadLocator()),
    ])

  private static let eventGap = SurveyStep(
    name: "event-gap", purpose: "the time between a response and its event", duration: .seconds(4),
    actions: (0..<4).flatMap { _ -> [Action] in
      [.send(Diagnostics.RunLevel1Diagnostics()), .wait(.milliseconds(900))]
    })

  /// The request of the step `count`, which sends it twice, the second time halfway between two packets.
  private static let counted = Sensing.SetDataStreaming(
    divisor: 200, mask: SensorMask(.accelZ), packetCount: 6)

  private static let count = SurveyStep(
    name: "count", purpose: "what a second request does to the count of packets", duration: .seconds(8),
    actions: [
      .send(counted), .packets(3, within: .seconds(4)), .wait(.milliseconds(250)), .send(counted),
      .wait(.milliseconds(5_500)),
    ], closing: [off])

  /// Two layouts of unequal length that alternate.
  private static let layouts: [SensorMask] = [.accel, [.accel, .quat]]

  private static let change = SurveyStep(
    name: "change", purpose: "frames of the old layout after a change", duration: .seconds(4),
    actions: (0...8).flatMap { number -> [Action] in
      [
        .send(Sensing.SetDataStreaming(divisor: 4, mask: layouts[number % layouts.count], packetCount: 200)),
        .wait(.milliseconds(400)),
      ]
    }, closing: [off])

  private static let maskZero = SurveyStep(
    name: "mask-zero", purpose: "whether MASK 0 ends a stream whose MASK2 is not 0", duration: .seconds(1),
    actions: [
      .send(Sensing.SetDataStreaming(divisor: 20, mask: .accelOne, packetCount: 10)),
      .packets(10, within: .seconds(1)),
    ], closing: [off])

  /// A group of mask bits that API 1.50 reserves.
  typealias Group = (name: String, mask: SensorMask)

  static let speedGroup: Group = ("MASK2 22", SensorMask(mask: 0, mask2: 0x0040_0000))
  static let groups: [Group] = [
    ("MASK 25...23", SensorMask(mask: 0x0380_0000, mask2: 0)),
    ("MASK 9...7", SensorMask(mask: 0x0000_0380, mask2: 0)),
    ("MASK 4...0", SensorMask(mask: 0x0000_001F, mask2: 0)), speedGroup,
    ("MASK2 21...0", SensorMask(mask: 0, mask2: 0x003F_FFFF)),
  ]
  static let referenceField = SensorMask(.accelZ)
  static let everything = SensorMask(rawValue: .max)

  private static let reserved = SurveyStep(
    name: "reserved", purpose: "what reserved mask bits stream", duration: .seconds(5),
    actions: (groups.map { referenceField.union($0.mask) } + [everything]).enumerated().flatMap {
      number, mask -> [Action] in
      [
        .send(Sensing.SetDataStreaming(divisor: 40, mask: mask, packetCount: 3)),
        .packets(3 * (number + 1), within: .milliseconds(800)),
      ]
    }, closing: [off])

  private static let rate = SurveyStep(
    name: "rate", purpose: "the true sample rate", duration: .seconds(45),
    actions: [
      .send(Sensing.SetDataStreaming(divisor: 80, mask: SensorMask(.accelZ), packetCount: 125)),
      .packets(125, within: .seconds(32)), .send(off), .wait(.milliseconds(200)),
      .send(Sensing.SetDataStreaming(divisor: 4, frames: 10, mask: SensorMask(.accelZ), packetCount: 200)),
      .packets(325, within: .seconds(26)),
    ], closing: [off])

  // MARK: Steps with a person

  /// The stream while the person holds the ball, at 20 Hz.
  static let held = Sensing.SetDataStreaming(
    divisor: 20, mask: [.motion, .imu, .accelRaw, .gyroRaw, .accelOne], packetCount: 255)

  /// Without stabilization the ball stays as it is laid; the tail light marks its back.
  private static let hold: [Action] = [
    .send(Motion.SetStabilization(mode: .off)), .send(Lights.SetBackLED(brightness: 255)), .stream(held),
  ]

  private static func pose(
    _ name: String, _ purpose: String, _ instruction: String, isFirst: Bool = false
  ) -> SurveyStep {
    let aim: [Action] = isFirst ? [.send(Motion.SetHeading())] : []
    return SurveyStep(
      name: name, purpose: purpose, instruction: instruction,
      actions: hold + [.person(isFirst ? .rest : .pose)] + aim + [.wait(.seconds(1))], closing: [off])
  }

  private static let poses = [
    pose(
      "level", "what it streams when it lies level",
      "Lay the ball level, its blue tail light toward you, and let it lie still.", isFirst: true),
    pose(
      "turned", "which way a turn counts",
      "Turn it by a quarter to the left, seen from above, still level: the tail light is to your right now. "
        + "Let it lie still."),
    pose(
      "nose-up", "the axes of pitch",
      "Turn it back, tail light toward you; then tip it toward you by about 45 degrees, "
        + "so that the tail light goes down and its nose up. Lean it against something, and let it lie still."
    ),
    pose(
      "right-side-down", "the axes of roll",
      "Tail light toward you and level again; then tip it over to the right by about 45 degrees. "
        + "Lean it against something, and let it lie still."),
    pose(
      "mixed", "which rotation comes first",
      "Turn it by a quarter to the left, and from there tip its nose up and its right side down, "
        + "about 30 degrees each. Lean it against something, and let it lie still."),
  ]

  private static let turn = SurveyStep(
    name: "turn", purpose: "sign and unit of the gyroscope",
    instruction: "Level again, turn it slowly to the left, once around: "
      + "10 seconds for the whole turn, with pauses of a second at most. Then let it lie still.",
    actions: hold + [.person(.turn)], closing: [off])

  private static func leg(_ heading: UInt16) -> [Action] {
    [
      .send(Motion.Roll(speed: 0, heading: heading)), .wait(.milliseconds(1_200)),
      .send(Motion.Roll(speed: 60, heading: heading)), .wait(.milliseconds(1_500)),
      .send(Motion.Roll.stop(on: heading)), .wait(.milliseconds(1_500)),
    ]
  }

  static let rolling = Sensing.SetDataStreaming(
    divisor: 20, mask: [.locator, .emf, .accel], packetCount: 255)

  private static let roll = SurveyStep(
    name: "roll", purpose: "axes and units of the locator",
    instruction: "The ball will roll ahead and then to the right, half a metre each, and stop. "
      + "Put it on the floor with a metre of room on all sides.",
    actions: [
      .person(.consent), .send(Motion.SetStabilization(mode: .on)), .wait(.milliseconds(1_500)),
      .send(Sensing.ConfigureLocator(x: 0, y: 0)), .stream(rolling),
    ] + leg(0) + leg(90), closing: [off])
}
