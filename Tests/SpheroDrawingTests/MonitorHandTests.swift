// The keys of the monitor that move a simulated robot.

import SpheroControls
import SpheroModel
import SpheroProtocol
import Testing

@testable import SpheroDrawing

@Suite struct MonitorHandTests {
  private static let knock = HandScript.Action.knock(Planar(0, 1))
  private static let shake = HandScript.Action.shake(.seconds(1))

  private func monitor(hasHand: Bool = true) -> Monitor {
    var monitor = Monitor(columns: [Column("yaw", .degrees)], rate: 20)
    monitor.hasHand = hasHand
    monitor.resize(width: 80, height: 24)
    return monitor
  }

  private func actions(_ monitor: inout Monitor, _ keys: TerminalInput.Key...) -> [HandScript.Action] {
    keys.flatMap { key in
      #expect(monitor.handle(.key(key), at: .zero) == .continues)
      return monitor.takeHandActions()
    }
  }

  @Test func arrowsTurnTheRobotByStepsOf15Degrees() {
    var monitor = monitor()
    #expect(
      actions(&monitor, .down, .right, .character(","), .up, .up, .left, .character("."))
        == [
          .hold(Pose(pitch: 15, roll: 0, yaw: 0)), .hold(Pose(pitch: 15, roll: 15, yaw: 0)),
          .hold(Pose(pitch: 15, roll: 15, yaw: 15)), .hold(Pose(pitch: 0, roll: 15, yaw: 15)),
          .hold(Pose(pitch: -15, roll: 15, yaw: 15)), .hold(Pose(pitch: -15, roll: 0, yaw: 15)),
          .hold(Pose(pitch: -15, roll: 0, yaw: 0)),
        ])
    #expect(monitor.takeHandActions() == [])
    // A robot that was put down begins level.
    #expect(actions(&monitor, .character(" "), .down) == [.putDown, .hold(Pose(pitch: 15, roll: 0, yaw: 0))])
    #expect(actions(&monitor, .character("k"), .character("s")) == [Self.knock, Self.shake])
  }

  /// Several keys in one read of the terminal.
  @Test func keysBetweenTwoUpdatesAreAllPerformed() {
    var monitor = monitor()
    for key: TerminalInput.Key in [.up, .up, .character(" "), .character("k"), .character("k"), .down] {
      _ = monitor.handle(.key(key), at: .zero)
    }
    #expect(
      monitor.takeHandActions() == [
        .hold(Pose(pitch: -30, roll: 0, yaw: 0)), .putDown, Self.knock,
        .hold(Pose(pitch: 15, roll: 0, yaw: 0)),
      ])
    // Pairs of different keys without an update: the newest 16 remain.
    for _ in 0..<100 {
      for key: TerminalInput.Key in [.character("s"), .character("k")] {
        _ = monitor.handle(.key(key), at: .zero)
      }
    }
    #expect(monitor.takeHandActions().count == 16)
  }

  @Test func anglesWrap() {
    var monitor = monitor()
    for _ in 0..<12 { _ = actions(&monitor, .down) }
    #expect(actions(&monitor, .down) == [.hold(Pose(pitch: -165, roll: 0, yaw: 0))])
    for _ in 0..<1_000 { _ = actions(&monitor, .character(".")) }
    // 1000 steps of -15 degrees are 120 degrees beyond whole turns.
    #expect(actions(&monitor, .character(",")) == [.hold(Pose(pitch: -165, roll: 0, yaw: 135))])
  }

  @Test func theKeysOfARobotWithoutAHandDoNothing() {
    var monitor = monitor(hasHand: false)
    #expect(actions(&monitor, .down, .character(" "), .character("k")) == [])
    #expect(!text(monitor).contains("knock"))
  }

  @Test func theHelpFitsAScreenOf80Columns() {
    var monitor = monitor()
    #expect(text(monitor).contains("q quits  arrows ,.: hold  space: put down  k: knock  s: shake"))
    _ = actions(&monitor, .character("m"))
    let keys = "q quits  m: fields  r: rad  arrows ,.: hold  space: put down  k: knock  s: shake"
    #expect(text(monitor) == keys && keys.count == 80)
  }

  private func text(_ monitor: Monitor) -> String {
    let canvas = monitor.draw(at: .zero)
    return String(
      String.UnicodeScalarView((0..<canvas.width).map { canvas[$0, canvas.height - 1].character }))
  }
}
