// swift-tools-version: 6.3
// Declares the benchmarks, a package that imports the library and compares it with equivalent C code; see Docs/Performance.md.
import PackageDescription

let optimized: [CSetting] = [.unsafeFlags(["-O3", "-march=native"])]

// Valgrind cannot read the debug information of Swift's standard libraries.
let withoutDebugInformation: [LinkerSetting] = [.unsafeFlags(["-Xlinker", "-S"], .when(platforms: [.linux]))]

/// Redirects the allocations of all statically linked code to the counter.
let countingAllocations: [LinkerSetting] = [
  .unsafeFlags(
    ["malloc", "calloc", "realloc", "memalign", "aligned_alloc", "posix_memalign"].flatMap {
      ["-Xlinker", "--wrap=\($0)"]
    }, .when(platforms: [.linux]))
]

let package = Package(
  name: "benchmarks",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "sphero", path: "../..")],
  targets: [
    // The C counterparts of the library's work.
    .target(name: "CBaseline", cSettings: optimized),
    // Runs and measures processes, and simulates a robot for them.
    .target(name: "CProcesses"),
    // Counts the allocations of the executable that links it.
    .target(name: "CAllocations"),
    .target(
      name: "Workloads",
      dependencies: [
        "CBaseline",
        .product(name: "SpheroProtocol", package: "sphero"),
        .product(name: "SpheroOrientation", package: "sphero"),
      ]),
    .executableTarget(
      name: "benchmark", dependencies: ["Workloads", "CProcesses"], linkerSettings: withoutDebugInformation),
    .executableTarget(
      name: "allocations", dependencies: ["Workloads", "CAllocations"], linkerSettings: countingAllocations),
  ]
)
