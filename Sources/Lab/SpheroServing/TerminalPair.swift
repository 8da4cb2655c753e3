// Both ends of a pseudo-terminal, and how it is made as new for the next client.

import SpheroSerial
import SpheroSystem
import SpheroTransport

/// Both ends of a pseudo-terminal; whoever makes it closes it.
///
/// The device end stays open, so that a client that closes is not a hang-up:
/// what it wrote last can still be read, and what is written for the next one is not refused.
final class TerminalPair: Sendable {
  /// The end of who serves.
  let controller: Int32
  /// Our own descriptor of the clients' end; under the lock, since the session and the thread use it at one time.
  private let device: Locked<Int32>
  /// The device file for clients.
  let path: String

  /// Opens one whose device end is raw.
  init() throws(SystemError) {
    let opened = try System.openPseudoTerminal()
    (controller, device, path) = (opened.controller, Locked(opened.device), opened.path)
  }

  /// Closes both ends: whoever has the device open sees a hang-up.
  ///
  /// The session must have ended before.
  func close() {
    System.close(controller)
    device.withLock { System.close($0) }
  }

  /// Takes what clients have written, at most what the kernel holds.
  func takeInput() -> [UInt8] {
    var bytes: [UInt8] = []
    // Reading waits for bytes that the kernel is still handing on, so nothing that was written comes later.
    while bytes.count < 1 << 18, let more = try? System.read(controller, atMost: 1 << 14), !more.isEmpty {
      bytes += more
    }
    return bytes
  }

  /// The bytes that the client has not read yet.
  var unreadCount: Int {
    device.withLock { device in
      // Polling waits for bytes that the kernel is still handing on; the count alone does not.
      _ = System.isReadable(device)
      return System.unreadCount(device)
    }
  }

  /// Throws away what was written for the client.
  func discardOutput() { device.withLock { discardOutput($0) } }

  private func discardOutput(_ device: Int32) {
    // On its way first, then what has arrived.
    System.discardOutput(controller)
    System.discardInput(device)
  }

  /// Opens the device to everybody where its client was killed: its advisory lock is gone with it.
  func clearExclusive() {
    device.withLock { device in
      guard (try? System.lock(device)) != nil else { return }
      System.setExclusive(device, false)
      System.unlock(device)
    }
  }

  /// Makes the line as it was for the first client: nothing of the former one's, raw, open to everybody.
  ///
  /// - Parameter isTaken: Whether the next client is there already: settings that it may have made are kept.
  /// - Returns: Whether the device end had to be opened again: that is one open and one close more.
  func renew(isTaken: Bool) -> Bool {
    device.withLock { device in
      var isReopened = false
      var settings = try? System.attributes(device)
      // A client that got the line as its controlling terminal has hung it up for all as it ended.
      if settings == nil, let fresh = try? System.openDevice(path) {
        System.close(device)
        (device, isReopened) = (fresh, true)
        settings = try? System.attributes(device)
      }
      discardOutput(device)
      System.setExclusive(device, false)
      System.resumeOutput(device)
      if let settings, !isTaken || System.isCooked(settings) {
        try? System.setAttributes(device, System.raw(settings))
      }
      return isReopened
    }
  }
}
