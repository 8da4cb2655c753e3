// The forms and meanings of orbBasic's statements and values, for errors, help and documents.

extension OrbBasicStatement {
  /// What follows the word; parts in brackets are optional.
  var arguments: String {
    switch self {
    case .if: "CONDITION then STATEMENT [else STATEMENT]"
    case .for: "VARIABLE = FIRST to LAST [step STEP]"
    case .next, .read: "VARIABLE"
    case .goto, .gosub: "LINE"
    case .on: "VALUE goto LINE, LINE"
    case .print: "VALUE, \"TEXT\" [;]"
    case .input: "VARIABLE [, TIME, VALUE]"
    case .data: "NUMBER, NUMBER"
    case .delay: "TIME"
    case .rgb: "RED, GREEN, BLUE"
    case .ledColor: "COLOUR"
    case .backLED: "BRIGHTNESS"
    case .goroll: "HEADING, SPEED, MODE"
    case .heading: "HEADING"
    case .raw: "LEFTMODE, LEFT, RIGHTMODE, RIGHT"
    case .locate: "X, Y"
    case .basflg: "FLAGS"
    case .sleep: "TIME, MACRO, LINE"
    case .macrun: "MACRO"
    case .return, .end, .rstr, .tron, .troff, .reset, .random, .mackill: ""
    }
  }

  /// The whole statement, like `goroll HEADING, SPEED, MODE`.
  package var form: String { arguments.isEmpty ? rawValue : "\(rawValue) \(arguments)" }

  /// The effect, and the units and ranges of the arguments: one sentence or two.
  package var meaning: String {
    switch self {
    case .if: "Executes one of two statements. CONDITION is like 'A > 2 and B = 3'."
    case .for:
      "Begins a loop, which ends when VARIABLE passes LAST; STEP is 1 by default. At most four loops are nested."
    case .next: "Ends the loop of VARIABLE."
    case .goto: "Continues at the line with this number, which is not an expression."
    case .gosub: "Continues at LINE until 'return'. At most four calls are nested."
    case .return: "Continues after the last 'gosub'."
    case .on: "Jumps to the first LINE if VALUE is 1, the second if it is 2; 'on VALUE gosub LINE' calls."
    case .print:
      "Sends values and texts, with blanks between them; '$VALUE' is a character, and ';' omits the line break."
    case .input: "Waits for a value from the host, at most TIME in milliseconds, after which VALUE is used."
    case .data: "Sets the numbers for 'read', at most 25."
    case .read: "Stores the next number of 'data' in VARIABLE; more variables may follow, with commas."
    case .rstr: "Lets 'read' begin again."
    case .delay: "Waits for TIME in milliseconds."
    case .end: "Ends the program."
    case .rgb: "Sets the colour, 0...255 each."
    case .ledColor:
      "Sets one of the colours 0 off, 1 red, 2 green, 3 blue, 4 orange, 5 purple, 6 white, 7 yellow, 8 off."
    case .backLED: "Sets the tail light, 0...255."
    case .goroll:
      "Rolls. HEADING is 0...359 degrees, SPEED 0...255, MODE 0 to stop, 1 to roll, 2 to turn fast."
    case .heading: "Makes the present direction this heading, 0...359 degrees."
    case .raw:
      "Drives the motors with a power 0...255 each. Modes are 0 off, 1 forward, 2 back, 3 brake, 4 ignore."
    case .locate: "Sets the position of the locator in centimetres."
    case .basflg:
      "Sets a sum of 1 (only the program drives), 2 (commands keep the robot awake no longer), 4 (its colour precedes that of a macro), 8 (permits stop on disconnect)."
    case .tron: "Prints the number of each line."
    case .troff: "Ends 'tron'."
    case .reset: "Starts the program again with all variables 0."
    case .random: "Seeds 'rnd' anew."
    case .sleep:
      "Puts the robot to sleep for TIME in seconds, 0 until a shake; then runs MACRO and LINE in flash."
    case .macrun: "Runs a stored macro."
    case .mackill: "Ends the macro."
    }
  }

  /// The variables, operators and functions of expressions, with their meanings.
  package static let values: [(name: String, meaning: String)] = [
    (
      "A...Y, Z",
      "32-bit integers, 0 at the start; not case-sensitive. Z is the element Y, 1...25, of an array."
    ),
    (
      "timerA, timerB, timerC",
      "Milliseconds: a value above 0 counts down to 0, and 0 counts up. Can be assigned."
    ),
    ("ctrl", "1 if the control system is on, otherwise 0. Can be assigned."),
    ("speed, yaw", "The speed, 0...255, and the heading in degrees, 0...359."),
    ("pitch, roll", "Degrees, positive with the nose up and to the right."),
    (
      "accelX, accelY, accelZ",
      "The acceleration, 4096 for each g; 'accelone' is its magnitude, 1000 for each g."
    ),
    ("gyroX, gyroY, gyroZ", "The rates of rotation in 0.1 degrees per second."),
    ("xpos, ypos", "The position of the locator in centimetres, to the right and ahead."),
    ("Qzero, Qone, Qtwo, Qthree", "The orientation as a quaternion; 10000 stands for 1."),
    ("Vbatt, Sbatt", "The battery's voltage in 0.01 V, and its state: 1 charging, 2 ok, 3 low, 4 critical."),
    (
      "cmdroll, spdval, hdgval",
      "1 if the host has sent a roll since the last reading (also 'cmdval'); its speed and heading."
    ),
    (
      "cmdrgb, redval, grnval, bluval",
      "1 if the host has sent a colour since the last reading; its red, green and blue."
    ),
    (
      "isconn, dshake", "1 while a host is connected; 1 if the robot was shaken twice since the last reading."
    ),
    ("macstat", "The number of the running macro times 65536, plus the number of its command."),
    ("* / % { }", "Integer arithmetic, and shifts of the bits to the left and to the right."),
    ("+ - & |", "Performed after the others; '&' and '|' combine bits. Parentheses change the order."),
    (
      "= ! < >",
      "Equal, unequal, less and greater in a CONDITION; 'and' and 'or' join several from left to right."
    ),
    ("sqrt, rnd, abs", "Functions of the expression that follows: 'rnd 6' is a random number 1...6."),
  ]
}
