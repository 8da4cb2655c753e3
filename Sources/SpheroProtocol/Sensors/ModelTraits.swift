// The differences between models that use the same packets.

/// The properties of a model that its packets do not state.
///
/// The session, the decoder of recordings and the simulated robot share them.
public struct ModelTraits: Hashable, Sendable {
  /// The axes of position and velocity, in streams and in the commands of the locator.
  public enum LocatorAxes: Hashable, Sendable {
    /// x points right and y ahead.
    case rightAhead
    /// x points ahead and y left.
    case aheadLeft
  }

  /// The axes that the model uses.
  public var locatorAxes = LocatorAxes.rightAhead
  /// The voltages of an empty and of a full battery; nil if no source states them.
  public var batteryVoltage: ClosedRange<Double>?

  /// The charge of the battery at a voltage, 0...1; nil if the range of the model is unknown.
  public func charge(at voltage: Double) -> Double? {
    batteryVoltage.map { min(max((voltage - $0.lowerBound) / ($0.upperBound - $0.lowerBound), 0), 1) }
  }
}

extension Core.GetVersioning.Model {
  /// The properties of the model; those of Sphero 2.0 if the model is unknown.
  ///
  /// Sources: Sphero's Swift classes and spherov2, which convert an Ollie's (x, y) to (-y, x); the Swift classes divide
  /// V - 6.5 by 1.3 for BB-8 and SPRK+.
  public var traits: ModelTraits {
    switch self {
    case .ollie, .olliePrototype: ModelTraits(locatorAxes: .aheadLeft)
    case .bb8, .sprkPlus: ModelTraits(batteryVoltage: 6.5...7.8)
    default: ModelTraits()
    }
  }
}

extension Core.GetVersioning.Response {
  /// Decodes the response to a command; nil for another command, a refusal or a malformed response.
  package init?(to command: CommandID, _ response: ResponsePacket) {
    guard command == Core.GetVersioning.id, response.status == .ok,
      let version = try? Self(payload: response.payload)
    else { return nil }
    self = version
  }
}

extension ModelTraits.LocatorAxes {
  /// The fields on the axes; each pair has exactly an x and a y field.
  private static let pairs: [SensorMask] = [.odometer, .velocity]

  /// The fields that a stream requires to yield the fields of a mask.
  ///
  /// If the axes are not ``rightAhead``, the conversion of a pair requires both of its words.
  package func streamed(for mask: SensorMask) -> SensorMask {
    guard self == .aheadLeft else { return mask }
    return Self.pairs.reduce(mask) { $1.isDisjoint(with: mask) ? $0 : $0.union($1) }
  }

  package static func affect(_ mask: SensorMask) -> Bool { pairs.contains { !$0.isDisjoint(with: mask) } }

  /// The indices of the x and y words of each complete pair in a frame; empty if the axes are ``rightAhead``.
  package func turnedPairs(in mask: SensorMask) -> [(x: Int, y: Int)] {
    guard self == .aheadLeft else { return [] }
    return Self.pairs.compactMap { pair in
      let indices = pair.fields.compactMap { mask.index(of: $0) }
      return indices.count == 2 ? (indices[0], indices[1]) : nil
    }
  }
}

extension Sample {
  /// Converts pairs from ``ModelTraits/LocatorAxes/aheadLeft`` to ``ModelTraits/LocatorAxes/rightAhead``.
  package mutating func turn(_ pairs: [(x: Int, y: Int)]) {
    for (x, y) in pairs { (words[x], words[y]) = (words[y] == .min ? .max : -words[y], words[x]) }
  }
}
