// A recorder of the actions of programs.

import SpheroModel
import SpheroProtocol
import TestSupport
import Testing

/// Records actions as text, after the time in milliseconds.
struct ActionRecorder: Actuators {
  var now = Duration.zero
  var lines: [String] = []
  /// The values of readings; others are 0.
  var readings: [SystemVariable: Int32] = [:]
  var isStopped = true
  /// The free places in the queue of events.
  var room = Int.max

  /// Lines without their times.
  var actions: [String] {
    lines.map { String($0[$0.index(after: $0.firstIndex(of: " ") ?? $0.startIndex)...]) }
  }

  private mutating func note(_ text: String) {
    let (seconds, attoseconds) = now.components
    let microseconds = seconds * 1_000_000 + attoseconds / 1_000_000_000_000
    let rest = microseconds % 1_000
    let fraction = rest == 0 ? "" : "." + String(String(1_000 + rest).dropFirst())
    lines.append("\(microseconds / 1_000)\(fraction) \(text)")
  }

  mutating func roll(speed: UInt8, heading: UInt16, state: Motion.Roll.State) {
    note("roll \(speed) at \(heading) state \(state.rawValue)")
  }
  mutating func setSpeed(_ speed: UInt8) { note("speed \(speed)") }
  mutating func stop() { note("stop") }
  mutating func rotate(byDegrees degrees: Int16, overMilliseconds milliseconds: UInt16) {
    note("rotate \(degrees) in \(milliseconds)")
  }
  mutating func setHeading(_ heading: UInt16) { note("heading \(heading)") }
  mutating func setStabilization(_ mode: Motion.SetStabilization.Mode) {
    note("stabilization \(mode.rawValue)")
  }
  mutating func setRotationRate(_ rate: UInt8) { note("rate \(rate)") }
  mutating func setRawMotors(_ motors: Motion.SetRawMotors) {
    note(
      "motors \(motors.leftMode.rawValue) \(motors.leftPower) \(motors.rightMode.rawValue) \(motors.rightPower)"
    )
  }
  mutating func setColor(red: UInt8, green: UInt8, blue: UInt8) { note("color \(red) \(green) \(blue)") }
  mutating func fadeColor(red: UInt8, green: UInt8, blue: UInt8, overMilliseconds milliseconds: UInt16) {
    note("fade \(red) \(green) \(blue) in \(milliseconds)")
  }
  mutating func setBackLight(_ brightness: UInt8) { note("back \(brightness)") }
  mutating func configureCollisions(_ detection: Sensing.ConfigureCollisionDetection) {
    note(
      "collisions \(detection.method.rawValue) \(detection.xThreshold) \(detection.xSpeed)"
        + " \(detection.yThreshold) \(detection.ySpeed) \(detection.deadTime)")
  }
  mutating func setLocation(x: Int16, y: Int16) { note("location \(x) \(y)") }
  mutating func read(_ reading: SystemVariable) -> Int32 { readings[reading] ?? 0 }
  mutating func sleep(until wakeup: Wakeup, macro: UInt8, orbBasicLine line: UInt16) {
    switch wakeup {
    case .shaken: note("sleep, then \(macro) \(line)")
    case .asCommanded: note("sleep as commanded, then \(macro) \(line)")
    case .after(let time): note("sleep \(time.components.seconds) s, then \(macro) \(line)")
    }
  }
  mutating func runMacro(_ id: UInt8) { note("run macro \(id)") }
  mutating func killMacro() { note("kill macro") }
  var hasRoomForEvents: Bool { room > 0 }
  mutating func send(_ event: some Event) {
    room -= 1
    let payload = (try? event.payload()) ?? []
    if let text = event as? OrbBasic.PrintMessage {
      note("print \(text.text.bytes.map { $0 == 10 ? "|" : String(UnicodeScalar($0)) }.joined())")
    } else if let text = event as? OrbBasic.ErrorText {
      note("error \(text.text)".replacing("\n", with: "|"))
    } else {
      note("event \(Hexadecimal.text([type(of: event).id.rawValue] + payload))")
    }
  }
}

/// Calls at each deadline, as a robot does.
extension MacroExecutive {
  mutating func run(until end: Duration, _ recorder: inout ActionRecorder) {
    while let due = nextDeadline, due <= end {
      recorder.now = max(recorder.now, due)
      advance(to: due, actions: &recorder)
    }
    recorder.now = max(recorder.now, end)
  }
}

/// Calls at each deadline, as a robot does.
extension OrbBasicInterpreter {
  mutating func run(until end: Duration, _ recorder: inout ActionRecorder) {
    while let due = nextDeadline, due <= end {
      recorder.now = max(recorder.now, due)
      advance(to: due, actions: &recorder)
    }
    recorder.now = max(recorder.now, end)
  }
}

/// Bytes from hexadecimal text, where a local value is named `bytes`.
func programBytes(_ text: String) -> [UInt8] {
  bytes(text)
}
