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
/// Throws the error of the last attempt; with a takeover and without a limit of the attempts,
/// ``LinkError/busy(_:_:)`` at once if the holder is another program or belongs to another user; `CancellationError`.
func openWithRetries<Result>(
  _ port: String, _ retryPolicy: SerialDevice.RetryPolicy, _ takeover: Takeover?, _ time: some TimeSource,
  holder findHolder: () -> DeviceHolder?, _ open: () throws(LinkError) -> Result
) async throws -> Result {
  let start = time.now
  var interrupted: Set<DeviceHolder> = []
  var count = 0
  while true {
    let failure: LinkError
    do throws(LinkError) { return try open() } catch { failure = error }
    if case .busy = failure, let takeover, time.now < start + takeover.timeout {
      // Without a visible holder, it is ending, or a simulator is renewing its pseudo-terminal.
      if let holder = findHolder(), interrupted.insert(holder).inserted {
        let process = holder.process.processID
        if holder.process.program == takeover.program, process != System.processID, System.isOwn(process) {
          // Checked again, since the process may have ended since the search, and its number may be in use again.
          // Linux reuses a number only after all others, which takes longer than the time to the interrupt.
          if HolderSearch.identify(process) == holder { System.interrupt(process) }
        } else {
          let failure = LinkError.busy(port, holder.process)
          guard retryPolicy.limit != nil else { throw failure }
          retryPolicy.onRetry?(failure)
        }
      }
      try await time.sleep(for: .milliseconds(50))
    } else {
      count += 1
      let hasPassed = if case .busy = failure { takeover != nil && retryPolicy.limit == nil } else { false }
      guard !hasPassed, retryPolicy.permits(after: failure, count: count, elapsed: time.now - start) else {
        throw failure
      }
      retryPolicy.onRetry?(failure)
      try await time.sleep(for: retryPolicy.pause)
    }
  }
}
