// Looks up the addresses of a host.

import SpheroLibc
import SpheroSystem
import SpheroTransport

/// Looks up a host name by the system's resolver, on a separate thread because the resolver blocks.
enum HostLookup {
  /// Returns the IPv4 and IPv6 addresses of a host, in the order in which they should be tried.
  ///
  /// The resolver cannot be cancelled: after the time `end` or a cancellation, the thread continues until the resolver
  /// returns.
  ///
  /// - Returns: The addresses; empty if the host has no Internet address.
  /// - Throws: `LinkError.unknownHost`, `LinkError.timedOut`; `CancellationError`.
  static func addresses(
    of name: String, for port: String, until end: Duration, time: some TimeSource
  ) async throws -> [InternetAddress] {
    let result = Locked<Result<[InternetAddress], LinkError>?>(nil)
    do throws(SystemError) {
      try Thread {
        let resolved = resolve(name, for: port)
        result.withLock { $0 = resolved }
      }.detach()
    } catch { throw error.opening(port, operation: "thread") }
    while true {
      if let resolved = result.withLock({ $0 }) { return try resolved.get() }
      guard time.now < end else { throw LinkError.timedOut(port) }
      try await time.sleep(for: .milliseconds(10))
    }
  }

  /// Calls the resolver, which may block for many seconds.
  private static func resolve(_ name: String, for port: String) -> Result<[InternetAddress], LinkError> {
    var hints = unsafe addrinfo()
    unsafe (hints.ai_family, hints.ai_socktype) = (AF_UNSPEC, System.stream)
    var list: UnsafeMutablePointer<addrinfo>?
    let code = unsafe getaddrinfo(name, nil, &hints, &list)
    guard code == 0 else {
      return .failure(.unknownHost(port, reason: unsafe String(cString: gai_strerror(code))))
    }
    defer { unsafe freeaddrinfo(list) }
    var addresses: [InternetAddress] = []
    var next = unsafe list
    while let entry = unsafe next?.pointee {
      // The address is at byte 4 of a sockaddr_in, and at byte 8 of a sockaddr_in6.
      let bytes = unsafe [UInt8](UnsafeRawBufferPointer(start: entry.ai_addr, count: Int(entry.ai_addrlen)))
      let octets =
        unsafe entry.ai_family == AF_INET ? bytes.dropFirst(4).prefix(4) : bytes.dropFirst(8).prefix(16)
      if let address = InternetAddress(System.internetText(Array(octets))), !addresses.contains(address) {
        addresses.append(address)
      }
      unsafe next = entry.ai_next
    }
    return .success(addresses)
  }
}
