// A TCP server on the loopback interface that uses system calls directly.

import Foundation

/// A connected or listening socket of a test.
final class TestSocket: @unchecked Sendable {
  private var descriptor: Int32

  init(_ descriptor: Int32) { self.descriptor = descriptor }
  deinit { close() }

  /// Waits for `count` bytes; returns fewer at the end.
  func read(_ count: Int) -> [UInt8] {
    var bytes: [UInt8] = []
    while bytes.count < count {
      var piece = [UInt8](repeating: 0, count: count - bytes.count)
      let taken = unsafe recv(descriptor, &piece, piece.count, 0)
      if taken <= 0 { break }
      bytes += piece.prefix(taken)
    }
    return bytes
  }

  func write(_ bytes: [UInt8]) { _ = unsafe send(descriptor, bytes, bytes.count, 0) }

  func close() {
    if descriptor >= 0 { _ = Foundation.close(descriptor) }
    descriptor = -1
  }
}

/// Listens on a free port.
final class LoopbackServer: @unchecked Sendable {
  let host: String
  let port: UInt16
  private var descriptor: Int32
  private let address: [UInt8]

  /// Starts to listen, or only binds a port where `backlog` is nil; nil where the address is not available.
  init?(_ host: String, backlog: Int32? = 5) {
    let isVersion6 = host.contains(":")
    var address: [UInt8]
    #if canImport(Darwin)
      address = isVersion6 ? [28, 30] : [16, 2]
      let stream = SOCK_STREAM
    #else
      address = isVersion6 ? [10, 0] : [2, 0]
      let stream = Int32(SOCK_STREAM.rawValue)
    #endif
    // Port 0 is any free one.
    address +=
      isVersion6
      ? [UInt8](repeating: 0, count: 21) + [1, 0, 0, 0, 0]
      : [0, 0, 127, 0, 0, 1] + [UInt8](repeating: 0, count: 8)
    let descriptor = socket(isVersion6 ? AF_INET6 : AF_INET, stream, 0)
    guard descriptor >= 0 else { return nil }
    // A program that another test starts would inherit it.
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    (self.descriptor, self.host) = (descriptor, host)
    let isBound = unsafe Self.withAddress(&address) { unsafe bind(descriptor, $0, $1) == 0 }
    var count = socklen_t(address.count)
    guard isBound, backlog.map({ listen(descriptor, $0) == 0 }) ?? true,
      unsafe Self.withAddress(&address, { base, _ in unsafe getsockname(descriptor, base, &count) == 0 })
    else {
      _ = Foundation.close(descriptor)
      return nil
    }
    port = UInt16(address[2]) << 8 | UInt16(address[3])
    self.address = address
  }

  deinit { close() }

  func close() {
    if descriptor >= 0 { _ = Foundation.close(descriptor) }
    descriptor = -1
  }

  /// Accepts a client.
  func accept() throws -> TestSocket {
    let guest = Foundation.accept(descriptor, nil, nil)
    guard guest >= 0 else { throw POSIXError(.EIO) }
    _ = fcntl(guest, F_SETFD, FD_CLOEXEC)
    return TestSocket(guest)
  }

  /// Fills the backlog, so that the next connection attempt stays pending.
  func fill() -> [TestSocket] {
    (0..<4).map { _ in
      #if canImport(Darwin)
        let guest = socket(AF_INET, SOCK_STREAM, 0)
      #else
        let guest = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
      #endif
      _ = fcntl(guest, F_SETFD, FD_CLOEXEC)
      _ = fcntl(guest, F_SETFL, O_NONBLOCK)
      var address = address
      _ = unsafe Self.withAddress(&address) { unsafe connect(guest, $0, $1) == 0 }
      return TestSocket(guest)
    }
  }

  private static func withAddress(
    _ bytes: inout [UInt8], _ body: (UnsafeMutablePointer<sockaddr>, socklen_t) -> Bool
  ) -> Bool {
    unsafe bytes.withUnsafeMutableBytes { buffer in
      guard let base = buffer.baseAddress else { return false }
      return unsafe body(base.assumingMemoryBound(to: sockaddr.self), socklen_t(buffer.count))
    }
  }
}
