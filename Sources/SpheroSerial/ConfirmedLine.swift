// The state that all lines to a robot over Bluetooth LE share: their waits, the events of their link, and its timer.

package import SpheroBluetooth
import SpheroSystem
package import SpheroTransport

/// The waits of a line over Bluetooth LE: for its handshake, for the bytes of the robot, and for confirmations of writes.
///
/// The confirmation of a cancelled write arrives later; the next write waits for it before it sends.
package final class ConfirmedLine: Sendable {
  /// The interval between checks of the link's deadlines, which are seconds away.
  private static let checkInterval = Duration.milliseconds(250)

  package let port: String
  package let incoming = Mailbox<UInt8>(capacity: 1 << 20)
  private let connected = AutoResetEvent()
  private let confirmed = AutoResetEvent()
  private let isUnconfirmed = Locked(false)

  package init(port: String) { self.port = port }

  /// Starts a task that calls `check` at intervals, until it returns false or the task is cancelled.
  package static func startTimer(
    _ time: any TimeSource, _ check: @escaping @Sendable () -> Bool
  ) -> Task<Void, Never> {
    time.start {
      repeat {
        do { try await time.sleep(for: checkInterval) } catch { return }
      } while check()
    }
  }

  /// Resumes the tasks that wait for the events of the link.
  package func process(_ events: [BluetoothLink.Event]) {
    for event in events {
      switch event {
      case .connected: connected.signal()
      case .sent: confirmed.signal()
      case .received(let bytes): incoming.push(bytes)
      case .failed(.disconnected(.ready)), .failed(.timedOut(.ready)): finish(throwing: .lost(port))
      case .failed(let error):
        finish(
          throwing: .bluetooth(
            port, reason: error.message, advice: error.advice, isTransient: error.isTransient))
      }
    }
  }

  /// Waits until the robot accepts packets; throws the error of the end, or `LinkError.closed` if it has none.
  package func waitForConnection() async throws {
    guard try await connected.wait() else { throw LinkError.closed }
  }

  /// Sends a packet, and returns after its confirmation. Calls must not overlap.
  ///
  /// - Throws: The error of the end, or `LinkError.closed` if it has none; `CancellationError`.
  package func write(_ packet: [UInt8], by send: ([UInt8]) -> Void) async throws {
    guard !packet.isEmpty else { return }
    if isUnconfirmed.withLock({ $0 }) { try await waitForConfirmation() }
    send(packet)
    try await waitForConfirmation()
  }

  private func waitForConfirmation() async throws {
    isUnconfirmed.withLock { $0 = true }
    guard try await confirmed.wait() else { throw LinkError.closed }
    isUnconfirmed.withLock { $0 = false }
  }

  /// Ends all present and later waits with an error; only the first end counts.
  package func finish(throwing error: LinkError? = nil) {
    connected.finish(throwing: error)
    confirmed.finish(throwing: error)
    incoming.finish(throwing: error)
  }
}
