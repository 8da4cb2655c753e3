// Tells when somebody has turned the ball and let it lie, so that a survey needs no keyboard.

import SpheroMotion
import SpheroOrientation
import SpheroProtocol

/// Tells from the samples when somebody has turned the ball and let it lie.
struct HandWatch: Sendable {
  /// How far a new pose lies from the one before.
  private static let least = Angle.degrees(20)
  /// What turns it around, path by path: nobody turns it back by a quarter on the way.
  private static let around = Angle.degrees(270)

  private let sign: SurveyStep.Sign
  private var start: Rotation?
  private var last: Rotation?
  private var path = Angle.zero
  private var detector = RestDetector()
  /// Whether the person has done their part.
  private(set) var isDone = false

  /// Begins to watch.
  ///
  /// - Parameters:
  ///   - sign: What to wait for.
  ///   - start: How the ball lay before; nil for how it lies at first.
  init(_ sign: SurveyStep.Sign, from start: Rotation?) { (self.sign, self.start) = (sign, start) }

  /// The attitude by any reading of the words: turns between two are the same by all of them.
  static func attitude(of sample: Sample) -> Rotation? {
    sample.quaternionWords.flatMap { QuaternionLayout.all[0].rotation(of: $0) }
  }

  mutating func take(_ sample: Sample, at time: Duration) {
    guard let attitude = Self.attitude(of: sample),
      let reading = sample.inertialSample(at: time / .seconds(1), by: .sphero)
    else { return }
    start = start ?? attitude
    path = path + attitude.angle(to: last ?? attitude)
    last = attitude
    guard detector(reading) else { return }
    switch sign {
    case .consent, .rest: isDone = true
    case .pose: isDone = isDone || start.map { $0.angle(to: attitude) >= Self.least } ?? false
    case .turn: isDone = isDone || path >= Self.around
    }
  }
}
