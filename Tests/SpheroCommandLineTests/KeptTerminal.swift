// A pseudo-terminal whose number stays reserved, for tests in which a robot vanishes.

#if os(Linux)
  import Foundation

  /// Keeps the terminal of a simulator's link open before the simulator is killed.
  ///
  /// Otherwise another test may get a terminal of that number, which a waiting client would open.
  final class KeptTerminal {
    private let descriptor: Int32

    /// Stops the simulator, which would otherwise see a client, and opens the terminal.
    init(_ link: String, of simulator: Run) {
      simulator.signal(SIGSTOP)
      descriptor = unsafe open(link, O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC)
    }

    deinit { if descriptor >= 0 { close(descriptor) } }
  }
#endif
