// Who wants samples, and the layouts on the wire that bring them.

import SpheroProtocol

extension SensorStreaming {
  struct Subscription: Sendable {
    let id: SubscriptionID
    let request: StreamRequest
    var isStarted = false
    /// The words of the wire that make up its samples; nil where they are all of them.
    var columns: [Int]?
    /// Every how many frames it gets one.
    var stride = 1
    /// When its first sample was measured, and when that one came.
    var start: Double?
    var arrivalStart: Duration = .zero
  }

  struct Epoch: Sendable {
    let id: Int
    let layout: StreamLayout
    /// The time between two packets.
    let packetPeriod: Duration
    /// How long packets may stay away before the stream is asked for again.
    let stallLimit: Duration
    /// How long they may stay away before that is reported.
    let silenceLimit: Duration
    /// How long a robot that accepts the stream may send nothing before the stream ends with an error.
    ///
    /// Only a robot that has never sent a sample is given up.
    let endLimit: Duration
    var begunAt: Duration
    var renewal: Renewal
    /// When the last packet came, or the robot accepted the stream.
    var lastSign: Duration
    var hasPackets = false
    var hasReportedSilence = false
    var isStalled = false
    var hasReportedRate = false
    /// The payload bytes of the latest packet of another length, as long as none has the right one.
    var misfitCount: Int?
    /// When the robot first accepted the stream in the silence that lasts.
    var answeredSince: Duration?
    /// When the robot first refused the stream since it last accepted it; nil where it does not refuse.
    var refusedSince: Duration?

    init(id: Int, layout: StreamLayout, begunAt: Duration) {
      (self.id, self.layout, self.begunAt, lastSign) = (id, layout, begunAt, begunAt)
      renewal = Renewal(span: layout.span)
      let period = layout.packetPeriod
      (packetPeriod, stallLimit) = (period, StreamFollower.stallLimit(packetPeriod: period))
      (silenceLimit, endLimit) = (max(.seconds(2), period * 3), max(.seconds(3), period * 6))
    }

    /// Whether the robot has accepted the stream for a while and sends nothing.
    func isUnanswerable(at now: Duration) -> Bool {
      guard !hasPackets, let answeredSince else { return false }
      return now - lastSign >= endLimit && now - answeredSince >= endLimit - silenceLimit
    }

    /// Notes that a packet came.
    mutating func noteSign(at now: Duration) {
      (lastSign, hasPackets, isStalled, hasReportedSilence) = (now, true, false, false)
      answeredSince = nil
    }
  }

  struct Former: Sendable {
    let length: Int
    /// Nil where a former program asked for it.
    let layout: StreamLayout?
    var until: Duration
  }

  /// How long a robot that has streamed must refuse the stream before that is an error:
  /// one that restarts may refuse once.
  static let refusalLimit = Duration.seconds(1)
}
