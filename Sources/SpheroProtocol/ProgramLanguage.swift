// The languages of programs inside the robot.

/// A language of programs inside the robot; the raw value is its name in commands and output.
package enum ProgramLanguage: String, CaseIterable, Sendable {
  case macro, basic
}
