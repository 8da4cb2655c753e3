// sphero devices: device files, $SPHERO_PORT, and the list of bluetoothctl.

import Foundation
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5))) struct DevicesTests {
  /// Runs `sphero devices` with a substitute for bluetoothctl first in PATH; nil for none.
  private func devices(
    _ words: [String] = [], of verb: String = "devices", bluetoothctl script: String?, port: String? = nil
  ) async throws -> Outcome {
    let folder = freshPath()
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    if let script {
      let path = folder + "/bluetoothctl"
      try ("#!/bin/sh\n" + script + "\n").write(toFile: path, atomically: true, encoding: .utf8)
      try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
    }
    var environment = ["PATH": script == nil ? folder : "\(folder):/usr/bin:/bin"]
    environment["SPHERO_PORT"] = port
    return try await Run([verb] + words, environment: environment).end()
  }

  private static let listing = #"""
    if [ "$*" = devices ]; then
      echo 'Device C1:6E:04:5E:D9:11 BB-D911'
      echo 'Device C1:6E:04:5E:D9:12 SM-1234'
      echo 'Device AA:BB:CC:00:11:23 Sphero Two'
      exit
    fi
    [ "$*" = "devices Paired" ] || exit 3
    printf '\033[0;94m[bluetooth]\033[0m# Device 68:86:E7:01:02:03 Sphero-RGB\r\n'
    echo 'Device AA:BB:CC:00:11:22 Headphones'
    echo 'Device AA:BB:CC:00:11:23 Sphero Two'
    echo 'Device 68:86:E7:0A:0B:0C'
    echo 'Device 68:86:E7 Sphero-cut'
    echo 'Controller 68:86:E7:01:02:04 Sphero'
    """#

  #if os(Linux)
    #if os(Linux)
      @Test func anIgnoredSIGCHLDChangesNothing() async throws {
        let folder = freshPath()
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let path = folder + "/bluetoothctl"
        try "#!/bin/sh\nexit 0\n".write(toFile: path, atomically: true, encoding: .utf8)
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
        let outcome = try await Run(
          ["ping", "--port", "ble:BB-0000"], by: ["/usr/bin/env", "--ignore-signal=CHLD"],
          environment: ["PATH": "\(folder):/usr/bin:/bin"]
        ).end()
        #expect(outcome.error.contains("finds no robot with this name"), "\(outcome.error)")
      }
    #endif

    @Test func pairedRobotsAreListed() async throws {
      let outcome = try await devices(["--format", "json"], bluetoothctl: Self.listing)
      #expect(outcome.code == 0)
      #expect(
        outcome.lines.filter { $0.contains(#""source":"paired""#) } == [
          #"{"kind":"device","port":"68:86:E7:01:02:03","accessible":null,"name":"Sphero-RGB","source":"paired"}"#,
          #"{"kind":"device","port":"AA:BB:CC:00:11:23","accessible":null,"name":"Sphero Two","source":"paired"}"#,
          #"{"kind":"device","port":"68:86:E7:0A:0B:0C","accessible":null,"name":"","source":"paired"}"#,
        ])
      #expect(
        outcome.lines.filter { $0.contains(#""source":"scan""#) } == [
          #"{"kind":"device","port":"ble:C1:6E:04:5E:D9:11","accessible":null,"name":"BB-D911","source":"scan"}"#
        ])
      #expect(
        outcome.error.contains("SM-1234 (C1:6E:04:5E:D9:12) is a Sphero Mini, whose protocol sphero does not")
      )
    }

    @Test func theRobotOfTheEnvironmentIsListedOnceWithItsName() async throws {
      let outcome = try await devices(
        ["--format", "json"], bluetoothctl: Self.listing, port: "68:86:e7:01:02:03")
      #expect(
        outcome.lines.filter { $0.lowercased().contains("68:86:e7:01:02:03") } == [
          #"{"kind":"device","port":"68:86:e7:01:02:03","accessible":null,"name":"Sphero-RGB","source":"environment"}"#
        ])
    }

    /// The script lists the robot only after a scan, whose words it checks.
    @Test func aRobotIsFoundByItsName() async throws {
      let script = #"""
        case "$*" in
        devices) [ ! -e "$(dirname "$0")/scanned" ] || echo 'Device C1:6E:04:5E:D9:11 BB-D911' ;;
        "--timeout 5 scan le") touch "$(dirname "$0")/scanned" ;;
        esac
        """#
      let words = ["--count", "1", "--port"]
      let found = try await devices(words + ["ble:BB-D911"], of: "ping", bluetoothctl: script)
      // The address is known; whether the kernel has Bluetooth depends on the computer.
      #expect(found.code == 69 && found.error.contains("ble:C1:6E:04:5E:D9:11"), "\(found.error)")
      let absent = try await devices(words + ["ble:BB-0000"], of: "ping", bluetoothctl: script)
      #expect(absent.code == 69 && absent.error.contains("finds no robot with this name"), "\(absent.error)")
      // A crash, as without D-Bus, and a computer without an adapter are not the robot's fault.
      for (script, message) in [
        ("kill -ABRT $$", "bluetoothctl, which knows the names, did not answer"),
        ("echo No default controller available; exit 1", "bluetoothctl finds no Bluetooth adapter"),
      ] {
        let broken = try await devices(words + ["ble:BB-0000"], of: "ping", bluetoothctl: script)
        #expect(broken.code == 69 && broken.error.contains(message), "\(broken.error)")
      }
      let later = try await devices(words + ["ble:D2-1234"], of: "ping", bluetoothctl: "touch called; exit 1")
      #expect(later.code == 69 && later.error.contains("R2-D2 has a later protocol"), "\(later.error)")
    }

    /// A bluetoothctl that hangs or floods is terminated; its output until then is used.
    @Test(arguments: ["sleep 600 & sleep 600", "while :; do echo Device 68:86:E7:01:02:03 Sphero; done"])
    func bluetoothctlIsBounded(_ script: String) async throws {
      let outcome = try await devices(bluetoothctl: script)
      #expect(outcome.code == 0 && outcome.lines.count <= 1_100)
    }
  #endif

  @Test func theVariableIsListed() async throws {
    for (port, accessible) in [("sim:", "null"), ("/dev/no-such-robot", "false"), ("/dev/null", "true")] {
      let outcome = try await devices(["--format", "json"], bluetoothctl: nil, port: port)
      #expect(outcome.code == 0 && outcome.error.isEmpty)
      #expect(
        outcome.lines.first
          == #"{"kind":"device","port":"\#(port)","accessible":\#(accessible),"name":null,"source":"environment"}"#[
            ...])
    }
    let wrong = try await devices(bluetoothctl: nil, port: "simm:")
    #expect(
      wrong.code == 0
        && wrong.error.contains("$SPHERO_PORT: port 'simm:', column 1: 'simm:' is not a kind of port"))
  }

  @Test(
    .enabled(if: !FileManager.default.fileExists(atPath: "/dev/rfcomm0"), "a robot's device file is there"))
  func anEmptyListGivesThePairingSteps() async throws {
    for script in [nil, "exit 1", "", "echo No default controller available"] {
      let outcome = try await devices(bluetoothctl: script)
      #expect(outcome.code == 0 && outcome.output.isEmpty)
      #if os(Linux)
        let words = [
          "bluetoothctl pair", "0000", "trust", "SPHERO_PORT=", "rfcomm bind 0", "restart", "--port sim:",
        ]
        for word in words {
          #expect(outcome.error.contains(word), "\(word)")
        }
      #endif
    }
  }
}
