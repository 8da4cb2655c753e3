// swift-tools-version: 6.3
// The package; see Docs/Architecture.md for its floors.
import PackageDescription

let strict: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .strictMemorySafety(),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("InferIsolatedConformances"),
]

let package = Package(
  name: "sphero",
  platforms: [.macOS(.v15), .iOS(.v18)],
  products: [
    .library(name: "SpheroProtocol", targets: ["SpheroProtocol"]),
    .library(name: "SpheroOrientation", targets: ["SpheroOrientation"]),
    .library(name: "SpheroControls", targets: ["SpheroControls"]),
    .library(name: "SpheroModel", targets: ["SpheroModel"]),
    .library(name: "SpheroHost", targets: ["SpheroHost"]),
    .library(name: "SpheroMotion", targets: ["SpheroMotion"]),
    .library(name: "SpheroCapture", targets: ["SpheroCapture"]),
    .library(name: "SpheroDrawing", targets: ["SpheroDrawing"]),
    .library(name: "SpheroTransport", targets: ["SpheroTransport"]),
    .library(name: "SpheroSerial", targets: ["SpheroSerial"]),
    .library(name: "SpheroServing", targets: ["SpheroServing"]),
    .library(name: "SpheroSession", targets: ["SpheroSession"]),
    .library(name: "SpheroSurvey", targets: ["SpheroSurvey"]),
    .library(name: "SpheroSimulator", targets: ["SpheroSimulator"]),
    .library(name: "SpheroRecording", targets: ["SpheroRecording"]),
    .library(name: "SpheroPort", targets: ["SpheroPort"]),
    .executable(name: "sphero", targets: ["sphero"]),
  ],
  targets: [
    .target(name: "SpheroProtocol", swiftSettings: strict),
    .target(name: "SpheroOrientation", swiftSettings: strict),
    .target(name: "SpheroControls", dependencies: ["SpheroOrientation"], swiftSettings: strict),
    .target(
      name: "SpheroModel", dependencies: ["SpheroProtocol", "SpheroOrientation"], swiftSettings: strict),
    .target(name: "SpheroHost", dependencies: ["SpheroProtocol"], swiftSettings: strict),
    .target(
      name: "SpheroMotion",
      dependencies: ["SpheroProtocol", "SpheroOrientation", "SpheroControls", "SpheroHost"],
      swiftSettings: strict),
    .target(name: "SpheroCapture", dependencies: ["SpheroProtocol"], swiftSettings: strict),
    .target(
      name: "SpheroDrawing", dependencies: ["SpheroProtocol", "SpheroOrientation", "SpheroControls"],
      swiftSettings: strict),
    // Compiled for WebAssembly by its own script, and here for its tests.
    .target(
      name: "SpheroPage",
      dependencies: [
        "SpheroProtocol", "SpheroOrientation", "SpheroControls", "SpheroHost", "SpheroModel", "SpheroMotion",
        "SpheroCapture", "SpheroDrawing",
      ],
      exclude: ["C", "Web", "build", "compile.bash"], swiftSettings: strict),
    .target(name: "SpheroSystem", swiftSettings: strict),
    .target(name: "SpheroTransport", dependencies: ["SpheroSystem"], swiftSettings: strict),
    .target(
      name: "SpheroSerial", dependencies: ["SpheroSystem", "SpheroTransport"], swiftSettings: strict),
    .target(
      name: "SpheroServing", dependencies: ["SpheroSystem", "SpheroTransport", "SpheroSerial"],
      swiftSettings: strict),
    .target(
      name: "SpheroProcess", dependencies: ["SpheroSystem", "SpheroTransport"], swiftSettings: strict),
    .target(
      name: "SpheroSession",
      dependencies: [
        "SpheroProtocol", "SpheroOrientation", "SpheroControls", "SpheroHost", "SpheroMotion",
        "SpheroSystem", "SpheroTransport",
      ],
      swiftSettings: strict),
    .target(
      name: "SpheroSurvey",
      dependencies: [
        "SpheroProtocol", "SpheroOrientation", "SpheroControls", "SpheroHost", "SpheroMotion",
        "SpheroTransport",
        "SpheroSession",
      ],
      swiftSettings: strict),
    .target(
      name: "SpheroSimulator",
      dependencies: ["SpheroProtocol", "SpheroModel", "SpheroTransport", "SpheroSystem"],
      swiftSettings: strict),
    .target(
      name: "SpheroRecording",
      dependencies: ["SpheroProtocol", "SpheroCapture", "SpheroSystem", "SpheroTransport"],
      swiftSettings: strict),
    .target(
      name: "SpheroPort",
      dependencies: ["SpheroTransport", "SpheroSerial", "SpheroSimulator", "SpheroRecording"],
      swiftSettings: strict),
    .executableTarget(
      name: "sphero",
      dependencies: [
        "SpheroProtocol", "SpheroOrientation", "SpheroControls", "SpheroSystem", "SpheroTransport",
        "SpheroSerial", "SpheroServing", "SpheroProcess", "SpheroSession", "SpheroSurvey", "SpheroSimulator",
        "SpheroRecording",
        "SpheroPort", "SpheroModel", "SpheroMotion", "SpheroDrawing",
      ],
      swiftSettings: strict),
    .target(
      name: "TestSupport", dependencies: ["SpheroSystem", "SpheroTransport", "SpheroSerial"],
      path: "Tests/TestSupport", swiftSettings: strict),
    // What an app's file imports beside this package, where there is no SwiftUI.
    .target(name: "SwiftUINames", path: "Tests/SwiftUINames", swiftSettings: strict),
    .testTarget(
      name: "SpheroProtocolTests", dependencies: ["SpheroProtocol", "TestSupport"], swiftSettings: strict),
    .testTarget(
      name: "SpheroOrientationTests", dependencies: ["SpheroOrientation", "TestSupport"],
      swiftSettings: strict),
    .testTarget(
      name: "SpheroModelTests",
      dependencies: ["SpheroModel", "SpheroProtocol", "SpheroOrientation", "TestSupport"],
      swiftSettings: strict),
    .testTarget(
      name: "SpheroSerialTests",
      dependencies: ["SpheroSystem", "SpheroTransport", "SpheroSerial", "SpheroServing", "TestSupport"],
      swiftSettings: strict),
    .testTarget(
      name: "SpheroPortTests",
      dependencies: ["SpheroPort", "SpheroTransport", "SpheroSimulator", "TestSupport"],
      swiftSettings: strict),
    .testTarget(
      name: "SpheroProcessTests", dependencies: ["SpheroProcess", "TestSupport"], swiftSettings: strict),
    .testTarget(
      name: "SpheroRecordingTests",
      dependencies: [
        "SpheroProtocol", "SpheroSystem", "SpheroTransport", "SpheroRecording", "SpheroSession",
        "SpheroSimulator", "TestSupport",
      ],
      swiftSettings: strict),
    .testTarget(
      name: "SpheroCommandLineTests",
      dependencies: [
        "sphero", "SpheroProtocol", "SpheroOrientation", "SpheroHost", "SpheroModel", "SpheroTransport",
        "SpheroSerial", "SpheroServing", "SpheroProcess", "SpheroSession", "SpheroSimulator", "TestSupport",
      ],
      swiftSettings: strict),
    .testTarget(
      name: "SpheroHostTests", dependencies: ["SpheroProtocol", "SpheroHost", "TestSupport"],
      swiftSettings: strict),
    // As in an app whose code is isolated to the main actor by default.
    .testTarget(
      name: "SpheroAppTests",
      dependencies: [
        "SpheroProtocol", "SpheroOrientation", "SpheroControls", "SpheroHost", "SpheroTransport",
        "SpheroSession", "SpheroSimulator", "SwiftUINames",
      ],
      swiftSettings: strict + [.defaultIsolation(MainActor.self)]),
    .testTarget(
      name: "SpheroSessionTests",
      dependencies: [
        "SpheroProtocol", "SpheroOrientation", "SpheroControls", "SpheroHost", "SpheroModel",
        "SpheroSystem", "SpheroTransport", "SpheroSerial", "SpheroSession", "SpheroSurvey", "SpheroSimulator",
        "TestSupport",
      ],
      swiftSettings: strict),
    .testTarget(
      name: "SpheroSimulatorTests",
      dependencies: [
        "SpheroProtocol", "SpheroOrientation", "SpheroModel", "SpheroSystem", "SpheroTransport",
        "SpheroSimulator", "TestSupport",
      ],
      swiftSettings: strict),
    .testTarget(
      name: "SpheroDrawingTests",
      dependencies: [
        "SpheroDrawing", "SpheroControls", "SpheroOrientation", "SpheroProtocol", "TestSupport",
      ],
      swiftSettings: strict),
    .testTarget(
      name: "SpheroPageTests",
      dependencies: ["SpheroPage", "SpheroProtocol", "SpheroHost", "SpheroCapture", "TestSupport"],
      swiftSettings: strict),
    .testTarget(
      name: "SpheroControlsTests", dependencies: ["SpheroControls", "SpheroOrientation", "TestSupport"],
      swiftSettings: strict),
  ]
)
