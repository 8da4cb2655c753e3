// Clients of a pseudo-terminal: processes that open it, write, close, and are killed.

import Foundation
import SpheroSystem
import SpheroTransport
import TestSupport
import Testing

@testable import SpheroSerial
@testable import SpheroServing

#if os(Linux)
  @Suite(.timeLimit(.minutes(5))) struct TerminalListenerTests {
    /// Collects remarks.
    final class Remarks: @unchecked Sendable {
      private let lock = NSLock()
      private var kept: [ServingRemark] = []
      var all: [ServingRemark] { lock.withLock { kept } }
      func add(_ remark: ServingRemark) { lock.withLock { kept.append(remark) } }

      /// Waits for a remark that fulfils a condition.
      func wait(_ fits: (ServingRemark) -> Bool) async throws -> Bool {
        await eventually { all.contains(where: fits) }
      }
    }

    private func freshPath() -> String {
      FileManager.default.temporaryDirectory.appending(path: "line-\(UUID().uuidString)").path
    }

    private func target(_ link: String) throws -> String {
      try FileManager.default.destinationOfSymbolicLink(atPath: link)
    }

    private func read(_ count: Int, from session: TerminalSession) async throws -> [UInt8] {
      var bytes: [UInt8] = []
      while bytes.count < count, let more = try await session.read() { bytes += more }
      return bytes
    }

    /// Reads until the client has closed.
    private func rest(of session: TerminalSession) async -> [UInt8] {
      var bytes: [UInt8] = []
      while let more = try? await session.read() { bytes += more }
      return bytes
    }

    /// Node and libuv open a terminal a second time, and often while its first bytes are being read.
    @Test func bytesReadDuringASecondOpenOfTheClientReachItsSession() async throws {
      let requests = try ServerRequests()
      let sessions = Mailbox<TerminalSession>(capacity: 4)
      var arbiter = try TerminalArbiter(nil, isMonitoring: true, requests, sessions) { _ in }
      defer { arbiter.close() }
      let client = try Opener(arbiter.path, times: 2)
      defer { client.kill() }
      _ = arbiter.process(at: .zero)
      let session = try #require(try await sessions.receive()?.first)
      #expect(arbiter.endpoints[0].allowedCount == 2)
      // A read leaves the bytes so if it sees the second open, which is then processed.
      arbiter.endpoints[0].unassigned = [0xFF]
      _ = arbiter.process(at: .zero)
      session.end()
      #expect(await rest(of: session) == [0xFF])
    }

    @Test func anotherProgramIsNoReplacementForAClosedOpenOfTheClient() async throws {
      let remarks = Remarks()
      let sessions = Mailbox<TerminalSession>(capacity: 4)
      var arbiter = try TerminalArbiter(nil, isMonitoring: true, try ServerRequests(), sessions) {
        remarks.add($0)
      }
      defer { arbiter.close() }
      let first = try RawClient(arbiter.path)
      _ = arbiter.process(at: .zero)
      // As after two opens of another process.
      arbiter.endpoints[0].allowedCount = 2
      let again = try RawClient(arbiter.path)
      defer { again.close() }
      _ = arbiter.process(at: .zero)
      first.close()
      _ = arbiter.process(at: .zero)
      let other = try RawClient(arbiter.path)
      defer { other.close() }
      _ = arbiter.process(at: .seconds(1))
      _ = arbiter.process(at: .seconds(1) + TerminalArbiter.gracePeriod)
      #expect(remarks.all == [.contended(arbiter.path)])
    }

    @Test func aClosedOpenOfTheClientEndsNoContention() async throws {
      let remarks = Remarks()
      let sessions = Mailbox<TerminalSession>(capacity: 4)
      var arbiter = try TerminalArbiter(nil, isMonitoring: true, try ServerRequests(), sessions) {
        remarks.add($0)
      }
      defer { arbiter.close() }
      let client = try Opener(arbiter.path)
      defer { client.kill() }
      _ = arbiter.process(at: .zero)
      // Stands for another open of the client.
      let again = try RawClient(arbiter.path)
      arbiter.endpoints[0].allowedCount = 2
      _ = arbiter.process(at: .zero)
      let other = try Opener(arbiter.path)
      defer { other.kill() }
      _ = arbiter.process(at: .seconds(1))
      _ = arbiter.process(at: .seconds(1) + TerminalArbiter.gracePeriod)
      again.close()
      _ = arbiter.process(at: .seconds(2))
      #expect(remarks.all == [.contended(arbiter.path)])
    }

    @Test(arguments: [(delay: 0, isHungUp: true), (delay: 1_000, isHungUp: false)])
    func twoClientsThatOpenALinkTogetherAreDisconnected(delay: Int, isHungUp: Bool) async throws {
      let (link, remarks) = (freshPath(), Remarks())
      let sessions = Mailbox<TerminalSession>(capacity: 4)
      var arbiter = try TerminalArbiter(
        try LinkPath(link), isMonitoring: true, try ServerRequests(), sessions
      ) { remarks.add($0) }
      defer { arbiter.close() }
      let device = try target(link)
      let first = try RawClient(link)
      _ = arbiter.process(at: .zero)
      let second = try RawClient(device)
      _ = arbiter.process(at: .milliseconds(delay))
      #expect(remarks.all.isEmpty)
      _ = arbiter.process(at: .milliseconds(delay) + TerminalArbiter.gracePeriod)
      #expect(remarks.all == [isHungUp ? .openedTogether(device) : .contended(device)])
      guard isHungUp else { return }
      #expect(first.seesHangUp())
      #expect(second.seesHangUp())
      // The link leads to a device that serves the next client.
      first.close()
      second.close()
      let next = try RawClient(link)
      next.write([1])
      _ = arbiter.process(at: .seconds(2))
      let session = try #require(try await sessions.receive()?.last)
      session.end()
      #expect(await rest(of: session) == [1])
    }

    @Test func aSlowClientMissesWholePieces() async throws {
      let listener = try TerminalListener()
      let client = unsafe open(listener.path, O_RDWR | O_NOCTTY | O_NONBLOCK)
      defer { Glibc.close(client) }
      let session = try #require(try await listener.accept())
      // Writes of 90 bytes: FFh, the number, then 88 zeros; in all more than any buffer of the kernel takes.
      for number in 0..<2_000 {
        try session.write([0xFF, UInt8(number % 200)] + [UInt8](repeating: 0, count: 88))
      }
      var bytes: [UInt8] = []
      func readAll() {
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
          let count = unsafe Glibc.read(client, &buffer, buffer.count)
          guard count > 0 else { return }
          bytes += buffer[..<count]
        }
      }
      // The kernel passes bytes on asynchronously, and has no room before.
      let last = [0xFF, 250] + [UInt8](repeating: 0, count: 88)
      #expect(
        try await eventually {
          readAll()
          if bytes.suffix(90) == last { return true }
          try session.write(last)
          return false
        })
      #expect(bytes.count < 2_000 * 90 && bytes.count.isMultiple(of: 90))
      let heads = stride(from: 0, to: bytes.count, by: 90).filter { bytes[$0] == 0xFF }
      #expect(heads.count == bytes.count / 90)
      await listener.close()
    }

    @Test func aClientThatIsKilledHasGone() async throws {
      let listener = try TerminalListener()
      let opener = try Opener(listener.path, writing: [1, 0xFF, 0x11, 0x0D])
      let session = try #require(try await listener.accept())
      #expect(try await read(4, from: session) == [1, 0xFF, 0x11, 0x0D])
      opener.kill()
      await #expect(throws: LinkError.lost(listener.path)) { try await session.read() }
      #expect(throws: LinkError.lost(listener.path)) { try session.write([1]) }
      await listener.close()
      #expect(try await listener.accept() == nil)
    }

    @Test func whatWasWrittenJustBeforeTheCloseIsRead() async throws {
      let listener = try TerminalListener()
      for number in 0..<50 as Range<UInt8> {
        let client = try RawClient(listener.path)
        client.write([UInt8](repeating: number, count: 3_000))
        client.close()
        let session = try #require(try await listener.accept())
        #expect(await rest(of: session) == [UInt8](repeating: number, count: 3_000))
      }
      await listener.close()
    }

    @Test func theNextClientFindsTheLineAsNew() async throws {
      let listener = try TerminalListener()
      let client = try RawClient(listener.path)
      let session = try #require(try await listener.accept())
      try session.write([UInt8](repeating: 0x55, count: 4_000))
      var cooked = termios()
      #expect(unsafe tcgetattr(client.descriptor, &cooked) == 0)
      cooked.c_lflag |= tcflag_t(ICANON | ECHO)
      cooked.c_cc.6 = 9
      #expect(unsafe tcsetattr(client.descriptor, TCSANOW, &cooked) == 0)
      #expect(ioctl(client.descriptor, UInt(TIOCEXCL), 0) == 0)
      client.close()
      _ = await rest(of: session)
      try await Task.sleep(for: .milliseconds(50))
      let next = try RawClient(listener.path)
      let second = try #require(try await listener.accept())
      var settings = termios()
      #expect(unsafe tcgetattr(next.descriptor, &settings) == 0)
      #expect(settings.c_lflag & tcflag_t(ICANON | ECHO) == 0 && settings.c_cc.6 == 1, "raw, VMIN 1")
      var isExclusive: Int32 = -1
      // TIOCGEXCL, which older C libraries do not declare.
      #expect(unsafe ioctl(next.descriptor, 0x8004_5440, &isExclusive) == 0 && isExclusive == 0)
      try second.write([7])
      #expect(next.read(1) == [7], "nothing of the former client's")
      await listener.close()
      #expect(next.seesHangUp())
    }

    @Test func rawSettingsAreEightBitsWithOneStopBitAndNoFlowControl() {
      var settings = termios()
      settings.c_iflag = tcflag_t(IXON | IXOFF | ICRNL)
      settings.c_cflag = tcflag_t(CSTOPB | PARENB | CS7)
      let raw = System.raw(settings)
      #expect(raw.c_iflag & tcflag_t(IXON | IXOFF | ICRNL) == 0)
      #expect(raw.c_cflag & tcflag_t(CSTOPB | PARENB) == 0 && raw.c_cflag & tcflag_t(CSIZE) == tcflag_t(CS8))
    }

    private static let setsid = "/usr/bin/setsid"

    @Test(.enabled(if: FileManager.default.fileExists(atPath: setsid), "there is no setsid"))
    func anOwnerOfTheTerminalThatEndsTakesTheLineFromNobody() async throws {
      let listener = try TerminalListener()
      // The session leader makes the line its controlling terminal, and its exit hangs up all descriptors.
      let opener = try Opener(listener.path, by: [Self.setsid, "--wait"])
      let session = try #require(try await listener.accept())
      let owner = try #require(HolderSearch.opener(of: listener.path)?.process.processID)
      kill(owner, SIGKILL)
      _ = await rest(of: session)
      opener.kill()
      for number in 1...3 as ClosedRange<UInt8> {
        let client = try RawClient(listener.path)
        client.write([number])
        let next = try #require(try await listener.accept())
        #expect(try await read(1, from: next) == [number])
        try next.write([number])
        #expect(client.read(1) == [number])
        #expect(client.read(within: .milliseconds(200)) == .nothing, "raw, without echo")
        client.close()
        _ = await rest(of: next)
      }
      await listener.close()
    }

    @Test func closingAndOpeningAtOnceAreTwoClients() async throws {
      for link in [nil, freshPath()] {
        let listener = try TerminalListener(link: link)
        for number in 0..<100 as Range<UInt8> {
          let client = try RawClient(listener.path)
          client.write([number])
          let session = try #require(try await listener.accept())
          #expect(try await read(1, from: session) == [number])
          try session.write([number])
          #expect(client.read(1) == [number])
          client.close()
        }
        await listener.close()
      }
    }

    @Test func aSecondClientOfALinkIsAnsweredByNothing() async throws {
      let (link, remarks) = (freshPath(), Remarks())
      let listener = try TerminalListener(link: link) { remarks.add($0) }
      let device = try target(link)
      let first = try RawClient(link)
      let session = try #require(try await listener.accept())
      #expect(try target(link) != device, "who opens the link now comes elsewhere")
      let second = try Opener(link, writing: [0xAA])
      #expect(
        try await remarks.wait {
          if case .secondClient(_, let client) = $0 { client?.processID == second.processID } else { false }
        })
      first.write([1])
      #expect(try await read(1, from: session) == [1], "undisturbed")
      try session.write([2])
      #expect(first.read(1) == [2])
      first.close()
      _ = await rest(of: session)
      let next = try #require(try await listener.accept())
      #expect(try await remarks.wait { caseName(of: $0) == "pendingClientServed" })
      second.kill()
      #expect(await rest(of: next) == [], "what it had sent is thrown away")
      #expect(
        await eventually { (try? target(link)) == device }, "no process listens: the first target again")
      await listener.close()
      #expect(!FileManager.default.fileExists(atPath: link))
    }

    @Test func whoComesJustBeforeTheFirstHasGoneIsTheNext() async throws {
      let (link, remarks) = (freshPath(), Remarks())
      let listener = try TerminalListener(link: link) { remarks.add($0) }
      let first = try RawClient(link)
      let session = try #require(try await listener.accept())
      let second = try RawClient(link)
      second.write([5])
      first.close()
      _ = await rest(of: session)
      let next = try #require(try await listener.accept())
      #expect(try await read(1, from: next) == [5], "kept")
      try next.write([6])
      #expect(second.read(1) == [6])
      #expect(remarks.all.isEmpty)
      await listener.close()
    }

    @Test func aMomentaryOpenOfTheDeviceHarmsNobody() async throws {
      let remarks = Remarks()
      let listener = try TerminalListener { remarks.add($0) }
      let client = try RawClient(listener.path)
      let session = try #require(try await listener.accept())
      for number in 0..<20 as Range<UInt8> {
        let opened = ContinuousClock.now
        let other = try RawClient(listener.path)
        client.write([number])
        try session.write([number])
        other.close()
        guard ContinuousClock.now - opened < TerminalArbiter.gracePeriod / 2 else {
          print("skipped: this machine is too busy to open the device for a moment alone")
          return await listener.close()
        }
        #expect(try await read(1, from: session) == [number])
        #expect(client.read(1) == [number])
      }
      #expect(remarks.all.isEmpty)
      await listener.close()
    }

    @Test func twoOfOneDeviceAreAnsweredByNothingUntilOneIsLeft() async throws {
      let remarks = Remarks()
      let listener = try TerminalListener { remarks.add($0) }
      let client = try RawClient(listener.path)
      let session = try #require(try await listener.accept())
      let other = try Opener(listener.path, writing: [0xAA])
      #expect(try await remarks.wait { $0 == .contended(listener.path) })
      client.write([0xBB])
      try session.write([0xCC])
      #expect(client.read(within: .milliseconds(200)) == .nothing)
      other.kill()
      #expect(try await remarks.wait { $0 == .contentionEnded(listener.path) })
      client.write([1])
      #expect(try await read(1, from: session) == [1])
      try session.write([2])
      #expect(client.read(1) == [2])
      #expect(remarks.all.count == 2)
      await listener.close()
    }

    @Test func aProgramThatOpensItTwiceIsOneClient() async throws {
      let remarks = Remarks()
      let listener = try TerminalListener { remarks.add($0) }
      let opener = try Opener(listener.path, writing: [1, 2, 3], times: 2)
      let session = try #require(try await listener.accept())
      #expect(try await read(3, from: session) == [1, 2, 3])
      try await Task.sleep(for: TerminalArbiter.gracePeriod * 2)
      opener.kill()
      #expect(await rest(of: session) == [])
      #expect(remarks.all.isEmpty)
      await listener.close()
    }

    @Test func aHangUpIsSeenAndTheLinkLeadsToANewLine() async throws {
      let link = freshPath()
      let listener = try TerminalListener(link: link)
      let client = try RawClient(link)
      let session = try #require(try await listener.accept())
      try session.write([1, 2, 3])
      async let closed: Void = session.close()
      #expect(client.read(3) == [1, 2, 3], "what was written is read first")
      await closed
      #expect(client.seesHangUp())
      // The next client can connect only within the grace period, since there is no call of `accept`.
      #expect(await eventually { !FileManager.default.fileExists(atPath: link) })
      async let next = listener.accept()
      #expect(await eventually { FileManager.default.fileExists(atPath: link) })
      let again = try RawClient(link)
      again.write([4])
      let session2 = try #require(try await next)
      #expect(try await read(1, from: session2) == [4])
      await listener.close()
    }

    @Test func behindALinkTheNextLineIsThereAtOnce() async throws {
      let link = freshPath()
      let listener = try TerminalListener(link: link)
      let received = Locked<[UInt8]>([])
      async let served: Void = {
        while let session = try await listener.accept() {
          let bytes = try await read(1, from: session)
          received.withLock { $0 += bytes }
          await session.close()
        }
      }()
      for number in 0..<20 as Range<UInt8> {
        // If a busy computer delays the call of `accept` beyond the grace period, the client is disconnected first.
        let isServed = await eventually {
          guard let client = try? RawClient(link) else { return false }
          client.write([number])
          #expect(client.seesHangUp())
          return received.withLock { $0.last } == number
        }
        #expect(isServed)
      }
      #expect(received.withLock { $0 } == Array(0..<20))
      await listener.close()
      try await served
    }

    @Test func withoutEventsThereIsOneSessionForAll() async throws {
      let listener = try TerminalListener(link: nil, isMonitoring: false) { _ in }
      let session = try #require(try await listener.accept())
      for number in 1...3 as ClosedRange<UInt8> {
        let client = try RawClient(listener.path)
        client.write([number])
        #expect(try await read(1, from: session) == [number])
      }
      await listener.close()
      await #expect(throws: LinkError.lost(listener.path)) { try await session.read() }
    }
  }
#endif
