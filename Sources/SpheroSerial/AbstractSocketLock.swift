// A lock on a name, for robots and links that have no device file to lock.

import SpheroSystem
package import SpheroTransport

/// The right to a name, exclusive or shared, among programs that use this package.
///
/// It is an abstract Unix socket: the kernel gives its name to one process, and frees it when that process ends.
/// A shared right is the name with a number. On systems without abstract names every program acquires the right.
package final class AbstractSocketLock: Sendable {
  private let descriptor: Locked<Int32?>

  private init(_ descriptor: Int32?) { self.descriptor = Locked(descriptor) }

  deinit { release() }

  /// The maximum number of holders of a shared right that ``HolderSearch`` can find.
  private static let sharedPlaces = 16

  /// Acquires a name like ``name(of:)`` exclusively, until the `deinit` of the lock.
  ///
  /// - Throws: `LinkError.busy(_:_:)` with the holder where another program has the name.
  package static func acquire(_ name: String, for port: String) throws(LinkError) -> AbstractSocketLock {
    do throws(SystemError) { return AbstractSocketLock(try System.bindAbstractName(name)) } catch {
      guard error.isAddressInUse else { throw error.opening(port, operation: "bind") }
      throw .busy(port, HolderSearch.holder(ofName: name)?.process)
    }
  }

  /// Acquires a name like ``name(ofPort:)`` beside other holders, for a port whose server limits its clients; nil
  /// where it has 16 holders, or no more sockets are possible.
  package static func share(_ name: String) -> AbstractSocketLock? {
    for place in 0..<sharedPlaces {
      do throws(SystemError) {
        return AbstractSocketLock(try System.bindAbstractName("\(name)/\(place)"))
      } catch {
        guard error.isAddressInUse else { return nil }
      }
    }
    return nil
  }

  /// The name for a robot.
  package static func name(of address: BluetoothAddress) -> String { "sphero/\(address)" }

  /// The name for a server's port, like `tcp:192.168.1.20:2000`; it contains a hash instead of a long port.
  package static func name(ofPort port: String) -> String {
    // The number of a shared right adds three bytes.
    let name = "sphero/\(port)"
    return name.utf8.count <= System.longestAbstractName - 3 ? name : "sphero/port/\(hash(port))"
  }

  /// The FNV-1a hash of a text in hexadecimal digits, for names of bounded length.
  package static func hash(_ text: some StringProtocol) -> String {
    let hash = text.utf8.reduce(0xCBF2_9CE4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    return String(hash, radix: 16)
  }

  package func release() {
    let descriptor = descriptor.withLock { descriptor -> Int32? in
      defer { descriptor = nil }
      return descriptor
    }
    if let descriptor { System.close(descriptor) }
  }
}
