// A pseudo-terminal whose number nobody else gets, for tests in which a robot vanishes.

#if os(Linux)
  import Foundation

  /// Keeps the terminal that a link of a simulator leads to, before the simulator is killed.
  ///
  /// Otherwise another test may get a terminal of that number, and a client that waits for its robot would open it.
  final class KeptTerminal {
    private let descriptor: Int32

    /// Stops the simulator, so that it does not take this for a client, and opens the terminal.
    init(_ link: String, of simulator: Run) {
      simulator.signal(SIGSTOP)
      descriptor = unsafe open(link, O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC)
    }

    deinit { if descriptor >= 0 { close(descriptor) } }
  }
#endif
