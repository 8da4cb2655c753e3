// What the system's error numbers mean for a port that is being opened.

package import SpheroSystem
package import SpheroTransport

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

extension SystemError {
  /// Names the failure of a port that is being opened.
  ///
  /// - Parameters:
  ///   - port: The path of a device, or the text of another port.
  ///   - operation: The call that failed.
  ///   - holder: Finds who has the port, where it is busy.
  /// - Returns: The error for people and programs.
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

  /// Whether the kernel has no sockets of the kind that was asked for.
  package var isMissingFamily: Bool {
    code == EAFNOSUPPORT || code == EPROTONOSUPPORT || code == ESOCKTNOSUPPORT
  }

  /// Whether another socket has the name.
  package var isNameTaken: Bool { code == EADDRINUSE }
}
