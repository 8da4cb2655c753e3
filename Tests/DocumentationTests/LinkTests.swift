// The links between pages, and the table of contents.

import Foundation
import Testing

@Suite struct LinkTests {
  @Test func everyRelativeLinkLeadsToAFileAndAHeading() throws {
    var count = 0
    for page in Page.all {
      let folder = Page.root.appending(path: page.path).deletingLastPathComponent()
      for link in page.links where !link.contains(":") {
        count += 1
        let parts = link.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
        let target =
          parts[0].isEmpty ? Page.root.appending(path: page.path) : folder.appending(path: String(parts[0]))
        let exists = FileManager.default.fileExists(atPath: target.standardizedFileURL.path)
        #expect(exists, "\(page): \(link)")
        guard exists, parts.count == 2, target.pathExtension == "md" else { continue }
        let path = String(target.standardizedFileURL.path.dropFirst(Page.root.path.count))
        let anchors = try Page(path).anchors
        #expect(anchors.contains(String(parts[1])), "\(page): \(link)")
      }
    }
    #expect(count > 100)
  }

  @Test func everyPageIsInTheTableOfContentsOnce() throws {
    let listed = try Page("Docs/README.md").links.filter { $0.hasSuffix(".md") && !$0.contains("/") }.sorted()
    let pages = Page.all.filter { $0.path.hasPrefix("Docs/") && $0.name != "README" }.map { $0.name + ".md" }
    #expect(listed == pages.sorted())
  }

  @Test func everyFenceNamesALanguage() {
    for page in Page.all where page.name != "Commands" {
      for block in page.blocks { #expect(!block.language.isEmpty, "\(block)") }
    }
  }
}
