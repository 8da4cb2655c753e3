// The output of `sphero --version`.

import SpheroProcess

enum Version {
  /// The release date, for the manual page.
  static let date = "2026-11-25"

  /// The version, and a line with the compiler and the system for bug reports.
  // Bytes need about ten memory pages fewer than a growing string, so the process starts faster.
  static var text: [UInt8] {
    var text: [UInt8] = []
    text.reserveCapacity(128)
    let parts = [
      "sphero ", Program.version, "\n",
      compiler, ", ", configuration, ", ", ProcessContext.linkage, ", ", system, " ", processor, "\n",
    ]
    for part in parts { text += part.utf8 }
    return text
  }

  private static var compiler: String {
    #if compiler(>=6.5)
      "Swift 6.5 or newer"
    #elseif compiler(>=6.4)
      "Swift 6.4"
    #else
      "Swift 6.3"
    #endif
  }

  private static var configuration: String {
    #if DEBUG
      "debug"
    #else
      "release"
    #endif
  }

  private static var system: String {
    #if os(macOS)
      "macOS"
    #elseif canImport(Musl)
      "Linux (musl)"
    #elseif os(Linux)
      "Linux (glibc)"
    #else
      "unknown system"
    #endif
  }

  private static var processor: String {
    #if arch(x86_64)
      "x86_64"
    #elseif arch(arm64)
      "arm64"
    #elseif arch(arm)
      "arm"
    #else
      "unknown processor"
    #endif
  }
}
