// What whoever serves clients should know.

public import SpheroTransport

/// What whoever serves clients should know.
public enum ServingRemark: Hashable, Sendable {
  /// The line is reached under another path now, since the former one hung up.
  case moved(String)
  /// A second client is answered by nothing, as long as the first is there.
  case secondClient(String, PortHolder?)
  /// A second client was closed again, as the first is there.
  case refused(String)
  /// A second client that has waited is served now; what it has sent before is thrown away.
  case successor(String)
  /// Somebody has put something else in the place of the link, which is left alone.
  case linkTaken(String)
  /// Several programs have one device open: none is answered.
  case shared(String)
  /// One program alone has the device open again, and is answered.
  case alone(String)
}

extension ServingRemark: CustomStringConvertible {
  /// One sentence for people.
  public var description: String {
    switch self {
    case .moved(let path): "the line is at \(path) now"
    case .secondClient(let path, let holder):
      (holder.map { "\($0)" } ?? "a second client")
        + " has come to \(path): it is not answered while the first is there"
    case .refused(let place): "a second client has come to \(place): it was closed, for the first is there"
    case .successor(let path):
      "the client that waited at \(path) is served now; what it has sent is thrown away"
    case .linkTaken(let path):
      "\(path) does not lead here any more: it is left alone; remove it to have the link back"
    case .shared(let path): "several programs have \(path) open: none is answered until one is left"
    case .alone(let path): "one program is left at \(path) and is answered again"
    }
  }
}
