// Errors of a Bluetooth LE link.

/// An error of the link to a robot over Bluetooth LE; each has one cause and one next step.
@nonexhaustive public enum BluetoothError: Error, Hashable, Sendable {
  /// The device lacks a characteristic, so it is another device or a robot with the later protocol.
  case missingCharacteristic(RobotCharacteristic)
  /// The responses have no client characteristic configuration (2902h), so the robot cannot notify.
  case missingConfiguration
  /// The robot refused an operation with an error code of the Attribute Protocol, like 03h, write not permitted.
  case refused(BluetoothLink.Step, code: UInt8)
  /// The robot did not complete an operation in time.
  case timedOut(BluetoothLink.Step)
  /// The robot accepted a command, but has never sent a byte.
  case silent
  /// The connection ended.
  case disconnected(BluetoothLink.Step)
  /// The device sent data that violates the Attribute Protocol.
  case malformed(BluetoothLink.Step)
}

extension BluetoothError: CustomStringConvertible {
  /// The message and the advice.
  public var description: String { message + ". " + advice }

  /// What went wrong: one sentence without a full stop.
  public var message: String {
    switch self {
    case .missingCharacteristic(let characteristic):
      "the device has no characteristic " + characteristic.uuid + ", so it is no Ollie, BB-8 or SPRK+"
    case .missingConfiguration: "the robot offers no notifications"
    case .refused(let step, let code):
      "the robot refused to " + step.name + " (attribute error " + Self.hexadecimal(code) + ")"
    case .timedOut(let step): "the robot did not " + step.name + " in time"
    case .silent: "the robot accepts commands, but sends no responses"
    case .disconnected(.ready): "the robot disconnected"
    case .disconnected(let step): "the robot disconnected before it could " + step.name
    case .malformed(let step): "the device sent malformed data when asked to " + step.name
    }
  }

  /// The next step.
  public var advice: String {
    switch self {
    case .missingCharacteristic: "Choose a device whose name begins with 2B-, BB-, SK- or 1C-."
    case .missingConfiguration, .malformed:
      "Put the robot on its charger and take it off again, then try again."
    case .refused: "Restart the robot by its charger; if the error stays, report it with the code."
    case .timedOut, .disconnected: "Keep the robot near and awake, and close other programs that use it."
    case .silent: "Put the robot on its charger and take it off again; its main processor may not run."
    }
  }

  /// Whether another attempt may succeed: the robot is absent, asleep or in use.
  package var isTransient: Bool {
    switch self {
    case .timedOut, .disconnected: true
    default: false
    }
  }

  private static func hexadecimal(_ code: UInt8) -> String {
    (code < 0x10 ? "0" : "") + String(code, radix: 16, uppercase: true) + "h"
  }
}
