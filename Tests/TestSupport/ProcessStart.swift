// Starts processes with default signals, and never during a close that another test observes.

public import Foundation

/// Locked during the start of a process, and during a close that a test observes.
///
/// A child process has all descriptors of this process until `exec`. A close in this process before that is not the
/// last close of the file, and is observed later, possibly after the next open.
let processStart = NSLock()

extension Process {
  /// Starts the program with no signal blocked, and returns after its `exec` has closed inherited descriptors.
  ///
  /// - Throws: Where there is no such program.
  public func start() throws {
    try processStart.withLock {
      // Threads of tests block signals; a program would inherit that, and not end by them.
      var (none, former) = (sigset_t(), sigset_t())
      unsafe sigemptyset(&none)
      unsafe pthread_sigmask(SIG_SETMASK, &none, &former)
      defer { unsafe pthread_sigmask(SIG_SETMASK, &former, nil) }
      try run()
    }
  }
}
