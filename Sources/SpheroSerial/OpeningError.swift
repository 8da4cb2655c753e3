// Conversion of error numbers to errors of opening a port.

import SpheroLibc
package import SpheroSystem
package import SpheroTransport

extension SystemError {
  /// The error of opening a port.
  ///
  /// - Parameters:
  ///   - port: The path of a device, or the text of another port.
  ///   - operation: The failed call.
  ///   - holder: Finds the holder of a busy port.
  /// - Returns: The error.
  package func opening(_ port: String, operation: String, holder: () -> PortHolder? = { nil }) -> LinkError {
    switch code {
    case ENOENT, ENOTDIR, ENXIO, ENODEV: .notFound(port)
    case EACCES, EPERM: .noPermission(port)
    case EBUSY, EWOULDBLOCK: .busy(port, holder())
    case ENOTTY: .notADevice(port)
    case ECONNREFUSED, ECONNRESET: .refused(port)
    case EHOSTDOWN: .hostDown(port)
    case EHOSTUNREACH, ENETUNREACH, ENETDOWN: .unreachable(port)
    case ETIMEDOUT: .timedOut(port)
    default: .failed(port, operation: operation, code: code)
    }
  }

  /// Whether the kernel does not support the requested kind of socket.
  package var isUnsupportedAddressFamily: Bool {
    code == EAFNOSUPPORT || code == EPROTONOSUPPORT || code == ESOCKTNOSUPPORT
  }

  /// Whether the address or name is in use.
  package var isAddressInUse: Bool { code == EADDRINUSE }
}
