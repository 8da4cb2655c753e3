// The packets of a survey by step and by stream, and the pose at the end of a step.

import SpheroMotion
import SpheroOrientation
public import SpheroProtocol
import SpheroSession

/// The packets of a survey, sorted by the step in which they were transmitted.
///
/// A running survey fills it, or the capture of an earlier one. Packets between two steps are ignored.
public struct SurveyLog: Sendable {
  /// The end of a step.
  public enum Outcome: String, Hashable, Sendable, CaseIterable {
    case done
    /// The person skipped the step.
    case skipped
    /// The condition for which the step waits did not occur.
    case abandoned
  }

  struct Entry: Hashable, Sendable {
    enum Item: Hashable, Sendable {
      case sent(CommandPacket)
      case answered(ResponsePacket, to: CommandPacket)
      case event(EventPacket)
    }
    var time: Duration
    var item: Item
  }

  struct StepLog: Hashable, Sendable {
    let step: String
    /// The end of the step; nil before it, and if the step was interrupted.
    var outcome: Outcome?
    var entries: [Entry] = []
    /// The number of entries that were removed before ``entries``.
    fileprivate(set) var removedCount = 0

    /// The entries after the first `count`.
    func entries(after count: Int) -> ArraySlice<Entry> { entries.dropFirst(max(0, count - removedCount)) }
  }

  /// The maximum number of packets kept for a step: ten times as many as the longest step has, unless it waits for a
  /// person, in which case the last ones count.
  private static let capacity = 20_000

  private(set) var steps: [String: StepLog] = [:]
  private var current: String?
  private var dissector = Dissector()
  private var now = Duration.zero

  public init() {}

  /// Whether no step has begun.
  public var isEmpty: Bool { steps.isEmpty }

  /// Begins a step; a repeated step replaces the earlier one; the packets after an unknown name are ignored.
  public mutating func begin(_ step: String) {
    current = SurveyStep.all.contains { $0.name == step } ? step : nil
    if let current { steps[current] = StepLog(step: current) }
  }

  /// Ends the current step, if there is one.
  public mutating func end(_ outcome: Outcome) {
    if let current { steps[current]?.outcome = outcome }
    current = nil
  }

  /// Ends the current step without an outcome, because packets of it are missing.
  public mutating func interrupt() { current = nil }

  /// Appends the bytes of one read or write, with the time of any clock; nil repeats the previous time.
  public mutating func append(_ bytes: [UInt8], from sender: Sender, at time: Duration?) {
    now = max(now, time ?? now)
    let piece = bytes[...]
    dissector.feed(piece.span, from: sender, at: now)
    while let item = dissector.next(describing: false) {
      switch item.packet {
      case .command(let command): record(.sent(command), at: item.time)
      case .response(let response):
        guard let command = dissector.answered?.packet else { continue }
        record(.answered(response, to: command), at: item.time)
      case .event(let event): record(.event(event), at: item.time)
      case nil: break
      }
    }
  }

  private mutating func record(_ item: Entry.Item, at time: Duration?) {
    guard let current else { return }
    if let count = steps[current]?.entries.count, count >= Self.capacity {
      steps[current]?.entries.removeFirst(count / 2)
      steps[current]?.removedCount += count / 2
    }
    steps[current]?.entries.append(Entry(time: time ?? now, item: item))
  }
}

extension SurveyLog.StepLog {
  func response(to id: CommandID) -> ResponsePacket? {
    for case .answered(let response, let command) in entries.lazy.map(\.item) where command.id == id {
      return response
    }
    return nil
  }

  /// The streaming requests in their order, each with the packets that followed it.
  var streams: [SurveyStream] {
    var streams: [SurveyStream] = []
    for entry in entries {
      switch entry.item {
      case .sent(let command):
        if let request = Sensing.SetDataStreaming(recorded: command) {
          streams.append(SurveyStream(request: request))
        }
      case .answered(let response, let command):
        guard let last = streams.indices.last, Sensing.SetDataStreaming(recorded: command) != nil else {
          continue
        }
        (streams[last].response, streams[last].answeredAt) = (response, entry.time)
      case .event(let event):
        guard event.id == Sensing.SensorData.id, let last = streams.indices.last else { continue }
        let packet = (time: entry.time, bytes: event.payload)
        if streams[last].response == nil {
          streams[last].packetsBeforeResponse.append(packet)
        } else {
          streams[last].packets.append(packet)
        }
      }
    }
    return streams
  }

  /// The samples with at least these fields, each with its time since the first stream began.
  func samples(with fields: SensorMask) -> [(time: Duration, sample: Sample)] {
    var sampler = SurveySampler()
    return entries.flatMap { sampler($0) }.filter { $0.sample.mask.isSuperset(of: fields) }
  }
}

/// A streaming request with its response and its packets.
struct SurveyStream: Sendable {
  typealias Packet = (time: Duration, bytes: [UInt8])

  var request: Sensing.SetDataStreaming
  var response: ResponsePacket?
  var answeredAt: Duration?
  /// The packets between the request and its response.
  var packetsBeforeResponse: [Packet] = []
  /// The packets between the response and the next request.
  var packets: [Packet] = []

  var isOff: Bool { request.sensorMask.isEmpty }
  /// The nominal time between two frames in seconds.
  var framePeriod: Double { request.framePeriod / .seconds(1) }
  var isAccepted: Bool { response?.status == .ok }
}

/// Extracts samples from the packets of a step as they arrive.
struct SurveySampler: Sendable {
  private var format: Sensing.SetDataStreaming?
  /// The nominal duration of all frames so far.
  private var time = Duration.zero

  /// The samples of an entry, each with its time since the first stream began.
  mutating func callAsFunction(_ entry: SurveyLog.Entry) -> [(time: Duration, sample: Sample)] {
    switch entry.item {
    case .sent: break
    case .answered(let response, let command):
      if response.status == .ok, command.id == Sensing.SetDataStreaming.id {
        format = Sensing.SetDataStreaming(recorded: command)
      }
    case .event(let event):
      guard event.id == Sensing.SensorData.id, let format,
        let samples = Sample.samples(
          in: event.payload, mask: format.sensorMask, frames: Int(format.frames))
      else { break }
      return samples.map { sample in
        time += format.framePeriod
        return (time, sample)
      }
    }
    return []
  }
}

/// The last half second of a step in which the ball was laid down.
struct SurveyPose: Sendable {
  /// Half a second of ``SurveyStep/held``, which has 20 Hz.
  private static let sampleCount = 10
  /// The largest deviation of a turn rate from its bias at rest, in degrees per second.
  private static let stillness = 5.0

  /// The requested pose; nil if it has no exact angles, as in the step `mixed`.
  private let requested: ProbePose?
  private let samples: [Sample]
  private let path: [(time: Duration, sample: Sample)]

  /// Uses the last samples of a step; nil if there are too few.
  init?(_ step: SurveyLog.StepLog) {
    path = step.samples(with: SurveyStep.held.sensorMask)
    guard path.count >= Self.sampleCount else { return nil }
    samples = path.suffix(Self.sampleCount).map(\.sample)
    requested = ProbePose.allCases.first { $0.step == step.step }
  }

  /// The pose for a probe; nil if the robot streams no quaternion.
  var sample: ConventionSample? {
    quaternion.map {
      ConventionSample(
        words: $0, accelerometer: accelerometer, angles: samples.last?.pitchRollYaw, pose: requested)
    }
  }

  /// The turn from the beginning of the step to the pose, by quaternion and gyroscope;
  /// nil if the step sets heading 0, or if the robot streams no quaternion.
  var turn: ConventionRotation? {
    guard requested != .level, let start = path.first?.sample.quaternionWords, let quaternion else {
      return nil
    }
    let rest = samples.compactMap(\.gyroscope)
    let bias = rest.reduce(Vector3.zero, +) / Double(max(rest.count, 1))
    var turning = TurnIntegral(bias: bias)
    for (time, sample) in path {
      if let rate = sample.gyroscope { turning.add(rate, at: time / .seconds(1)) }
    }
    return turning.turn.map { ConventionRotation(from: start, to: quaternion, gyroscope: $0) }
  }

  /// Whether the ball was at rest; a constant bias of the gyroscope is not a motion.
  var isStill: Bool {
    [SensorField.gyroX, .gyroY, .gyroZ].allSatisfy { field in
      let rates = samples.compactMap { $0[field] }
      guard let lowest = rates.min(), let highest = rates.max() else { return false }
      return highest - lowest < 2 * Self.stillness
    }
  }

  private func mean(_ field: SensorField) -> Double {
    samples.compactMap { $0[field] }.reduce(0, +) / Double(samples.count)
  }

  func counts(_ field: SensorField) -> Double {
    samples.compactMap { $0.word(field) }.reduce(0) { $0 + Double($1) } / Double(samples.count)
  }

  /// The accelerometer on its own axes, in g.
  var accelerometer: Vector3 { Vector3(mean(.accelX), mean(.accelY), mean(.accelZ)) }

  /// The streamed angles of the last sample in whole degrees; a mean would be wrong if they wrap.
  var angles: (pitch: Double, roll: Double, yaw: Double) {
    (samples.last?[.pitch] ?? 0, samples.last?[.roll] ?? 0, samples.last?[.yaw] ?? 0)
  }

  /// The last quaternion as it is streamed, as fractions of 1; nil if it is all zero.
  var quaternion: QuaternionWords? {
    samples.last?.quaternionWords.flatMap { QuaternionLayout.all[0].rotation(of: $0) == nil ? nil : $0 }
  }
}

extension ProbePose {
  var step: String {
    switch self {
    case .level: "level"
    case .turnedLeft: "turned"
    case .noseUp: "nose-up"
    case .rightSideDown: "right-side-down"
    }
  }
}
