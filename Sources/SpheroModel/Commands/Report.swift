// The robot's report on itself: the text of level 1 and the counters of level 2.

import SpheroProtocol

extension RobotModel {
  /// The report in plain text: lines under headings in brackets, line feeds, no final NUL.
  var report: String {
    let version = configuration.profile.version
    let settings = machine.settings
    let counts = input.statistics
    func hex(_ value: UInt32) -> String { "0x" + String(value, radix: 16, uppercase: true) }
    let lines = [
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
      "[Control]",
      "Stabilization: \(machine.drive.isStabilized ? "on" : "off")",
      "Heading: \(Int(machine.presentHeading.rounded()))",
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
