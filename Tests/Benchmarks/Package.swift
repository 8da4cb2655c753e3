// swift-tools-version: 6.3
// Measures the library as a package sees it that imports it, beside the same work in C; see Docs/Performance.md.
import PackageDescription

let optimized: [CSetting] = [.unsafeFlags(["-O3", "-march=native"])]

// Valgrind does not read the debug information of Swift's own libraries.
let withoutDebugInformation: [LinkerSetting] = [.unsafeFlags(["-Xlinker", "-S"], .when(platforms: [.linux]))]

let package = Package(
  name: "benchmarks",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "sphero", path: "../..")],
  targets: [
    // The twins of the library's work.
    .target(name: "CTwins", cSettings: optimized),
    // Processes, their times, and a robot for them.
    .target(name: "CProcesses"),
    // Counts what is allocated in the executable that it is linked into.
    .target(name: "CAllocations"),
    .target(
      name: "Workloads",
      dependencies: [
        "CTwins",
        .product(name: "SpheroProtocol", package: "sphero"),
        .product(name: "SpheroOrientation", package: "sphero"),
      ]),
    .executableTarget(
      name: "benchmark", dependencies: ["Workloads", "CProcesses"], linkerSettings: withoutDebugInformation),
    .executableTarget(name: "allocations", dependencies: ["Workloads", "CAllocations"]),
  ]
)
