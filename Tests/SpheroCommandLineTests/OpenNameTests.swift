// Open structs say the name of each member as the source does, and each has a table of sentences.

import Foundation
import TestSupport
import Testing

@Suite(.aFewAtATime) struct OpenNameTests {
  /// Where the open structs are: `ErrorTests` and `RemarkTests` of each target have their tables of sentences;
  /// the steps of `PoseCollector` have names alone.
  private static let tables = [
    "SpheroControls/Color/ColorParsingError.swift": "Code",
    "SpheroControls/Guidance/Guidance.swift": "GuidanceFailure", "SpheroHost/Handshake.swift": "Kind",
    "SpheroHost/Notice.swift": "Kind", "SpheroHost/SessionError.swift": "Code",
    "SpheroOrientation/Heading/WorldMagneticModelError.swift": "Code",
    "SpheroHost/StreamGap.swift": "Reason", "SpheroOrientation/Text/TextLine.swift": "Code",
    "SpheroProtocol/OrbBasic/OrbBasicProgram.swift": "Code",
    "SpheroProtocol/Macros/MacroText.swift": "Code", "SpheroSession/Robot+Programs.swift": "Code",
    "SpheroProtocol/Sensors/MaskError.swift": "Code", "SpheroProtocol/Wire/WireError.swift": "Code",
    "SpheroCapture/CaptureError.swift": "Code", "SpheroRecording/Replay/ReplayError.swift": "Code",
    "SpheroSerial/ServingRemark.swift": "Kind", "SpheroSession/Motion/MotionError.swift": "Code",
    "SpheroSession/Motion/PoseCollector.swift": "Step",
    "SpheroSimulator/SimulatorFileError.swift": "Code", "SpheroSimulator/SimulatorOptions.swift": "Code",
    "SpheroTransport/LinkError.swift": "Code", "SpheroTransport/Port.swift": "Kind",
    "SpheroTransport/PortError.swift": "Code",
  ]

  @Test func everyMemberHasItsOwnName() throws {
    for (path, type) in Self.tables {
      let names = try openNames(of: type, in: path)
      #expect(names.count > 1, "\(path)")
      #expect(names.allSatisfy { $0.name == $0.text }, "\(path)")
      #expect(Set(names).count == names.count, "\(path)")
    }
  }

  @Test func everyOpenStructHasATable() throws {
    let sources = packageRoot.appending(path: "Sources")
    let files = try #require(FileManager.default.enumerator(atPath: sources.path))
    var found: Set<String> = []
    for case let path as String in files where path.hasSuffix(".swift") {
      let source = try String(contentsOf: sources.appending(path: path), encoding: .utf8)
      if source.contains("private init(_ name: String) { description = name }") { found.insert(path) }
    }
    #expect(found == Set(Self.tables.keys))
  }
}
