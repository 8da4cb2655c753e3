// A stream as it was asked for, and what has come of it.

import SpheroProtocol

/// A stream: which ticks of the control loop it samples, and what is left of its count.
struct SensorStream: Hashable, Sendable {
  /// Payload bytes of a packet that the robot has memory for; no document gives a limit.
  private static let largestPayload = 4_000

  private(set) var request: Sensing.SetDataStreaming
  let mask: SensorMask
  /// The tick from which frames are counted.
  private let start: Int64
  /// Packets still to come, or nil without end.
  private var packetsLeft: Int?
  private var samples: [Sample] = []

  /// Starts at a tick; nil where the request switches streaming off.
  init?(_ request: Sensing.SetDataStreaming, at tick: Int64) {
    guard !request.sensorMask.isEmpty else { return nil }
    (self.request, mask, start) = (request, request.sensorMask, tick)
    packetsLeft = Self.count(of: request)
  }

  /// Whether the robot can do what is asked: a divisor or frame count of zero has no meaning, and its memory is small.
  static func isPossible(_ request: Sensing.SetDataStreaming) -> Bool {
    if request.sensorMask.isEmpty { return true }
    let bytes = request.sensorMask.wordCount * 2 * Int(request.frames)
    return request.divisor > 0 && request.frames > 0 && (1...largestPayload).contains(bytes)
  }

  private static func count(of request: Sensing.SetDataStreaming) -> Int? {
    request.packetCount == 0 ? nil : Int(request.packetCount)
  }

  /// Begins the count anew where only that is asked for; the rhythm goes on, so that no frame is lost or doubled.
  ///
  /// - Returns: Whether that was all.
  mutating func renew(_ request: Sensing.SetDataStreaming) -> Bool {
    guard request.divisor == self.request.divisor, request.frames == self.request.frames,
      request.sensorMask == mask
    else { return false }
    self.request = request
    packetsLeft = Self.count(of: request)
    return true
  }

  /// Whether its count has run out; there is no message at the end.
  var isOver: Bool { packetsLeft.map { $0 <= 0 } ?? false }

  /// The next tick after this one on which a frame is due.
  func nextTick(after tick: Int64) -> Int64 {
    let divisor = Int64(request.divisor)
    let frames = tick < start ? 1 : (tick - start) / divisor + 1
    return start + frames * divisor
  }

  /// Whether a frame is due on a tick.
  func isDue(at tick: Int64) -> Bool { tick > start && (tick - start) % Int64(request.divisor) == 0 }

  /// Adds a frame.
  ///
  /// - Returns: A packet, where it is full.
  mutating func add(_ sample: Sample) -> (packet: Sensing.SensorData, frames: Int)? {
    samples.append(sample)
    guard samples.count >= Int(request.frames) else { return nil }
    defer { samples = [] }
    if let left = packetsLeft { packetsLeft = left - 1 }
    return (Sensing.SensorData(samples), samples.count)
  }
}
