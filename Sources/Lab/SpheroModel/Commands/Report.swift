// The text of the level 1 diagnostics.

import SpheroProtocol

extension RobotModel {
  /// The report: lines that end with a line feed, under headings in brackets; more than a thousand bytes, as on robots.
  var report: String {
    let version = configuration.profile.version
    let settings = hardware.settings
    // A copy, because reading some variables clears them.
    var hardware = hardware
    func hex(_ value: UInt32) -> String { "0x" + String(value, radix: 16, uppercase: true) }
    let lines: [String] = [
      "[System]",
      "Simulated \(configuration.profile.name)",
      "Main App Ver: \(version.mainAppVersion).\(version.mainAppRevision)",
      "Bootloader Ver: \(version.bootloader >> 4).\(version.bootloader & 0x0F)",
      "Mode \(settings.mode == .userHack ? "U" : "N")",
      "Perm Option Flags=\(hex(settings.permanentOptions.rawValue))",
      "Temp Option Flags=\(hex(settings.temporaryOptions.rawValue))",
      "ClientTimeOut=\(settings.inactivityTimeout)",
      "[Network]",
      "Good Rx: \(statistics.commands)",
      "Bad DID: \(statistics.badDevices)",
      "Bad CID: \(statistics.badCommands)",
      "Bad LEN: \(statistics.badLengths)",
      "Bad CHK: \(statistics.badChecksums)",
      "Discarded: \(input.statistics.discarded)",
      "Tx: \(hardware.messagesSent)",
      "[Power]",
      "Battery: \(hardware.battery.voltage)",
      "Trip Points: \(hardware.battery.low) \(hardware.battery.critical)",
      "Charges: \(hardware.battery.charges)",
      "Charger: \(hardware.battery.isInCharger ? "in" : "out")",
      "Notifications: \(hardware.battery.notifies ? "on" : "off")",
      "[Control]",
      "Stabilization: \(hardware.drive.isStabilized ? "on" : "off")",
      "Heading: \((Int(hardware.presentHeading.rounded()) + 360) % 360)",
      "Rotation Rate: \(hardware.drive.rotationRate)",
      "Speed: \(hardware.drive.speed)",
      "Boost: \(hardware.drive.isBoosting ? "on" : "off")",
      "Vector Drive Limit: \(settings.vectorDriveLimit)",
      "Motion TimeOut: \(settings.motionTimeout) ms",
      "Self Level: \(levelling == nil ? "idle" : "running")",
      "Yaw Gains P:90 I:0.05 D:1200",
      "Roll Gains P:21 I:0.3 D:50",
      "[Identity]",
      "Name: \(settings.name.description)",
      "Address: \(configuration.reportedAddress)",
      "ID Colors: \(configuration.profile.colors)",
      "Chassis: \(settings.chassis)",
      "Hardware: \(version.hardware)",
      "Clock: \(clock) ms",
      "Auto Reconnect: \(settings.reconnects.isOn ? "on" : "off") after \(settings.reconnects.seconds) s",
      "[Sensors]",
      "Accel Range: +/-\(hardware.senses.accelerometerScale) g",
      "Accel: \(hardware.read(.accelerationX)) \(hardware.read(.accelerationY)) \(hardware.read(.accelerationZ))",
      "Gyro: \(hardware.read(.rateX)) \(hardware.read(.rateY)) \(hardware.read(.rateZ))",
      "Pitch: \(hardware.read(.pitch)) Roll: \(hardware.read(.roll)) Yaw: \(hardware.read(.yaw))",
      "Gyro Limit: \(isGyroLimitArmed ? "armed" : "reported")",
      "[Locator]",
      "Position: \(hardware.read(.locationX)) \(hardware.read(.locationY)) cm",
      "[Streaming]",
      "Active: \(stream == nil ? "no" : "yes")",
      "Mask: \(hex(stream?.mask.mask ?? 0)) \(hex(stream?.mask.mask2 ?? 0))",
      "Divisor: \(stream?.request.divisor ?? 0) Frames: \(stream?.request.frames ?? 0)",
      "Packets: \(statistics.packets) Frames sent: \(statistics.frames)",
      "[Collision]",
      "Detection: \(hardware.collisions.isOn ? "on" : "off")",
      "X: \(hardware.collisions.settings.xThreshold) + \(hardware.collisions.settings.xSpeed) by speed",
      "Y: \(hardware.collisions.settings.yThreshold) + \(hardware.collisions.settings.ySpeed) by speed",
      "Dead Time: \(10 * Int(hardware.collisions.settings.deadTime)) ms",
      "[Macros]",
      "Running: \(macros.status.macro) Command: \(macros.status.command)",
      "[orbBasic]",
      "Running: \(orbBasic.isRunning ? "yes" : "no")",
      "[LED]",
      "User: \(hardware.lights.user.red) \(hardware.lights.user.green) \(hardware.lights.user.blue)",
      "Tail: \(hardware.lights.tail)",
    ]
    return lines.reduce(into: "") { $0 += $1 + "\n" }
  }
}
