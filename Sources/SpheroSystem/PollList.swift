// A reusable list of descriptors for `poll`.

import SpheroLibc

/// Descriptors for `poll`; the list keeps its memory between waits.
package struct PollList: Sendable {
  private var polled: [pollfd] = []

  package init() {}

  package mutating func removeAll() { polled.removeAll(keepingCapacity: true) }

  /// Adds a descriptor; `poll` ignores a negative one.
  package mutating func append(_ descriptor: Int32) {
    polled.append(pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0))
  }

  /// Waits until one of the descriptors can be read or has hung up.
  ///
  /// - Parameter timeout: The maximum wait in milliseconds; -1 for no limit.
  /// - Throws: The error of the call.
  package mutating func wait(timeout: Int32) throws(SystemError) {
    let count = nfds_t(polled.count)
    try System.check { unsafe libcPoll(&polled, count, timeout) }
  }

  /// Whether the descriptor at an index has an event.
  package func hasEvent(at index: Int) -> Bool {
    polled.indices.contains(index) && polled[index].revents != 0
  }
}
