// A pseudo-terminal as the device file of a fake robot.

import SpheroSerial
import SpheroSystem
public import SpheroTransport

/// The controlling end of a pseudo-terminal, whose other end is a device file for clients.
///
/// The device is raw from the start, and stays open between clients, which are not distinguished
/// (`TerminalListener` distinguishes them).
/// Bytes that no client reads are lost once the kernel's buffer is full, as on a radio.
public final class PseudoTerminal: Transport {
  /// The device file for clients.
  public let path: String
  private let line: DescriptorLine
  /// Nil once both ends are closed.
  private let device: Locked<Int32?>
  private let timer: Task<Void, Never>

  /// Opens a pseudo-terminal.
  ///
  /// - Throws: ``LinkError``.
  public init() throws(LinkError) {
    var opened: Int32?
    do throws(SystemError) {
      let (controller, device, path) = try System.openPseudoTerminal()
      opened = device
      line = try DescriptorLine(controller, port: path, isSocket: false)
      let shared = Locked<Int32?>(device)
      (self.path, self.device) = (path, shared)
      timer = Task {
        while !Task.isCancelled {
          try? await Task.sleep(for: .milliseconds(250))
          shared.withLock { device in
            // A killed client leaves TIOCEXCL set, since this process keeps the device open.
            // Its lock is free then.
            guard let device, (try? System.lock(device)) != nil else { return }
            System.setExclusive(device, false)
            System.unlock(device)
          }
        }
      }
    } catch {
      if let opened { System.close(opened) }
      throw .failed("pseudo-terminal", operation: "openpty", code: error.code)
    }
  }

  deinit { timer.cancel() }

  /// Waits for bytes of a client.
  public func read() async throws -> [UInt8]? { try await line.read() }

  /// Sends bytes to the client; bytes that do not fit are lost.
  public func write(_ bytes: [UInt8]) throws { _ = try line.send(bytes[...]) }

  /// Closes both ends; a client sees a hang-up.
  public func close() {
    timer.cancel()
    line.end { _ in
      device.withLock { device in
        if let open = device { System.close(open) }
        device = nil
      }
    }
  }
}
