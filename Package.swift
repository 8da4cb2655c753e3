// swift-tools-version: 6.3
// Declares the package; Docs/Architecture.md describes its layers.
import PackageDescription

let strict: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .strictMemorySafety(),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("InferIsolatedConformances"),
]

/// A target that a program with a real robot needs; it must not depend on a lab target.
func core(_ name: String, _ dependencies: [Target.Dependency] = []) -> Target {
  .target(name: name, dependencies: dependencies, swiftSettings: strict)
}

/// A target for simulated and recorded robots, drawings, surveys and the page.
func lab(_ name: String, _ dependencies: [Target.Dependency], exclude: [String] = []) -> Target {
  .target(
    name: name, dependencies: dependencies, path: "Sources/Lab/\(name)", exclude: exclude,
    swiftSettings: strict)
}

let package = Package(
  name: "sphero",
  platforms: [.macOS(.v15), .iOS(.v18)],
  products: [
    .library(name: "SpheroProtocol", targets: ["SpheroProtocol"]),
    .library(name: "SpheroOrientation", targets: ["SpheroOrientation"]),
    .library(name: "SpheroControls", targets: ["SpheroControls"]),
    .library(name: "SpheroModel", targets: ["SpheroModel"]),
    .library(name: "SpheroHost", targets: ["SpheroHost"]),
    .library(name: "SpheroBluetooth", targets: ["SpheroBluetooth"]),
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
    core("SpheroLibc"),
    core("SpheroText", ["SpheroLibc"]),
    core("SpheroProtocol", ["SpheroText"]),
    core("SpheroOrientation", ["SpheroLibc", "SpheroText"]),
    core("SpheroControls", ["SpheroLibc", "SpheroOrientation"]),
    core("SpheroHost", ["SpheroProtocol"]),
    core("SpheroBluetooth"),
    core("SpheroMotion", ["SpheroProtocol", "SpheroOrientation", "SpheroControls", "SpheroHost"]),
    core("SpheroSystem", ["SpheroLibc"]),
    core("SpheroTransport", ["SpheroSystem"]),
    core("SpheroSerial", ["SpheroLibc", "SpheroSystem", "SpheroTransport", "SpheroBluetooth"]),
    // Empty except on Apple's systems.
    core("SpheroCoreBluetooth", ["SpheroSystem", "SpheroTransport", "SpheroBluetooth", "SpheroSerial"]),
    core("SpheroProcess", ["SpheroLibc", "SpheroSystem", "SpheroTransport"]),
    core(
      "SpheroSession",
      [
        "SpheroProtocol", "SpheroOrientation", "SpheroControls", "SpheroHost", "SpheroMotion", "SpheroSystem",
        "SpheroTransport",
      ]),

    lab("SpheroModel", ["SpheroLibc", "SpheroProtocol", "SpheroOrientation"]),
    lab(
      "SpheroSimulator",
      ["SpheroProtocol", "SpheroOrientation", "SpheroModel", "SpheroTransport", "SpheroSystem"]),
    lab("SpheroServing", ["SpheroLibc", "SpheroSystem", "SpheroTransport", "SpheroSerial"]),
    lab("SpheroCapture", ["SpheroLibc", "SpheroProtocol"]),
    lab(
      "SpheroRecording", ["SpheroProtocol", "SpheroHost", "SpheroCapture", "SpheroSystem", "SpheroTransport"]),
    lab("SpheroDrawing", ["SpheroProtocol", "SpheroOrientation", "SpheroControls", "SpheroModel"]),
    lab(
      "SpheroSurvey",
      [
        "SpheroProtocol", "SpheroOrientation", "SpheroMotion", "SpheroSystem", "SpheroTransport",
        "SpheroSession",
      ]),
    // A separate script compiles it for WebAssembly; this target exists for its tests.
    lab(
      "SpheroPage",
      [
        "SpheroProtocol", "SpheroOrientation", "SpheroControls", "SpheroHost", "SpheroModel", "SpheroMotion",
        "SpheroCapture", "SpheroDrawing", "SpheroBluetooth",
      ], exclude: ["C", "Web", "build", "compile.bash"]),
    lab(
      "SpheroPort",
      [
        "SpheroTransport", "SpheroSerial", "SpheroBluetooth", "SpheroCoreBluetooth", "SpheroProcess",
        "SpheroSimulator", "SpheroRecording",
      ]),

    .executableTarget(
      name: "sphero",
      dependencies: [
        "SpheroProtocol", "SpheroOrientation", "SpheroControls", "SpheroMotion", "SpheroSystem",
        "SpheroTransport", "SpheroBluetooth", "SpheroSerial", "SpheroProcess", "SpheroSession", "SpheroModel",
        "SpheroSimulator", "SpheroServing", "SpheroCapture", "SpheroRecording", "SpheroDrawing",
        "SpheroSurvey",
        "SpheroPort",
      ],
      swiftSettings: strict),
    .target(
      name: "TestSupport",
      dependencies: ["ParallelizationWidth", "SpheroSystem", "SpheroTransport", "SpheroSerial"],
      path: "Tests/TestSupport", swiftSettings: strict),
    // Limits the number of tests that run at the same time.
    .target(name: "ParallelizationWidth", path: "Tests/ParallelizationWidth"),
    // Stubs of the SwiftUI declarations that the example app imports, for systems without SwiftUI.
    .target(name: "SwiftUINames", path: "Tests/SwiftUINames", swiftSettings: strict),
    .testTarget(
      name: "DocumentationTests",
      dependencies: [
        "sphero", "SpheroProtocol", "SpheroOrientation", "SpheroControls", "SpheroHost", "SpheroMotion",
        "SpheroModel",
        "SpheroCapture", "SpheroDrawing", "SpheroTransport", "SpheroSerial", "SpheroServing", "SpheroSession",
        "SpheroSurvey", "SpheroSimulator", "SpheroRecording", "SpheroPort", "TestSupport",
      ],
      swiftSettings: strict),
    .testTarget(
      name: "SpheroProtocolTests", dependencies: ["SpheroProtocol", "SpheroText", "TestSupport"],
      swiftSettings: strict),
    .testTarget(
      name: "SpheroOrientationTests", dependencies: ["SpheroOrientation", "TestSupport"],
      swiftSettings: strict),
    .testTarget(
      name: "SpheroModelTests",
      dependencies: ["SpheroModel", "SpheroProtocol", "SpheroOrientation", "TestSupport"],
      swiftSettings: strict),
    .testTarget(
      name: "SpheroBluetoothTests",
      dependencies: [
        "SpheroBluetooth", "SpheroControls", "SpheroProtocol", "SpheroSystem", "SpheroTransport",
        "SpheroSerial", "SpheroSession", "SpheroSimulator", "TestSupport",
      ], swiftSettings: strict),
    .testTarget(
      name: "SpheroSerialTests",
      dependencies: ["SpheroSystem", "SpheroTransport", "SpheroSerial", "SpheroServing", "TestSupport"],
      swiftSettings: strict),
    .testTarget(
      name: "SpheroPortTests",
      dependencies: [
        "SpheroPort", "SpheroSerial", "SpheroSystem", "SpheroTransport", "SpheroSimulator", "SpheroSession",
        "SpheroOrientation", "TestSupport",
      ],
      swiftSettings: strict),
    .testTarget(
      name: "SpheroProcessTests", dependencies: ["SpheroProcess", "TestSupport"], swiftSettings: strict),
    .testTarget(
      name: "SpheroRecordingTests",
      dependencies: [
        "SpheroProtocol", "SpheroHost", "SpheroModel", "SpheroSystem", "SpheroTransport", "SpheroCapture",
        "SpheroRecording",
        "SpheroSession", "SpheroSimulator", "TestSupport",
      ],
      swiftSettings: strict),
    .testTarget(
      name: "SpheroCommandLineTests",
      dependencies: [
        "sphero", "SpheroProtocol", "SpheroOrientation", "SpheroControls", "SpheroHost", "SpheroMotion",
        "SpheroModel", "SpheroTransport", "SpheroSerial", "SpheroServing", "SpheroProcess", "SpheroSession",
        "SpheroSimulator", "SpheroCapture", "TestSupport",
      ],
      swiftSettings: strict),
    .testTarget(
      name: "SpheroHostTests", dependencies: ["SpheroProtocol", "SpheroHost", "TestSupport"],
      swiftSettings: strict),
    // Isolated to the main actor by default, like an app target.
    .testTarget(
      name: "SpheroAppTests",
      dependencies: [
        "SpheroProtocol", "SpheroOrientation", "SpheroControls", "SpheroHost", "SpheroTransport",
        "SpheroSerial", "SpheroSession", "SpheroSimulator", "SpheroPort", "SwiftUINames",
      ],
      swiftSettings: strict + [.defaultIsolation(MainActor.self)]),
    .testTarget(
      name: "SpheroSessionTests",
      dependencies: [
        "SpheroProtocol", "SpheroOrientation", "SpheroControls", "SpheroHost", "SpheroModel",
        "SpheroMotion", "SpheroSystem", "SpheroTransport", "SpheroSession", "SpheroSurvey",
        "SpheroSimulator", "SpheroDrawing", "TestSupport",
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
        "SpheroDrawing", "SpheroControls", "SpheroModel", "SpheroOrientation", "SpheroProtocol",
      ],
      swiftSettings: strict),
    .testTarget(
      name: "SpheroPageTests",
      dependencies: [
        "SpheroPage", "SpheroProtocol", "SpheroOrientation", "SpheroControls", "SpheroBluetooth",
        "TestSupport",
      ],
      swiftSettings: strict),
    .testTarget(
      name: "SpheroControlsTests", dependencies: ["SpheroControls", "SpheroOrientation", "TestSupport"],
      swiftSettings: strict),
  ]
)
