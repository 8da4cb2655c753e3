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

/// The Unix sockets of the system, as lines of /proc/net/unix like `0000: 00000002 00000000 00000000 0002 01 4711 @name`.
package enum SocketTable {
  /// Finds the inode of the socket with an abstract name, without the leading `@`.
  package static func inode(in text: some StringProtocol, of name: String) -> UInt64? {
    abstractSockets(in: text).first { $0.name == name }.flatMap { UInt64($0.inode) }
  }

  /// Finds an abstract name that begins with a prefix; returns the rest of the name.
  package static func suffix(in text: some StringProtocol, ofNameWithPrefix prefix: String) -> String? {
    abstractSockets(in: text).first { $0.name.hasPrefix(prefix) }.map {
      String($0.name.dropFirst(prefix.count))
    }
  }

  private static func abstractSockets<Text: StringProtocol>(
    in text: Text
  ) -> some Sequence<(inode: Text.SubSequence, name: Text.SubSequence)> {
    text.split(separator: "\n").lazy.compactMap { line in
      let words = line.split(separator: " ")
      guard words.count == 8, words[7].hasPrefix("@") else { return nil }
      return (words[6], words[7].dropFirst())
    }
  }
}
