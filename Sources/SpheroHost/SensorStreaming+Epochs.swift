// The consumers of a stream, and the layouts on the wire that serve them.

import SpheroProtocol

extension SensorStreaming {
  struct Subscription: Sendable {
    let id: SubscriptionID
    let request: StreamRequest
    var isStarted = false
    /// The indices of its words in a frame; nil for all words.
    var columns: [Int]?
    /// It receives every `stride`th frame.
    var stride = 1
    /// When its first sample was measured, in seconds.
    var start: Double?
    /// When its first sample arrived.
    var arrivalStart: Duration = .zero
  }

  struct Epoch: Sendable {
    let id: Int
    let layout: StreamLayout
    /// The silence after which the stream is requested again.
    let stallLimit: Duration
    /// The silence after which it is reported.
    let silenceLimit: Duration
    /// The silence after which the stream of a robot that has never sent a sample ends with an error.
    let endLimit: Duration
    var begunAt: Duration
    var renewal: Renewal
    /// When the last packet arrived, or the robot accepted the stream.
    var lastSign: Duration
    var hasPackets = false
    var hasReportedSilence = false
    var isStalled = false
    var hasReportedRate = false
    /// The payload length of the last packet of another length, until one has the expected length.
    var mismatchedCount: Int?
    /// When the robot first accepted the stream in the present silence.
    var answeredSince: Duration?
    /// When the robot first refused the stream after it last accepted it; nil if it does not refuse.
    var refusedSince: Duration?

    init(id: Int, layout: StreamLayout, begunAt: Duration) {
      (self.id, self.layout, self.begunAt, lastSign) = (id, layout, begunAt, begunAt)
      renewal = Renewal(span: layout.span)
      let period = layout.packetPeriod
      stallLimit = StreamFollower.stallLimit(packetPeriod: period)
      (silenceLimit, endLimit) = (max(.seconds(2), period * 3), max(.seconds(3), period * 6))
    }

    /// Whether the robot has accepted the stream for a while and sends nothing.
    func isUnanswerable(at now: Duration) -> Bool {
      guard !hasPackets, let answeredSince else { return false }
      return now - lastSign >= endLimit && now - answeredSince >= endLimit - silenceLimit
    }

    /// Records that a packet arrived.
    mutating func recordPacket(at now: Duration) {
      (lastSign, hasPackets, isStalled, hasReportedSilence) = (now, true, false, false)
      answeredSince = nil
    }
  }

  /// Packets of one length that may still arrive, and until when.
  struct Former: Sendable {
    let length: Int
    /// Nil if a former program requested it.
    let layout: StreamLayout?
    var until: Duration
  }

  /// How long a robot that has streamed must refuse the stream before that is an error:
  /// a robot that restarts may refuse once.
  static let refusalLimit = Duration.seconds(1)
}
