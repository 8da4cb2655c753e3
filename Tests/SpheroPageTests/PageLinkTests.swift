// The page's link over Bluetooth LE: operations as bytes, results as words.

import SpheroBluetooth
import SpheroPage
import Testing

@Suite struct PageLinkTests {
  private var page = Page()

  private mutating func say(_ words: String, at time: Duration = .zero) throws -> String {
    String(decoding: try page.execute(words, at: time), as: UTF8.self)
  }

  /// Performs the handshake and returns its operations.
  private mutating func connect() throws -> [[UInt8]] {
    _ = try say("bluetooth open")
    var operations: [[UInt8]] = []
    while let operation = page.link?.takeOperation(at: .zero), !operation.isEmpty {
      operations.append(operation)
      _ = try say("bluetooth done")
    }
    return operations
  }

  @Test mutating func theHandshakeIsAListOfOperations() throws {
    // 2BBD gets "011i3", 2BBF gets 1, 2BA6 is subscribed to.
    #expect(
      try connect() == [
        [0], [2, 0x2B, 0xBD, 0x30, 0x31, 0x31, 0x69, 0x33], [2, 0x2B, 0xBF, 1], [3, 0x2B, 0xA6],
      ])
    #expect(try say("bluetooth status") == #"{"message":null,"advice":null}"#)
  }

  @Test mutating func aPacketIsWrittenInPieces() throws {
    _ = try connect()
    let packet = [UInt8](0..<25)
    page.link?.send(packet, at: .zero)
    #expect(page.link?.takeOperation(at: .zero) == [1, 0x2B, 0xA1] + packet[..<20])
    #expect(page.link?.takeOperation(at: .zero) == [])
    _ = try say("bluetooth done")
    #expect(page.link?.takeOperation(at: .zero) == [2, 0x2B, 0xA1] + packet[20...])
    // A packet that is sent before the confirmation is discarded.
    page.link?.send([9], at: .zero)
    _ = try say("bluetooth done")
    #expect(page.link?.takeOperation(at: .zero) == [])
    page.link?.send([9], at: .zero)
    #expect(page.link?.takeOperation(at: .zero) == [2, 0x2B, 0xA1, 9])
  }

  @Test mutating func aRobotAnswersOverTheLink() throws {
    _ = try connect()
    _ = try say("connect 0")
    var robot = SimulatedRobot(at: .zero)
    for tick in 1...400 {
      let now = Duration.milliseconds(5 * tick)
      while let packet = page.takeOutput(at: now) {
        page.link?.send(packet, at: now)
        while let operation = page.link?.takeOperation(at: now), !operation.isEmpty {
          robot.receive(Array(operation.dropFirst(3)), at: now)
          _ = try say("bluetooth done", at: now)
        }
      }
      robot.receive([], at: now)
      while let bytes = robot.takeOutput(at: now) {
        // Notifications begin and end anywhere in packets.
        for piece in [bytes.prefix(7), bytes.dropFirst(7)] { page.receiveNotification(Array(piece), at: now) }
      }
    }
    let status = try say("status", at: .seconds(2))
    #expect(status.contains(#""link":"live""#), "\(status)")
  }

  @Test(arguments: [
    ("refused", "refused to list its characteristics"), ("mute", "offers no notifications"),
    ("lost", "disconnected before"), ("missing 11169", "22bb746f-2ba1-7554-2d6f-726568705327"),
  ])
  mutating func eachFailureHasItsSentence(_ words: String, _ sentence: String) throws {
    _ = try say("bluetooth open")
    _ = page.link?.takeOperation(at: .zero)
    _ = try say("bluetooth \(words)")
    #expect(try say("bluetooth status").contains(sentence))
    #expect(page.link?.takeOperation(at: .zero) == [])
  }

  @Test mutating func anOverdueOperationEndsTheLink() throws {
    _ = try say("bluetooth open")
    _ = page.link?.takeOperation(at: .zero)
    let deadline = try #require(page.link?.nextDeadline)
    page.receiveNotification([], at: deadline)
    #expect(try say("bluetooth status", at: deadline).contains("in time"))
  }

  @Test(arguments: ["bluetooth done", "bluetooth", "bluetooth status"])
  mutating func withoutALinkTheWordsAreRefused(_ words: String) {
    #expect(throws: PageError.self) { try say(words) }
  }

  @Test mutating func wrongWordsAreRefused() throws {
    _ = try say("bluetooth open")
    for words in ["bluetooth", "bluetooth x", "bluetooth missing 1", "bluetooth done x", "bluetooth open x"] {
      #expect(throws: PageError.self, "\(words)") { try say(words) }
    }
  }

  @Test mutating func theProfileNamesWhatAChooserLists() throws {
    let profile = try say("bluetooth profile")
    for text in ["2ba0", "2bb0", "\"2B-\"", "\"BB-\"", "\"SK-\"", "\"1C-\"", "\"number\":11169"] {
      #expect(profile.contains(text), "\(text)")
    }
    #expect(!profile.contains("D2-") && !profile.contains("2bb2"))
  }
}
