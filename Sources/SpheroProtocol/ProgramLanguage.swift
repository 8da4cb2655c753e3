// The languages of programs inside the robot.

/// A language of programs inside the robot.
package enum ProgramLanguage: String, CaseIterable, Sendable {
  case macro, basic
}
