// Every remark has its sentence, and what it tells is in properties.

import SpheroSerial
import SpheroTransport
import TestSupport
import Testing

@Suite struct RemarkTests {
  @Test func everyServingRemarkHasItsSentence() throws {
    let client = PortHolder(processID: 12, program: "minicom")
    let rows: [(ServingRemark, ServingRemark.Kind, String)] = [
      (.moved("p"), .moved, "the line is at p now"),
      (
        .secondClient("p", nil), .secondClient,
        "a second client has opened p: it gets no answers while the first is connected"
      ),
      (
        .secondClient("p", client), .secondClient,
        "minicom (pid 12) has opened p: it gets no answers while the first is connected"
      ),
      (.refused("p"), .refused, "a second client connected to p and was closed: the first is still there"),
      (
        .successor("p"), .successor,
        "the client that waited at p is served now; what it sent before is discarded"
      ),
      (
        .linkTaken("p"), .linkTaken,
        "p no longer leads to this robot and is left unchanged; remove it to restore the link"
      ),
      (.shared("p"), .shared, "several programs have p open: none is answered until one remains"),
      (.alone("p"), .alone, "only one program still has p open; it gets answers again"),
    ]
    for (remark, kind, text) in rows {
      #expect(remark.kind == kind && remark.place == "p" && remark.description == text)
    }
    #expect(rows.compactMap { $0.0.client } == [client])
    let kinds = try openNames(of: "Kind", in: "SpheroSerial/ServingRemark.swift").map(\.text)
    #expect(Set(rows.map { "\($0.1)" }) == Set(kinds))
  }
}
