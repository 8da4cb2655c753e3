// What whoever serves clients should know.

public import SpheroTransport

/// What whoever serves clients should know.
public struct ServingRemark: Hashable, Sendable, CustomStringConvertible {
  /// What it is; later versions of the library may have more kinds, so a switch has a `default`.
  public struct Kind: Hashable, Sendable, CustomStringConvertible {
    /// The name, like `moved`.
    public let description: String
    private init(_ name: String) { description = name }

    /// The line is reached under another path now, since the former one hung up.
    public static let moved = Kind("moved")
    /// A second client is answered by nothing, as long as the first is there.
    public static let secondClient = Kind("secondClient")
    /// A second client was closed again, as the first is there.
    public static let refused = Kind("refused")
    /// A second client that has waited is served now; what it has sent before is thrown away.
    public static let successor = Kind("successor")
    /// Somebody has put something else in the place of the link, which is left alone.
    public static let linkTaken = Kind("linkTaken")
    /// Several programs have one device open: none is answered.
    public static let shared = Kind("shared")
    /// One program alone has the device open again, and is answered.
    public static let alone = Kind("alone")
  }

  /// What it is.
  public let kind: Kind
  /// The path or the address that it is about.
  public let place: String
  /// The program that it is about, where the system says who.
  public private(set) var client: PortHolder?
  /// One sentence for people, without a full stop.
  public let description: String

  private init(_ kind: Kind, _ place: String, _ description: String) {
    (self.kind, self.place, self.description) = (kind, place, description)
  }
}

extension ServingRemark {
  /// The line is reached under another path now, since the former one hung up.
  public static func moved(_ path: String) -> ServingRemark {
    ServingRemark(.moved, path, "the line is at \(path) now")
  }
  /// A second client is answered by nothing, as long as the first is there.
  public static func secondClient(_ path: String, _ client: PortHolder?) -> ServingRemark {
    var remark = ServingRemark(
      .secondClient, path,
      (client.map { "\($0)" } ?? "a second client")
        + " has opened \(path): it gets no answers while the first is connected")
    remark.client = client
    return remark
  }
  /// A second client was closed again, as the first is there.
  public static func refused(_ place: String) -> ServingRemark {
    ServingRemark(
      .refused, place, "a second client connected to \(place) and was closed: the first is still there")
  }
  /// A second client that has waited is served now; what it has sent before is thrown away.
  public static func successor(_ path: String) -> ServingRemark {
    ServingRemark(
      .successor, path, "the client that waited at \(path) is served now; what it sent before is discarded")
  }
  /// Somebody has put something else in the place of the link, which is left alone.
  public static func linkTaken(_ path: String) -> ServingRemark {
    ServingRemark(
      .linkTaken, path,
      "\(path) no longer leads to this robot and is left unchanged; remove it to restore the link")
  }
  /// Several programs have one device open: none is answered.
  public static func shared(_ path: String) -> ServingRemark {
    ServingRemark(.shared, path, "several programs have \(path) open: none is answered until one remains")
  }
  /// One program alone has the device open again, and is answered.
  public static func alone(_ path: String) -> ServingRemark {
    ServingRemark(.alone, path, "only one program still has \(path) open; it gets answers again")
  }
}
