// The sensor stream: its request, its frames and its remaining packets.

import SpheroProtocol

/// The effect of a repeated request on the running stream.
public enum StreamRenewal: String, Hashable, Sendable, CaseIterable {
  /// Restarts the packet count and keeps the timing: no frame is lost or duplicated.
  case count
  case restart
  case nothing
  /// Adds the new count to the rest of the old one.
  case sum
}

struct SensorStream: Hashable, Sendable {
  private(set) var request: Sensing.SetDataStreaming
  let mask: SensorMask
  /// The tick from which frames are counted.
  private let start: Int64
  /// The number of packets to send; nil for a stream without end.
  private var packetsLeft: Int?
  private var samples: [Sample] = []

  /// Starts a stream of the fields that the robot has, with frames counted from `tick`; nil if there are none.
  init?(_ request: Sensing.SetDataStreaming, of fields: SensorMask, at tick: Int64) {
    (self.request, mask, start) = (request, request.sensorMask.intersection(fields), tick)
    guard !mask.isEmpty else { return nil }
    packetsLeft = Self.count(of: request)
  }

  /// Whether a request is valid; the limit of 4,000 bytes is not documented.
  static func isPossible(_ request: Sensing.SetDataStreaming) -> Bool {
    if request.sensorMask.isEmpty { return true }
    let bytes = request.sensorMask.wordCount * 2 * Int(request.frames)
    return request.divisor > 0 && request.frames > 0 && (1...4_000).contains(bytes)
  }

  private static func count(of request: Sensing.SetDataStreaming) -> Int? {
    request.packetCount == 0 ? nil : Int(request.packetCount)
  }

  /// Renews the stream if the request is that of the running stream; returns false if it starts a new one.
  mutating func renew(_ request: Sensing.SetDataStreaming, _ renewal: StreamRenewal) -> Bool {
    guard request.divisor == self.request.divisor, request.frames == self.request.frames,
      request.sensorMask == self.request.sensorMask
    else { return false }
    let count = Self.count(of: request)
    switch renewal {
    case .count: packetsLeft = count
    case .restart: return false
    case .nothing: break
    case .sum: packetsLeft = packetsLeft.flatMap { left in count.map { left + $0 } }
    }
    self.request = request
    return true
  }

  /// Whether all packets are sent; no message marks the end.
  var isOver: Bool { packetsLeft.map { $0 <= 0 } ?? false }

  /// The first tick after `tick` at which a frame is due.
  func nextTick(after tick: Int64) -> Int64 {
    let divisor = Int64(request.divisor)
    let frames = tick < start ? 1 : (tick - start) / divisor + 1
    return start + frames * divisor
  }

  func isDue(at tick: Int64) -> Bool { tick > start && (tick - start) % Int64(request.divisor) == 0 }

  /// Adds a frame, and returns a packet when it is full.
  mutating func add(_ sample: Sample) -> (packet: Sensing.SensorData, frames: Int)? {
    samples.append(sample)
    guard samples.count >= Int(request.frames) else { return nil }
    defer { samples = [] }
    if let left = packetsLeft { packetsLeft = left - 1 }
    return (Sensing.SensorData(samples), samples.count)
  }
}
