// The example programs of the page.

import SpheroHost
import SpheroProtocol

/// A program that the user can choose.
struct ProgramExample: Sendable {
  let title: String
  let language: ProgramLanguage
  let text: String

  static let all = [
    ProgramExample(
      title: "Traffic light", language: .macro,
      text: """
        # Red, amber, green.
        rgb 255 0 0
        wait time=1000
        rgb 255 120 0
        wait time=600
        rgb 0 255 0
        wait time=1000
        """),
    ProgramExample(
      title: "Square", language: .macro,
      text: """
        # Four sides, each in its colour.
        macro flags=stopAtEnd
        rgb 255 0 0
        rollLong speed=60 heading=0 time=1200
        marker 1
        rgb 0 255 0
        rollLong 60 90 1200
        marker 2
        rgb 0 0 255
        rollLong 60 180 1200
        marker 3
        rgb 255 255 255
        rollLong 60 270 1200
        """),
    ProgramExample(
      title: "Countdown", language: .basic,
      text: """
        10 ' Prints 3, 2, 1 and blinks.
        20 for A = 3 to 1 step 0-1
        30 print "in ", A
        40 RGB 80 * A, 0, 0
        50 delay 500
        60 next A
        70 RGB 0, 255, 0
        80 print "go"
        90 delay 1000
        """),
    ProgramExample(
      title: "There and back", language: .basic,
      text: """
        10 ' Rolls ahead, waits, and rolls back.
        15 basflg 8
        20 goroll 0, 60, 1
        30 delay 1000
        40 goroll 0, 0, 0
        50 delay 1000
        60 goroll 180, 60, 1
        70 delay 1000
        80 goroll 180, 0, 0
        """),
    ProgramExample(
      title: "Shake colours", language: .basic,
      text: """
        10 ' For ten seconds, a new colour each time that a real ball is shaken.
        20 timerA = 10000
        30 if accelone < 1800 then goto 60
        40 RGB rnd 255, rnd 255, rnd 255
        50 print "shaken"
        60 delay 100
        70 if timerA > 0 then goto 30
        80 end
        """),
  ]

  static var list: FieldValue {
    .list(
      all.map { example in
        [
          "title": .text(example.title), "language": .text(example.language.rawValue),
          "text": .text(example.text),
        ]
      })
  }
}
