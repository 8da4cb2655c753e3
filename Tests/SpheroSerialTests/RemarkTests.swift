// The sentence of each remark.

import SpheroSerial
import SpheroServing
import SpheroTransport
import TestSupport
import Testing

@Suite struct RemarkTests {
  @Test func everyServingRemarkHasItsSentence() throws {
    let client = PortHolder(processID: 12, program: "minicom")
    let rows: [(ServingRemark, String)] = [
      (.moved("p"), "the line is at p now"),
      (
        .secondClient("p", nil),
        "a second client has opened p: it gets no answers while the first is connected"
      ),
      (
        .secondClient("p", client),
        "minicom (pid 12) has opened p: it gets no answers while the first is connected"
      ),
      (.refused("p"), "a second client connected to p and was closed: the first is still there"),
      (
        .pendingClientServed("p"),
        "the client that waited at p is served now; what it sent before is discarded"
      ),
      (
        .linkTaken("p"),
        "p no longer leads to this robot and is left unchanged; remove it to restore the link"
      ),
      (.contended("p"), "several programs have p open: none is answered until one remains"),
      (
        .openedTogether("p"),
        "two programs opened p at the same time, and both are disconnected; open the link again"
      ),
      (.contentionEnded("p"), "only one program still has p open; it gets answers again"),
    ]
    for (remark, text) in rows { #expect(remark.description == text) }
    let cases = try caseNames(of: "ServingRemark", in: "SpheroServing/ServingRemark.swift")
    #expect(Set(rows.compactMap { caseName(of: $0.0) }) == Set(cases))
  }
}
