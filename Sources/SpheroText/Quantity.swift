// Physical quantities of integer fields: a unit, and its amount per count.

/// The physical quantity of one count of an integer field; a program may declare further ones for its own messages.
public struct Quantity: Hashable, Sendable {
  public let unit: Unit
  /// The amount of the unit per count (the resolution).
  public let perCount: Double
  /// The decimals of ``perCount``; if it has more than six, as few as distinguish adjacent counts.
  public let digits: Int
  /// Whether the integer is a set of 32 bits, which is printed as `0x` and eight hexadecimal digits.
  public private(set) var isMask = false
  /// One count is `numerator` / 2^`shift` units of the last decimal; both are 0 if it is no such fraction.
  let numerator: Int32
  let shift: UInt8

  /// Creates a quantity of `perCount` units per count.
  public init(_ unit: Unit, perCount: Double = 1) {
    (self.unit, self.perCount, digits) = (unit, perCount, Self.digits(perCount))
    (numerator, shift) = Self.ratio(perCount, digits)
  }

  /// The value of `count` counts in the unit.
  public func value(of count: some BinaryInteger) -> Double { Double(count) * perCount }

  private static func digits(_ perCount: Double) -> Int {
    // The fewest decimals that distinguish adjacent counts.
    var enough: Int?
    var power = 1.0
    for digits in 0...9 {
      let scaled = perCount.magnitude * power
      let isWhole = (scaled - scaled.rounded(.toNearestOrEven)).magnitude < 1e-6 && scaled >= 0.5
      if digits <= 6, isWhole { return digits }
      if enough == nil, scaled > 1 - 1e-6 { enough = digits }
      power *= 10
    }
    return enough ?? 9
  }

  /// One count in units of the last decimal as a fraction, or 0 if there is none.
  ///
  /// The denominator is 2^`shift`: 1 for a decimal amount like 0.004, a power of two for a binary one like 1/4096.
  /// The numerator stays below 2^18, so that its product with a count of 32 bits is exact, in integers as in `Double`.
  private static func ratio(_ perCount: Double, _ digits: Int) -> (numerator: Int32, shift: UInt8) {
    var power = 1.0
    for _ in 0..<digits { power *= 10 }
    let isBinary = (perCount * 65_536).rounded(.toNearestOrEven) == perCount * 65_536
    var size = 1.0
    for shift in 0...(isBinary ? 16 : 0) as ClosedRange<UInt8> {
      let whole = (perCount * power * size).rounded(.toNearestOrEven)
      if whole.magnitude >= 1, whole.magnitude < 262_144, whole / (power * size) == perCount {
        return (Int32(whole), shift)
      }
      size *= 2
    }
    return (0, 0)
  }

  /// A number without a unit.
  public static let count = Quantity(.one)
  /// A set of 32 bits without names.
  public static let mask: Quantity = {
    var mask = Quantity(.one)
    mask.isMask = true
    return mask
  }()
  public static let degrees = Quantity(.degrees)
  public static let seconds = Quantity(.seconds)
  /// 0.01 s.
  public static let centiseconds = Quantity(.seconds, perCount: 0.01)
  /// 0.001 s.
  public static let milliseconds = Quantity(.seconds, perCount: 0.001)
  /// 0.01 V.
  public static let centivolts = Quantity(.volts, perCount: 0.01)
  public static let centimetres = Quantity(.centimetres)
  public static let centimetresPerSecond = Quantity(.centimetresPerSecond)
  public static let millimetresPerSecond = Quantity(.millimetresPerSecond)
  /// 0.784 °/s, the step of `Motion.SetRotationRate`.
  public static let rotationSteps = Quantity(.degreesPerSecond, perCount: 0.784)
  public static let degreesCelsius = Quantity(.degreesCelsius)
}

extension Quantity {
  /// A unit, printed after values and in the names of columns.
  public struct Unit: Hashable, Sendable {
    /// The text after a number, including a space before it if there is one, like ` V`.
    public let symbol: StaticString

    public init(_ symbol: StaticString) { self.symbol = symbol }

    /// The symbol in ASCII for the names of columns, like `V` or `deg_s`.
    public var name: String { String(typed.map { $0 == "/" ? "_" : $0 }) }

    /// The symbol in ASCII as people type it after a number, like `V` or `deg/s`.
    package var typed: String {
      "\(symbol)".unicodeScalars.filter { $0 != " " }.map { $0 == "°" ? "deg" : "\($0)" }.joined()
    }

    /// Whether a text is the symbol, its form in ASCII, or the form in names of columns.
    package func isSpelled(_ text: some StringProtocol) -> Bool {
      let symbol = String("\(symbol)".drop { $0 == " " })
      return text == symbol || text == typed || text == name
    }

    // `StaticString` is not equatable.
    public static func == (a: Unit, b: Unit) -> Bool { "\(a.symbol)" == "\(b.symbol)" }

    public func hash(into hasher: inout Hasher) { hasher.combine("\(symbol)") }

    /// No unit.
    public static let one = Unit("")
    /// Standard gravity, 9.80665 m/s².
    public static let g = Unit(" g")
    public static let degrees = Unit("°")
    public static let degreesPerSecond = Unit(" °/s")
    public static let seconds = Unit(" s")
    public static let volts = Unit(" V")
    public static let centimetres = Unit(" cm")
    public static let centimetresPerSecond = Unit(" cm/s")
    public static let millimetresPerSecond = Unit(" mm/s")
    public static let degreesCelsius = Unit(" °C")
    public static let hertz = Unit(" Hz")

    /// The units with a symbol, by which a reader recognizes the names of columns.
    package static let known: [Unit] = [
      .g, .degrees, .degreesPerSecond, .seconds, .volts, .centimetres, .centimetresPerSecond,
      .millimetresPerSecond, .degreesCelsius, .hertz,
    ]
  }
}
