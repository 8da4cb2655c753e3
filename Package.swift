// swift-tools-version: 6.2
// The package: seven targets on three floors; see Docs/Architecture.md.
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
    .library(name: "SpheroSerial", targets: ["SpheroSerial"]),
    .library(name: "SpheroSession", targets: ["SpheroSession"]),
    .library(name: "SpheroSimulator", targets: ["SpheroSimulator"]),
    .executable(name: "sphero", targets: ["sphero"]),
  ],
  targets: [
    .target(name: "SpheroProtocol", swiftSettings: strict),
    .target(name: "SpheroOrientation", swiftSettings: strict),
    .target(name: "SpheroControls", dependencies: ["SpheroOrientation"], swiftSettings: strict),
    .target(name: "SpheroSerial", swiftSettings: strict),
    .target(
      name: "SpheroSession",
      dependencies: ["SpheroProtocol", "SpheroOrientation", "SpheroSerial"],
      swiftSettings: strict),
    .target(
      name: "SpheroSimulator",
      dependencies: ["SpheroProtocol", "SpheroOrientation", "SpheroSerial"],
      swiftSettings: strict),
    .executableTarget(
      name: "sphero",
      dependencies: [
        "SpheroProtocol", "SpheroOrientation", "SpheroControls", "SpheroSerial", "SpheroSession",
        "SpheroSimulator",
      ],
      swiftSettings: strict),
    .testTarget(name: "SpheroProtocolTests", dependencies: ["SpheroProtocol"], swiftSettings: strict),
    .testTarget(name: "SpheroOrientationTests", dependencies: ["SpheroOrientation"], swiftSettings: strict),
    .testTarget(name: "SpheroSerialTests", dependencies: ["SpheroSerial"], swiftSettings: strict),
    .testTarget(
      name: "SpheroCommandLineTests",
      dependencies: ["sphero", "SpheroProtocol", "SpheroOrientation", "SpheroSerial", "SpheroSession"],
      swiftSettings: strict),
    .testTarget(
      name: "SpheroSessionTests",
      dependencies: [
        "SpheroProtocol", "SpheroOrientation", "SpheroSerial", "SpheroSession", "SpheroSimulator",
      ],
      swiftSettings: strict),
    .testTarget(
      name: "SpheroControlsTests", dependencies: ["SpheroControls", "SpheroOrientation"],
      swiftSettings: strict),
  ]
)
