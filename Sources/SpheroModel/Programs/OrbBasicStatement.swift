// What each statement of orbBasic does.

import SpheroProtocol

/// The word that begins a statement; an assignment begins with a variable instead, and `?` is a short `print`.
package enum OrbBasicStatement: String, CaseIterable {
  case `if`, `for`, next, goto, gosub, `return`, on, print, input, delay, end
  case rgb = "RGB"
  case ledColor = "LEDC"
  case backLED, goroll, heading, raw, locate, basflg, data, rstr, read, tron, troff, reset
  case random, sleep, macrun, mackill

  /// Whether it may stand after `then` and `else`.
  var isAllowedInIf: Bool {
    switch self {
    case .print, .data, .rgb, .ledColor, .read, .rstr, .goto, .gosub, .on, .return, .delay, .backLED, .tron,
      .troff, .goroll:
      true
    default: false
    }
  }
}

extension OrbBasicRun {
  /// Bytes that a `print` gives out at most, without the line feed.
  static let longestPrint = 32
  /// What comes in the place of a longer print.
  static let printWarning = "Print too long\n"
  /// The colours of `LEDC` 0...8.
  private static let colors: [(red: UInt8, green: UInt8, blue: UInt8)] = [
    (0, 0, 0), (255, 0, 0), (0, 255, 0), (0, 0, 255), (255, 128, 0), (128, 0, 128), (255, 255, 255),
    (255, 255, 0), (0, 0, 0),
  ]

  /// Runs the statement that comes next.
  mutating func statement(isInIf: Bool, _ actions: inout some RobotActions) throws(OrbBasicFault) {
    if scanner.take("?") { return try print(&actions) }
    guard let word = scanner.word() else { throw OrbBasicFault(.syntax) }
    guard let statement = OrbBasicStatement(rawValue: word) else { return try assign(word, &actions) }
    guard statement.isAllowedInIf || !isInIf else { throw OrbBasicFault(.syntax) }
    switch statement {
    case .if: try runIf(&actions)
    case .for: try runFor(&actions)
    case .next: try runNext(&actions)
    case .goto: next = try target()
    case .gosub: try gosub(target())
    case .return:
      try scanner.finish()
      guard let line = returns.popLast() else { throw OrbBasicFault(.returnWithoutGosub) }
      next = line
    case .on: try runOn(&actions)
    case .print: try print(&actions)
    case .input: try runInput(&actions)
    case .data: try runData()
    case .read: try runRead(&actions)
    case .delay:
      let time = try arguments(1, &actions)[0]
      guard time >= 0 else { throw OrbBasicFault(.badParameter) }
      due = due.map { $0 + .milliseconds(time) }
    case .rgb, .ledColor, .backLED, .goroll, .heading, .raw, .locate, .basflg, .sleep, .macrun:
      try act(statement, &actions)
    case .end, .rstr, .tron, .troff, .reset, .random, .mackill:
      try scanner.finish()
      switch statement {
      case .rstr: variables.nextDatum = 0
      case .tron: isTracing = true
      case .troff: isTracing = false
      case .reset: reset()
      case .random:
        let (seconds, attoseconds) = now.components
        random = SplitMix64(seed: random.next() ^ UInt64(bitPattern: seconds ^ attoseconds))
      case .mackill: actions.killMacro()
      default: hasEnded = true
      }
    }
  }

  /// Runs a statement that has a fixed count of numbers and acts on the robot.
  private mutating func act(
    _ statement: OrbBasicStatement, _ actions: inout some RobotActions
  ) throws(OrbBasicFault) {
    switch statement {
    case .rgb:
      let values = try arguments(3, &actions)
      try actions.setColor(
        red: exactly(values[0]), green: exactly(values[1]), blue: exactly(values[2]))
    case .ledColor:
      let index = try arguments(1, &actions)[0]
      guard (0..<Int32(Self.colors.count)).contains(index) else { throw OrbBasicFault(.badParameter) }
      let color = Self.colors[Int(index)]
      actions.setColor(red: color.red, green: color.green, blue: color.blue)
    case .backLED: actions.setBackLight(try exactly(arguments(1, &actions)[0]))
    case .goroll:
      let values = try arguments(3, &actions)
      guard (0...359).contains(values[0]), let state = Motion.Roll.State(rawValue: try exactly(values[2]))
      else { throw OrbBasicFault(.badParameter) }
      try actions.roll(speed: exactly(values[1]), heading: exactly(values[0]), state: state)
    case .heading:
      let heading = try arguments(1, &actions)[0]
      guard (0...359).contains(heading) else { throw OrbBasicFault(.badParameter) }
      actions.setHeading(try exactly(heading))
    case .raw:
      let values = try arguments(4, &actions)
      guard let left = Motion.SetRawMotors.Mode(rawValue: try exactly(values[0])),
        let right = Motion.SetRawMotors.Mode(rawValue: try exactly(values[2]))
      else { throw OrbBasicFault(.badParameter) }
      actions.setRawMotors(
        Motion.SetRawMotors(
          leftMode: left, leftPower: try exactly(values[1]), rightMode: right,
          rightPower: try exactly(values[3])))
    case .locate:
      let values = try arguments(2, &actions)
      try actions.setLocation(x: exactly(values[0]), y: exactly(values[1]))
    case .basflg:
      let bits: UInt8 = try exactly(arguments(1, &actions)[0])
      guard bits <= 15 else { throw OrbBasicFault(.badParameter) }
      flags = OrbBasicInterpreter.Flags(rawValue: bits)
    case .sleep:
      let values = try arguments(3, &actions)
      let time: UInt16 = try exactly(values[0])
      let macro: UInt8 = try exactly(values[1])
      let line: UInt16 = try exactly(values[2])
      actions.sleep(until: time == 0 ? .shaken : .after(.seconds(time)), macro: macro, orbBasicLine: line)
      hasEnded = true
    default: actions.runMacro(try exactly(arguments(1, &actions)[0]))
    }
  }

  /// Evaluates expressions between commas, which must be all that is left.
  private mutating func arguments(
    _ count: Int, _ actions: inout some RobotActions
  ) throws(OrbBasicFault) -> [Int32] {
    var values = [try expression(&actions)]
    while values.count < count {
      guard scanner.take(",") else { throw OrbBasicFault(.syntax) }
      values.append(try expression(&actions))
    }
    try scanner.finish()
    return values
  }

  private func exactly<Value: FixedWidthInteger>(_ value: Int32) throws(OrbBasicFault) -> Value {
    guard let exact = Value(exactly: value) else { throw OrbBasicFault(.badParameter) }
    return exact
  }

  private mutating func assign(_ name: String, _ actions: inout some RobotActions) throws(OrbBasicFault) {
    guard let place = try variables.place(name) else {
      throw OrbBasicFault(RobotReading.named[name] == nil ? .unknownStatement : .syntax)
    }
    guard scanner.take("=") else { throw OrbBasicFault(.syntax) }
    let value = try expression(&actions)
    try scanner.finish()
    try variables.set(place, value, at: now, &actions)
  }

  private mutating func runIf(_ actions: inout some RobotActions) throws(OrbBasicFault) {
    let holds = try condition(&actions)
    guard scanner.take(word: "then") else { throw OrbBasicFault(.syntax) }
    guard scanner.choose(holds) else { return }
    try statement(isInIf: true, &actions)
  }

  private mutating func userPlace() throws(OrbBasicFault) -> OrbBasicPlace {
    guard let name = scanner.word(), let place = try variables.userPlace(name) else {
      throw OrbBasicFault(.syntax)
    }
    return place
  }

  private mutating func loopVariable() throws(OrbBasicFault) -> OrbBasicPlace {
    guard let name = scanner.word(), name != "Z", name != "z", let place = try variables.userPlace(name)
    else { throw OrbBasicFault(.syntax) }
    return place
  }

  private mutating func runFor(_ actions: inout some RobotActions) throws(OrbBasicFault) {
    let variable = try loopVariable()
    guard scanner.take("=") else { throw OrbBasicFault(.syntax) }
    let first = try expression(&actions)
    guard scanner.take(word: "to") else { throw OrbBasicFault(.syntax) }
    let last = try expression(&actions)
    let step = scanner.take(word: "step") ? try expression(&actions) : 1
    try scanner.finish()
    guard step != 0, first == last || (first < last) == (step > 0) else { throw OrbBasicFault(.badStep) }
    // A variable counts one loop: a `for` that was left by `goto` and begins anew takes the place of the old one.
    if let open = loops.firstIndex(where: { $0.variable == variable }) {
      loops.removeSubrange(open...)
    }
    guard loops.count < Self.deepestNesting else { throw OrbBasicFault(.forDepth) }
    try variables.set(variable, first, at: now, &actions)
    loops.append(Loop(variable: variable, last: last, step: step, first: next))
  }

  private mutating func runNext(_ actions: inout some RobotActions) throws(OrbBasicFault) {
    let variable = try loopVariable()
    try scanner.finish()
    guard let open = loops.lastIndex(where: { $0.variable == variable }) else {
      throw OrbBasicFault(.nextWithoutFor)
    }
    loops.removeSubrange((open + 1)...)
    let loop = loops[open]
    let (value, overflow) = variables.value(variable, at: now, &actions).addingReportingOverflow(loop.step)
    guard !overflow, loop.step > 0 ? value <= loop.last : value >= loop.last else {
      loops.removeLast()
      return
    }
    try variables.set(variable, value, at: now, &actions)
    next = loop.first
  }

  private mutating func target() throws(OrbBasicFault) -> Int {
    let number = try scanner.lineNumber()
    try scanner.finish()
    return try index(of: number)
  }

  private mutating func gosub(_ index: Int) throws(OrbBasicFault) {
    guard returns.count < Self.deepestNesting else { throw OrbBasicFault(.gosubDepth) }
    returns.append(next)
    next = index
  }

  private mutating func runOn(_ actions: inout some RobotActions) throws(OrbBasicFault) {
    let choice = try expression(&actions)
    let isGosub = scanner.take(word: "gosub")
    guard isGosub || scanner.take(word: "goto") else { throw OrbBasicFault(.syntax) }
    var targets: [UInt16] = []
    repeat { targets.append(try scanner.lineNumber()) } while scanner.take(",")
    try scanner.finish()
    guard let place = Int(exactly: choice), targets.indices.contains(place - 1) else { return }
    let line = try index(of: targets[place - 1])
    if isGosub { try gosub(line) } else { next = line }
  }

  private mutating func print(_ actions: inout some RobotActions) throws(OrbBasicFault) {
    var text: [UInt8] = []
    if let first = scanner.peek(), first != 0x3B {
      text = try printItem(&actions)
      while scanner.take(",") { text += try [0x20] + printItem(&actions) }
    }
    let endsLine = !scanner.take(";")
    try scanner.finish()
    if text.count > Self.longestPrint {
      outgoing.append(.print(Array(Self.printWarning.utf8)))
    } else if endsLine || !text.isEmpty {
      outgoing.append(.print(endsLine ? text + [0x0A] : text))
    }
  }

  private mutating func printItem(_ actions: inout some RobotActions) throws(OrbBasicFault) -> [UInt8] {
    if let text = try scanner.quoted() { return text }
    if scanner.take("$") { return [try exactly(expression(&actions))] }
    return Array(String(try expression(&actions)).utf8)
  }

  private mutating func runInput(_ actions: inout some RobotActions) throws(OrbBasicFault) {
    let place = try userPlace()
    guard scanner.take(",") else {
      try scanner.finish()
      (input, due) = (Input(place: place, fallback: 0), nil)
      return
    }
    let values = try arguments(2, &actions)
    guard values[0] >= 0 else { throw OrbBasicFault(.badParameter) }
    (input, due) = (Input(place: place, fallback: values[1]), now + .milliseconds(values[0]))
  }

  private mutating func runData() throws(OrbBasicFault) {
    var values: [Int32] = []
    repeat {
      guard let value = try scanner.number() else { throw OrbBasicFault(.syntax) }
      values.append(value)
    } while scanner.take(",")
    try scanner.finish()
    (variables.data, variables.nextDatum) = (Array(values.prefix(OrbBasicVariables.count)), 0)
  }

  private mutating func runRead(_ actions: inout some RobotActions) throws(OrbBasicFault) {
    repeat {
      let place = try userPlace()
      try variables.set(place, variables.readDatum(), at: now, &actions)
    } while scanner.take(",")
    try scanner.finish()
  }
}
