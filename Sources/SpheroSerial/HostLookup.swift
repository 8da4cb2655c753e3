// Looks up the addresses of a host without blocking the caller.

import SpheroLibc
import SpheroSystem
import SpheroTransport

/// The lookup of a host name, by the system's resolver on a separate thread.
enum HostLookup {
  private enum Outcome: Sendable {
    case pending
    case found([InternetAddress])
    case failed(reason: String)
  }

  /// The addresses of a host, IPv4 and IPv6, in the order in which they should be tried.
  ///
  /// A call of the resolver cannot be cancelled: after the deadline or a cancellation, its thread continues
  /// until the resolver returns.
  ///
  /// - Returns: At least one address.
  /// - Throws: `LinkError.unknownHost`, `LinkError.timedOut`; `CancellationError`.
  static func addresses(
    of name: String, for port: String, until end: Duration, time: some TimeSource
  ) async throws -> [InternetAddress] {
    let outcome = Locked(Outcome.pending)
    do throws(SystemError) {
      try Thread {
        let result = resolve(name)
        outcome.withLock { $0 = result }
      }.detach()
    } catch { throw error.opening(port, operation: "thread") }
    while true {
      switch outcome.withLock({ $0 }) {
      case .found(let addresses): return addresses
      case .failed(let reason): throw LinkError.unknownHost(port, reason: reason)
      case .pending:
        guard time.now < end else { throw LinkError.timedOut(port) }
        try await time.sleep(for: .milliseconds(10))
      }
    }
  }

  /// Asks the resolver, which may block for many seconds.
  private static func resolve(_ name: String) -> Outcome {
    var hints = unsafe addrinfo()
    unsafe (hints.ai_family, hints.ai_socktype) = (AF_UNSPEC, System.stream)
    var list: UnsafeMutablePointer<addrinfo>?
    let code = unsafe getaddrinfo(name, nil, &hints, &list)
    guard code == 0 else { return .failed(reason: unsafe String(cString: gai_strerror(code))) }
    defer { unsafe freeaddrinfo(list) }
    var addresses: [InternetAddress] = []
    var next = unsafe list
    while let entry = unsafe next?.pointee {
      // ai_addr has ai_addrlen bytes. The address begins at byte 4 of sockaddr_in and byte 8 of sockaddr_in6.
      let bytes = unsafe [UInt8](UnsafeRawBufferPointer(start: entry.ai_addr, count: Int(entry.ai_addrlen)))
      let octets =
        unsafe entry.ai_family == AF_INET ? bytes.dropFirst(4).prefix(4) : bytes.dropFirst(8).prefix(16)
      if let address = InternetAddress(System.internetText(Array(octets))), !addresses.contains(address) {
        addresses.append(address)
      }
      unsafe next = entry.ai_next
    }
    return addresses.isEmpty ? .failed(reason: "it has no Internet address") : .found(addresses)
  }
}
