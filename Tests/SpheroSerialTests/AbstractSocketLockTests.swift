// Abstract socket locks: one holder at a time, and release at the end of a process.

import Foundation
import SpheroSystem
import SpheroTransport
import TestSupport
import Testing

@testable import SpheroSerial

@Suite struct AbstractSocketLockTests {
  /// Lines as Linux 6.12 prints them.
  private static let table = """
    Num       RefCount Protocol Flags    Type St Inode Path
    0000000000000000: 00000002 00000000 00000000 0001 01 4711 @sphero/68:86:E7:01:02:03
    0000000000000000: 00000002 00000000 00000000 0001 01 4712 sphero/68:86:E7:01:02:04
    0000000000000000: 00000003 00000000 00000000 0001 03 4713
    0000000000000000: 00000002 00000000 00000000 0001 01 x @sphero/5
    0000000000000000: 00000002 00000000 00000000 0001 01 4714 @sphero/tcp:10.0.0.1:20/0
    0000000000000000: 00000002 00000000 00000000 0001 01 4715 @sphero/tcp:10.0.0.1:200/0
    0000000000000000: 00000002 00000000 00000000 0001 01 4716 @sphero/tcp:10.0.0.1:20/15
    0000000000000000: 00000002 00000000 00000000 0001 01 4717 @sphero/tcp:10.0.0.1:20/x
    0000000000000000: 00000002 00000000 00000000 0001 01 4718 @sphero/ble:/tmp/my socket/0
    """

  @Test(
    arguments: [
      ("sphero/68:86:E7:01:02:03", [4_711]), ("sphero/68:86:E7:01:02:04", []), ("sphero/5", []), ("", []),
      ("sphero/tcp:10.0.0.1:20", [4_714, 4_716]), ("sphero/tcp:10.0.0.1:200", [4_715]),
      ("sphero/ble:/tmp/my socket", [4_718]), ("sphero/ble:/tmp/my", []),
    ] as [(String, [UInt64])])
  func socketsAreFoundByTheirName(_ name: String, _ inodes: [UInt64]) {
    #expect(HolderSearch.inodes(in: Self.table, ofName: name) == inodes)
  }

  /// The holder that the error names; nil where the port is not busy.
  private func holder(in error: LinkError?) -> PortHolder? {
    if case .busy(_, let holder) = error { holder } else { nil }
  }

  #if os(Linux)
    @Test func aNameHasOneHolderAtATime() throws {
      let name = "sphero/test/\(UUID().uuidString)"
      let first = try AbstractSocketLock.acquire(name, for: "robot")
      let error = #expect(throws: LinkError.self) { try AbstractSocketLock.acquire(name, for: "robot") }
      #expect(error?.port == "robot" && holder(in: error)?.processID == getpid())
      first.release()
      let second = try AbstractSocketLock.acquire(name, for: "robot")
      // A second release of the first lock must not release the lock of the new holder.
      first.release()
      #expect(throws: LinkError.self) { try AbstractSocketLock.acquire(name, for: "robot") }
      second.release()
      #expect(HolderSearch.holder(ofName: name) == nil)
    }

    @Test func aSharedNameHasSeveralHolders() throws {
      let name = AbstractSocketLock.name(ofPort: "test/\(UUID().uuidString)")
      var locks = (0..<16).map { _ in AbstractSocketLock.share(name) }
      #expect(locks.allSatisfy { $0 != nil })
      #expect(AbstractSocketLock.share(name) == nil)
      locks[3]?.release()
      #expect(HolderSearch.holder(ofName: name)?.process.processID == getpid())
      locks[3] = AbstractSocketLock.share(name)
      #expect(locks[3] != nil)
      for lock in locks { lock?.release() }
      #expect(HolderSearch.holder(ofName: name) == nil)
    }

    @Test func longNamesDoNotCollide() throws {
      let path = "ble:" + String(repeating: "x", count: 100)
      let names = ["a", "b"].map { AbstractSocketLock.name(ofPort: path + $0) }
      let locks = names.map { AbstractSocketLock.share($0) }
      #expect(locks.allSatisfy { $0 != nil })
      #expect(names.allSatisfy { HolderSearch.holder(ofName: $0)?.process.processID == getpid() })
      locks[0]?.release()
      #expect(HolderSearch.holder(ofName: names[0]) == nil && HolderSearch.holder(ofName: names[1]) != nil)
      #expect(throws: SystemError(code: ENAMETOOLONG)) {
        try System.bindAbstractName(String(repeating: "x", count: 108))
      }
      locks[1]?.release()
    }

    /// The limit of the attempts, as of `--wait`, is shorter than the timeout of the takeover.
    @Test func aTakeoverEndsWithTheLimitOfTheAttempts() async throws {
      let address = try #require(BluetoothAddress(bytes: [0, 0, 0, 0, 0, 8]))
      let lock = try AbstractSocketLock.acquire(AbstractSocketLock.name(ofPort: "\(address)"), for: "robot")
      defer { lock.release() }
      var policy = RetryPolicy()
      policy.limit = .milliseconds(120)
      let start = ContinuousClock.now
      await #expect(throws: LinkError.self) {
        try await StreamSocket.connect(
          to: address, retryPolicy: policy, takeover: Takeover(from: "sphero", within: .seconds(60)))
      }
      #expect(ContinuousClock.now - start < .seconds(40))
    }

    /// The attempts before the first busy one are no part of the wait for the holder.
    @Test func aTakeoverWaitsFromTheFirstBusyAttempt() async throws {
      let time = VirtualTime()
      let policy = RetryPolicy(attempts: 10, pause: .seconds(1))
      let end = try await time.run {
        var count = 0
        let error = await #expect(throws: LinkError.self) {
          try await policy.open(takeover: Takeover(from: "sphero", within: .seconds(5)), time: time) { _, _ in
            count += 1
            throw count <= 6 ? LinkError.hostDown("robot") : .busy("robot", nil)
          }
        }
        #expect(error == .busy("robot", nil))
        return time.now
      }
      #expect((.seconds(11)..<(.seconds(11) + .milliseconds(100))).contains(end), "\(end)")
    }

    @Test func aTakeoverOfALateHolderEndsWithTheLimit() async throws {
      let time = VirtualTime()
      var policy = RetryPolicy(pause: .milliseconds(500))
      policy.limit = .seconds(2)
      let end = try await time.run { [policy] in
        var count = 0
        await #expect(throws: LinkError.busy("robot", nil)) {
          try await policy.open(takeover: Takeover(from: "sphero", within: .seconds(5)), time: time) { _, _ in
            count += 1
            throw count <= 3 ? LinkError.notFound("robot") : .busy("robot", nil)
          }
        }
        return time.now
      }
      #expect((.seconds(2)..<(.seconds(2) + .milliseconds(100))).contains(end), "\(end)")
    }

    @Test func anAddressThatIsHeldSaysByWhomAndFreesItself() async throws {
      let address = try #require(BluetoothAddress(bytes: [0, 0, 0, 0, 0, 9]))
      let lock = try AbstractSocketLock.acquire(AbstractSocketLock.name(ofPort: "\(address)"), for: "robot")
      // This process holds the lock, and must not be interrupted.
      for takeover in [nil, Takeover(from: "sphero", within: .seconds(60))] {
        let error = await #expect(throws: LinkError.self) {
          try await StreamSocket.connect(to: address, takeover: takeover)
        }
        #expect(error?.port == "00:00:00:00:00:09" && holder(in: error)?.processID == getpid())
      }
      lock.release()
      // Without Bluetooth or a robot with this address the connection fails, but the lock is free.
      for _ in 0..<2 {
        let error = await #expect(throws: LinkError.self) {
          try await StreamSocket.connect(to: address, retryPolicy: .init(attempts: 1), timeout: .seconds(1))
        }
        #expect(caseName(of: error) != "busy")
      }
    }
  #endif
}
