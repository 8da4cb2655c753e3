// A lock on a name, for robots and links that have no device file to lock.

import SpheroSystem
package import SpheroTransport

/// The exclusive right to a name, among programs that use this package.
///
/// It is an abstract Unix socket: the kernel gives its name to one process, and frees it when that process ends.
/// On systems without abstract names every program acquires the right.
package final class AbstractSocketLock: Sendable {
  private let descriptor: Locked<Int32?>

  private init(_ descriptor: Int32?) { self.descriptor = Locked(descriptor) }

  deinit { release() }

  /// Acquires a name.
  ///
  /// - Parameters:
  ///   - name: The name, like ``name(of:)``.
  ///   - port: The name of the port, for errors.
  /// - Returns: The lock, which `deinit` releases.
  /// - Throws: ``LinkError/busy(_:_:)`` with the holder where another program has the name.
  package static func acquire(_ name: String, for port: String) throws(LinkError) -> AbstractSocketLock {
    do throws(SystemError) { return AbstractSocketLock(try System.bindAbstractName(name)) } catch {
      guard error.isAddressInUse else { throw error.opening(port, operation: "bind") }
      throw .busy(port, HolderSearch.holder(ofName: name)?.process)
    }
  }

  /// The name for a robot.
  package static func name(of address: BluetoothAddress) -> String { "sphero/\(address)" }

  package func release() {
    let descriptor = descriptor.withLock { descriptor -> Int32? in
      defer { descriptor = nil }
      return descriptor
    }
    if let descriptor { System.close(descriptor) }
  }
}
