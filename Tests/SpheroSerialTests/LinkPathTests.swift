// A link is made, moved and removed; what somebody else needs is kept.

import Foundation
import SpheroTransport
import Testing

@testable import SpheroSerial

@Suite struct LinkPathTests {
  private let link = FileManager.default.temporaryDirectory.appending(path: "link-\(UUID().uuidString)").path

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
      // Whatever the number of the next pseudo-terminal, a link to it is there already.
      let numbers = 0..<64
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
      guard numbers.contains(number) else { return }
      let listener = try TerminalListener(link: links[number])
      await listener.close()
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
    #expect(throws: LinkError.failed("/no/such/folder/link", operation: "symlink", code: ENOENT)) {
      try TerminalListener(link: "/no/such/folder/link")
    }
  }
}
