// Links are created, replaced and removed; files of other programs are left unchanged.

import Foundation
import SpheroTransport
import TestSupport
import Testing

@testable import SpheroSerial
@testable import SpheroServing

@Suite struct LinkPathTests {
  /// An unused path.
  static func freshPath() -> String {
    FileManager.default.temporaryDirectory.appending(path: "link-\(UUID().uuidString)").path
  }

  private let link = freshPath()

  private func target() throws -> String {
    try FileManager.default.destinationOfSymbolicLink(atPath: link)
  }

  @Test func itIsMadeAndRemoved() async throws {
    let listener = try TerminalListener(link: link)
    #expect(try target().hasPrefix("/dev/"))
    await listener.close()
    #expect(throws: (any Error).self) { try target() }
  }

  #if os(Linux)
    @Test func oneOfALiveServerIsKept() async throws {
      let listener = try TerminalListener(link: link)
      let before = try target()
      // By another name for the same path, too.
      for path in [link, link.replacing("/link-", with: "/./link-")] {
        #expect {
          try TerminalListener(link: path)
        } throws: { error in
          error as? LinkError == .busy(path, HolderSearch.identify(getpid())?.process)
        }
      }
      #expect(try target() == before)
      await listener.close()
      await (try TerminalListener(link: link)).close()
    }

    @Test func oneOfALiveServerOfAnotherMakeIsKept() throws {
      let line = try PseudoTerminal()
      try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: line.path)
      #expect(throws: LinkError.busy(link, HolderSearch.identify(getpid())?.process)) {
        try TerminalListener(link: link)
      }
      #expect(try target() == line.path)
      line.close()
      try FileManager.default.removeItem(atPath: link)
    }

    @Test func aStaleOneIsReplacedAlsoWhereItsNumberIsUsedAgain() async throws {
      try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "/dev/pts/987654")
      await (try TerminalListener(link: link)).close()
      // A link exists for each number that the next pseudo-terminal may have.
      let probe = try PseudoTerminal()
      probe.close()
      let last = try #require(Int(probe.path.dropFirst("/dev/pts/".count)))
      // The kernel assigns the lowest free number; other programs may open terminals at the same time.
      let numbers = 0..<last + 512
      let links = numbers.map { "\(link)-\($0)" }
      for number in numbers {
        try FileManager.default.createSymbolicLink(
          atPath: links[number], withDestinationPath: "/dev/pts/\(number)")
      }
      defer { for link in links { try? FileManager.default.removeItem(atPath: link) } }
      try await Task.sleep(for: .milliseconds(20))
      let line = try PseudoTerminal()
      defer { line.close() }
      let number = try #require(Int(line.path.dropFirst("/dev/pts/".count)))
      try #require(numbers.contains(number))
      let listener = try TerminalListener(link: links[number])
      await listener.close()
    }

    @Test func whatSomebodyElsePutsThereWhileItIsServedIsKept() async throws {
      let remarks = TerminalListenerTests.Remarks()
      let listener = try TerminalListener(link: link) { remarks.add($0) }
      let client = try RawClient(link)
      let session = try #require(try await listener.accept())
      try FileManager.default.removeItem(atPath: link)
      try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "/etc/hosts")
      client.close()
      while (try? await session.read()) != nil {}
      #expect(try await remarks.wait { $0 == .linkTaken(link) })
      #expect(try target() == "/etc/hosts")
      await listener.close()
      #expect(try target() == "/etc/hosts")
      try FileManager.default.removeItem(atPath: link)
    }

    @Test func filesBesideTheLinkAreKept() async throws {
      let beside = "\(link).\(getpid()).0"
      for path in [beside, "\(link).\(getpid())"] {
        try Data("text".utf8).write(to: URL(filePath: path))
      }
      let listener = try TerminalListener(link: link)
      let before = try target()
      let client = try RawClient(link)
      let session = try #require(try await listener.accept())
      #expect(try target() != before)
      client.close()
      while (try? await session.read()) != nil {}
      await listener.close()
      for path in [beside, "\(link).\(getpid())"] {
        #expect(try String(contentsOfFile: path, encoding: .utf8) == "text")
        try FileManager.default.removeItem(atPath: path)
      }
      #expect(!FileManager.default.fileExists(atPath: "\(link).\(getpid()).1"))
    }
  #endif

  @Test func otherLinksAndFilesAreKept() throws {
    for other in ["/etc/hosts", "/dev/null", "/dev/pts/7/..", "nowhere"] {
      try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: other)
      #expect(throws: LinkError.failed(link, operation: "symlink", code: EEXIST)) {
        try TerminalListener(link: link)
      }
      #expect(try target() == other)
      try FileManager.default.removeItem(atPath: link)
    }
    try Data("text".utf8).write(to: URL(filePath: link))
    #expect(throws: LinkError.failed(link, operation: "symlink", code: EEXIST)) {
      try TerminalListener(link: link)
    }
    #expect(try String(contentsOfFile: link, encoding: .utf8) == "text")
    try FileManager.default.removeItem(atPath: link)
    let nowhere = "\(link)-folder/link"
    #expect(throws: LinkError.failed(nowhere, operation: "symlink", code: ENOENT)) {
      try TerminalListener(link: nowhere)
    }
  }
}
