// The statements and the arithmetic of orbBasic, their forms and meanings, and their execution.

import SpheroProtocol

/// The first word of a statement; an assignment begins with a variable instead, and `?` is short for `print`.
package enum OrbBasicStatement: String, CaseIterable {
  case `if`, `for`, next, goto, gosub, `return`, on, print, input, delay, end
  case rgb = "RGB"
  case ledColor = "LEDC"
  case backLED, goroll, heading, raw, locate, basflg, data, rstr, read, tron, troff, reset
  case random, sleep, macrun, mackill

  var isAllowedInIf: Bool {
    switch self {
    case .print, .data, .rgb, .ledColor, .read, .rstr, .goto, .gosub, .on, .return, .delay, .backLED, .tron,
      .troff, .goroll:
      true
    default: false
    }
  }

  /// The number of arguments of a statement whose arguments are all expressions.
  var argumentCount: Int { form == rawValue ? 0 : 1 + form.utf8.count { $0 == UInt8(ascii: ",") } }

  /// The form of each statement, with optional parts in brackets; and its effect, with units and ranges.
  package static let help: KeyValuePairs<String, String> = [
    "if CONDITION then STATEMENT [else STATEMENT]":
      "Executes one of two statements. CONDITION is like 'A > 2 and B = 3'.",
    "for VARIABLE = FIRST to LAST [step STEP]":
      "Begins a loop, which ends when VARIABLE passes LAST; STEP is 1 by default. At most four loops are nested.",
    "next VARIABLE": "Ends the loop of VARIABLE.",
    "goto LINE": "Continues at the line with this number, which is not an expression.",
    "gosub LINE": "Continues at LINE until 'return'. At most four calls are nested.",
    "return": "Continues after the last 'gosub'.",
    "on VALUE goto LINE, LINE":
      "Jumps to the first LINE if VALUE is 1, the second if it is 2; 'on VALUE gosub LINE' calls.",
    "print VALUE, \"TEXT\" [;]":
      "Sends values and texts, with blanks between them; '$VALUE' is a character, and ';' omits the line break.",
    "input VARIABLE [, TIME, VALUE]":
      "Waits for a value from the host, at most TIME in milliseconds, after which VALUE is used.",
    "delay TIME": "Waits for TIME in milliseconds.",
    "end": "Ends the program.",
    "RGB RED, GREEN, BLUE": "Sets the colour, 0...255 each.",
    "LEDC COLOUR":
      "Sets one of the colours 0 off, 1 red, 2 green, 3 blue, 4 orange, 5 purple, 6 white, 7 yellow, 8 off.",
    "backLED BRIGHTNESS": "Sets the tail light, 0...255.",
    "goroll HEADING, SPEED, MODE":
      "Rolls. HEADING is 0...359 degrees, SPEED 0...255, MODE 0 to stop, 1 to roll, 2 to turn fast.",
    "heading HEADING": "Makes the present direction this heading, 0...359 degrees.",
    "raw LEFTMODE, LEFT, RIGHTMODE, RIGHT":
      "Drives the motors with a power 0...255 each. Modes are 0 off, 1 forward, 2 back, 3 brake, 4 ignore.",
    "locate X, Y": "Sets the position of the locator in centimetres.",
    "basflg FLAGS":
      "Sets a sum of 1 (only the program drives), 2 (the program does not keep the robot awake), 4 (its colour precedes that of a macro), 8 (permits stop on disconnect).",
    "data NUMBER, NUMBER": "Sets the numbers for 'read', at most 25.",
    "rstr": "Lets 'read' begin again.",
    "read VARIABLE": "Stores the next number of 'data' in VARIABLE; more variables may follow, with commas.",
    "tron": "Prints the number of each line.",
    "troff": "Ends 'tron'.",
    "reset": "Starts the program again with all variables 0.",
    "random": "Seeds 'rnd' anew.",
    "sleep TIME, MACRO, LINE":
      "Puts the robot to sleep for TIME in seconds, 0 until a shake; then runs MACRO and LINE in flash.",
    "macrun MACRO": "Runs a stored macro.",
    "mackill": "Ends the macro.",
  ]

  private static let rows: [Substring: (key: String, value: String)] = help.reduce(into: [:]) {
    $0[$1.key.prefix { $0 != " " }] = $1
  }

  private var row: (key: String, value: String) { Self.rows[rawValue[...]] ?? (rawValue, "") }
  /// The whole statement, like `goroll HEADING, SPEED, MODE`.
  var form: String { row.key }
  var meaning: String { row.value }

  /// The variables, operators and functions of expressions, with their meanings.
  package static let values: KeyValuePairs<String, String> = [
    "A...Y, Z":
      "32-bit integers, 0 at the start; not case-sensitive. Z is the element Y, 1...25, of an array.",
    "timerA, timerB, timerC":
      "Milliseconds: a value above 0 counts down to 0, and 0 counts up. Can be assigned.",
    "ctrl": "1 if the control system is on, otherwise 0. Can be assigned.",
    "speed, yaw": "The speed, 0...255, and the heading in degrees, 0...359.",
    "pitch, roll": "Degrees, positive with the nose up and to the right.",
    "accelX, accelY, accelZ":
      "The acceleration, 4096 for each g; 'accelone' is its magnitude, 1000 for each g.",
    "gyroX, gyroY, gyroZ": "The rates of rotation in 0.1 degrees per second.",
    "xpos, ypos": "The position of the locator in centimetres, to the right and ahead.",
    "Qzero, Qone, Qtwo, Qthree": "The orientation as a quaternion; 10000 stands for 1.",
    "Vbatt, Sbatt": "The battery's voltage in 0.01 V, and its state: 1 charging, 2 ok, 3 low, 4 critical.",
    "cmdroll, spdval, hdgval":
      "1 if the host has sent a roll since the last reading (also 'cmdval'); its speed and heading.",
    "cmdrgb, redval, grnval, bluval":
      "1 if the host has sent a colour since the last reading; its red, green and blue.",
    "isconn, dshake":
      "1 while a host is connected; 1 if the robot was shaken twice since the last reading.",
    "macstat": "The number of the running macro times 65536, plus the number of its command.",
    "* / % { }": "Integer arithmetic, and shifts of the bits to the left and to the right.",
    "+ - & |": "Performed after the others; '&' and '|' combine bits. Parentheses change the order.",
    "= ! < >":
      "Equal, unequal, less and greater in a CONDITION; 'and' and 'or' join several from left to right.",
    "sqrt, rnd, abs": "Functions of the expression that follows: 'rnd 6' is a random number 1...6.",
  ]
}

enum OrbBasicFunction: String, Hashable, Sendable {
  case sqrt, rnd, abs
}

extension OrbBasicRun {
  /// The colours of `LEDC`: off, red, green, blue, orange, purple, white, yellow, off.
  private static let colors: [(red: UInt8, green: UInt8, blue: UInt8)] = [
    (0, 0, 0), (255, 0, 0), (0, 255, 0), (0, 0, 255), (255, 128, 0), (128, 0, 128), (255, 255, 255),
    (255, 255, 0), (0, 0, 0),
  ]

  mutating func perform(
    _ operations: [OrbBasicOperation], _ actions: inout some Actuators
  ) throws(OrbBasic.ErrorCode) {
    for operation in operations {
      switch operation {
      case .fault(let code): throw code
      case .number(let number): stack.append(number)
      case .value(let place): stack.append(try variables.value(place, at: now, &actions))
      case .systemVariable(let variable): stack.append(actions.read(variable))
      case .function(let function): stack.append(try call(function, pop()))
      case .binary(let sign):
        let right = pop()
        stack.append(try Self.apply(sign, pop(), right))
      case .assign(let place): try variables.set(place, pop(), at: now, &actions)
      case .read(let place): try variables.set(place, variables.readDatum(), at: now, &actions)
      case .branch(let then, let otherwise): try perform(pop() != 0 ? then : otherwise, &actions)
      case .text(let bytes): text += bytes
      case .character: text.append(try exactly(pop()))
      case .decimal: text += String(pop()).utf8
      case .print(let endsLine): print(endsLine: endsLine)
      case .jump(let number, let isGosub): try jump(to: number, isGosub: isGosub)
      case .select(let targets, let isGosub):
        let choice = pop()
        // Compared first: Int has 32 bits in WebAssembly, where the difference may not fit.
        guard choice > 0, choice <= targets.count else { break }
        try jump(to: targets[Int(choice) - 1], isGosub: isGosub)
      case .data(let values):
        (variables.data, variables.nextDatum) = (Array(values.prefix(OrbBasicVariables.count)), 0)
      case .input(let place, let isLimited): try awaitInput(place, isLimited: isLimited, &actions)
      case .loop(let variable): try beginLoop(variable, &actions)
      case .next(let variable): try continueLoop(variable, &actions)
      case .statement(let statement): try perform(statement, &actions)
      }
    }
  }

  /// Applies a binary operator, where `{` and `}` shift left and right; a relation gives 1 if it holds, else 0.
  private static func apply(
    _ sign: Unicode.Scalar, _ left: Int32, _ right: Int32
  ) throws(OrbBasic.ErrorCode) -> Int32 {
    switch sign {
    case "+": return left &+ right
    case "-": return left &- right
    case "&": return left & right
    case "|": return left | right
    case "*": return left &* right
    case "/":
      guard right != 0 else { throw .divideByZero }
      return left.dividedReportingOverflow(by: right).partialValue
    case "%":
      guard right != 0 else { throw .divideByZero }
      return left.remainderReportingOverflow(dividingBy: right).partialValue
    case "{", "}":
      guard right >= 0 else { throw .badParameter }
      return sign == "{" ? left << right : left >> right
    case "=": return left == right ? 1 : 0
    case "!": return left != right ? 1 : 0
    case "<": return left < right ? 1 : 0
    default: return left > right ? 1 : 0
    }
  }

  /// Calls a function; `rnd` returns a random integer from 1 to its argument.
  private mutating func call(
    _ function: OrbBasicFunction, _ value: Int32
  ) throws(OrbBasic.ErrorCode) -> Int32 {
    switch function {
    case .sqrt:
      guard value >= 0 else { throw .badParameter }
      return Int32(Double(value).squareRoot())
    case .rnd:
      guard value > 0 else { throw .badParameter }
      return Int32(truncatingIfNeeded: random.next() % UInt64(value)) + 1
    case .abs: return value < 0 ? 0 &- value : value
    }
  }

  private mutating func pop() -> Int32 { stack.popLast() ?? 0 }

  private func argument(_ index: Int) -> Int32 { stack.indices.contains(index) ? stack[index] : 0 }

  private func exactly<Value: FixedWidthInteger>(_ value: Int32) throws(OrbBasic.ErrorCode) -> Value {
    guard let exact = Value(exactly: value) else { throw .badParameter }
    return exact
  }

  /// Executes a statement whose arguments are the numbers on the stack.
  private mutating func perform(
    _ statement: OrbBasicStatement, _ actions: inout some Actuators
  ) throws(OrbBasic.ErrorCode) {
    switch statement {
    case .rgb:
      try actions.setColor(
        red: exactly(argument(0)), green: exactly(argument(1)), blue: exactly(argument(2)))
    case .ledColor:
      let index = Int(argument(0))
      guard Self.colors.indices.contains(index) else { throw .badParameter }
      let color = Self.colors[index]
      actions.setColor(red: color.red, green: color.green, blue: color.blue)
    case .backLED: actions.setBackLight(try exactly(argument(0)))
    case .goroll:
      guard (0...359).contains(argument(0)),
        let state = Motion.Roll.State(rawValue: try exactly(argument(2)))
      else { throw .badParameter }
      try actions.roll(speed: exactly(argument(1)), heading: exactly(argument(0)), state: state)
    case .heading:
      guard (0...359).contains(argument(0)) else { throw .badParameter }
      actions.setHeading(try exactly(argument(0)))
    case .raw:
      guard let left = Motion.SetRawMotors.Mode(rawValue: try exactly(argument(0))),
        let right = Motion.SetRawMotors.Mode(rawValue: try exactly(argument(2)))
      else { throw .badParameter }
      actions.setRawMotors(
        Motion.SetRawMotors(
          leftMode: left, leftPower: try exactly(argument(1)), rightMode: right,
          rightPower: try exactly(argument(3))))
    case .locate: try actions.setLocation(x: exactly(argument(0)), y: exactly(argument(1)))
    case .basflg:
      let bits: UInt8 = try exactly(argument(0))
      guard bits <= 15 else { throw .badParameter }
      flags = OrbBasicInterpreter.Flags(rawValue: bits)
    case .sleep:
      let time: UInt16 = try exactly(argument(0))
      let macro: UInt8 = try exactly(argument(1))
      let line: UInt16 = try exactly(argument(2))
      actions.sleep(until: time == 0 ? .shaken : .after(.seconds(time)), macro: macro, orbBasicLine: line)
      hasEnded = true
    case .macrun: actions.runMacro(try exactly(argument(0)))
    case .mackill: actions.killMacro()
    case .delay:
      guard argument(0) >= 0 else { throw .badParameter }
      due = due.map { $0 + .milliseconds(argument(0)) }
    case .return:
      guard let line = returns.popLast() else { throw .returnWithoutGosub }
      next = line
    case .rstr: variables.nextDatum = 0
    case .tron: isTracing = true
    case .troff: isTracing = false
    case .reset: reset()
    case .random:
      let (seconds, attoseconds) = now.components
      random = SplitMix64(seed: random.next() ^ UInt64(bitPattern: seconds ^ attoseconds))
    case .end: hasEnded = true
    // The parser translates these statements to other operations.
    case .if, .for, .next, .goto, .gosub, .on, .print, .input, .data, .read: break
    }
  }

  private mutating func beginLoop(
    _ variable: OrbBasicPlace, _ actions: inout some Actuators
  ) throws(OrbBasic.ErrorCode) {
    let (first, last, step) = (argument(0), argument(1), argument(2))
    guard step != 0, first == last || (first < last) == (step > 0) else { throw .badStep }
    // A variable has one loop: a `for` that was left by `goto` is replaced.
    if let open = loops.firstIndex(where: { $0.variable == variable }) {
      loops.removeSubrange(open...)
    }
    guard loops.count < Self.maximumNesting else { throw .forDepth }
    try variables.set(variable, first, at: now, &actions)
    loops.append(Loop(variable: variable, last: last, step: step, first: next))
  }

  private mutating func continueLoop(
    _ variable: OrbBasicPlace, _ actions: inout some Actuators
  ) throws(OrbBasic.ErrorCode) {
    guard let open = loops.lastIndex(where: { $0.variable == variable }) else {
      throw .nextWithoutFor
    }
    loops.removeSubrange((open + 1)...)
    let loop = loops[open]
    let (value, overflow) = try variables.value(variable, at: now, &actions)
      .addingReportingOverflow(loop.step)
    guard !overflow, loop.step > 0 ? value <= loop.last : value >= loop.last else {
      loops.removeLast()
      return
    }
    try variables.set(variable, value, at: now, &actions)
    next = loop.first
  }

  private mutating func jump(to number: UInt16, isGosub: Bool) throws(OrbBasic.ErrorCode) {
    guard let target = indices[number] else { throw .badLineNumber }
    if isGosub {
      guard returns.count < Self.maximumNesting else { throw .gosubDepth }
      returns.append(next)
    }
    next = target
  }

  private mutating func print(endsLine: Bool) {
    // Without the line feed.
    if text.count > 32 {
      outgoing.append(.print(Array("Print too long\n".utf8)))
    } else if endsLine || !text.isEmpty {
      outgoing.append(.print(endsLine ? text + [0x0A] : text))
    }
  }

  /// Executes an `input`; `isLimited` states that its arguments are a time limit and a fallback.
  private mutating func awaitInput(
    _ place: OrbBasicPlace, isLimited: Bool, _ actions: inout some Actuators
  ) throws(OrbBasic.ErrorCode) {
    // An invalid index of the array is an error of this statement, not of the later assignment.
    _ = try variables.value(place, at: now, &actions)
    guard isLimited else {
      (input, due) = (Input(place: place, fallback: 0), nil)
      return
    }
    guard argument(0) >= 0 else { throw .badParameter }
    (input, due) = (Input(place: place, fallback: argument(1)), now + .milliseconds(argument(0)))
  }
}
