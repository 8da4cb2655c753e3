// Stub of the CoreBluetooth declarations that Sources use, written from Apple's documentation, because Apple's headers
// require Objective-C. Optional requirements of the delegates have defaults here. It verifies types, not behaviour.

import Dispatch

/// The root of classes of Objective-C.
open class NSObject {
  /// Creates an object.
  public init() {}
}
/// A number.
open class NSNumber: NSObject, @unchecked Sendable {}
/// Bytes.
public struct Data: Sendable, Sequence {
  /// Copies bytes.
  public init(_ bytes: some Sequence<UInt8>) {}
  /// Iterates over the bytes.
  public func makeIterator() -> Array<UInt8>.Iterator { [UInt8]().makeIterator() }
}
/// A UUID.
open class CBUUID: NSObject {
  /// Parses a UUID.
  public init(string: String) {}
  /// The text in upper case.
  public var uuidString: String { "" }
}
/// The state of the radio.
public enum CBManagerState: Int, Sendable {
  case unknown = 0
  case resetting, unsupported, unauthorized, poweredOff, poweredOn
}
/// The base of managers.
open class CBManager: NSObject {
  /// The state.
  public var state: CBManagerState { .unknown }
}
/// The key of the name in advertisement data.
// swift-format-ignore: AlwaysUseLowerCamelCase
public let CBAdvertisementDataLocalNameKey = "kCBAdvDataLocalName"
/// The manager of the central role.
open class CBCentralManager: CBManager {
  /// Creates a manager that calls its delegate on a queue.
  public init(delegate: (any CBCentralManagerDelegate)?, queue: DispatchQueue?) {}
  /// Starts a scan.
  open func scanForPeripherals(withServices: [CBUUID]?, options: [String: Any]? = nil) {}
  /// Ends the scan.
  open func stopScan() {}
  /// Connects.
  open func connect(_ peripheral: CBPeripheral, options: [String: Any]? = nil) {}
  /// Disconnects.
  open func cancelPeripheralConnection(_ peripheral: CBPeripheral) {}
}
/// The delegate of a central manager.
public protocol CBCentralManagerDelegate: AnyObject {
  func centralManagerDidUpdateState(_ central: CBCentralManager)
  func centralManager(
    _ central: CBCentralManager, didDiscover peripheral: CBPeripheral, advertisementData: [String: Any],
    rssi: NSNumber)
  func centralManager(_ central: CBCentralManager, didConnect peripheral: CBPeripheral)
  func centralManager(
    _ central: CBCentralManager, didFailToConnect peripheral: CBPeripheral, error: (any Error)?)
  func centralManager(
    _ central: CBCentralManager, didDisconnectPeripheral peripheral: CBPeripheral, error: (any Error)?)
}
/// The kind of a write.
public enum CBCharacteristicWriteType: Int, Sendable {
  case withResponse = 0
  case withoutResponse
}
/// A remote device.
open class CBPeripheral: NSObject {
  /// The name.
  public var name: String? { nil }
  /// The delegate.
  public weak var delegate: (any CBPeripheralDelegate)?
  /// The services that were found.
  public var services: [CBService]? { nil }
  /// Whether the radio accepts a write without response.
  public var canSendWriteWithoutResponse: Bool { true }
  /// Finds services.
  open func discoverServices(_ services: [CBUUID]?) {}
  /// Finds the characteristics of a service.
  open func discoverCharacteristics(_ characteristics: [CBUUID]?, for service: CBService) {}
  /// The most bytes of a write.
  open func maximumWriteValueLength(for type: CBCharacteristicWriteType) -> Int { 20 }
  /// Writes a value.
  open func writeValue(_ data: Data, for characteristic: CBCharacteristic, type: CBCharacteristicWriteType) {}
  /// Subscribes or unsubscribes.
  open func setNotifyValue(_ enabled: Bool, for characteristic: CBCharacteristic) {}
}
/// The delegate of a peripheral.
public protocol CBPeripheralDelegate: AnyObject {
  func peripheral(_ peripheral: CBPeripheral, didDiscoverServices error: (any Error)?)
  func peripheral(
    _ peripheral: CBPeripheral, didDiscoverCharacteristicsFor service: CBService, error: (any Error)?)
  func peripheral(
    _ peripheral: CBPeripheral, didWriteValueFor characteristic: CBCharacteristic, error: (any Error)?)
  func peripheral(
    _ peripheral: CBPeripheral, didUpdateNotificationStateFor characteristic: CBCharacteristic,
    error: (any Error)?)
  func peripheral(
    _ peripheral: CBPeripheral, didUpdateValueFor characteristic: CBCharacteristic, error: (any Error)?)
  func peripheralIsReady(toSendWriteWithoutResponse peripheral: CBPeripheral)
}
/// A part of the attribute table.
open class CBAttribute: NSObject {
  /// The UUID.
  public var uuid: CBUUID { CBUUID(string: "") }
}
/// A service.
open class CBService: CBAttribute {
  /// The characteristics that were found.
  public var characteristics: [CBCharacteristic]? { nil }
}
/// The permitted operations of a characteristic.
public struct CBCharacteristicProperties: OptionSet, Sendable {
  /// The bits.
  public let rawValue: UInt
  /// Creates a set.
  public init(rawValue: UInt) { self.rawValue = rawValue }
  /// Notifications.
  public static let notify = CBCharacteristicProperties(rawValue: 0x10)
}
/// A characteristic.
open class CBCharacteristic: CBAttribute {
  /// The permitted operations.
  public var properties: CBCharacteristicProperties { [] }
  /// The last value.
  public var value: Data? { nil }
}
/// An error of the Attribute Protocol.
public struct CBATTError: Error {
  /// The code of the Attribute Protocol.
  public enum Code: Int, Sendable {
    case success = 0
    case unlikelyError = 14
  }
  /// The code.
  public var code: Code { .success }
}
