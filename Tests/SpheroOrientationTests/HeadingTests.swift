// Compass arithmetic, and the World Magnetic Model against its official values.
import TestSupport
import Testing

@testable import SpheroOrientation

@Suite(.ownThread) struct HeadingTests {
  @Test(arguments: [
    (0.0, 0.0, 0.0), (90, 90, -90), (180, 180, 180), (270, 270, 90), (360, 0, 0), (-90, 270, 90),
    (725, 5, -5), (-1e-20, 0, 0), (1e300, 160, -160),
  ])
  func headingsWrapAndYawHasTheOppositeSign(degrees: Double, heading: Double, yaw: Double) throws {
    let wrapped = try #require(Heading(degrees: degrees))
    #expect((0..<360).contains(wrapped.degrees))
    // For 1e300 only the range is checked.
    guard abs(degrees) < 1e6 else { return }
    #expect(abs(wrapped.degrees - heading) < 1e-12)
    #expect(abs(wrapped.yaw.degrees - yaw) < 1e-12)
    #expect(abs(try #require(Heading(yaw: wrapped.yaw)).turn(to: wrapped).degrees) < 1e-12)
  }

  @Test(arguments: [
    (350.0, 10.0, 20.0), (10, 350, -20), (0, 180, 180), (180, 0, 180), (90, 90, 0), (0, 181, -179),
  ])
  func shortestTurn(from: Double, to: Double, turn: Double) throws {
    let (start, end) = (try #require(Heading(degrees: from)), try #require(Heading(degrees: to)))
    #expect(abs(start.turn(to: end).degrees - turn) < 1e-12)
    let arrived = try #require(start.turned(by: start.turn(to: end)))
    #expect(abs(arrived.turn(to: end).degrees) < 1e-12)
  }

  @Test func headingToAPointIsClockwise() throws {
    for (x, y, degrees) in [
      (0.0, 1.0, 0.0), (1, 0, 90), (0, -1, 180), (-1, 0, 270), (1, 1, 45), (-1e-300, -1e-300, 225),
    ] {
      #expect(abs(try #require(Heading(towardX: x, y: y)).degrees - degrees) < 1e-12)
    }
    #expect(Heading(towardX: 0, y: 0) == nil)
    #expect(Heading(towardX: .nan, y: 0) == nil)
  }

  @Test func wholeDegreesNeverReach360() throws {
    #expect(try #require(Heading(degrees: 359.6)).wholeDegrees == 0)
    #expect(try #require(Heading(degrees: 359.4)).wholeDegrees == 359)
    #expect(try #require(Heading(degrees: 359.96)).degrees(digits: 1) == 0)
    #expect(try #require(Heading(degrees: 359.94)).degrees(digits: 1) == 359.9)
    #expect(try #require(Heading(degrees: 359.994)).degrees(digits: 2) == 359.99)
    #expect(Heading(degrees: .nan) == nil && Heading(degrees: .infinity) == nil)
  }

  @Test func literalsAndNamesAreWholeDegrees() {
    let headings: [(Heading, Double)] = [
      (270, 270), (22.5, 22.5), (-90, 270), (725, 5), (.degrees(90), 90), (.degrees(-1), 359),
      (Heading(361), 1),
      (Heading(degrees: 450), 90), (Heading(degrees: .max), 7), (Heading(degrees: .min), 352),
      (.ahead, 0), (.right, 90), (.behind, 180), (.left, 270),
      (Heading.right.opposite, 270), (Heading.left.opposite, 90), (Heading.ahead.opposite, 180),
      ((22.5 as Heading).opposite, 202.5),
    ]
    for (heading, degrees) in headings { #expect(heading.degrees == degrees) }
  }

  @Test func declinationIsPositiveToTheEast() throws {
    let magnetic = Heading(degrees: 355)
    let declination = Angle(degrees: 7.5)
    let truth = try #require(magnetic.trueHeading(declination: declination))
    #expect(abs(truth.degrees - 2.5) < 1e-12)
    #expect(
      abs(try #require(truth.magneticHeading(declination: declination)).turn(to: magnetic).degrees) < 1e-12)
    #expect(magnetic.trueHeading(declination: .degrees(.nan)) == nil)
  }
}

@Suite(.ownThread) struct HeadingMagneticModelTests {
  private func lines(_ file: String) throws -> [[String]] {
    String(decoding: try Fixture.data("data/\(file)"), as: UTF8.self)
      .split(whereSeparator: \.isNewline)
      .filter { !$0.hasPrefix("#") }
      .map { $0.split(separator: " ").map(String.init) }
  }

  @Test func fieldMatchesEveryOfficialValue() throws {
    let rows = try lines("WMM2025_TEST_VALUES.txt")
    #expect(rows.count >= 50)
    for row in rows {
      let n = try row.map { try #require(Double($0)) }
      let field = try #require(
        WorldMagneticModel.field(
          latitude: .degrees(n[2]), longitude: .degrees(n[3]), altitude: n[1] * 1000, year: n[0]))
      let note: Comment = "\(row)"
      #expect(abs(field.declination.degrees - n[4]) <= 0.005 + 1e-9, note)
      #expect(abs(field.inclination.degrees - n[5]) <= 0.005 + 1e-9, note)
      // The published X, and with it H and F, has errors of up to 7.2e-4 nT (over all 100 points):
      // a synthesis with 50 digits agrees with this one to 4e-11. Y and Z agree to the last digit.
      #expect(abs(field.east - n[8]) <= 1e-6, note)
      #expect(abs(field.down - n[9]) <= 3e-6, note)
      for (value, printed) in zip(
        [field.horizontalIntensity, field.north, field.totalIntensity], [n[6], n[7], n[10]])
      {
        #expect(abs(value - printed) <= 8e-4, note)
      }
      // The change per year, published with six decimals.
      #expect(abs(field.declinationRate.degrees - n[11]) <= 2e-5, note)
      #expect(abs(field.eastRate - n[15]) <= 1e-6 && abs(field.downRate - n[16]) <= 3e-6, note)
      #expect(abs(field.northRate - n[14]) <= 8e-4, note)
      let quality: MagneticField.CompassQuality = n[6] < 2000 ? .blackout : (n[6] < 6000 ? .caution : .good)
      #expect(field.compassQuality == quality, note)
    }
  }

  @Test func coefficientsMatchTheReleasedFile() throws {
    let rows = try lines("WMM_2025.COF").filter { $0.count == 6 }
    // Degrees 1...12, orders 0...n.
    #expect(rows.count == 12 * 15 / 2 && WorldMagneticModel.coefficients.count == rows.count)
    for (row, own) in zip(rows, WorldMagneticModel.coefficients) {
      let n = try row.map { try #require(Double($0)) }
      #expect([Double(own.n), Double(own.m), own.g, own.h, own.gRate, own.hRate] == n)
    }
  }

  @Test func fieldIsNilOutsideTheValidRanges() {
    let model = { (latitude: Double, longitude: Double, altitude: Double, year: Double) in
      WorldMagneticModel.field(
        latitude: .degrees(latitude), longitude: .degrees(longitude), altitude: altitude, year: year)
    }
    #expect(model(0, 0, 0, 2025) != nil && model(0, 0, 0, 2030) != nil)
    #expect(model(0, 0, 0, 2024.999) == nil && model(0, 0, 0, 2030.001) == nil)
    #expect(model(90.1, 0, 0, 2026) == nil && model(0, 0, 850_001, 2026) == nil)
    #expect(model(0, 0, -1001, 2026) == nil)
    for bad in [Double.nan, .infinity, -.infinity] {
      #expect(model(bad, 0, 0, 2026) == nil && model(0, bad, 0, 2026) == nil)
      #expect(model(0, 0, bad, 2026) == nil && model(0, 0, 0, bad) == nil)
    }
  }

  @Test(arguments: [
    (0.0, 0.0, 0.0, 2024.999, "tooEarly"), (0, 0, 0, 2030.001, "tooLate"), (0, 0, 850_001, 2026, "altitude"),
    (0, 0, -1001, 2026, "altitude"), (-90.1, 0, 0, 2026, "latitude"), (0, .infinity, 0, 2026, "notFinite"),
    (.nan, 0, 0, 2031, "notFinite"), (0, 0, 0, .infinity, "notFinite"),
  ])
  func evaluateThrowsTheReason(
    latitude: Double, longitude: Double, altitude: Double, year: Double, code: String
  ) {
    let error = #expect(throws: WorldMagneticModelError.self) {
      try WorldMagneticModel.evaluate(
        latitude: .degrees(latitude), longitude: .degrees(longitude), altitude: altitude, year: year)
    }
    #expect(caseName(of: error) == code)
    let wrong = [latitude, longitude, altitude, year]
    let seen: Double? =
      switch error {
      case .tooEarly(let seen), .tooLate(let seen), .altitude(let seen), .latitude(let seen),
        .notFinite(let seen):
        seen
      case nil: nil
      }
    #expect(wrong.contains { $0 == seen || ($0.isNaN && seen?.isNaN == true) })
  }

  @Test func uncertaintyMatchesTheReport() throws {
    // The figures of the report; sqrt(0.26^2 + (5417 / 20000)^2) = 0.375446... degrees of declination.
    let error = MagneticField(north: 12_000, east: 16_000, down: 40_000).uncertainty
    #expect([error.north, error.east, error.down] == [137, 89, 141])
    #expect(error.horizontalIntensity == 133 && error.totalIntensity == 138)
    #expect(abs(error.inclination.degrees - 0.20) < 1e-12)
    #expect(abs(error.declination.degrees - 0.375446) < 1e-6, "\(error.declination.degrees)")
    #expect(MagneticField(north: 0, east: 0, down: 60_000).uncertainty.declination == .degrees(180))
    #expect(MagneticField(north: 1, east: 0, down: 60_000).uncertainty.declination == .degrees(180))
  }

  @Test func fieldIsContinuousAtThePoles() throws {
    for latitude in [-90.0, 90] {
      let pole = try #require(
        WorldMagneticModel.field(latitude: .degrees(latitude), longitude: .degrees(40), year: 2027))
      let nearby = try #require(
        WorldMagneticModel.field(
          latitude: .degrees(latitude * (1 - 1e-9)), longitude: .degrees(40), year: 2027))
      #expect(abs(pole.declination.degrees - nearby.declination.degrees) < 1e-5)
      #expect(abs(pole.totalIntensity - nearby.totalIntensity) < 1e-2)
      let around = try #require(
        WorldMagneticModel.field(latitude: .degrees(latitude), longitude: .degrees(400), year: 2027))
      #expect(abs(pole.declination.degrees - around.declination.degrees) < 1e-9)
    }
  }

  @Test func decimalYears() throws {
    #expect(WorldMagneticModel.decimalYear(year: 2026, month: 1, day: 1) == 2026)
    #expect(WorldMagneticModel.decimalYear(year: 2028, month: 7, day: 2) == 2028.5)
    #expect(WorldMagneticModel.decimalYear(year: 2028, month: 2, day: 29) != nil)
    #expect(WorldMagneticModel.decimalYear(year: 2026, month: 2, day: 29) == nil)
    #expect(WorldMagneticModel.decimalYear(year: 2026, month: 13, day: 1) == nil)
    #expect(WorldMagneticModel.decimalYear(year: .max, month: .min, day: 0) == nil)
  }
}
