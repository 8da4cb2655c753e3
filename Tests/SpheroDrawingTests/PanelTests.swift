// Joystick and calibration ring on a screen, against positions and numbers computed by hand.

import SpheroControls
import SpheroOrientation
import SpheroProtocol
import Testing

@testable import SpheroDrawing

/// At 80 by 24 the pad has 19 rows and 37 columns from column 1 and row 2; its centre is the cell 19, 11.
@Suite struct DrivePanelTests {
  private func panel(speed: Int = 80) -> DrivePanel {
    var panel = DrivePanel(speed: speed)
    panel.resize(width: 80, height: 24)
    return panel
  }

  @Test func aKeyRollsUntilItsTimeout() {
    var panel = panel()
    #expect(panel.command(at: ms(0)) == nil)
    #expect(panel.handle(.key(.up), at: ms(0)) == .continues)
    #expect(panel.command(at: ms(0)) == Drive(heading: .ahead, speed: 80 / 255.0))
    #expect(panel.command(at: ms(650)) == nil)
    #expect(panel.command(at: ms(700)) == .stop)
    #expect(panel.command(at: ms(750)) == nil)
  }

  @Test(
    arguments: [
      (.up, 0), (.right, 90), (.down, 180), (.left, 270), (.pageUp, 45), (.pageDown, 135), (.end, 225),
      (.home, 315), (.character("w"), 0), (.character("D"), 90), (.character("s"), 180),
      (.character("a"), 270),
    ] as [(TerminalInput.Key, Double)])
  func keysAreDirections(_ key: TerminalInput.Key, _ degrees: Double) {
    var panel = panel()
    _ = panel.handle(.key(key, isShifted: true), at: ms(0))
    let command = panel.command(at: ms(0))
    #expect(command?.speed == 80 / 255.0)
    #expect(command?.heading?.wholeDegrees == UInt16(degrees))
  }

  @Test func spaceAlwaysStops() {
    var panel = panel()
    _ = panel.handle(.key(.right), at: ms(0))
    _ = panel.command(at: ms(0))
    _ = panel.handle(.key(.character(" ")), at: ms(10))
    #expect(panel.command(at: ms(10)) == .stop && panel.command(at: ms(20)) == nil)
    // Even if the ball should be at rest.
    _ = panel.handle(.key(.character(" ")), at: ms(30))
    #expect(panel.command(at: ms(30)) == .stop && panel.command(at: ms(40)) == nil)
  }

  @Test func theMouseDragsThePuck() {
    var panel = panel()
    _ = panel.handle(.press(column: 19, row: 11), at: ms(0))
    #expect(panel.command(at: ms(0)) == nil)
    _ = panel.handle(.drag(column: 37, row: 11), at: ms(100))
    #expect(panel.command(at: ms(100)) == Drive(heading: heading(90), speed: 80 / 255.0))
    // Half of the radius is 4/9 of the speed because of a dead zone of a tenth: (0.5 - 0.1) / 0.9.
    panel.resize(width: 80, height: 24)
    _ = panel.handle(.drag(column: 28, row: 11), at: ms(200))
    let command = panel.command(at: ms(200))
    #expect(command?.heading == heading(90))
    #expect(abs((command?.speed ?? 0) - 4 / 9.0 * 80 / 255) < 1e-12)
    // Positions outside the pad are clamped to its rim.
    _ = panel.handle(.drag(column: 19, row: 23), at: ms(250))
    #expect(panel.command(at: ms(250)) == Drive(heading: heading(180), speed: 80 / 255.0))
    _ = panel.handle(.release, at: ms(300))
    #expect(panel.command(at: ms(300)) == .stop)
    _ = panel.handle(.drag(column: 37, row: 11), at: ms(400))
    #expect(panel.command(at: ms(400)) == nil, "nothing is held")
  }

  @Test func aPressOutsideThePadHoldsNothing() {
    var panel = panel()
    for (column, row) in [(1, 2), (60, 11), (0, 0), (-5, 900)] {
      _ = panel.handle(.press(column: column, row: row), at: ms(0))
      _ = panel.handle(.drag(column: 37, row: 11), at: ms(10))
      #expect(panel.command(at: ms(10)) == nil)
    }
  }

  @Test func aSilentMouseReleasesTheJoystick() {
    var panel = panel()
    _ = panel.handle(.press(column: 37, row: 11), at: ms(0))
    _ = panel.command(at: ms(0))
    #expect(panel.command(at: ms(2_999)) == nil && panel.command(at: ms(3_000)) == .stop)
    // The button is still held.
    _ = panel.handle(.drag(column: 37, row: 11), at: ms(5_000))
    #expect(panel.command(at: ms(5_000)) == Drive(heading: heading(90), speed: 80 / 255.0))
  }

  @Test func theSpeedHasSteps() {
    var panel = panel()
    for (key, speed) in [("+", 96), ("]", 112), ("=", 128), ("-", 112), ("[", 96), ("_", 80)]
      as [(Unicode.Scalar, Int)]
    {
      _ = panel.handle(.key(.character(key)), at: ms(0))
      #expect(panel.speed == speed)
    }
    // A held direction continues at the new speed.
    _ = panel.handle(.key(.up), at: ms(0))
    _ = panel.command(at: ms(0))
    _ = panel.handle(.scroll(isUp: true), at: ms(10))
    #expect(panel.command(at: ms(10)) == Drive(heading: .ahead, speed: 96 / 255.0))
    for _ in 0..<20 { _ = panel.handle(.key(.character("+")), at: ms(0)) }
    #expect(panel.speed == 255)
    for _ in 0..<20 { _ = panel.handle(.scroll(isUp: false), at: ms(0)) }
    #expect(panel.speed == 16)
    var slow = DrivePanel(speed: 5)
    _ = slow.handle(.key(.character("-")), at: ms(0))
    #expect(slow.speed == 5 && DrivePanel(speed: 0).speed == 1 && DrivePanel(speed: 300).speed == 255)
  }

  @Test func aLostLinkReleasesTheJoystick() {
    var panel = panel()
    _ = panel.handle(.key(.up), at: ms(0))
    _ = panel.command(at: ms(0))
    panel.loseLink()
    #expect(panel.command(at: ms(10)) == nil, "the session stops the ball when it is back")
    for input in [.key(.up), .key(.character(" ")), .press(column: 37, row: 11)] as [TerminalInput] {
      _ = panel.handle(input, at: ms(20))
      #expect(panel.command(at: ms(20)) == nil)
    }
    #expect(panel.draw(at: ms(20)).text(row: 0).hasPrefix("sphero drive  link lost, reconnecting"))
    panel.regainLink()
    #expect(panel.command(at: ms(30)) == nil)
    _ = panel.handle(.key(.left), at: ms(40))
    #expect(panel.command(at: ms(40)) == Drive(heading: heading(270), speed: 80 / 255.0))
  }

  @Test(arguments: [.escape, .character("q"), .character("Q")] as [TerminalInput.Key])
  func leavingStops(_ key: TerminalInput.Key) {
    var panel = panel()
    _ = panel.handle(.press(column: 37, row: 11), at: ms(0))
    _ = panel.command(at: ms(0))
    #expect(panel.handle(.key(key), at: ms(10)) == .cancelled)
    #expect(panel.command(at: ms(10)) == .stop)
  }

  @Test func resizingReleasesTheMouse() {
    var panel = panel()
    _ = panel.handle(.press(column: 37, row: 11), at: ms(0))
    _ = panel.command(at: ms(0))
    panel.resize(width: 50, height: 20)
    #expect(panel.command(at: ms(10)) == .stop)
  }

  @Test func thePictureShowsTheState() {
    var panel = panel()
    panel.title = "sim:"
    panel.battery = ("7.80 V ok", .note)
    panel.color = RGB(red: 255, green: 0, blue: 0)
    #expect(panel.draw(at: ms(0)).text(row: 0) == "sphero drive  no samples  sim:  7.80 V ok  ● #ff0000")
    let reading = Odometry(
      time: 1, position: Position(x: 30, y: -4), velocity: Position(x: 30, y: 40), heading: heading(90))
    panel.update(with: reading)
    _ = panel.handle(.key(.right), at: ms(0))
    let canvas = panel.draw(at: ms(0))
    #expect(canvas.text(row: 0).hasPrefix("sphero drive  live  sim:  heading 90°  50 cm/s  7.80 V ok"))
    // The puck at the right of the rim, a line towards it, and the position on the floor.
    #expect(canvas[37, 11].character == "●" && canvas[30, 11].character.value & ~0xFF == 0x2800)
    #expect(canvas[8, 11] == .blank && canvas[1, 11].character.value & ~0xFF == 0x2800)
    #expect(canvas.text(row: 2).hasSuffix("floor 30, -4 cm, 30 cm wide"))
    #expect(canvas.text(row: 22) == "speed 80 of 255  command: heading 90° speed 80")
    #expect(panel.draw(at: ms(700)).text(row: 22) == "speed 80 of 255  command: stop")
    #expect(panel.draw(at: ms(700))[19, 11].character == "●")
  }
}

@Suite struct PanelSizeTests {
  /// Draws a panel at many sizes, with the mouse at many positions.
  private func draws<P: Panel>(_ panel: P) {
    var panel = panel
    for width in [0, 1, 35, 36, 37, 59, 60, 61, 80, 400] {
      for height in [0, 1, 11, 12, 13, 24, 300] {
        panel.resize(width: width, height: height)
        for position in [-1_000_000, -1, 0, 5, 11, 30, 1_000, .max - 1] {
          _ = panel.handle(.press(column: position, row: position / 2), at: ms(0))
          _ = panel.handle(.drag(column: position / 3, row: position), at: ms(0))
          _ = panel.handle(.release, at: ms(0))
        }
        let canvas = panel.draw(at: ms(0))
        #expect(canvas.width == width && canvas.height == height)
        let isSmall = width < 36 || height < 12
        let text = "too small: needs"
        if width > 0, height > 0 { #expect((canvas.text(row: 0) == text.prefix(width)) == isSmall) }
        if isSmall, height > 1 { #expect(canvas.text(row: 1) == "36 columns, 12 rows".prefix(width)) }
      }
    }
  }

  private func drawsWide<P: Panel>(_ panel: P) {
    var panel = panel
    for width in [1_200, .max] {
      panel.resize(width: width, height: width)
      let canvas = panel.draw(at: ms(0))
      #expect(canvas.width == Canvas.limit && canvas.height == Canvas.limit)
    }
  }

  @Test func sizesBeyondTheLimitCanBeDrawn() {
    drawsWide(DrivePanel(speed: 255))
    drawsWide(BalancePanel())
    drawsWide(AimPanel())
  }

  @Test func everySizeCanBeDrawn() {
    var drive = DrivePanel(speed: 255)
    let reading = Odometry(
      time: .nan, position: Position(x: .nan, y: 1e300), velocity: Position(x: .infinity, y: .nan),
      heading: .ahead)
    drive.update(with: reading)
    draws(drive)
    var aim = AimPanel()
    draws(aim)
    aim.begin(at: heading(359.9))
    aim.reportedHeading = heading(1)
    draws(aim)
    draws(ColorPanel(previous: RGB(red: 0, green: 0, blue: 0)))
    var tilted = DrivePanel(tilt: TiltControl())
    tilted.handleTilt(gravity: Vector3(0, 0, -1), at: ms(0))
    tilted.handleTilt(gravity: Vector3(0.3, 0.3, -0.9), at: ms(1))
    draws(tilted)
    for edge in BallBalance.Edge.allCases {
      var balance = BalancePanel(edge: edge)
      draws(balance)
      balance.handleTilt(gravity: Vector3(0, 0, -1), at: ms(0))
      draws(balance)
    }
  }
}

/// At 80 by 24 the ring has 19 rows and 37 columns from column 21 and row 2; its centre is the cell 39, 11.
@Suite struct AimPanelTests {
  private func panel(at degrees: Double) -> AimPanel {
    var panel = AimPanel()
    panel.resize(width: 80, height: 24)
    panel.begin(at: heading(degrees))
    return panel
  }

  @Test func keysTurnAndEnterConfirms() {
    var panel = panel(at: 10)
    #expect(panel.takeActions() == [.setTailLight(isOn: true)])
    _ = panel.handle(.key(.right), at: ms(0))
    #expect(panel.takeActions() == [.rotate(to: heading(12))])
    // Only the last of several turns remains: 12 - 2 - 30 - 30 is -50.
    for input in [.key(.left), .key(.left, isShifted: true), .key(.pageUp)] as [TerminalInput] {
      _ = panel.handle(input, at: ms(0))
    }
    #expect(panel.takeActions() == [.rotate(to: heading(310))])
    _ = panel.handle(.key(.pageDown), at: ms(0))
    _ = panel.handle(.key(.right, isShifted: true), at: ms(0))
    _ = panel.handle(.scroll(isUp: false), at: ms(0))
    #expect(panel.heading == heading(12))
    #expect(panel.handle(.key(.enter), at: ms(0)) == .confirmed)
    #expect(
      panel.end(isConfirmed: true) == [
        .rotate(to: heading(12)), .setHeadingZero, .setTailLight(isOn: false),
      ])
    #expect(panel.takeActions().isEmpty && panel.end(isConfirmed: false).isEmpty)
  }

  @Test func escapeTurnsBack() {
    var panel = panel(at: 200)
    _ = panel.handle(.key(.pageDown), at: ms(0))
    #expect(panel.handle(.key(.escape), at: ms(0)) == .cancelled)
    #expect(panel.end(isConfirmed: false) == [.rotate(to: heading(200)), .setTailLight(isOn: false)])
  }

  @Test func aRobotThatWasNotTurnedIsNotTurnedBack() {
    var (left, kept) = (panel(at: 200), panel(at: 200))
    #expect(left.end(isConfirmed: false) == [.setTailLight(isOn: false)])
    #expect(kept.end(isConfirmed: true) == [.setHeadingZero, .setTailLight(isOn: false)])
    // Nor does the turn of an earlier aim count.
    kept.begin(at: .ahead)
    _ = kept.handle(.key(.right), at: ms(0))
    _ = kept.end(isConfirmed: true)
    kept.begin(at: .ahead)
    #expect(kept.end(isConfirmed: false) == [.setTailLight(isOn: false)])
  }

  @Test func theMouseTurnsByItsAngle() {
    var panel = panel(at: 350)
    // From the top of the ring to its right is a quarter turn at any heading.
    _ = panel.handle(.press(column: 39, row: 2), at: ms(0))
    _ = panel.handle(.drag(column: 57, row: 11), at: ms(0))
    #expect(panel.heading.map { abs($0.degrees - 80) < 1e-9 } == true)
    _ = panel.handle(.release, at: ms(0))
    _ = panel.handle(.drag(column: 39, row: 20), at: ms(0))
    #expect(panel.heading.map { abs($0.degrees - 80) < 1e-9 } == true)
    // Presses outside the ring and in its centre have no effect.
    for (column, row) in [(0, 0), (39, 11)] {
      _ = panel.handle(.press(column: column, row: row), at: ms(0))
      _ = panel.handle(.drag(column: 39, row: 20), at: ms(0))
      #expect(panel.heading.map { abs($0.degrees - 80) < 1e-9 } == true)
    }
  }

  @Test func theRingDoesNotTurnBeforeItBeginsOrWithoutALink() {
    var panel = AimPanel()
    panel.resize(width: 80, height: 24)
    #expect(panel.handle(.key(.right), at: ms(0)) == .continues)
    #expect(panel.handle(.key(.enter), at: ms(0)) == .continues)
    #expect(panel.takeActions().isEmpty && !panel.isActive)
    #expect(panel.draw(at: ms(0)).text(row: 22) == "Waiting for the robot to report its heading.")
    panel.begin(at: .ahead)
    panel.isLinkLost = true
    _ = panel.handle(.key(.right), at: ms(0))
    #expect(panel.handle(.key(.enter), at: ms(0)) == .continues)
    #expect(panel.takeActions() == [.setTailLight(isOn: true)])
  }

  @Test func noseAndTailLightAreOnTheRing() {
    var panel = panel(at: 90)
    panel.title = "sim:"
    panel.reportedHeading = heading(88)
    let canvas = panel.draw(at: ms(0))
    #expect(canvas.text(row: 0) == "sphero aim  sim:  turned to 90°  faces 88°")
    #expect(canvas[57, 11].character == "^" && canvas[21, 11].character == "o")
    #expect(canvas[21, 11].style.foreground == RGB(red: 48, green: 112, blue: 255))
  }
}
