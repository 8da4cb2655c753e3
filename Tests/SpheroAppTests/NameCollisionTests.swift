// Name collisions in a file that imports this package and SwiftUI.

import SpheroControls
import SpheroOrientation
import SpheroProtocol
import SwiftUINames
import Testing

import struct SpheroControls.Point
// The import of a single declaration takes precedence over modules, so the unqualified name is that of this package.
import struct SpheroOrientation.Angle
import enum SpheroOrientation.Axis
import enum SpheroProtocol.Settings

@Suite struct NameCollisionTests {
  @Test func unqualifiedNamesAreTheImportedDeclarations() throws {
    let quarter: Angle = .degrees(90)
    #expect(quarter.degrees == 90 && Axis.z.vector == [0, 0, 1] && Point(x: 1, y: 2).y == 2)
    #expect(Settings.GetPermanentOptions.id == CommandID(0x02, 0x36))
  }

  @Test func otherNamesAreQualifiedByTheirModule() {
    let angle = SwiftUINames.Angle(radians: Angle.degrees(180).radians)
    #expect(angle.radians == .pi)
    #expect(SwiftUINames.Point(v: 3).v == 3 && SwiftUINames.Axis.horizontal == .horizontal)
    _ = SwiftUINames.Settings()
  }
}
