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
        "a second client has come to p: it is not answered while the first is there"
      ),
      (
        .secondClient("p", client), .secondClient,
        "minicom (pid 12) has come to p: it is not answered while the first is there"
      ),
      (.refused("p"), .refused, "a second client has come to p: it was closed, for the first is there"),
      (
        .successor("p"), .successor,
        "the client that waited at p is served now; what it has sent is thrown away"
      ),
      (
        .linkTaken("p"), .linkTaken,
        "p does not lead here any more: it is left alone; remove it to have the link back"
      ),
      (.shared("p"), .shared, "several programs have p open: none is answered until one is left"),
      (.alone("p"), .alone, "one program is left at p and is answered again"),
    ]
    for (remark, kind, text) in rows {
      #expect(remark.kind == kind && remark.place == "p" && remark.description == text)
    }
    #expect(rows.compactMap { $0.0.client } == [client])
    let kinds = try openNames(of: "Kind", in: "SpheroSerial/ServingRemark.swift").map(\.text)
    #expect(Set(rows.map { "\($0.1)" }) == Set(kinds))
  }
}
