// A name that one process at a time can have: it stands for a robot that has no device file to lock.

import SpheroSystem
package import SpheroTransport

/// The right to a robot's address, among the programs that ask for it.
///
/// It is an abstract Unix socket: the kernel gives its name to one process, and takes it back when that ends.
/// On systems without such names everybody gets the right.
package final class NameLock: Sendable {
  private let descriptor: Locked<Int32?>

  private init(_ descriptor: Int32?) { self.descriptor = Locked(descriptor) }

  deinit { release() }

  /// Takes a name.
  ///
  /// - Parameters:
  ///   - name: The name, see ``name(of:)``.
  ///   - port: The name of the port, for errors.
  /// - Returns: The right, until it is released.
  /// - Throws: ``LinkError/busy(_:_:)`` with the holder where another program has the name.
  package static func take(_ name: String, for port: String) throws(LinkError) -> NameLock {
    do throws(SystemError) { return NameLock(try System.bindAbstractName(name)) } catch {
      guard error.isNameTaken else { throw error.opening(port, operation: "bind") }
      throw .busy(port, HolderSearch.holder(ofName: name)?.process)
    }
  }

  /// The name that stands for a robot.
  package static func name(of address: BluetoothAddress) -> String { "sphero/\(address)" }

  /// Gives the name back.
  package func release() {
    let descriptor = descriptor.withLock { descriptor -> Int32? in
      defer { descriptor = nil }
      return descriptor
    }
    if let descriptor { System.close(descriptor) }
  }
}

/// The Unix sockets of the system.
package enum SocketTable {
  /// Finds the socket with an abstract name.
  ///
  /// - Parameters:
  ///   - text: Lines of /proc/net/unix like `0000: 00000002 00000000 00000000 0002 01 4711 @name`.
  ///   - name: The name, without the sign in front.
  /// - Returns: The number of its inode.
  package static func inode(in text: some StringProtocol, of name: String) -> UInt64? {
    for line in text.split(separator: "\n") {
      let words = line.split(separator: " ")
      if words.count == 8, words[7] == "@" + name { return UInt64(words[6]) }
    }
    return nil
  }

  /// What stands after the beginning of an abstract name; nil where no socket has such a name.
  package static func rest(in text: some StringProtocol, behind prefix: String) -> String? {
    for line in text.split(separator: "\n") {
      let words = line.split(separator: " ")
      if words.count == 8, words[7].hasPrefix("@" + prefix) {
        return String(words[7].dropFirst(prefix.count + 1))
      }
    }
    return nil
  }
}
