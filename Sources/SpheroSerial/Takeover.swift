// Opening with retries, and with an interrupt to the program that holds the port.

import SpheroSystem
import SpheroTransport

/// The program that is interrupted to release a device, and the time limit.
///
/// A process of that program and of the same user receives SIGINT, once; its device is free when it has ended.
/// A program that ignores the signal keeps the device. On systems other than Linux the holder of a device is unknown,
/// and no process is interrupted.
public struct Takeover: Hashable, Sendable {
  /// The name of the program, as in ``PortHolder/program``.
  public var program: String
  /// The maximum wait for the device.
  public var timeout: Duration

  public init(from program: String, within timeout: Duration = .seconds(5)) {
    (self.program, self.timeout) = (program, timeout)
  }
}

/// Opens a port; repeats that after errors that may pass, and while a takeover waits for the holder of the port.
///
/// Throws the error of the last attempt; with a takeover, ``LinkError/busy(_:_:)`` at once if the holder is another
/// program or belongs to another user; `CancellationError`.
func openWithRetries<Result>(
  _ port: String, _ retryPolicy: SerialDevice.RetryPolicy, _ takeover: Takeover?, _ time: some TimeSource,
  holder findHolder: () -> DeviceHolder?, _ open: () throws(LinkError) -> Result
) async throws -> Result {
  let takeoverDeadline = takeover.map { time.now + $0.timeout }
  var interrupted: Set<DeviceHolder> = []
  var attempts = retryPolicy.attempts
  while true {
    let failure: LinkError
    do throws(LinkError) { return try open() } catch { failure = error }
    if case .busy = failure, let takeover, let takeoverDeadline {
      let holder = findHolder()
      guard time.now < takeoverDeadline else { throw failure }
      // Without a visible holder, it is ending, or a simulator is renewing its pseudo-terminal.
      if let holder, interrupted.insert(holder).inserted {
        let process = holder.process.processID
        guard holder.process.program == takeover.program, process != System.processID, System.isOwn(process)
        else { throw LinkError.busy(port, holder.process) }
        // Checked again, since the process may have ended since the search, and its number may be in use again.
        // Linux reuses a number only after all others, which takes longer than the time to the interrupt.
        if HolderSearch.identify(process) == holder { System.interrupt(process) }
      }
      try await time.sleep(for: .milliseconds(50))
    } else {
      attempts -= 1
      guard failure.isTransient, attempts > 0 else { throw failure }
      try await time.sleep(for: retryPolicy.pause)
    }
  }
}
