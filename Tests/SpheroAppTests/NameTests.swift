// A file of an app that imports this package beside SwiftUI, some of whose names are the same.

import SpheroControls
import SpheroOrientation
import SpheroProtocol
import SwiftUINames
import Testing

import struct SpheroControls.Point
// An import of one declaration wins over those of whole modules: the plain name is this package's in this file.
import struct SpheroOrientation.Angle
import enum SpheroOrientation.Axis
import enum SpheroProtocol.Settings

@Suite struct NameTests {
  @Test func plainNamesAreThoseOfTheImportedDeclarations() throws {
    let quarter: Angle = .degrees(90)
    #expect(quarter.degrees == 90 && Axis.z.vector == [0, 0, 1] && Point(x: 1, y: 2).y == 2)
    #expect(Settings.GetPermanentOptions.id == CommandID(0x02, 0x36))
  }

  @Test func theOthersAreNamedByTheirModule() {
    let angle = SwiftUINames.Angle(radians: Angle.degrees(180).radians)
    #expect(angle.radians == .pi)
    #expect(SwiftUINames.Point(v: 3).v == 3 && SwiftUINames.Axis.horizontal == .horizontal)
    _ = SwiftUINames.Settings()
  }
}
