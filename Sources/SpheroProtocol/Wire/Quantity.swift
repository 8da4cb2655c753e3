// What the counts of a field stand for: a unit, and how much of it each count is.

/// What one count of a wire integer stands for: an open set, to which messages of your own may add.
public struct Quantity: Hashable, Sendable {
  /// The unit in which the value is given.
  public let unit: Unit
  /// How much of the unit one count is.
  public let perCount: Double
  /// The decimals that show every count.
  ///
  /// As many as the size of a count has, so that values are exact;
  /// where it has more than six, as few as keep neighbours apart.
  public let digits: Int
  /// One count in units of the last decimal, times a power of two; 0 where that is not a whole number.
  private let numerator: Int32
  /// The exponent of that power.
  private let shift: UInt8

  /// Makes a quantity.
  ///
  /// - Parameters:
  ///   - unit: The unit in which the value is given.
  ///   - perCount: How much of the unit one count is.
  public init(_ unit: Unit, perCount: Double = 1) {
    (self.unit, self.perCount, digits) = (unit, perCount, Self.digits(perCount))
    (numerator, shift) = Self.ratio(perCount, digits)
  }

  /// Makes a quantity of a unit of your own.
  ///
  /// - Parameters:
  ///   - symbol: The unit in which people read the value, with the blank before it, like ` V`.
  ///   - perCount: How much of the unit one count is.
  public init(symbol: StaticString, perCount: Double = 1) { self.init(Unit(symbol), perCount: perCount) }

  /// The value of so many counts, in the unit.
  public func value(of count: some BinaryInteger) -> Double { Double(count) * perCount }

  private static func digits(_ perCount: Double) -> Int {
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

  /// The value of so many counts in units of the last decimal, rounded, ties to even, and its sign.
  ///
  /// - Returns: What the same in `Double` comes to; nil where integers cannot tell.
  @inline(__always) func rounded(_ count: some BinaryInteger) -> (magnitude: UInt64, isNegative: Bool)? {
    guard numerator != 0, let small = Int32(exactly: count) else { return nil }
    let product = Int64(small) &* Int64(numerator)
    let magnitude = product.magnitude
    var whole = magnitude &>> UInt64(shift)
    // Just below half is added, and one more where that makes a tie even.
    if shift > 0 { whole = (magnitude &+ (1 &<< UInt64(shift &- 1)) &- 1 &+ whole & 1) &>> UInt64(shift) }
    return (whole, product < 0)
  }

  /// One count in units of the last decimal as a fraction: of a decimal size 1 is below, of a binary one a power of two.
  ///
  /// The numerator stays below 2^18, so that the rounding errors of a product with 32 bits cannot change a digit.
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

  /// A plain number.
  public static let count = Quantity(.one)
  /// Degrees.
  public static let degrees = Quantity(.degrees)
  /// Seconds.
  public static let seconds = Quantity(.seconds)
  /// Hundredths of a second.
  public static let centiseconds = Quantity(.seconds, perCount: 0.01)
  /// Thousandths of a second.
  public static let milliseconds = Quantity(.seconds, perCount: 0.001)
  /// Hundredths of a volt.
  public static let centivolts = Quantity(.volts, perCount: 0.01)
  /// Centimetres.
  public static let centimetres = Quantity(.centimetres)
  /// Centimetres in a second.
  public static let centimetresPerSecond = Quantity(.centimetresPerSecond)
  /// Millimetres in a second.
  public static let millimetresPerSecond = Quantity(.millimetresPerSecond)
  /// Steps of 0.784 degrees in a second, in which the rotation rate is set.
  public static let rotationSteps = Quantity(.degreesPerSecond, perCount: 0.784)
  /// Degrees Celsius.
  public static let degreesCelsius = Quantity(.degreesCelsius)
}

extension Quantity {
  /// A unit, as people read it after a number and as columns are named by it.
  public struct Unit: Hashable, Sendable {
    /// What stands after a number, with the blank before it where there is one, like ` V`.
    public let symbol: StaticString

    /// Makes a unit of its symbol.
    public init(_ symbol: StaticString) { self.symbol = symbol }

    /// The unit in names of columns: the symbol in ASCII, like `V` or `deg_s`.
    public var name: String {
      var name = ""
      for scalar in "\(symbol)".unicodeScalars {
        switch scalar {
        case " ": break
        case "/": name += "_"
        case "°": name += "deg"
        default: name.unicodeScalars.append(scalar)
        }
      }
      return name
    }

    /// Units are the same that are written the same.
    public static func == (a: Unit, b: Unit) -> Bool { "\(a.symbol)" == "\(b.symbol)" }

    /// Hashes what is written.
    public func hash(into hasher: inout Hasher) { hasher.combine("\(symbol)") }

    /// A pure number.
    public static let one = Unit("")
    /// Standard gravity, 9.80665 m/s².
    public static let g = Unit(" g")
    /// Degrees.
    public static let degrees = Unit("°")
    /// Degrees in a second.
    public static let degreesPerSecond = Unit(" °/s")
    /// Seconds.
    public static let seconds = Unit(" s")
    /// Volts.
    public static let volts = Unit(" V")
    /// Centimetres.
    public static let centimetres = Unit(" cm")
    /// Centimetres in a second.
    public static let centimetresPerSecond = Unit(" cm/s")
    /// Millimetres in a second.
    public static let millimetresPerSecond = Unit(" mm/s")
    /// Degrees Celsius.
    public static let degreesCelsius = Unit(" °C")
    /// Times in a second.
    public static let hertz = Unit(" Hz")

    /// Those that have a name, for whoever reads the titles of columns.
    package static let known: [Unit] = [
      .g, .degrees, .degreesPerSecond, .seconds, .volts, .centimetres, .centimetresPerSecond,
      .millimetresPerSecond, .degreesCelsius, .hertz,
    ]
  }
}
