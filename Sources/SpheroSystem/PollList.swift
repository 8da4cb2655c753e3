// Descriptors that are waited for again and again.

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// Descriptors to wait for; its memory is kept from one wait to the next.
package struct PollList: Sendable {
  private var polled: [pollfd] = []

  /// Starts without descriptors.
  package init() {}

  /// Forgets all descriptors.
  package mutating func removeAll() { polled.removeAll(keepingCapacity: true) }

  /// Adds a descriptor; a negative one reports nothing.
  package mutating func append(_ descriptor: Int32) {
    polled.append(pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0))
  }

  /// Waits until one of the descriptors can be read or has hung up.
  ///
  /// - Parameter timeout: The most milliseconds to wait; -1 for no limit.
  /// - Throws: The error of the call.
  package mutating func wait(timeout: Int32) throws(SystemError) {
    let count = nfds_t(polled.count)
    try System.check { unsafe System.libcPoll(&polled, count, timeout) }
  }

  /// The events of each descriptor, in order; all zero after the time-out.
  package var events: [Int16] { polled.map(\.revents) }

  /// Whether the descriptor at a place has an event.
  package func hasEvent(at place: Int) -> Bool {
    polled.indices.contains(place) && polled[place].revents != 0
  }
}
