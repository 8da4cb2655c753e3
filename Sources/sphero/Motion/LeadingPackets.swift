// The packets at the start of a recording whose request is not recorded: their fields, and the divisor that their times suggest.

import SpheroCapture
import SpheroProtocol
import SpheroSession

/// Holds back the start of a recording until its sensor packets determine the fields, and their times the divisor of 400 Hz.
struct LeadingPackets: Sendable {
  /// The span of time and the number of packets that suffice, and the maximum numbers of lines and bytes.
  private static let (span, packets) = (Duration.seconds(2), 256)
  private static let (lines, bytes) = (4_096, 1 << 20)

  /// The bytes that are held back.
  private(set) var records: [CaptureLine] = []
  /// The fields that fit the first sensor packet, among those that are possible.
  private(set) var mask: SensorMask?
  private let masks: [SensorMask]
  private let frames: Int
  private let needsRate: Bool
  private var (robot, host) = (PacketDecoder(from: .robot), PacketDecoder(from: .host))
  private var arrivals: [Duration] = []
  private var byteCount = 0

  /// Waits for packets of `frames` samples, each with the fields of one of the masks.
  init(_ masks: [SensorMask], frames: Int, needsRate: Bool) {
    // A header may state no frames.
    (self.masks, self.frames, self.needsRate) = (masks, max(frames, 1), needsRate)
  }

  /// Adds bytes; returns whether no more are needed.
  mutating func append(_ record: CaptureLine) -> Bool {
    records.append(record)
    byteCount += record.bytes.count
    guard byteCount <= Self.bytes, records.count <= Self.lines else { return true }
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
      guard case .event(let event) = packet, event.id == Sensing.SensorData.id else { continue }
      mask = mask ?? masks.first { event.payload.count == $0.wordCount * 2 * frames }
      if let mask, event.payload.count == mask.wordCount * 2 * frames, let time = record.time {
        arrivals.append(time)
      }
    }
    guard needsRate, let time = record.time else { return mask != nil }
    guard let first = arrivals.first else { return false }
    return arrivals.count >= Self.packets || time - first >= Self.span
  }

  /// The divisor; nil with fewer than three packets or without times.
  var divisor: Int? {
    guard needsRate, arrivals.count >= 3, let first = arrivals.first, let last = arrivals.last else {
      return nil
    }
    let intervals = zip(arrivals.dropFirst(), arrivals).map { $0 - $1 }.sorted()
    let median = intervals[intervals.count / 2]
    // Losses lengthen an interval. Where packets arrive in groups, only the mean states the rate.
    let usual = intervals.filter { $0 > median / 2 && $0 < median * 3 / 2 }
    let (mean, usualMean) = ((last - first) / intervals.count, usual.reduce(.zero, +) / max(usual.count, 1))
    let isRegular = usual.count * 10 >= intervals.count * 6 && usualMean > mean / 2
    return Self.divisor(ofPeriod: (isRegular ? usualMean : mean) / frames)
  }

  /// The divisor whose samples lie a period apart; divisors of 400 have priority, as robots may sample up to 5 % too fast.
  static func divisor(ofPeriod period: Duration) -> Int {
    let exact = 400 * (period / .seconds(1))
    let divisorsOf400 = [1, 2, 4, 5, 8, 10, 16, 20, 25, 40, 50, 80, 100, 200, 400]
    if let near = divisorsOf400.first(where: { (0.94...1.03).contains(exact / Double($0)) }) { return near }
    return Int(min(max(exact.rounded(), 1), 65_535))
  }
}
