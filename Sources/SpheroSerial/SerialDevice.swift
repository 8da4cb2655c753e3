// A serial device file, opened in raw mode and exclusively.

import SpheroLibc
import SpheroSystem
public import SpheroTransport

/// Lines to robots through serial device files, like `/dev/rfcomm0` or `/dev/cu.Sphero-RGB-AMP-SPP`.
public enum SerialDevice {
  /// Opens a device file.
  ///
  /// The line is raw: no echo, no XON/XOFF (11h and 13h are command IDs), no CR mapping, no signal characters.
  /// TIOCEXCL and an advisory lock refuse a second opener.
  ///
  /// The queues are empty. With a takeover, the program that holds the device is interrupted, before the attempts of the
  /// policy.
  ///
  /// - Throws: `LinkError`; `CancellationError`.
  public static func open(
    _ path: String, retryPolicy: RetryPolicy = RetryPolicy(), takeover: Takeover? = nil,
    time: some TimeSource = SystemTime()
  ) async throws -> DescriptorLine {
    try await retryPolicy.open(
      takeover: takeover, holder: { HolderSearch.holder(of: path) }, time: time,
      { _, _ in try openOnce(path, time) })
  }

  private static func openOnce(_ path: String, _ time: some TimeSource) throws(LinkError) -> DescriptorLine {
    // Before the open, which has side effects on a pipe and other kinds of files.
    try checkDevice(path)
    // The second endpoint of a simulator can be opened, but receives no answers.
    if let holder = HolderSearch.firstEndpointHolder(ofSecond: path) { throw .busy(path, holder.process) }
    var descriptor: Int32 = -1
    let original: System.TerminalSettings
    var operation = "open"
    do throws(SystemError) {
      descriptor = try System.openDevice(path)
      operation = "lock"
      try System.lock(descriptor)
      operation = "tcgetattr"
      original = try System.attributes(descriptor)
      operation = "tcsetattr"
      try System.setAttributes(descriptor, System.raw(original))
    } catch {
      if descriptor >= 0 { System.close(descriptor) }
      throw error.opening(path, operation: operation) { HolderSearch.holder(of: path)?.process }
    }
    System.setExclusive(descriptor, true)
    System.discardQueues(descriptor)
    do throws(SystemError) {
      return try DescriptorLine(
        descriptor, port: path, isSocket: false, time: time,
        onClose: { descriptor in
          System.setExclusive(descriptor, false)
          try? System.setAttributes(descriptor, original)
        })
    } catch { throw LinkError.failed(path, operation: "thread", code: error.code) }
  }

  /// Device files that may be robots, each with whether the user may open it; none is opened.
  public static func candidates() -> [(path: String, mayOpen: Bool)] {
    let names = System.names(in: "/dev", prefixes: ["rfcomm", "cu.Sphero", "tty.Sphero"])
    return preferringCallOutDevices(names).map { ("/dev/" + $0, mayOpen("/dev/" + $0)) }
  }

  /// Whether the user may open a device file, and the process that has it open, if known; the file is not opened.
  ///
  /// - Throws: `LinkError` where the file does not exist or is not a device.
  public static func inspect(_ path: String) throws(LinkError) -> (mayOpen: Bool, holder: PortHolder?) {
    try checkDevice(path)
    return (mayOpen(path), HolderSearch.holder(of: path)?.process)
  }

  private static func checkDevice(_ path: String) throws(LinkError) {
    let isDevice: Bool
    do throws(SystemError) { isDevice = try System.isCharacterDevice(path) } catch {
      throw error.opening(path, operation: "stat")
    }
    guard isDevice else { throw .notADevice(path) }
  }

  /// Whether the user may open a device file; it is not opened.
  public static func mayOpen(_ path: String) -> Bool { unsafe access(path, R_OK | W_OK) == 0 }

  /// Removes each `tty.` file that has a `cu.` twin, which is the same robot.
  static func preferringCallOutDevices(_ names: [String]) -> [String] {
    names.filter { !$0.hasPrefix("tty.") || !names.contains("cu." + $0.dropFirst(4)) }
  }
}
