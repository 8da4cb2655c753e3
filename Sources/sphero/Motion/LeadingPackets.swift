// Fields and divisor of a stream whose request is not recorded, from the packets at the start of the recording.

import SpheroCapture
import SpheroProtocol

/// Holds back the start of a recording until the length of its first sensor packet determines the fields of the stream,
/// and the times of its sensor packets determine the divisor.
struct LeadingPackets: Sendable {
  /// The time span or the number of packets that is sufficient for the divisor.
  private static let (sufficientSpan, sufficientPackets) = (Duration.seconds(2), 256)
  /// The maximum size of the start that is held back.
  private static let (maximumLines, maximumBytes) = (4_096, 1 << 20)

  private(set) var records: [CaptureLine] = []
  /// The first mask that fits the length of a sensor packet; nil before such a packet.
  private(set) var mask: SensorMask?
  private let masks: [SensorMask]
  private let frames: Int
  private let needsRate: Bool
  private var (robot, host) = (PacketDecoder(from: .robot), PacketDecoder(from: .host))
  /// The times of the packets with the fields of ``mask``.
  private var arrivals: [Duration] = []
  private var byteCount = 0

  /// Expects packets of `frames` samples with the fields of one of the masks; `needsRate` requests the divisor.
  init(_ masks: [SensorMask], frames: Int, needsRate: Bool) {
    // A header may state no frames.
    (self.masks, self.frames, self.needsRate) = (masks, max(frames, 1), needsRate)
  }

  /// Adds a line of the recording; returns whether no more are needed.
  mutating func append(_ record: CaptureLine) -> Bool {
    records.append(record)
    byteCount += record.bytes.count
    guard byteCount <= Self.maximumBytes, records.count <= Self.maximumLines else { return true }
    if record.sender == .host {
      host.append(record.bytes)
      // The rest of the recording has the stream of this request.
      while let packet = host.next() {
        if case .command(let command) = packet, command.id == Sensing.SetDataStreaming.id { return true }
      }
      return false
    }
    robot.append(record.bytes)
    while let packet = robot.next() {
      guard case .event(let event) = packet, event.id == Sensing.SensorData.id else { continue }
      let fitting = masks.first { event.payload.count == $0.wordCount * 2 * frames }
      mask = mask ?? fitting
      if let mask, mask == fitting, let time = record.time { arrivals.append(time) }
    }
    guard needsRate, let time = record.time else { return mask != nil }
    guard let first = arrivals.first else { return false }
    return arrivals.count >= Self.sufficientPackets || time - first >= Self.sufficientSpan
  }

  /// The divisor of 400 Hz that fits the times of the packets; nil with fewer than three packets that have times.
  var divisor: Int? {
    guard needsRate, arrivals.count >= 3, let first = arrivals.first, let last = arrivals.last else {
      return nil
    }
    let intervals = zip(arrivals.dropFirst(), arrivals).map { $0 - $1 }.sorted()
    let median = intervals[intervals.count / 2]
    // A lost packet lengthens an interval, so the mean excludes unusual intervals. If packets arrive in groups, the usual
    // intervals are those within a group, and only the mean of all intervals states the rate.
    let usual = intervals.filter { $0 > median / 2 && $0 < median * 3 / 2 }
    let (mean, usualMean) = ((last - first) / intervals.count, usual.reduce(.zero, +) / max(usual.count, 1))
    let isRegular = usual.count * 10 >= intervals.count * 6 && usualMean > mean / 2
    return Self.divisor(ofPeriod: (isRegular ? usualMean : mean) / frames)
  }

  /// The divisor of a stream whose samples are a period apart. A robot may sample up to 5 % too fast, so a period that is
  /// up to 6 % too short still gives one of the divisors of 400, as most streams have.
  static func divisor(ofPeriod period: Duration) -> Int {
    let exact = 400 * (period / .seconds(1))
    let divisorsOf400 = [1, 2, 4, 5, 8, 10, 16, 20, 25, 40, 50, 80, 100, 200, 400]
    if let near = divisorsOf400.first(where: { (0.94...1.03).contains(exact / Double($0)) }) { return near }
    return Int(min(max(exact.rounded(), 1), 65_535))
  }
}
