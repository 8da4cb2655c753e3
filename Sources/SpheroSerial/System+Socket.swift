// System calls on sockets.

import SpheroLibc
package import SpheroSystem
package import SpheroTransport

/// The address of the other end of a connection.
package enum SocketAddress: Sendable {
  case bluetooth(BluetoothAddress, channel: UInt8)
  /// The attributes of a robot over Bluetooth LE.
  case lowEnergy(BluetoothAddress, isRandom: Bool)
  /// A local socket that preserves packet boundaries.
  case local(path: String)
  case internet(InternetAddress, port: UInt16)

  /// The name of a server's port, of which several programs may be clients; nil for a robot, which has one client.
  package var serverPort: String? {
    switch self {
    case .bluetooth, .lowEnergy: nil
    case .local(let path): "ble:" + path
    case .internet(let address, let port): "\(Port.tcp(address, port: port))"
    }
  }

  /// The reason for `LinkError.unsupported(_:reason:)` if an error number means that the system does not support
  /// addresses of this kind; nil for another error number.
  func unsupportedReason(_ code: Int32) -> String? {
    if case .bluetooth = self, code == EOPNOTSUPP { return "the Bluetooth adapter has no classic Bluetooth" }
    guard [EAFNOSUPPORT, EPROTONOSUPPORT, ESOCKTNOSUPPORT].contains(code) else { return nil }
    return switch self {
    #if os(Linux)
      case .bluetooth, .lowEnergy: "the kernel has no Bluetooth"
    #else
      case .bluetooth: "addresses are not available on this system; use the device file in /dev/cu.*"
      case .lowEnergy: "addresses are not available on this system; use the name, as in ble:BB-D911"
    #endif
    case .local: "the kernel has no local sockets"
    case .internet(let address, _): "the kernel has no IPv\(address.isVersion6 ? 6 : 4)"
    }
  }
}

extension System {
  /// AF_BLUETOOTH and BTPROTO_RFCOMM of Linux, which the C library does not declare.
  private static let (bluetoothFamily, rfcomm): (Int32, Int32) = (31, 3)

  #if canImport(Glibc)
    static let (stream, sequencedPackets) = (Int32(SOCK_STREAM.rawValue), Int32(SOCK_SEQPACKET.rawValue))
  #else
    static let (stream, sequencedPackets) = (SOCK_STREAM, SOCK_SEQPACKET)
  #endif

  /// Creates a non-blocking socket that child processes do not inherit.
  package static func makeSocket(for address: SocketAddress) throws(SystemError) -> Int32 {
    #if !os(Linux)
      guard case .internet = address else { throw SystemError(code: EAFNOSUPPORT) }
    #endif
    let descriptor: Int32
    switch address {
    case .bluetooth: descriptor = try check { socket(bluetoothFamily, stream, rfcomm) }
    case .lowEnergy: descriptor = try makeAttributeSocket()
    case .local: descriptor = try check { socket(AF_UNIX, sequencedPackets, 0) }
    case .internet(let address, _):
      descriptor = try check { socket(address.isVersion6 ? AF_INET6 : AF_INET, stream, 0) }
      setNoDelay(descriptor)
    }
    setNonBlocking(descriptor)
    #if canImport(Darwin)
      setOption(descriptor, level: SOL_SOCKET, SO_NOSIGPIPE)
    #endif
    return descriptor
  }

  /// Creates an unencrypted L2CAP socket, bound to the fixed channel of the Attribute Protocol on any adapter.
  private static func makeAttributeSocket() throws(SystemError) -> Int32 {
    let descriptor = try check { socket(bluetoothFamily, sequencedPackets, 0) }
    do throws(SystemError) {
      let any = attributeAddressBytes([UInt8](repeating: 0, count: 6), isRandom: false)
      try check { unsafe withSocketAddress(any, { unsafe bind(descriptor, $0, $1) }) }
      // Level SOL_BLUETOOTH (274), option BT_SECURITY (4): BT_SECURITY_LOW (1), without encryption, and key size 0.
      var security: (UInt8, UInt8) = (1, 0)
      try check { unsafe setsockopt(descriptor, 274, 4, &security, 2) }
      return descriptor
    } catch {
      close(descriptor)
      throw error
    }
  }

  /// The bytes of a `sockaddr_l2`: family, PSM 0, address in wire order, channel 4 (the Attribute Protocol), and the
  /// type of the address (1 public, 2 random).
  private static func attributeAddressBytes(_ address: [UInt8], isRandom: Bool) -> [UInt8] {
    familyBytes(bluetoothFamily, count: 14) + [0, 0] + address + [4, 0, isRandom ? 2 : 1, 0]
  }

  /// Creates a socket that listens, and returns its port; the system assigns one for port 0.
  package static func listen(at address: InternetAddress, port: UInt16) throws(SystemError) -> (Int32, UInt16)
  {
    let descriptor = try makeSocket(for: .internet(address, port: port))
    // Otherwise connections of an earlier server in the state TIME_WAIT block the port.
    setOption(descriptor, level: SOL_SOCKET, SO_REUSEADDR)
    do throws(SystemError) {
      let bytes = socketAddressBytes(.internet(address, port: port))
      try check { unsafe withSocketAddress(bytes, { unsafe bind(descriptor, $0, $1) }) }
      try check { SpheroLibc.listen(descriptor, 8) }
      return (descriptor, port == 0 ? try Self.port(of: descriptor) : port)
    } catch {
      close(descriptor)
      throw error
    }
  }

  private static func port(of descriptor: Int32) throws(SystemError) -> UInt16 {
    var storage = sockaddr_storage()
    var count = socklen_t(MemoryLayout<sockaddr_storage>.size)
    try check {
      unsafe withUnsafeMutablePointer(to: &storage) {
        unsafe $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          unsafe getsockname(descriptor, $0, &count)
        }
      }
    }
    // In IPv4 and IPv6 addresses, the port follows the family, in network byte order.
    return unsafe withUnsafeBytes(of: storage) { unsafe UInt16($0[2]) << 8 | UInt16($0[3]) }
  }

  /// Accepts a client of a listening socket; nil if none is pending.
  package static func acceptClient(of descriptor: Int32) throws(SystemError) -> Int32? {
    do throws(SystemError) {
      let client = try check { accept(descriptor, nil, nil) }
      #if canImport(Darwin)
        setOption(client, level: SOL_SOCKET, SO_NOSIGPIPE)
      #endif
      setNonBlocking(client)
      setNoDelay(client)
      return client
    } catch {
      // ECONNABORTED: the client has disconnected before it was accepted.
      guard !error.wouldBlock, error.code != ECONNABORTED else { return nil }
      throw error
    }
  }

  /// Sends small packets at once; by default TCP may delay a packet to merge it with the next one.
  private static func setNoDelay(_ descriptor: Int32) {
    setOption(descriptor, level: Int32(IPPROTO_TCP), TCP_NODELAY)
  }

  private static func setOption(_ descriptor: Int32, level: Int32, _ option: Int32) {
    var on: Int32 = 1
    _ = unsafe setsockopt(descriptor, level, option, &on, socklen_t(MemoryLayout<Int32>.size))
  }

  /// Begins to connect a non-blocking socket; returns whether the connection is established already.
  package static func beginConnecting(_ descriptor: Int32, to address: SocketAddress) throws(SystemError)
    -> Bool
  {
    if case .local(let path) = address, path.utf8.count > longestLocalPath {
      throw SystemError(code: ENAMETOOLONG)
    }
    let result = unsafe withSocketAddress(socketAddressBytes(address)) { unsafe connect(descriptor, $0, $1) }
    guard result != 0 else { return true }
    let code = errno
    // The kernel continues the attempt after an interrupted call.
    guard code == EINPROGRESS || code == EINTR else { throw SystemError(code: code) }
    return false
  }

  /// The maximum length of the path of a local socket in bytes: a NUL terminates it in `sockaddr_un`.
  private static let longestLocalPath = MemoryLayout.size(ofValue: sockaddr_un().sun_path) - 1

  /// The maximum length of an abstract name in bytes: a NUL precedes it in the 108 bytes of a `sockaddr_un`.
  package static let longestAbstractName = 107

  /// Binds a socket to an abstract name; nil on systems without abstract names.
  package static func bindAbstractName(_ name: String) throws(SystemError) -> Int32? {
    #if os(Linux)
      guard name.utf8.count <= longestAbstractName else { throw SystemError(code: ENAMETOOLONG) }
      let bytes = familyBytes(AF_UNIX, count: 0) + [0] + name.utf8
      let descriptor = try check { socket(AF_UNIX, stream, 0) }
      _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
      guard unsafe withSocketAddress(bytes, { unsafe bind(descriptor, $0, $1) }) == 0 else {
        let code = errno
        close(descriptor)
        throw SystemError(code: code)
      }
      return descriptor
    #else
      return nil
    #endif
  }

  /// Calls `body` with a pointer to the bytes of an address, which is valid only during the call, and their count.
  private static func withSocketAddress(
    _ bytes: [UInt8], _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32
  ) -> Int32 {
    // sockaddr_storage has the size and alignment for every kind of address.
    var storage = sockaddr_storage()
    let bytes = bytes.prefix(MemoryLayout<sockaddr_storage>.size)
    return unsafe withUnsafeMutableBytes(of: &storage) { buffer in
      unsafe buffer.copyBytes(from: bytes)
      guard let base = unsafe buffer.baseAddress?.assumingMemoryBound(to: sockaddr.self) else {
        return -1
      }
      return unsafe body(base, socklen_t(bytes.count))
    }
  }

  /// Throws the error of a connection attempt whose socket has become writable.
  package static func checkConnection(_ descriptor: Int32) throws(SystemError) {
    var code: Int32 = 0
    var count = socklen_t(MemoryLayout<Int32>.size)
    try check { unsafe getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &code, &count) }
    if code != 0 { throw SystemError(code: code) }
  }

  /// The bytes of the system's structure for an address, such as `sockaddr_in`.
  static func socketAddressBytes(_ address: SocketAddress) -> [UInt8] {
    switch address {
    case .bluetooth(let address, let channel):
      // The last byte is padding of `sockaddr_rc`.
      return familyBytes(bluetoothFamily, count: 10) + address.wireBytes + [channel, 0]
    case .lowEnergy(let address, let isRandom):
      return attributeAddressBytes(address.wireBytes, isRandom: isRandom)
    case .local(let path):
      return familyBytes(AF_UNIX, count: 110) + path.utf8.prefix(longestLocalPath) + [0]
    case .internet(let address, let port):
      let port = [UInt8(port >> 8), UInt8(truncatingIfNeeded: port)]
      let zeros = [UInt8](repeating: 0, count: 8)
      let scope = unsafe withUnsafeBytes(of: address.scope) { unsafe Array($0) }
      return address.isVersion6
        ? familyBytes(AF_INET6, count: 28) + port + zeros.prefix(4) + address.bytes + scope
        : familyBytes(AF_INET, count: 16) + port + address.bytes + zeros
    }
  }

  /// The address in the bytes of a `sockaddr_in` or `sockaddr_in6`; nil for another count.
  static func internetAddress(ofSocketAddress bytes: [UInt8]) -> InternetAddress? {
    switch bytes.count {
    case 16: InternetAddress(bytes: Array(bytes[4..<8]))
    case 28:
      // The scope is in the byte order of the host, little-endian on all supported ones.
      InternetAddress(
        bytes: Array(bytes[8..<24]), scope: bytes[24...].reversed().reduce(0) { $0 << 8 | UInt32($1) })
    default: nil
    }
  }

  /// The first two bytes of an address of `count` bytes: the family; on Darwin, `count` and the family.
  private static func familyBytes(_ family: Int32, count: UInt8) -> [UInt8] {
    #if canImport(Darwin)
      [count, UInt8(truncatingIfNeeded: family)]
    #else
      unsafe withUnsafeBytes(of: UInt16(truncatingIfNeeded: family)) { unsafe Array($0) }
    #endif
  }
}
