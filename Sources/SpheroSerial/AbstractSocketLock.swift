// A lock on a name, for robots and links that have no device file to lock.

import SpheroSystem
package import SpheroTransport

/// A lock on a name among programs that use this package: exclusive, or shared by up to 16 holders.
///
/// ``acquire(_:for:)`` and ``share(_:)`` do not exclude each other: each name is used with one of them.
/// It is an abstract Unix socket, whose name the kernel frees when the process ends; a shared lock appends a number.
/// On systems without abstract names, every program acquires the lock.
package final class AbstractSocketLock: Sendable {
  private let descriptor: Locked<Int32?>

  private init(_ descriptor: Int32?) { self.descriptor = Locked(descriptor) }

  deinit { release() }

  private static let maximumHolders = 16

  /// Acquires a name exclusively, until ``release()`` or the `deinit` of the lock; throws `LinkError`.
  package static func acquire(_ name: String, for port: String) throws(LinkError) -> AbstractSocketLock {
    do throws(SystemError) { return AbstractSocketLock(try System.bindAbstractName(name)) } catch {
      guard error.isAddressInUse else { throw error.opening(port, operation: "bind") }
      throw .busy(port, HolderSearch.holder(ofName: name)?.process)
    }
  }

  /// Acquires a name together with others; nil if it has 16 holders, or if no socket can be bound.
  package static func share(_ name: String) -> AbstractSocketLock? {
    for number in 0..<maximumHolders {
      do throws(SystemError) {
        return AbstractSocketLock(try System.bindAbstractName("\(name)/\(number)"))
      } catch {
        guard error.isAddressInUse else { return nil }
      }
    }
    return nil
  }

  /// The name for a robot's address or a server's port, like `tcp:192.168.1.20:2000`; it contains a hash instead of a
  /// long port.
  package static func name(ofPort port: String) -> String {
    // A shared lock appends `/` and at most two digits.
    let name = "sphero/\(port)"
    return name.utf8.count <= System.longestAbstractName - 3 ? name : "sphero/port/\(hash(port))"
  }

  /// The FNV-1a hash of a text in hexadecimal digits, for names of bounded length.
  package static func hash(_ text: some StringProtocol) -> String {
    let hash = text.utf8.reduce(0xCBF2_9CE4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    return String(hash, radix: 16)
  }

  /// Frees the name; later calls have no effect.
  package func release() {
    let descriptor = descriptor.withLock { descriptor -> Int32? in
      defer { descriptor = nil }
      return descriptor
    }
    if let descriptor { System.close(descriptor) }
  }
}
