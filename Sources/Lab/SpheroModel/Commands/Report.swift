// The robot's report on itself: the text of level 1 and the counters of level 2.

import SpheroProtocol

extension RobotModel {
  /// The report in plain text: lines under headings in brackets, line feeds, no final NUL.
  ///
  /// Like the recorded ones it makes a packet of more than a thousand bytes.
  var report: String {
    let version = configuration.profile.version
    let settings = machine.settings
    let counts = input.statistics
    var machine = machine
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
      "Discarded: \(counts.discarded)",
      "Tx: \(machine.messagesSent)",
      "[Power]",
      "Battery: \(machine.battery.voltage)",
      "Trip Points: \(machine.battery.low) \(machine.battery.critical)",
      "Charges: \(machine.battery.charges)",
      "Charger: \(machine.battery.isInCharger ? "in" : "out")",
      "Notifications: \(machine.battery.notifies ? "on" : "off")",
      "[Control]",
      "Stabilization: \(machine.drive.isStabilized ? "on" : "off")",
      "Heading: \(Int(machine.presentHeading.rounded()))",
      "Rotation Rate: \(machine.drive.rotationRate)",
      "Speed: \(machine.drive.speed)",
      "Boost: \(machine.drive.isBoosting ? "on" : "off")",
      "Vector Drive Limit: \(settings.vectorDriveLimit)",
      "Motion TimeOut: \(settings.motionTimeout) ms",
      "Self Level: \(levelling == nil ? "idle" : "running")",
      "Yaw Gains P:90 I:0.05 D:1200",
      "Roll Gains P:21 I:0.3 D:50",
      "[Identity]",
      "Name: \(settings.name.description)",
      "Address: \(configuration.profile.address)",
      "ID Colors: \(configuration.profile.colors)",
      "Chassis: \(settings.chassis)",
      "Hardware: \(version.hardware)",
      "Clock: \(clock) ms",
      "Auto Reconnect: \(settings.reconnects.isOn ? "on" : "off") after \(settings.reconnects.seconds) s",
      "[Sensors]",
      "Accel Range: +/-\(2 << settings.accelerometerRange.rawValue) g",
      "Accel: \(machine.read(.accelerationX)) \(machine.read(.accelerationY)) \(machine.read(.accelerationZ))",
      "Gyro: \(machine.read(.rateX)) \(machine.read(.rateY)) \(machine.read(.rateZ))",
      "Pitch: \(machine.read(.pitch)) Roll: \(machine.read(.roll)) Yaw: \(machine.read(.yaw))",
      "Gyro Limit: \(hasGyroLimit ? "armed" : "told")",
      "[Locator]",
      "Position: \(machine.read(.locationX)) \(machine.read(.locationY)) cm",
      "[Streaming]",
      "Active: \(stream == nil ? "no" : "yes")",
      "Mask: \(hex(stream?.mask.mask ?? 0)) \(hex(stream?.mask.mask2 ?? 0))",
      "Divisor: \(stream?.request.divisor ?? 0) Frames: \(stream?.request.frames ?? 0)",
      "Packets: \(statistics.packets) Frames sent: \(statistics.frames)",
      "[Collision]",
      "Detection: \(machine.collisions.isOn ? "on" : "off")",
      "X: \(machine.collisions.settings.xThreshold) + \(machine.collisions.settings.xSpeed) by speed",
      "Y: \(machine.collisions.settings.yThreshold) + \(machine.collisions.settings.ySpeed) by speed",
      "Dead Time: \(10 * Int(machine.collisions.settings.deadTime)) ms",
      "[Macros]",
      "Running: \(macros.status.macro) Command: \(macros.status.command)",
      "[orbBasic]",
      "Running: \(orbBasic.isRunning ? "yes" : "no")",
      "[LED]",
      "User: \(machine.lights.user.red) \(machine.lights.user.green) \(machine.lights.user.blue)",
      "Tail: \(machine.lights.tail)",
    ]
    return lines.reduce(into: "") { $0 += $1 + "\n" }
  }

  /// The counters of level 2, which recorded robots refuse.
  var counters: Diagnostics.RunLevel2Diagnostics.Response {
    var response = Diagnostics.RunLevel2Diagnostics.Response()
    func count(_ value: Int) -> UInt32 { UInt32(clamping: value) }
    response.rxGood = count(statistics.commands)
    (response.rxBadDid, response.rxBadDlen) = (count(statistics.badDevices), count(statistics.badLengths))
    (response.rxBadCid, response.rxBadChk) = (count(statistics.badCommands), count(statistics.badChecksums))
    (response.txMessages, response.charges) = (machine.messagesSent, machine.battery.charges)
    return response
  }
}
