// System calls on sockets.

import SpheroLibc
package import SpheroSystem
package import SpheroTransport

/// The address of the other end of a connection.
package enum SocketAddress: Sendable {
  /// An RFCOMM channel of a robot.
  case bluetooth(BluetoothAddress, channel: UInt8)
  /// The attributes of a robot over Bluetooth LE.
  case lowEnergy(BluetoothAddress, isRandom: Bool)
  /// A local socket that preserves packet boundaries.
  case local(path: String)
  /// A TCP port of a server.
  case internet(InternetAddress, port: UInt16)

  /// The name of the port if a server is at the address; nil for the address of a robot.
  ///
  /// A robot has one client, but a server decides how many clients it accepts.
  package var serverPort: String? {
    switch self {
    case .bluetooth, .lowEnergy: nil
    case .local(let path): "ble:" + path
    case .internet(let address, let port): "\(Port.tcp(address, port: port))"
    }
  }

  /// The reason, in words, if the system does not support the address.
  package var missing: String {
    switch self {
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
  /// The address family of Bluetooth and the protocol of its serial ports, as Linux numbers them.
  private static let (bluetoothFamily, rfcomm): (Int32, Int32) = (31, 3)

  #if canImport(Glibc)
    static let stream = Int32(SOCK_STREAM.rawValue)
  #else
    static let stream = SOCK_STREAM
  #endif

  /// Creates a non-blocking socket that child processes do not inherit.
  package static func makeSocket(for address: SocketAddress) throws(SystemError) -> Int32 {
    let descriptor: Int32
    switch address {
    case .bluetooth:
      #if os(Linux)
        descriptor = try check { socket(bluetoothFamily, stream, rfcomm) }
      #else
        throw SystemError(code: EAFNOSUPPORT)
      #endif
    case .lowEnergy:
      #if os(Linux)
        descriptor = try makeAttributeSocket()
      #else
        throw SystemError(code: EAFNOSUPPORT)
      #endif
    case .local:
      #if os(Linux)
        descriptor = try check { socket(AF_UNIX, Int32(SOCK_SEQPACKET.rawValue), 0) }
      #else
        throw SystemError(code: EAFNOSUPPORT)
      #endif
    case .internet(let address, _):
      descriptor = try check { socket(address.isVersion6 ? AF_INET6 : AF_INET, stream, 0) }
      // Without this option, the kernel may delay a small command to send it together with the next one.
      setOption(descriptor, level: Int32(IPPROTO_TCP), TCP_NODELAY)
    }
    setNonBlocking(descriptor)
    #if canImport(Darwin)
      setOption(descriptor, level: SOL_SOCKET, SO_NOSIGPIPE)
    #endif
    return descriptor
  }

  #if os(Linux)
    /// Creates an L2CAP socket for the fixed channel of the Attribute Protocol, without encryption.
    private static func makeAttributeSocket() throws(SystemError) -> Int32 {
      let descriptor = try check { socket(bluetoothFamily, Int32(SOCK_SEQPACKET.rawValue), 0) }
      do throws(SystemError) {
        let any = attributeAddressBytes([UInt8](repeating: 0, count: 6), isRandom: false)
        try check { unsafe withSocketAddress(any, { unsafe bind(descriptor, $0, $1) }) }
        // SOL_BLUETOOTH (274), BT_SECURITY (4): BT_SECURITY_LOW, which needs no encryption, and no key size.
        var security: (UInt8, UInt8) = (1, 0)
        try check { unsafe setsockopt(descriptor, 274, 4, &security, 2) }
        return descriptor
      } catch {
        close(descriptor)
        throw error
      }
    }
  #endif

  /// `sockaddr_l2`: no PSM, the address in wire order, the channel of the Attribute Protocol, the type of the address.
  private static func attributeAddressBytes(_ address: [UInt8], isRandom: Bool) -> [UInt8] {
    familyBytes(bluetoothFamily, count: 14) + [0, 0] + address + [4, 0, isRandom ? 2 : 1, 0]
  }

  /// Listens at an address of this machine.
  ///
  /// - Returns: The socket, and its port.
  package static func listen(at address: InternetAddress, port: UInt16) throws(SystemError) -> (Int32, UInt16)
  {
    let descriptor = try makeSocket(for: .internet(address, port: port))
    // Lingering connections of an earlier server must not occupy the port.
    setOption(descriptor, level: SOL_SOCKET, SO_REUSEADDR)
    do throws(SystemError) {
      let bytes = socketAddressBytes(.internet(address, port: port))
      try check { unsafe withSocketAddress(bytes, { unsafe bind(descriptor, $0, $1) }) }
      try check { libcListen(descriptor) }
      return (descriptor, port == 0 ? try Self.port(of: descriptor) : port)
    } catch {
      close(descriptor)
      throw error
    }
  }

  /// The port that the system has assigned to a socket.
  private static func port(of descriptor: Int32) throws(SystemError) -> UInt16 {
    var storage = sockaddr_storage()
    var count = socklen_t(MemoryLayout<sockaddr_storage>.size)
    try check {
      // The storage fits every address, and the count is its size.
      unsafe withUnsafeMutablePointer(to: &storage) {
        unsafe $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          unsafe getsockname(descriptor, $0, &count)
        }
      }
    }
    // In both kinds of addresses, the port follows the family in network byte order.
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
      setOption(client, level: Int32(IPPROTO_TCP), TCP_NODELAY)
      return client
    } catch {
      // No client is pending, or the first one has disconnected.
      guard !error.wouldBlock, error.code != ECONNABORTED else { return nil }
      throw error
    }
  }

  private static func setOption(_ descriptor: Int32, level: Int32, _ option: Int32) {
    var on: Int32 = 1
    _ = unsafe setsockopt(descriptor, level, option, &on, socklen_t(MemoryLayout<Int32>.size))
  }

  /// Starts to connect.
  ///
  /// - Returns: True if the connection is established, false if it is in progress.
  package static func beginConnecting(_ descriptor: Int32, to address: SocketAddress) throws(SystemError)
    -> Bool
  {
    if case .local(let path) = address, path.utf8.count > longestLocalPath {
      throw SystemError(code: ENAMETOOLONG)
    }
    let result = unsafe withSocketAddress(socketAddressBytes(address)) { unsafe connect(descriptor, $0, $1) }
    guard result != 0 else { return true }
    let code = errno
    // An interrupted call continues in the background.
    guard code == EINPROGRESS || code == EINTR else { throw SystemError(code: code) }
    return false
  }

  /// The length in bytes of the longest path of a local socket: the field of `sockaddr_un` ends with a NUL.
  private static let longestLocalPath = MemoryLayout.size(ofValue: sockaddr_un().sun_path) - 1

  /// The length in bytes of the longest abstract name: the field of `sockaddr_un` has 108 bytes, the first of which
  /// is a NUL that makes the name abstract.
  package static let longestAbstractName = 107

  /// Binds a socket to an abstract name; nil on systems without abstract names.
  ///
  /// - Throws: `SystemError` with `ENAMETOOLONG` for a name of more than ``longestAbstractName`` bytes.
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

  private static func withSocketAddress(
    _ bytes: [UInt8], _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32
  ) -> Int32 {
    // sockaddr_storage is aligned for every address and larger than any; the count limits the valid bytes.
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

  /// The error of a connection attempt; nil if the connection is established.
  package static func connectionError(_ descriptor: Int32) throws(SystemError) -> SystemError? {
    var code: Int32 = 0
    var count = socklen_t(MemoryLayout<Int32>.size)
    try check { unsafe getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &code, &count) }
    return code == 0 ? nil : SystemError(code: code)
  }

  /// An address in the layout of the system, such as `sockaddr_in`.
  package static func socketAddressBytes(_ address: SocketAddress) -> [UInt8] {
    switch address {
    case .bluetooth(let address, let channel):
      // The last byte pads the structure to a multiple of 16 bits.
      return familyBytes(bluetoothFamily, count: 10) + address.wireBytes + [channel, 0]
    case .lowEnergy(let address, let isRandom):
      return attributeAddressBytes(address.wireBytes, isRandom: isRandom)
    case .local(let path):
      return familyBytes(AF_UNIX, count: 110) + path.utf8.prefix(longestLocalPath) + [0]
    case .internet(let address, let port):
      let port = [UInt8(port >> 8), UInt8(truncatingIfNeeded: port)]
      let zeros = [UInt8](repeating: 0, count: 8)
      return address.isVersion6
        ? familyBytes(AF_INET6, count: 28) + port + zeros.prefix(4) + address.bytes + zeros.prefix(4)
        : familyBytes(AF_INET, count: 16) + port + address.bytes + zeros
    }
  }

  /// The first two bytes of an address: the family; on Darwin, the size of the address and the family.
  private static func familyBytes(_ family: Int32, count: UInt8) -> [UInt8] {
    #if canImport(Darwin)
      [count, UInt8(truncatingIfNeeded: family)]
    #else
      unsafe withUnsafeBytes(of: UInt16(truncatingIfNeeded: family)) { unsafe Array($0) }
    #endif
  }

  /// Sends the bytes that fit into the buffer; raises no SIGPIPE if the other end has closed.
  ///
  /// - Returns: The number of bytes that were sent; 0 if the buffer is full.
  package static func send(_ descriptor: Int32, _ bytes: ArraySlice<UInt8>) throws(SystemError) -> Int {
    #if canImport(Darwin)
      return try write(descriptor, bytes)
    #else
      do throws(SystemError) {
        return try check {
          unsafe bytes.withUnsafeBytes { buffer in
            unsafe libcSend(descriptor, buffer.baseAddress, buffer.count, Int32(MSG_NOSIGNAL))
          }
        }
      } catch {
        if error.wouldBlock { return 0 }
        throw error
      }
    #endif
  }
}

// Within `System`, the names `listen` and `send` refer to its members.

private func libcListen(_ descriptor: Int32) -> Int32 { listen(descriptor, 8) }

#if !canImport(Darwin)
  private func libcSend(_ descriptor: Int32, _ buffer: UnsafeRawPointer?, _ count: Int, _ flags: Int32) -> Int
  {
    unsafe send(descriptor, buffer, count, flags)
  }
#endif
