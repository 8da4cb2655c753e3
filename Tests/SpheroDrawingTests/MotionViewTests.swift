// The motion view of the monitor, against numbers computed by hand.

import SpheroControls
import SpheroOrientation
import SpheroProtocol
import Testing

@testable import SpheroDrawing

@Suite struct MotionViewTests {
  /// The nose is raised by 30 degrees; the body turns by 90 degrees per second, π / 2 rad/s, about its up axis.
  private func monitor(isFused: Bool = false) throws -> Monitor {
    var monitor = Monitor(columns: [Column("accel_x", .g)], rate: 20)
    let attitude = try #require(Rotation(angle: .degrees(30), axis: Vector3(1, 0, 0)))
    let rate = Vector3(0, 0, .pi / 2)
    let force = Vector3(0.25, 0.5, 0.8660254037844386)
    let sample = InertialSample(timestamp: 0, rotationRate: rate, acceleration: force)
    monitor.append(
      [.decimal(0.25, digits: 4)], at: 0, arrival: 0, attitude: attitude, position: nil,
      motion: MotionReading(
        accelerometer: force, gyroscope: rate,
        motion: Convention.bodyAxes.motion(DeviceMotion(attitude: attitude, sample: sample)),
        angles: PitchRollYaw(pitch: .degrees(30), roll: .degrees(0), yaw: .degrees(-180)), isFused: isFused))
    return monitor
  }

  private func lines(_ monitor: Monitor, width: Int = 80, height: Int = 24) -> [String] {
    var monitor = monitor
    monitor.resize(width: width, height: height)
    let canvas = monitor.draw(at: .zero)
    return (0..<height).map { canvas.text(row: $0) }
  }

  /// The numbers in the row with a name at the left, and at the right.
  private func numbers(_ lines: [String], below title: String, _ unit: String) -> [String] {
    guard let row = lines.firstIndex(where: { $0.contains(title) }) else { return [] }
    let isLeft = lines[row].hasPrefix(title)
    return lines[row + 1...row + 3].map { line in
      let half = isLeft ? line.prefix(40) : line.dropFirst(40)
      return half.split(separator: " ").dropFirst().first.map { String($0).replacing(unit, with: "") } ?? ""
    }
  }

  @Test func allQuantitiesAreShownTogether() throws {
    var monitor = try monitor()
    monitor.showsMotion = true
    let lines = lines(monitor)
    #expect(numbers(lines, below: "accelerometer", "") == ["0.2500", "0.5000", "0.8660"], "\(lines)")
    #expect(numbers(lines, below: "gyroscope", "") == ["0.0", "0.0", "90.0"])
    #expect(numbers(lines, below: "attitude", "°") == ["30.0", "0.0", "-180.0"])
    // Gravity is (0, -sin 30, -cos 30); the user acceleration is the force plus gravity.
    #expect(numbers(lines, below: "gravity", "") == ["0.0000", "-0.5000", "-0.8660"])
    #expect(numbers(lines, below: "user acceleration", "") == ["0.2500", "0.0000", "0.0000"])
    #expect(numbers(lines, below: "rotation rate", "") == ["0.0", "0.0", "90.0"])
    #expect(lines[23] == "q quits  m: fields  r: rad")
  }

  @Test func anglesCanBeRadians() throws {
    var monitor = try monitor()
    monitor.resize(width: 120, height: 40)
    for key in ["m", "R"] as [Unicode.Scalar] {
      #expect(monitor.handle(.key(.character(key)), at: .zero) == .continues)
    }
    #expect(monitor.showsMotion && monitor.isInRadians)
    let lines = lines(monitor)
    // 90 degrees are 1.571 rad, 30 are 0.524, 180 are 3.142.
    #expect(numbers(lines, below: "gyroscope", "") == ["0.000", "0.000", "1.571"])
    #expect(numbers(lines, below: "attitude", "") == ["0.524", "0.000", "-3.142"])
    #expect(numbers(lines, below: "accelerometer", "") == ["0.2500", "0.5000", "0.8660"])
    #expect(lines.contains { $0.contains("rad/s") } && !lines.contains { $0.contains("°") })
    #expect(lines[23] == "q quits  m: fields  r: deg")
    _ = monitor.handle(.key(.character("m")), at: .zero)
    #expect(!monitor.showsMotion && self.lines(monitor)[23] == "q quits  m: motion")
  }

  @Test func aRobotWithoutQuaternionIsNamed() throws {
    var monitor = try monitor(isFused: true)
    monitor.showsMotion = true
    #expect(lines(monitor)[1].hasPrefix("no quaternion (firmware before 1.20)"))
  }

  @Test func theNumberOfMissingGroupsReplacesTheNote() throws {
    var monitor = try monitor(isFused: true)
    monitor.showsMotion = true
    #expect(lines(monitor, width: 60, height: 12).contains("4 more groups; make the terminal larger"))
  }

  @Test func beforeTheFirstSampleNumbersAreMissing() {
    var monitor = Monitor(columns: [], rate: 20)
    monitor.showsMotion = true
    let lines = lines(monitor)
    #expect(lines[1] == "waiting for samples")
    #expect(numbers(lines, below: "attitude", "") == ["-", "-", "-"])
  }

  @Test func everySizeCanBeDrawn() throws {
    var monitor = try monitor()
    monitor.showsMotion = true
    for (width, height, count) in [
      (80, 24, 6), (120, 40, 6), (59, 40, 6), (59, 20, 3), (60, 12, 2), (24, 6, 0),
    ] {
      let lines = lines(monitor, width: width, height: height)
      let names = ["accelerometer", "user acc", "gyroscope", "rotation", "attitude", "gravity"]
      let shown = names.filter { name in lines.contains { $0.contains(name) } }.count
      #expect(shown == count, "\(width) by \(height): \(lines)")
      #expect(lines.contains { $0.contains("more groups") } == (count < 6))
    }
    for width in [0, 1, 23, 24, 59, 60, 61, 400] {
      for height in [0, 1, 5, 6, 7, 12, 300] { _ = lines(monitor, width: width, height: height) }
    }
  }
}
