// Panels that a robot in a hand operates, and the views of numbers and sensors, on a real terminal.

#if os(Linux)
  import Foundation
  import TestSupport
  import Testing

  /// A file with the actions of a hand.
  private final class Script {
    let path = freshPath()
    init(_ text: String) throws { try text.write(toFile: path, atomically: true, encoding: .utf8) }
    deinit { try? FileManager.default.removeItem(atPath: path) }
  }

  /// The hand waits until the controller is level on the screen, lowers its right side, and holds it.
  private let rightSideDown = "hold level\nwait 2s\nhold roll 30\nwait 10min\n"

  @Suite(.serialized, .timeLimit(.minutes(5))) struct TiltScreenTests {
    private static let right = "Motion.Roll speed=153 heading=90° state=drive"
    private static let rightStop = "Motion.Roll speed=0 heading=90° state=stop"

    @Test func aSecondRobotDrivesAndBothAreRestored() async throws {
      let script = try Script(rightSideDown)
      let (ball, controller) = (
        try await RecordedRobot(), try await RecordedRobot(["--script", script.path])
      )
      let run = try start(["drive", "--tilt", controller.link], ball)
      #expect(await run.shows("tilt: ready"))
      #expect(try await ball.waitForCommand(Self.right, "Motion.Roll"))
      // Violet shows the controller, and its tail light the side of the user.
      let violet = "Lights.SetRGBLED red=238 green=130 blue=238 persist=false"
      #expect(try await controller.received("Lights.SetRGBLED") == [violet])
      #expect(try await controller.received("Lights.SetBackLED") == ["Lights.SetBackLED brightness=255"])
      #expect(
        try await controller.received("Motion.SetStabilization") == ["Motion.SetStabilization mode=off"])
      run.type("\u{03}")
      await expectRestored(run, code: 1_000 + SIGINT)
      #expect(try await ball.waitForCommand(last: Self.rightStop, "Motion.Roll"))
      let blue = "Lights.SetRGBLED red=0 green=0 blue=255 persist=false"
      #expect(try await controller.waitForCommand(last: blue, "Lights.SetRGBLED"))
      let restored = "Motion.SetStabilization mode=onWithoutReset"
      #expect(try await controller.waitForCommand(last: restored, "Motion.SetStabilization"))
      #expect(try await controller.received("Lights.SetBackLED").last == "Lights.SetBackLED brightness=0")
      #expect(try await controller.received("Motion.Roll").isEmpty)
    }

    @Test func aControllerThatVanishesStopsTheBall() async throws {
      let script = try Script(rightSideDown)
      let (ball, controller) = (
        try await RecordedRobot(), try await RecordedRobot(["--script", script.path])
      )
      let run = try start(["drive", "--tilt", controller.link], ball)
      #expect(try await ball.waitForCommand(Self.right, "Motion.Roll"))
      try await controller.vanish()
      #expect(try await ball.waitForCommand(last: Self.rightStop, "Motion.Roll"))
      #expect(await run.shows("waiting for the controller"))
      // The keys still drive.
      run.type("w")
      #expect(try await ball.waitForCommand("Motion.Roll speed=153 heading=0° state=drive", "Motion.Roll"))
      run.type("q")
      await expectRestored(run, code: 0)
    }

    @Test func aRecordingDrivesUntilItsEnd() async throws {
      let script = try Script("hold level\nwait 1s\nhold roll 30\nwait 5s\n")
      let capture = freshPath()
      defer { try? FileManager.default.removeItem(atPath: capture) }
      let recording = try await sphero(
        "record", capture, "--port", "sim:script=\(script.path)", "--for", "3s")
      #expect(recording.code == 0, "\(recording.error)")
      let ball = try await RecordedRobot()
      let run = try start(["drive", "--tilt", "replay:\(capture)"], ball)
      #expect(try await ball.waitForCommand(Self.right, "Motion.Roll"))
      #expect(await run.shows("The recording is over; keys and mouse still drive."))
      #expect(try await ball.waitForCommand(last: Self.rightStop, "Motion.Roll"))
      run.type("q")
      await expectRestored(run, code: 0)
    }

    @Test func aRecordingWithoutAttitudeIsRefused() async throws {
      let capture = freshPath()
      defer { try? FileManager.default.removeItem(atPath: capture) }
      _ = try await sphero("record", capture, "--port", "sim:", "--mask", "gyro", "--for", "300ms")
      let run = try TerminalRun(
        [Run.executable.path, "drive", "--port", "sim:", "--tilt", "replay:\(capture)"])
      #expect(await run.shows("has no stream with the attitude of the robot"))
      #expect(await run.end() == 65)
    }

    @Test func theGameIsPlayedAndLeft() async throws {
      let script = try Script(rightSideDown)
      let robot = try await RecordedRobot(["--script", script.path])
      let run = try start(["balance"], robot)
      #expect(await run.shows("Tilt the ball in your hand"))
      run.type("w")
      // The upper left corner of the walls.
      #expect(await run.shows("⡏"))
      run.type("q")
      let end = await run.end()
      #expect(end == 0 && run.attributes == run.firstAttributes)
      let stabilization = ["off", "onWithoutReset"].map { "Motion.SetStabilization mode=\($0)" }
      #expect(try await robot.waitForCommand(last: stabilization[1], "Motion.SetStabilization"))
      #expect(try await robot.received("Motion.SetStabilization") == stabilization)
    }
  }

  @Suite(.serialized, .timeLimit(.minutes(5))) struct NumberScreenTests {
    @Test func theMotionViewShowsBothUnits() async throws {
      let run = try TerminalRun([Run.executable.path, "monitor", "--port", "sim:", "--motion"])
      for text in ["accelerometer", "user acceleration", "rotation rate", "°/s"] {
        #expect(await run.shows(text))
      }
      run.type("r")
      #expect(await run.shows("rad/s"))
      run.type("m")
      #expect(await run.shows("floor 0, 0 cm"))
      run.type("q")
      #expect(await run.end() == 0)
    }

    /// A remark that waits for the end of the panel shows control characters by their codes.
    @Test func aRemarkAfterThePanelIsPrintable() async throws {
      let fifo = freshPath() + "\u{1B}[31m"
      #expect(unsafe mkfifo(fifo, 0o600) == 0)
      defer { unsafe unlink(fifo) }
      let reader = unsafe open(fifo, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
      let run = try TerminalRun(
        [Run.executable.path, "monitor", "--port", "sim:", "--motion", "--capture", fifo])
      #expect(await run.shows("rotation rate"))
      close(reader)
      // The capture ends while the panel is shown.
      try await Task.sleep(for: .seconds(2))
      run.type("q")
      #expect(await run.shows("the capture ends here: "))
      #expect(await run.end() == 74)
      #expect(run.output.contains(fifo.replacing("\u{1B}", with: "\\u{1b}")), "\(run.output.suffix(400))")
      #expect(!run.output.contains(fifo))
    }

    @Test func aColorIsTypedAndTheFormerOneSelected() async throws {
      let robot = try await RecordedRobot()
      let run = try start(["led", "--pick"], robot)
      #expect(await run.shows("#0000ff"))
      run.type("\t12\t34")
      let typed = "Lights.SetRGBLED red=12 green=34 blue=255 persist=false"
      #expect(try await robot.waitForCommand(typed, "Lights.SetRGBLED"))
      run.type("p")
      #expect(
        try await robot.waitForCommand(
          last: "Lights.SetRGBLED red=0 green=0 blue=255 persist=false", "Lights.SetRGBLED"))
      run.type("c\r")
      await expectRestored(run, code: 0)
      #expect(run.output.contains("0c22ff\r\n"))
      #expect(try await robot.waitForCommand(last: typed, "Lights.SetRGBLED"))
    }
  }
#endif
