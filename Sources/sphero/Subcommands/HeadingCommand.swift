// sphero heading: the declination at a place and a date, and the true heading for the heading of a compass.

import SpheroOrientation
import SpheroProtocol
import SpheroRecording
import SpheroTransport

struct HeadingCommand: Subcommand {
  static let name = "heading"
  static let abstract = "Converts a compass heading to a true one."
  static let otherNames = ["declination", "compass", "north"]
  static let examples = [
    "sphero heading --place 48.14,11.58", "sphero heading 350 --place 48.14,11.58,520 --date 2027-06-01",
    "sphero heading 45.5 --true --place -33.87,151.21 --format json",
  ]

  var heading: Double?
  var isTrue = false
  var place: Place?
  var date: CalendarDay?
  var format = Format.text

  mutating func options(_ line: inout Synopsis) throws(UsageError) {
    try line.argument(
      "degrees", &heading, as: .decimal(0...360, placeholder: "degrees", unit: .degrees),
      "The heading of a compass, clockwise from magnetic north; without it, only the declination is printed.")
    try line.option(
      "place", nil, &place,
      "Latitude and longitude in degrees, north and east positive, and perhaps the height above the WGS 84 ellipsoid in metres."
    )
    try line.option("date", nil, &date, "The date; today by default.")
    try line.flag("true", nil, &isTrue, "The heading is clockwise from true north; print that of a compass.")
    try line.option("format", "f", &format, "How to print.")
  }

  func validate() throws(UsageError) {
    if place == nil {
      throw UsageError("the declination depends on the place", advice: "Add it, like '--place 48.14,11.58'.")
    }
    if isTrue, heading == nil { throw UsageError("'--true' is for a heading, which is missing") }
  }

  func run(_ terminal: Terminal) async throws {
    // In UTC.
    let today = String(WallTime(sinceEpoch: SystemTime().wallClock).description.prefix(10))
    guard let place, let date = date ?? CalendarDay(argument: today) else { return }
    let field: MagneticField
    do throws(WorldMagneticModelError) {
      field = try WorldMagneticModel.evaluate(
        latitude: .degrees(place.latitude), longitude: .degrees(place.longitude), altitude: place.altitude,
        year: date.decimalYear)
    } catch {
      throw UsageError("\(date.text): \(error.message)", advice: error.advice)
    }
    try await terminal.print(Sheet.text(fields(field, place, date), kind: Self.name, format))
    if field.compassQuality != .good {
      let strength = Decimal.text(field.horizontalIntensity / 1000, digits: 1)
      await terminal.note(
        "the horizontal field is only \(strength) µT there: a compass \(field.compassQuality == .caution ? "is inaccurate" : "cannot be used")",
        isQuiet: false)
    }
  }

  func fields(_ field: MagneticField, _ place: Place, _ date: CalendarDay) -> [Field] {
    let declination = field.declination
    let given = heading.flatMap { Heading(degrees: $0) }
    let magnetic = isTrue ? given?.magneticHeading(declination: declination) : given
    let geographic = isTrue ? given : given?.trueHeading(declination: declination)
    let converted = given.map { _ in
      [
        Field("magnetic_heading", .degrees, .decimal(magnetic?.degrees(digits: 2), digits: 2)),
        Field("true_heading", .degrees, .decimal(geographic?.degrees(digits: 2), digits: 2)),
      ]
    }
    return (converted ?? []) + [
      Field("declination", .degrees, .decimal(declination.degrees, digits: 2)),
      Field("declination_error", .degrees, .decimal(field.uncertainty.declination.degrees, digits: 2)),
      Field("declination_per_year", .degrees, .decimal(field.declinationRate.degrees, digits: 2)),
      Field("inclination", .degrees, .decimal(field.inclination.degrees, digits: 2)),
      Field("horizontal_field", Quantity.Unit(" µT"), .decimal(field.horizontalIntensity / 1000, digits: 2)),
      Field("compass", .text(field.compassQuality.word)), Field("date", .text(date.text)),
      Field("latitude", .degrees, .decimal(place.latitude, digits: 5)),
      Field("longitude", .degrees, .decimal(place.longitude, digits: 5)),
      Field("model", .text("World Magnetic Model 2025, until 2030-01-01")),
    ]
  }
}

struct Place: Argument {
  /// In degrees, north and east positive.
  let latitude: Double
  let longitude: Double
  /// The height above the WGS 84 ellipsoid in metres.
  let altitude: Double

  init?(argument: String) {
    let words = argument.split(separator: ",", omittingEmptySubsequences: false)
    let numbers = words.compactMap { Double(decimal: $0) }
    guard numbers.count == words.count, (2...3).contains(numbers.count) else { return nil }
    (latitude, longitude, altitude) = (numbers[0], numbers[1], numbers.count == 3 ? numbers[2] : 0)
    guard (-90...90).contains(latitude), (-180...360).contains(longitude),
      WorldMagneticModel.validAltitudes.contains(altitude)
    else { return nil }
  }

  static let valueKind = ValueKind(
    placeholder: "lat,lon[,height]",
    allowed: "degrees within -90...90 and -180...360, and -1000...850000 m, joined by commas")
}

struct CalendarDay: Argument {
  let text: String
  /// The beginning of the day as a year with a fraction.
  let decimalYear: Double

  init?(argument: String) {
    let parts = argument.split(separator: "-", omittingEmptySubsequences: false)
    let numbers = parts.compactMap { $0.allSatisfy(\.isNumber) ? Int($0) : nil }
    guard parts.map(\.count) == [4, 2, 2], numbers.count == 3,
      let year = WorldMagneticModel.decimalYear(year: numbers[0], month: numbers[1], day: numbers[2])
    else { return nil }
    (text, decimalYear) = (argument, year)
  }

  static let valueKind = ValueKind(placeholder: "YYYY-MM-DD", allowed: "a day like 2027-06-01")
}

extension MagneticField.CompassQuality {
  fileprivate var word: String {
    switch self {
    case .good: "usable"
    case .caution: "inaccurate"
    case .blackout: "unusable"
    }
  }
}
