// The names of SwiftUI that this package has as well, for a test on systems without SwiftUI.

/// SwiftUI has an angle of its own.
public struct Angle {
  /// The angle in radians.
  public var radians: Double
  /// Makes an angle.
  public init(radians: Double) { self.radians = radians }
}

/// SwiftUI's axis of a stack.
public enum Axis {
  /// From left to right.
  case horizontal
}

/// SwiftUI's scene of settings.
public struct Settings {
  /// Makes a scene.
  public init() {}
}

/// A point of a system's graphics.
public struct Point {
  /// How far down.
  public var v: Int
  /// Makes a point.
  public init(v: Int) { self.v = v }
}
