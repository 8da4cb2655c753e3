// sphero simulate and its clients: connections, ends, kills, concurrent clients, and the end of the server.

import Foundation
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5))) struct ServingTests {
  /// A command with an answer: FF FF DID CID SEQ DLEN … CHK.
  private func command(_ device: UInt8, _ id: UInt8, _ sequence: UInt8, _ payload: [UInt8] = []) -> [UInt8] {
    let body = [device, id, sequence, UInt8(payload.count + 1)] + payload
    return [0xFF, 0xFF] + body + [~body.reduce(0, &+)]
  }

  private func ping(_ sequence: UInt8) -> [UInt8] { command(0x00, 0x01, sequence) }

  /// The answer to a ping: FF FF 00 SEQ 01 CHK.
  private func pong(_ sequence: UInt8) -> [UInt8] { [0xFF, 0xFF, 0x00, sequence, 0x01, ~(sequence &+ 1)] }

  /// Starts a simulator, and stops it after the test.
  private func withSimulator(
    _ words: [String], lines: Int = 1, _ body: (_ places: [String], _ robot: Run) async throws -> Void
  ) async throws -> Outcome {
    let robot = try Run(["simulate"] + words)
    do {
      var places: [String] = []
      for _ in 0..<lines { places.append(try await robot.line()) }
      try await body(places, robot)
    } catch {
      robot.signal(SIGKILL)
      throw error
    }
    robot.signal(SIGINT)
    return try await robot.end()
  }

  /// Opens a device that may be missing for a while.
  private func reopen(_ open: () throws -> RawClient) async throws -> RawClient {
    var client: RawClient?
    _ = await eventually {
      client = try? open()
      return client != nil
    }
    return try client ?? open()
  }

  private func tcpPort(_ place: String) throws -> UInt16 {
    try #require(place.split(separator: ":").last.flatMap { UInt16($0) })
  }

  #if os(Linux)
    /// The position by the wheels in centimetres: 02:15.
    private func place(_ client: RawClient, _ sequence: UInt8) throws -> [UInt8] {
      client.write(command(0x02, 0x15, sequence))
      let answer = client.read(16)
      #expect(answer.count == 16 && answer[3] == sequence)
      return Array(answer.dropFirst(5).prefix(4))
    }

    @Test(arguments: [true, false])
    func aClientThatIsKilledLetsTheBallStopOrRollOn(_ stops: Bool) async throws {
      let (link, kept) = (freshPath(), freshPath())
      defer { try? FileManager.default.removeItem(atPath: kept) }
      _ = try await withSimulator(["--link", link, "--capture", kept, "--floor", "none"]) { _, _ in
        // Temporary options: bit 0 stops on disconnect. Roll: speed 40h ahead.
        let option = stops ? command(0x02, 0x37, 1, [0, 0, 0, 1]) : []
        // Permanent options without motion time-outs: nothing else stops the ball.
        let rolls = command(0x02, 0x35, 5, [0, 0, 0, 2]) + command(0x02, 0x30, 2, [0x40, 0, 0, 1])
        let opener = try Opener(link, writing: option + rolls)
        try await untilSent("02 30", in: kept)
        try await Task.sleep(for: .milliseconds(500))
        opener.kill()
        // No client is connected while it stops, or continues to roll.
        try await Task.sleep(for: .milliseconds(1_500))
        let client = try RawClient(link)
        let before = try place(client, 3)
        try await Task.sleep(for: .milliseconds(500))
        let after = try place(client, 4)
        #expect((before == after) == stops && before != [0, 0, 0, 0])
      }
    }

    @Test func aSecondClientIsDistinguishedFromTheFirst() async throws {
      let link = freshPath()
      let outcome = try await withSimulator(["--link", link]) { _, _ in
        let first = try RawClient(link)
        first.write(ping(1))
        #expect(first.read(6) == pong(1))
        let second = try Opener(link, writing: ping(2))
        try await Task.sleep(for: .seconds(2))
        first.write(ping(3))
        #expect(first.read(6) == pong(3), "its own answer")
        #expect(first.read(within: .milliseconds(500)) == .nothing, "and no other")
        // A client of this package reports the process that holds the port, and does not wait.
        let ping = try await sphero("ping", "--port", link)
        #expect(ping.code == 69 && ping.error.contains("is held by"), "\(ping.error)")
        second.kill()
      }
      #expect(
        outcome.code == 130 && outcome.error.contains("it gets no answers while the first is connected"),
        "\(outcome.error)")
    }

    @Test func betweenClientsItTakesNoProcessorTime() async throws {
      let link = freshPath()
      _ = try await withSimulator(["--link", link, "--robots", "3"], lines: 3) { _, robot in
        let client = try RawClient(link)
        client.write(command(0x02, 0x30, 2, [0x40, 0, 0, 1]))
        #expect(client.read(6).count == 6)
        client.close()
        /// User and system time, in ticks of 10 ms.
        func ticks() throws -> Int {
          let path = "/proc/\(robot.process.processIdentifier)/stat"
          let text = try String(contentsOfFile: path, encoding: .utf8)
          let fields = text[(text.lastIndex(of: ")") ?? text.startIndex)...].split(separator: " ")
          return try #require(Int(fields[12])) + #require(Int(fields[13]))
        }
        // On a busy machine the simulator may still work on the end of the connection after a second,
        // and a sleep of the test lasts longer: one second without work is enough.
        let clock = ContinuousClock()
        var shares: [Double] = []
        repeat {
          let (start, before) = (clock.now, try ticks())
          try await Task.sleep(for: .seconds(1))
          shares.append(Double(try ticks() - before) / ((clock.now - start) / .seconds(1)))
        } while shares.count < 20 && (shares.last ?? 0) > 1
        #expect((shares.last ?? 100) <= 1, "per cent of a core: \(shares)")
      }
    }

    @Test func aKilledSimulatorLeavesALinkThatTheNextOneReplaces() async throws {
      let link = freshPath()
      let first = try Run(["simulate", "--link", link])
      #expect(try await first.line() == link)
      let thief = try await sphero("simulate", "--link", link)
      let owner = "is served by sphero (pid \(first.process.processIdentifier))"
      #expect(thief.code == 73 && thief.error.contains(owner))
      first.signal(SIGKILL)
      _ = try await first.end()
      #expect((try? FileManager.default.destinationOfSymbolicLink(atPath: link)) != nil)
      let outcome = try await withSimulator(["--link", link]) { _, _ in
        let client = try RawClient(link)
        client.write(ping(1))
        #expect(client.read(6) == pong(1))
      }
      #expect(outcome.code == 130)
      #expect((try? FileManager.default.destinationOfSymbolicLink(atPath: link)) == nil)
    }

    /// A file of another program at the link, after a planned disconnection, ends all robots with an error.
    @Test func aLinkThatCannotBeRestoredEndsTheSimulator() async throws {
      let link = freshPath()
      defer { try? FileManager.default.removeItem(atPath: link) }
      let robot = try Run(["simulate", "--link", link, "--robots", "2", "--fault", "close=1s:10s"])
      defer { if robot.process.isRunning { robot.signal(SIGKILL) } }
      #expect(try await robot.line() == link)
      let client = try RawClient(link)
      client.write(ping(1))
      let isRemoved = await eventually {
        (try? FileManager.default.destinationOfSymbolicLink(atPath: link)) == nil
      }
      try #require(isRemoved)
      try Data("mine".utf8).write(to: URL(filePath: link), options: .withoutOverwriting)
      let outcome = try await robot.end()
      #expect(outcome.code == 73 && outcome.error.contains(link), "\(outcome.error)")
      #expect(outcome.error.contains("Choose a path that does not exist"), "\(outcome.error)")
      #expect(try String(contentsOfFile: link, encoding: .utf8) == "mine")
    }
  #endif

  @Test(arguments: 0...2) func controlCEndsItAtOnce(_ clients: Int) async throws {
    let link = freshPath()
    let robot = try Run(["simulate", "--link", link])
    #expect(try await robot.line() == link)
    var openers: [RawClient] = []
    for _ in 0..<clients {
      let client = try RawClient(link)
      // A stream without a reader: accelerometer x at 40 Hz, without end.
      client.write(command(0x02, 0x11, 1, [0, 10, 0, 1, 0x80, 0, 0, 0, 0]))
      openers.append(client)
      try await Task.sleep(for: .milliseconds(300))
    }
    let start = ContinuousClock.now
    robot.signal(SIGINT)
    let outcome = try await robot.end()
    #expect(outcome.code == 130 && ContinuousClock.now - start < .seconds(20))
    #expect((try? FileManager.default.destinationOfSymbolicLink(atPath: link)) == nil)
    for opener in openers { #expect(opener.seesHangUp()) }
  }

  @Test func responseAndEventArriveInSeparateReads() async throws {
    let link = freshPath()
    _ = try await withSimulator(["--link", link]) { _, _ in
      let client = try RawClient(link)
      var gaps: [Duration] = []
      for round in 0..<2_000 where gaps.count < 50 {
        let number = UInt8(round % 250)
        // 00:21 reports the state of the battery at once: FF FE 01 00 02 02 FA.
        client.write(command(0x00, 0x21, number, [1]))
        let event: [UInt8] = [0xFF, 0xFE, 0x01, 0x00, 0x02, 0x02, 0xFA]
        let first = client.read(within: .seconds(60))
        let start = ContinuousClock.now
        // A reader that is delayed for 4 ms receives both at once.
        if first == .bytes(pong(number) + event) { continue }
        #expect(first == .bytes(pong(number)) && client.read(within: .seconds(60)) == .bytes(event))
        gaps.append(ContinuousClock.now - start)
      }
      try #require(gaps.count >= 25)
      #expect(gaps.sorted()[gaps.count / 2] >= .milliseconds(3), "4 ms, less the reader's own delay")
    }
  }

  @Test func sleepHangsUpAndBytesWakeIt() async throws {
    let link = freshPath()
    _ = try await withSimulator(["--link", link]) { _, _ in
      let client = try RawClient(link)
      client.write(command(0x00, 0x22, 1, [0, 0, 0, 0, 0]))
      #expect(client.read(6) == pong(1), "the answer comes first")
      #expect(client.seesHangUp())
      client.close()
      let ping = try await sphero("ping", "--count", "1", "--port", link)
      #expect(ping.code == 0, "\(ping.error)")
      #expect(try await sphero("sleep", "--port", link).code == 0)
    }
    _ = try await withSimulator(["--options", "sleep=silent"]) { places, _ in
      let client = try RawClient(places[0])
      client.write(command(0x00, 0x22, 1, [0, 0, 0, 0, 0]))
      #expect(client.read(6) == pong(1))
      #expect(client.read(within: .seconds(1)) == .nothing)
    }
  }

  @Test func withoutALinkTheNewPathIsPrinted() async throws {
    _ = try await withSimulator([]) { places, robot in
      let client = try RawClient(places[0])
      client.write(command(0x00, 0x22, 1, [0, 0, 0, 0, 0]))
      #expect(client.seesHangUp())
      let path = try await robot.line()
      #expect(path != places[0])
      try await Task.sleep(for: .milliseconds(2_100))
      let next = try RawClient(path)
      next.write(ping(2))
      #expect(next.read(6) == pong(2))
    }
  }

  /// Without inotify, a session and the time of its plan start before the client.
  private static let beginsWithItsClient: [Bool] = {
    #if os(Linux)
      [false, true]
    #else
      [true]
    #endif
  }()

  @Test(arguments: beginsWithItsClient) func aPlannedDisconnectionIsRestored(_ isTCP: Bool) async throws {
    let link = freshPath()
    let port = try freePort(2)
    let words = isTCP ? ["--listen", "\(port)"] : ["--link", link]
    let options = ["--robots", "2", "--options", "close=1s:5s"]
    _ = try await withSimulator(words + options, lines: 2) { places, _ in
      let ports = ["tcp:127.0.0.1:\(port)", "tcp:127.0.0.1:\(port + 1)"]
      #expect(places == (isTCP ? ports : [link, link + "-2"]))
      func open() throws -> RawClient { try isTCP ? RawClient(port: port) : RawClient(link) }
      let start = ContinuousClock.now
      let client = try open()
      client.write(ping(1))
      #expect(client.read(6) == pong(1))
      #expect(client.seesHangUp() && ContinuousClock.now - start >= .milliseconds(900))
      client.close()
      try await Task.sleep(for: .milliseconds(600))
      #expect(throws: POSIXError.self) { try open() }
      let next = try await reopen(open)
      #expect(ContinuousClock.now - start >= .milliseconds(5_900))
      next.write(ping(2))
      #expect(next.read(6) == pong(2))
      // The time of the other robot begins with its client.
      let other = try isTCP ? RawClient(port: port + 1) : RawClient(link + "-2")
      other.write(ping(3))
      #expect(other.read(6) == pong(3))
    }
  }

  @Test func ourClientConnectsOverTCP() async throws {
    let port = try freePort()
    let outcome = try await withSimulator(["--listen", "127.0.0.1:\(port)"]) { places, _ in
      for _ in 0..<2 {
        let ping = try await sphero("ping", "--count", "1", "--port", places[0])
        #expect(ping.code == 0, "\(ping.error)")
      }
      let first = try RawClient(port: try tcpPort(places[0]))
      first.write(ping(1))
      #expect(first.read(6) == pong(1))
      #expect(try RawClient(port: port).seesHangUp(), "a second one")
      first.write(ping(2))
      #expect(first.read(6) == pong(2))
      let taken = try await sphero("simulate", "--listen", "\(port)")
      #expect(taken.code == 73 && taken.error.contains("is taken by another program"))
    }
    #expect(outcome.code == 130)
    #expect(outcome.error.contains("a second client connected to tcp:127.0.0.1:\(port)"))
  }

  @Test(arguments: [
    ("localhost:4000", 64, "'localhost:4000' names a host"), ("127.0.0.1", 64, "not a port from 1 to 65535"),
    ("65536", 64, "not a port from 1 to 65535"), ("192.0.2.1:4000", 73, "192.0.2.1:4000"),
  ]) func unusableAddressesAreReported(_ text: String, _ code: Int32, _ remark: String) async throws {
    let outcome = try await sphero("simulate", "--listen", text)
    #expect(outcome.code == code && outcome.error.contains(remark), "\(outcome.error)")
  }
}

/// Finds TCP ports of this computer at which no server listens.
func freePort(_ count: UInt16 = 1) throws -> UInt16 {
  for _ in 0..<50 {
    let first = UInt16.random(in: 20_000...30_000)
    if (first..<(first + count)).allSatisfy({ (try? RawClient(port: $0)) == nil }) { return first }
  }
  throw POSIXError(.EADDRINUSE)
}
