// Remarks of a server about its clients and the path of its line.

public import SpheroTransport

/// A remark of a server; the first value of each case is the path or the address that the remark concerns.
@nonexhaustive public enum ServingRemark: Hashable, Sendable {
  /// The line has a new path, because the server hung up the former pseudo-terminal.
  case moved(String)
  /// A second client opened the device, and gets no answers while the first is connected; its process is nil if unknown.
  case secondClient(String, PortHolder?)
  /// The connection of a second client was closed, because the first is still connected.
  case refused(String)
  /// A client that waited is served now; the bytes that it sent before are discarded.
  case pendingClientServed(String)
  /// Another program replaced the link, which is left unchanged.
  case linkTaken(String)
  /// Several programs have one device open, and none gets answers.
  case contended(String)
  /// Two programs opened one device through the link at the same time, and both are disconnected.
  case openedTogether(String)
  /// One program alone has the device open again, and gets answers.
  case contentionEnded(String)
}

extension ServingRemark: CustomStringConvertible {
  /// One sentence without a full stop.
  public var description: String {
    switch self {
    case .moved(let path): "the line is at \(path) now"
    case .secondClient(let path, let client):
      (client.map { "\($0)" } ?? "a second client")
        + " has opened \(path): it gets no answers while the first is connected"
    case .refused(let place):
      "a second client connected to \(place) and was closed: the first is still there"
    case .pendingClientServed(let path):
      "the client that waited at \(path) is served now; what it sent before is discarded"
    case .linkTaken(let path):
      "\(path) no longer leads to this robot and is left unchanged; remove it to restore the link"
    case .contended(let path): "several programs have \(path) open: none is answered until one remains"
    case .openedTogether(let path):
      "two programs opened \(path) at the same time, and both are disconnected; open the link again"
    case .contentionEnded(let path): "only one program still has \(path) open; it gets answers again"
    }
  }
}
