// Inputs, times and headings that the tests of panels share.

import SpheroDrawing
import SpheroOrientation

func ms(_ count: Int) -> Duration { .milliseconds(count) }
func heading(_ degrees: Double) -> Heading { Heading(degrees: degrees) ?? .ahead }

extension Monitor {
  /// The picture on a screen of a size, at a time in seconds.
  func draw(width: Int, height: Int, now: Int) -> Canvas {
    var monitor = self
    monitor.resize(width: width, height: height)
    return monitor.draw(at: .seconds(now))
  }
}

extension TerminalInput {
  static func press(column: Int, row: Int) -> TerminalInput {
    .mouse(.press, column: column, row: row)
  }
  static func drag(column: Int, row: Int) -> TerminalInput {
    .mouse(.drag, column: column, row: row)
  }
  static var release: TerminalInput { .mouse(.release, column: 0, row: 0) }
  static func scroll(isUp: Bool) -> TerminalInput {
    .mouse(isUp ? .scrollUp : .scrollDown, column: 0, row: 0)
  }
}
