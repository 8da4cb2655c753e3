// A stream as it was asked for, and what has come of it.

import SpheroProtocol

/// What the request for the stream that is on does, sent again.
public enum StreamRenewal: String, Hashable, Sendable, CaseIterable {
  /// The count of packets begins anew; the rhythm goes on, so that no frame is lost or doubled.
  case count
  /// Count and rhythm begin anew.
  case restart
  /// Nothing: the old count goes on.
  case nothing
  /// The new count is added to what is left of the old one.
  case sum
}

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
  ///
  /// - Parameters:
  ///   - request: What was asked for.
  ///   - fields: The bits of the masks that stream anything.
  ///   - tick: The tick from which frames are counted.
  init?(_ request: Sensing.SetDataStreaming, of fields: SensorMask, at tick: Int64) {
    (self.request, mask, start) = (request, request.sensorMask.intersection(fields), tick)
    guard !mask.isEmpty else { return nil }
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

  /// Begins the count anew, or does what else a robot may do, where only that is asked for.
  ///
  /// - Returns: Whether that was all; otherwise the stream begins anew.
  mutating func renew(_ request: Sensing.SetDataStreaming, _ renewal: StreamRenewal) -> Bool {
    guard request.divisor == self.request.divisor, request.frames == self.request.frames,
      request.sensorMask == self.request.sensorMask
    else { return false }
    let count = Self.count(of: request)
    // A stream that is over is not a stream that is on.
    switch isOver ? .count : renewal {
    case .count: packetsLeft = count
    case .restart: return false
    case .nothing: break
    case .sum: packetsLeft = packetsLeft.flatMap { left in count.map { left + $0 } }
    }
    self.request = request
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
