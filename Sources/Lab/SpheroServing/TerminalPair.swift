// Both ends of a pseudo-terminal, and its renewal for the next client.

import SpheroLibc
import SpheroSystem

/// Both ends of a pseudo-terminal, which the creator must close.
/// The device end stays open, so that the last bytes of a client that has closed can still be read.
final class TerminalPair: Sendable {
  let controller: Int32
  /// This process's descriptor of the clients' end; locked, since the session and the server's thread share it.
  private let device: Locked<Int32>
  let path: String

  init() throws(SystemError) {
    let opened = try System.openPseudoTerminal()
    (controller, device, path) = (opened.controller, Locked(opened.device), opened.path)
  }

  /// Closes both ends, after the end of the session: programs that have the device open see a hang-up.
  func close() {
    System.close(controller)
    device.withLock { System.close($0) }
  }

  /// Takes the bytes that clients have written, at most about 256 KiB.
  func takeInput() -> [UInt8] {
    var bytes: [UInt8] = []
    // A read waits for bytes in transit within the kernel, so none of the written bytes arrive later.
    while bytes.count < 1 << 18, let more = try? System.read(controller, atMost: 1 << 14), !more.isEmpty {
      bytes += more
    }
    return bytes
  }

  /// The number of bytes that the client has not read yet.
  var unreadCount: Int {
    device.withLock { device in
      // A poll waits for bytes in transit within the kernel; the count alone does not.
      _ = System.isReadable(device)
      return System.unreadCount(device)
    }
  }

  func discardOutput() { device.withLock { discardOutput($0) } }

  private func discardOutput(_ device: Int32) {
    // Bytes in transit first, then those that have arrived.
    _ = tcflush(controller, TCOFLUSH)
    _ = tcflush(device, TCIFLUSH)
  }

  /// Clears TIOCEXCL after a client was killed, which a free advisory lock shows.
  func clearExclusive() {
    device.withLock { device in
      guard (try? System.lock(device)) != nil else { return }
      System.setExclusive(device, false)
      System.unlock(device)
    }
  }

  /// Restores the initial state of the line; `keepsSettings` keeps raw settings, which the next client may have made.
  /// The result is whether the device end was opened again, which causes an event of an open and of a close.
  func renew(keepsSettings: Bool) -> Bool {
    device.withLock { device in
      var isReopened = false
      var settings = try? System.attributes(device)
      // If the device was the controlling terminal of a client, its exit has hung up all descriptors of the device.
      if settings == nil, let fresh = try? System.openDevice(path) {
        System.close(device)
        (device, isReopened) = (fresh, true)
        settings = try? System.attributes(device)
      }
      discardOutput(device)
      System.setExclusive(device, false)
      _ = tcflow(device, TCOON)
      if let settings, !keepsSettings || System.isCooked(settings) {
        try? System.setAttributes(device, System.raw(settings))
      }
      return isReopened
    }
  }
}
