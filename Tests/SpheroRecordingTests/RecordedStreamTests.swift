// The samples of a recording are bit-identical to those of the session that was recorded.

import Foundation
import SpheroHost
import SpheroModel
import SpheroProtocol
import SpheroRecording
import SpheroSession
import SpheroSimulator
import SpheroTransport
import TestSupport
import Testing

/// A sample with the times of its measurement and its arrival.
private struct Seen: Hashable {
  let time: Duration
  let arrival: Duration
  let words: [Int16]

  init(_ sample: TimedSample) {
    (time, arrival, words) = (sample.time, sample.arrival, sample.sample.rawWords)
  }
}

/// The stream of a session, and its capture.
private struct Recorded {
  var live: [Seen] = []
  var lostFrames = 0
  var gaps = 0
  var reconnections = 0
  var records: [CaptureRecord] = []

  /// Streams in virtual time over a line with faults, which is reopened if it is lost.
  init(
    _ request: StreamRequest, count: Int, _ plan: FaultPlan,
    _ configure: (inout SimulatedRobot.Configuration) -> Void = { _ in }
  ) async throws {
    var configuration = SimulatedRobot.Configuration()
    configure(&configuration)
    let time = VirtualTime()
    let robot = SimulatedRobot(configuration, time: time)
    let memory = MemorySink()
    let writer = CaptureWriter(to: memory, time: time)
    let (live, statistics) = try await time.run {
      let port = FaultyPort(plan: plan, time: time)
      @Sendable func open() async throws -> any Transport {
        try await port.open {
          let (host, device) = MemoryTransport.pair()
          // The task ends with the line.
          _ = Task(executorPreference: time) { await robot.serve(device) }
          return host
        }
      }
      let reopening = Reconnection {
        let line = try await open()
        writer.record(CaptureMark(.reconnection))
        return RecordingTransport(line, to: [writer])
      }
      return try await Robot.withRobot(
        on: RecordingTransport(try await open(), to: [writer]), time: time, reopening: reopening
      ) { robot in
        var live: [Seen] = []
        do {
          for try await sample in try await robot.samples(request) {
            live.append(Seen(sample))
            if live.count == count { break }
          }
        } catch is SessionError {
          // A stream may end early; the samples until then count.
        }
        return (live, await robot.statistics)
      }
    }
    #expect(await writer.finish() == nil)
    (self.live, lostFrames, reconnections) = (live, statistics.lostFrames, statistics.reconnections)
    records = await memory.records
  }

  /// The samples of the capture.
  func decoded() -> (samples: [Seen], lostFrames: Int) {
    var recorded = RecordedSamples()
    var samples: [Seen] = []
    for record in records {
      switch record {
      case .line(let line): recorded.feed(line.bytes.span, from: line.sender, at: line.time)
      case .mark(let mark) where mark.kind == .reconnection: recorded.reconnect()
      case .mark, .header: break
      }
      while let sample = recorded.next() { samples.append(Seen(sample)) }
    }
    recorded.end()
    while let sample = recorded.next() { samples.append(Seen(sample)) }
    return (samples, recorded.lostFrames)
  }

  /// Compares the capture with the session, whose last samples may be missing.
  func check(_ place: String) {
    let decoded = decoded()
    #expect(decoded.samples.count >= live.count && decoded.samples.count - live.count < 400, "\(place)")
    for (index, (recorded, streamed)) in zip(decoded.samples, live).enumerated() where recorded != streamed {
      Issue.record("\(place): sample \(index): decoded \(recorded), streamed \(streamed)")
      break
    }
    if decoded.samples.count == live.count { #expect(decoded.lostFrames == lostFrames, "\(place)") }
  }
}

/// The seeds of lines with faults; their number is SPHERO_SEEDS, or 24.
private let seeds = 1...(ProcessInfo.processInfo.environment["SPHERO_SEEDS"].flatMap { UInt64($0) } ?? 24)

@Suite(.ownThread) struct RecordedStreamTests {
  @Test(arguments: [1, 3, 7, 20], [1, 3])
  func anEvenStream(divisor: UInt16, frames: UInt16) async throws {
    let request = StreamRequest(mask: [.imu, .accel], divisor: divisor, frames: frames, packets: 60)
    let recorded = try await Recorded(request, count: 1_000, FaultPlan()) { $0.clockRate = 1.013 }
    #expect(recorded.live.count == 1_000)
    recorded.check("divisor \(divisor), frames \(frames)")
  }

  @Test(arguments: seeds)
  func aLineWithFaults(seed: UInt64) async throws {
    var chance = SeededGenerator(seed: seed)
    let divisor = [1, 2, 4, 7, 20].randomElement(using: &chance) ?? 1
    let frames = [1, 1, 1, 2, 5].randomElement(using: &chance) ?? 1
    let packets = [20, 60, 200, 255].randomElement(using: &chance) ?? 200
    let clockRate = Double.random(in: 0.95...1.05, using: &chance)
    let kinds: [Fault.Kind] = [
      .drop, .corrupt, .cut, .duplicate, .delay(.milliseconds(30)), .reorder(.milliseconds(20)), .split,
      .burst(.milliseconds(100)), .stall(.milliseconds(400)), .stray,
    ]
    var faults = (0..<Int.random(in: 0...3, using: &chance)).map { _ in
      Fault(
        kinds.randomElement(using: &chance) ?? .drop, chance: Double.random(in: 0...0.03, using: &chance),
        of: [Traffic.fromRobot, .all, .responses, .commands].randomElement(using: &chance) ?? .all)
    }
    if chance.isTrue(0.3) { faults.append(Fault(.stale, chance: 0.3, of: .responses)) }
    let outage =
      chance.isTrue(0.4)
      ? FaultPlan.Outage(
        after: .milliseconds(Int.random(in: 500...4_000, using: &chance)),
        lasting: .milliseconds(Int.random(in: 50...3_000, using: &chance))) : nil
    let request = StreamRequest(
      mask: .imu, divisor: UInt16(divisor), frames: UInt16(frames), packets: UInt8(packets))
    let recorded = try await Recorded(
      request, count: 2_000, FaultPlan(faults, outage: outage, seed: seed)
    ) {
      $0.clockRate = clockRate
      $0.latency = .milliseconds(Int.random(in: 0...40, using: &chance))
    }
    recorded.check("seed \(seed): \(request), \(faults), \(String(describing: outage))")
  }

  /// After a reconnection, no frames count as lost, and packets of the old stream do not belong to the new one.
  @Test func aLineThatReconnects() async throws {
    let outage = FaultPlan.Outage(after: .seconds(3), lasting: .seconds(2))
    let recorded = try await Recorded(
      StreamRequest(mask: .imu, divisor: 20), count: 150, FaultPlan(outage: outage))
    #expect(recorded.reconnections == 1 && recorded.lostFrames == 0 && recorded.live.count == 150)
    let decoded = recorded.decoded()
    #expect(decoded.lostFrames == 0)
    recorded.check("outage")
  }
}
