// The packets at the start of a recording whose rate is not recorded, and the divisor that their times suggest.

import SpheroCapture
import SpheroProtocol
import SpheroSession

/// Holds back the start of a recording until the times of its sensor packets determine the divisor of 400 Hz.
struct LeadingPackets: Sendable {
  /// The span of time and the number of packets that suffice, and the maximum numbers of lines and bytes.
  private static let (span, packets) = (Duration.seconds(2), 256)
  private static let (lines, bytes) = (4_096, 1 << 20)

  /// The bytes that are held back.
  private(set) var records: [CaptureLine] = []
  private let payloadCount: Int
  private let frames: Int
  private var (robot, host) = (PacketDecoder(from: .robot), PacketDecoder(from: .host))
  private var arrivals: [Duration] = []
  private var byteCount = 0

  /// Waits for packets of `frames` samples, each with the fields of a mask.
  init(_ mask: SensorMask, frames: Int) {
    // A header may state no frames.
    self.frames = max(frames, 1)
    payloadCount = mask.wordCount * 2 * self.frames
  }

  /// Adds bytes; returns whether no more are needed.
  mutating func append(_ record: CaptureLine) -> Bool {
    records.append(record)
    byteCount += record.bytes.count
    guard let time = record.time, byteCount <= Self.bytes, records.count <= Self.lines else { return true }
    if record.sender == .host {
      host.append(record.bytes)
      // A request states the rate of the packets after it.
      while let packet = host.next() {
        if case .command(let command) = packet, command.id == Sensing.SetDataStreaming.id { return true }
      }
      return false
    }
    robot.append(record.bytes)
    while let packet = robot.next() {
      if case .event(let event) = packet, event.id == Sensing.SensorData.id,
        event.payload.count == payloadCount
      {
        arrivals.append(time)
      }
    }
    guard let first = arrivals.first else { return false }
    return arrivals.count >= Self.packets || time - first >= Self.span
  }

  /// The divisor; nil with fewer than three packets or without times.
  var divisor: Int? {
    guard arrivals.count >= 3, let first = arrivals.first, let last = arrivals.last else { return nil }
    let intervals = zip(arrivals.dropFirst(), arrivals).map { $0 - $1 }.sorted()
    let median = intervals[intervals.count / 2]
    // Losses lengthen an interval. Where packets arrive in groups, only the mean states the rate.
    let usual = intervals.filter { $0 > median / 2 && $0 < median * 3 / 2 }
    let (mean, usualMean) = ((last - first) / intervals.count, usual.reduce(.zero, +) / max(usual.count, 1))
    let isEven = usual.count * 10 >= intervals.count * 6 && usualMean > mean / 2
    return Self.divisor(ofPeriod: (isEven ? usualMean : mean) / frames)
  }

  /// The divisor whose samples lie a period apart; divisors of 400 have priority, as robots may sample up to 5 % too fast.
  static func divisor(ofPeriod period: Duration) -> Int {
    let exact = 400 * (period / .seconds(1))
    let even = [1, 2, 4, 5, 8, 10, 16, 20, 25, 40, 50, 80, 100, 200, 400]
    if let near = even.first(where: { (0.94...1.03).contains(exact / Double($0)) }) { return near }
    return Int(min(max(exact.rounded(), 1), 65_535))
  }
}
