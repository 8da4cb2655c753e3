// What people do with a robot: roll, stop, light, aim, in the units of the maths.

public import SpheroControls
import SpheroHost
public import SpheroOrientation
import SpheroProtocol
import SpheroTransport

extension Robot {
  /// Rolls on a heading until told otherwise.
  ///
  /// Before the first motion of a session, the robot is told to stop by itself when the link drops;
  /// ``keepRolling()`` prevents that.
  ///
  /// - Parameters:
  ///   - heading: Clockwise from the aim.
  ///   - speed: 0...1 of full speed, about 2 m/s; other values count as the nearest of these, not a number as 0.
  /// - Throws: As ``send(_:timeout:)``.
  public func roll(_ heading: Heading, speed: Double) async throws {
    try await send(Motion.Roll(heading, speed: speed))
  }

  /// Rolls on a heading for a while, then stops.
  ///
  /// The command is repeated each second, so that a motion time-out does not stop the ball before.
  /// Where the task is cancelled the ball stops at once. Where the link is lost, that ends the roll with its error.
  ///
  /// - Parameters:
  ///   - heading: Clockwise from the aim.
  ///   - speed: 0...1 of full speed, about 2 m/s; other values count as the nearest of these, not a number as 0.
  ///   - duration: How long to roll, from the moment at which the command was sent, whenever its answer comes.
  /// - Throws: As ``send(_:timeout:)``.
  public func roll(_ heading: Heading, speed: Double, for duration: Duration) async throws {
    let (begun, notices) = (time.now, notices())
    do {
      try await withThrowingTaskGroup(of: Bool.self) { group in
        group.addTask {
          try await self.roll(heading, speed: speed)
          try await self.goOn(heading, speed: speed, for: duration, since: begun)
          return false
        }
        group.addTask {
          try await self.waitUntilRolled(for: duration, since: begun)
          return true
        }
        group.addTask {
          try await self.untilOffline(notices)
          return true
        }
        defer { group.cancelAll() }
        while try await group.next() == false {}
      }
    } catch {
      // Without waiting: the task may be cancelled.
      try? stopDriving()
      throw error
    }
    try await stop(heading)
  }

  /// Repeats a motion that the robot has confirmed, until its time is over.
  private func goOn(
    _ heading: Heading, speed: Double, for duration: Duration, since begun: Duration
  ) throws {
    let end = (sentTime(since: begun) ?? begun) + duration
    // A late answer must not begin what has been stopped.
    guard time.now < end, !Task.isCancelled else { return }
    try drive(heading, speed: speed, isConfirmed: true, until: end)
  }

  /// Waits until the ball has rolled for a while.
  private func waitUntilRolled(for duration: Duration, since begun: Duration) async throws {
    var end = begun + duration
    while time.now < end {
      try await time.sleep(until: end)
      // What stands in front of it may keep the command from the line.
      end = (sentTime(since: begun) ?? time.now) + duration
    }
  }

  /// When a motion was sent that was handed in at `begun`; nil where it still waits.
  private func sentTime(since begun: Duration) -> Duration? {
    conversation.movedAt.flatMap { $0 >= begun ? $0 : nil }
  }

  /// Waits until the link is lost or the session is over, which is an error.
  ///
  /// - Parameter notices: The remarks of the session, from a moment at which there was a link.
  /// - Throws: `SessionError`; `LinkError`.
  func untilOffline(_ notices: EventSequence<Notice>) async throws {
    for try await notice in notices where notice == .disconnected {
      throw explained(.disconnected(command: Motion.Roll.name))
    }
    throw SessionError.leaving
  }

  /// Stops the ball, ahead of all that waits to be sent.
  ///
  /// - Parameter heading: The heading to hold; nil for that of the last motion.
  /// - Throws: As ``send(_:timeout:)``.
  public func stop(_ heading: Heading? = nil) async throws {
    let degrees = heading?.wholeDegrees ?? conversation.heading ?? 0
    try await send(Motion.Roll(speed: 0, heading: degrees, state: .stop))
  }

  /// Stops what the program has set in motion, since the process is about to stand still.
  ///
  /// - Returns: Whether something was.
  package func stopMotion() async -> Bool {
    let stops = conversation.stops
    // Each says more than the next, and none of them is worth an error: nobody is there to hear it.
    for stop in stops { _ = try? await answer(to: stop) }
    return !stops.isEmpty
  }

  /// Sets where the ball shall roll, and returns at once.
  ///
  /// For joysticks and other sources of many values: the newest one goes out at the pace of the link,
  /// those between are left out, and the last one is repeated each second while the ball shall move.
  ///
  /// - Parameters:
  ///   - heading: Clockwise from the aim.
  ///   - speed: 0...1 of full speed, about 2 m/s; other values count as the nearest of these, not a number as 0.
  /// - Throws: `SessionError`; `LinkError` where the link is gone.
  public func drive(_ heading: Heading, speed: Double) throws {
    try drive(heading, speed: speed, isConfirmed: false)
  }

  private func drive(
    _ heading: Heading, speed: Double, isConfirmed: Bool, until end: Duration? = nil
  ) throws {
    let byte = Drive(heading: heading, speed: speed).speedByte
    defer { flush() }
    do throws(SessionError) {
      try conversation.drive(
        speed: byte, heading: heading.wholeDegrees, isConfirmed: isConfirmed, until: end, at: time.now)
    } catch { throw explained(error) }
  }

  /// Ends a ``drive(_:speed:)``: stops the ball, and returns at once.
  ///
  /// - Throws: `SessionError`; `LinkError` where the link is gone.
  public func stopDriving() throws {
    defer { flush() }
    do throws(SessionError) { try conversation.stopDriving(at: time.now) } catch { throw explained(error) }
  }

  /// Shows a colour.
  ///
  /// - Parameters:
  ///   - color: The colour.
  ///   - isKept: Whether it becomes the colour that the robot shows when it connects; that writes to its flash.
  /// - Throws: As ``send(_:timeout:)``.
  public func color(_ color: RGB, isKept: Bool = false) async throws {
    try await send(Lights.SetRGBLED(color, persist: isKept))
  }

  /// Shows a colour, and returns at once.
  ///
  /// For colour wheels and other sources of many values: the newest one goes out at the pace of the link,
  /// and those between are left out. ``color(_:isKept:)`` after the last one makes sure that it was heard.
  ///
  /// - Parameter color: The colour.
  public func show(_ color: RGB) {
    // What is refused or lost is followed by a newer one, or by the one that is made sure of.
    guard let request = try? EncodedRequest(Lights.SetRGBLED(color)) else { return }
    _ = conversation.enqueue(request, at: time.now)
    flush()
  }

  /// Lights the tail.
  ///
  /// - Parameter brightness: 0...1; other values count as the nearest of these, not a number as 0.
  /// - Throws: As ``send(_:timeout:)``.
  public func tail(_ brightness: Double) async throws {
    try await send(Lights.SetBackLED(fraction: brightness))
  }

  /// Measures the round trip of one ping, which is never repeated.
  ///
  /// The wait in the queue does not count: at most `HostSettings.commandsPerSecond` commands leave in a second.
  ///
  /// - Returns: The time from handing the ping to the line until its answer arrives.
  /// - Throws: As ``send(_:timeout:)``.
  @discardableResult
  public func ping() async throws -> Duration {
    // As bytes, since a typed ping is repeated after a loss.
    let ping = try EncodedRequest(Core.Ping.id, name: Core.Ping.name, payload: [])
    let answer = try await answer(to: ping)
    guard answer.packet.status == .ok else {
      throw SessionError.refused(command: Core.Ping.name, status: answer.packet.status)
    }
    return answer.roundTrip
  }

  /// Turns on the spot and makes the new direction heading 0.
  ///
  /// The tail light is on meanwhile. Where that fails or the task is cancelled,
  /// the robot turns back, and its old aim stays.
  ///
  /// - Parameters:
  ///   - heading: Clockwise from the old aim; ahead aims where the robot looks already.
  ///   - turningTime: How long to wait for the turn; the slowest robots need 1.5 s for half a turn.
  /// - Throws: As ``send(_:timeout:)``.
  public func aim(at heading: Heading, turningTime: Duration = .milliseconds(1_500)) async throws {
    var ring = CalibrationRing()
    try await perform(ring.begin(at: .ahead))
    do {
      if heading.wholeDegrees != 0 {
        try await perform([.rotate(to: heading)])
        try await time.sleep(for: turningTime)
      }
      // A copy: what is to be undone is known until all is done.
      var ending = ring
      try await perform(ending.end())
    } catch {
      let undoing = ring.cancel()
      // In a task of its own, since this one may be cancelled; the light goes off also where the turn is refused.
      await time.start { for action in undoing { try? await self.perform([action]) } }.value
      throw error
    }
  }

  /// Does what a calibration ring says, in order.
  ///
  /// - Parameter actions: What it says.
  /// - Throws: As ``send(_:timeout:)``.
  public func perform(_ actions: [CalibrationRing.Action]) async throws {
    for action in actions {
      switch action {
      case .setTailLight(let isOn): try await tail(isOn ? 1 : 0)
      case .rotate(let heading): try await roll(heading, speed: 0)
      case .setHeadingZero: try await send(Motion.SetHeading(.ahead))
      }
    }
  }
}
