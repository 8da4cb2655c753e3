// Starts processes as a shell does, and apart from the closes that other tests watch.

public import Foundation

/// Taken while a process starts, and while a descriptor is closed whose close somebody watches.
///
/// A process has all descriptors of this one until it becomes its program. Where one is closed here meanwhile,
/// that is no last close: who watches the file sees it later, perhaps after the next open.
let processStart = NSLock()

extension Process {
  /// Starts the program with no signal blocked, and returns when it has none of this program's descriptors any more.
  ///
  /// - Throws: Where there is no such program.
  public func start() throws {
    try processStart.withLock {
      // Threads of the tests block signals. A program would inherit that, and outlive what ends it.
      var (none, former) = (sigset_t(), sigset_t())
      unsafe sigemptyset(&none)
      unsafe pthread_sigmask(SIG_SETMASK, &none, &former)
      defer { unsafe pthread_sigmask(SIG_SETMASK, &former, nil) }
      try run()
    }
  }
}
