// The line of a controller in a hand is cut at random while `sphero drive --tilt` runs between two simulated robots.

#if os(Linux)
  import Foundation
  import TestSupport
  import Testing

  /// A simulated robot in a simulated hand behind a pseudo-terminal, whose line can be cut and restored.
  private final class HeldRobot {
    enum Cut: CaseIterable {
      /// The process is killed; its line hangs up, and another process restores it.
      case hangUp
      /// The process is stopped; its line remains open.
      case silence
    }

    let link = freshPath()
    private let script = freshPath()
    private var run: Run?
    private var terminal: KeptTerminal?

    deinit {
      run?.signal(SIGKILL)
      for path in [link, script] { try? FileManager.default.removeItem(atPath: path) }
    }

    func start(_ actions: String) async throws {
      try actions.write(toFile: script, atomically: true, encoding: .utf8)
      let run = try Run(["simulate", "--link", link, "--script", script, "--quiet"])
      _ = try await run.line()
      self.run = run
    }

    func cut(_ cut: Cut) {
      guard let run else { return }
      switch cut {
      case .silence: run.signal(SIGSTOP)
      case .hangUp:
        terminal = KeptTerminal(link, of: run)
        run.signal(SIGKILL)
      }
    }

    func restore(_ cut: Cut, _ actions: String) async throws {
      guard cut == .hangUp else {
        run?.signal(SIGCONT)
        return
      }
      _ = try await run?.end()
      try? FileManager.default.removeItem(atPath: link)
      try await start(actions)
      terminal = nil
    }
  }

  /// The capture of the robot that is driven: the roll commands that it received and the speeds that it measured.
  private struct BallRecord {
    /// A roll command, in seconds since 1970.
    struct Roll {
      let time: Double
      let isDrive: Bool
    }
    private(set) var rolls: [Roll] = []
    private(set) var speeds: [(time: Double, metresPerSecond: Double)] = []

    init(path: String) throws {
      let text = try String(contentsOfFile: path, encoding: .utf8)
      let header = try #require(text.firstMatch(of: /start=(\S+?)\.(\d+)Z/))
      let whole = try Date(String(header.1) + "Z", strategy: .iso8601).timeIntervalSince1970
      let start = whole + (Double("0." + header.2) ?? 0)
      var (sent, answered) = ([UInt8](), [UInt8]())
      for line in text.split(separator: "\n") where !line.hasPrefix("#") {
        let words = line.split(separator: " ")
        guard words.count > 2, let offset = Double(words[0]) else { continue }
        let bytes = words.dropFirst(2).compactMap { UInt8($0, radix: 16) }
        if words[1] == ">" { sent += bytes } else { answered += bytes }
        takeCommands(&sent, at: start + offset)
        takeSamples(&answered, at: start + offset)
      }
    }

    /// FF FF or FF FE, DID, CID, SEQ, DLEN, data, checksum; roll is 02 30 with speed, heading, state.
    private mutating func takeCommands(_ bytes: inout [UInt8], at time: Double) {
      while bytes.count >= 6, bytes.count >= 6 + Int(bytes[5]) {
        let packet = bytes.prefix(6 + Int(bytes[5]))
        if packet.count >= 11, packet[2] == 0x02, packet[3] == 0x30 {
          rolls.append(Roll(time: time, isDrive: packet[6] > 0 && packet[9] == 1))
        }
        bytes.removeFirst(packet.count)
      }
    }

    /// FF FE 03, two bytes of length, data, checksum; the data are yaw, the position and the velocity in mm/s.
    private mutating func takeSamples(_ bytes: inout [UInt8], at time: Double) {
      while bytes.count >= 6 {
        let isEvent = bytes[1] == 0xFE
        let length = isEvent ? 5 + Int(bytes[3]) << 8 + Int(bytes[4]) : 5 + Int(bytes[4])
        guard bytes.count >= length else { return }
        if isEvent, bytes[2] == 0x03, length == 16 {
          func word(_ index: Int) -> Double {
            Double(Int16(bitPattern: UInt16(bytes[index]) << 8 | UInt16(bytes[index + 1])))
          }
          speeds.append((time, (word(11) * word(11) + word(13) * word(13)).squareRoot() / 1_000))
        }
        bytes.removeFirst(length)
      }
    }
  }

  @Suite(.serialized) struct TiltProcessTests {
    private struct Outage {
      let cut: HeldRobot.Cut
      /// The times before the cut and before the line is restored, in seconds since 1970.
      let start: Double
      var end = 0.0
    }

    private var now: Double { Date().timeIntervalSince1970 }

    private static let environment = ProcessInfo.processInfo.environment
    private static let isFull = environment["SPHERO_TILT"] == "full"

    /// Other tests share the machine, so the limits are wide.
    @Test(.disabled(if: isFull), .timeLimit(.minutes(5)))
    func theBallStopsWhenTheControllerVanishes() async throws {
      try await play(cuts: 2, slack: 20)
    }

    /// The experiment of `Tests/Tools/tilt programs`.
    @Test(.enabled(if: isFull), .timeLimit(.minutes(15)))
    func theBallStopsEachTimeTheControllerVanishes() async throws { try await play(cuts: 100, slack: 0) }

    /// Drives a ball for six seconds for each cut; `slack` is added to the limits, in seconds.
    private func play(cuts: Int, slack: Double) async throws {
      let seed = Self.environment["SPHERO_SEED"].flatMap { UInt64($0) } ?? .random(in: 0...99_999)
      var random = SeededGenerator(seed: seed)
      let controller = HeldRobot()
      try await controller.start(handScript(&random, for: .seconds(6 * cuts)))
      let ball = try await RecordedRobot()
      let run = try start(["drive", "--tilt", controller.link], ball)
      #expect(await run.shows("tilt: ready"))
      let begin = now
      var outages: [Outage] = []
      for number in 1...cuts {
        let moment = begin + 6 * Double(number) - 3.6 + .random(in: 0...2, using: &random)
        let cut = HeldRobot.Cut.allCases[(number + Int(seed % 2)) % 2]
        try await Task.sleep(for: .seconds(moment - now))
        outages.append(Outage(cut: cut, start: now))
        controller.cut(cut)
        try await Task.sleep(for: .seconds(.random(in: 0.6...1.5, using: &random)))
        outages[number - 1].end = now
        try await controller.restore(
          cut, handScript(&random, for: .seconds(6 * cuts), level: .milliseconds(1_200)))
      }
      try await Task.sleep(for: .seconds(3))
      run.type("q")
      await expectRestored(run, code: 0)
      let record = try BallRecord(path: ball.capture)
      var (rolling, longest, longestRest) = (0, 0.0, 0.0)
      for outage in outages {
        guard record.rolls.last(where: { $0.time <= outage.start })?.isDrive == true else { continue }
        rolling += 1
        // The stop that holds until the line is restored.
        let drive = record.rolls.lastIndex { $0.time <= outage.end && $0.isDrive } ?? 0
        let stop = record.rolls.dropFirst(drive + 1).first?.time ?? .infinity
        let rest = record.speeds.first { $0.time > stop && $0.metresPerSecond < 0.02 }?.time ?? .infinity
        print("tilt cut: \(outage.cut), stop \(stop - outage.start) s, rest \(rest - outage.start) s")
        #expect(stop - outage.start <= 0.5 + slack, "\(outage), seed \(seed)")
        longest = max(longest, stop - outage.start)
        // A controller that is back soon drives the ball again before it rests.
        let next = record.rolls.first { $0.time > stop && $0.isDrive }?.time ?? .infinity
        guard rest <= next || next - stop > 1 else { continue }
        #expect(rest - outage.start <= 1 + slack, "\(outage), seed \(seed)")
        longestRest = max(longestRest, rest - outage.start)
      }
      #expect(outages.count == cuts && rolling >= (slack == 0 ? cuts / 4 : 0), "seed \(seed)")
      func text(_ seconds: Double) -> String { String(format: "%.0f ms", seconds * 1_000) }
      print(
        "tilt: programs, seed \(seed): \(rolling) of \(cuts) cuts met a rolling ball; "
          + "stop command after \(text(longest)) at most, rest after \(text(longestRest)) at most")
    }
  }
#endif
