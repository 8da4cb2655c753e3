// sphero simulate: robots and recordings on pseudo-terminals or TCP ports, and actions from standard input.

import SpheroCapture
import SpheroModel
import SpheroOrientation
import SpheroProcess
import SpheroProtocol
import SpheroRecording
import SpheroSimulator
import SpheroSystem
import SpheroTransport

struct Simulate: Subcommand {
  static let name = "simulate"
  static let abstract = "Serves simulated robots, or a recording."
  static let group = SubcommandGroup.start
  static let otherNames = ["sim", "serve", "simulator", "replay", "play", "playback"]
  static let examples = [
    "sphero simulate --link /tmp/sphero", "sphero simulate --latency 80ms --verbose",
    "sphero simulate --listen 4000",
    "sphero simulate --name Zoe --model ollie --battery 30% --fault drop=1%,close=10s:3s",
    "sphero simulate --link /tmp/sphero --robots 2",
    "(sleep 5; echo 'knock 0 -1') | sphero simulate --link /tmp/sphero --verbose",
    "sphero simulate --replay run.capture --link /tmp/sphero",
    "sphero simulate --replay run.capture --pace 10",
  ]
  static let sections: KeyValuePairs = [
    "lines of the file of --floor": Floor.help, "lines of --script and of the input": HandScript.help,
  ]

  private static let maximumCount = 100
  /// The maximum length of a line of the input in bytes.
  private static let maximumLineLength = 1_000
  /// The maximum number of lines of the input whose actions are performed concurrently.
  private static let maximumActions = 64

  var serving = ServingOptions()
  var robots = 1
  var recording: String?
  private var values: [String: String] = [:]
  private var faults: String?
  private var combinedOptions: String?

  mutating func options(_ line: inout Synopsis) throws(UsageError) {
    try serving.endpoints(&line)
    try line.option(
      "robots", nil, &robots, as: .range(1...Self.maximumCount), "How many share the floor.")
    try line.option(
      "replay", nil, &recording, as: .file,
      "Play this recording as a robot instead; a file that is not a capture counts as the robot's bytes. "
        + "Of the options of the robot, only '--pace' applies.")
    for option in SimulatorOptions.settings {
      let (name, form, text) = (option.name, option.form, option.text)
      let notes = [form == "TIME" ? Duration.writtenForms : nil, option.standard.map { "default: \($0)" }]
      let note = notes.compactMap { $0 }.joined(separator: "; ")
      try line.option(
        name, nil, &values[name], as: form.hasSuffix("FILE") ? .file : .form(form.lowercased()),
        note.isEmpty ? text : "\(text) (\(note))")
    }
    try line.option(
      "fault", nil, &faults,
      as: ValueKind(
        placeholder: "list", words: SimulatorOptions.faultNames.map { "\($0)=" }, isList: true),
      "What goes wrong on each line, like drop=1%,close=10s:3s: \(SimulatorOptions.faultNames.joined(separator: ", "))."
    )
    try line.option(
      "options", nil, &combinedOptions, as: .list,
      "All of these options in one string, as after 'sim:': model=ollie,drop=1%.")
    try serving.output(&line)
  }

  func validate() throws(UsageError) {
    _ = try parsed()
    let others = [("fault", faults != nil), ("options", combinedOptions != nil), ("robots", robots > 1)]
    if recording != nil,
      let name = values.keys.sorted().first(where: { $0 != "pace" }) ?? others.first(where: { $0.1 })?.0
    {
      throw UsageError(
        "'--\(name)' is for simulated robots, and '--replay' plays a recording",
        advice: "Leave one of them out.")
    }
    try serving.tcpPort(for: robots)
  }

  /// Combines the options of simulated robots; the text of `--options` has priority.
  func parsed() throws(UsageError) -> SimulatorOptions {
    var parsed = SimulatorOptions()
    for option in SimulatorOptions.settings {
      guard let value = values[option.name] else { continue }
      guard parsed.set(option.name, to: value) else {
        throw UsageError("'\(value)' is not a value for --\(option.name); \(Self.advice(for: option.form))")
      }
    }
    do throws(SimulatorOptionError) {
      try parsed.applyFaults(faults ?? "")
      try parsed.apply(combinedOptions ?? "")
    } catch { throw UsageError(error.description) }
    return parsed
  }

  private static func advice(for form: String) -> String {
    switch form {
    case "TIME": "it can be \(Duration.writtenForms)"
    case "PERCENT": "write a part like 30% or 0.3"
    case "N": "write a whole number"
    case "N[:N:N]": "write a number, or three like 0.5:-0.2:0"
    case "PERCENT[:PERCENT:PERCENT]": "write a part like 1%, or three like 1%:-2%:0%"
    default: "it can be \(form)"
    }
  }

  func run(_ terminal: Terminal) async throws {
    let options = try parsed()
    if let recording { return try await play(recording, at: options.pace, terminal) }
    let remarks = Mailbox<(robot: Int, remark: TimedRobotRemark)>(capacity: 256)
    let world = try await options.world(of: robots) { remarks.push((robot: $0, remark: $1)) }
    let start = world.time.now
    let recorders = try await serving.serve(
      terminal, count: robots, hint: "lines typed here, like 'shake 1s', move it; ", reportsClients: true
    ) { index, listener in
      // The recorders are between the faults and the client, so they record what the client receives.
      try await world.robots[index].serve(listener, faults: options.faults(of: index))
    } background: {
      async let hand: Void = Self.followInput(world, terminal)
      while let remarks = try? await remarks.receive() {
        for (robot, remark) in remarks {
          // A robot that has fallen asleep does not answer, which looks like a defect of the client.
          let isAlwaysPrinted = if case .fellAsleep = remark.remark { true } else { false }
          guard isAlwaysPrinted || serving.isVerbose else { continue }
          let time = (remark.time - start).text(digits: 3)
          await terminal.note(
            "\(ServingOptions.label(robot, of: robots))at \(time) s: \(remark.remark)",
            isQuiet: serving.isQuiet)
        }
      }
      await hand
    }
    try await recorders.finish(terminal) {
      for (index, robot) in world.robots.enumerated() {
        let sent = await robot.statistics
        await terminal.note(
          ServingOptions.label(index, of: robots)
            + "received \(sent.commands) commands, sent \(sent.frames) sensor frames in \(sent.packets) packets",
          isQuiet: serving.isQuiet)
      }
    }
    try Task.checkCancellation()
  }

  private func play(_ file: String, at pace: Double, _ terminal: Terminal) async throws {
    let replay: Replay
    do { replay = try await Replay.reading(path: file, speed: pace) } catch {
      throw await Failure.recording(error, file) ?? error
    }
    let server = ReplayServer(replay, time: Program.time)
    let recorders = try await serving.serve(terminal) { _, listener in
      try await server.serve(listener) { ending in
        guard ending == .played else { return }
        await terminal.note(
          "the recording is over: the client was hung up, and the next one gets it from its beginning",
          isQuiet: serving.isQuiet)
      }
    }
    try await recorders.finish(terminal)
    try Task.checkCancellation()
  }

  /// Performs each line of standard input as a ``HandScript``, such as `shake 1s`, when it arrives, until the input ends.
  private static func followInput(_ world: SimulatedWorld, _ terminal: Terminal) async {
    guard let input = try? InputStream("-") else { return }
    let running = Locked(0)
    await withDiscardingTaskGroup { group in
      try? await input.forEachLine(longest: maximumLineLength, advice: "") { line in
        guard case .text(let bytes) = line else {
          return await terminal.note("a line has at most \(maximumLineLength) bytes", isQuiet: false)
        }
        let text = String(decoding: bytes, as: UTF8.self)
        do throws(TextLineError) {
          let script = try HandScript(parsing: text)
          let count = world.robots.count
          guard script.robotCount <= count else {
            let robots = count == 1 ? "is 1" : "are \(count)"
            return await terminal.note(
              "'\(text)' names robot \(script.robotCount), but there \(robots)", isQuiet: false)
          }
          guard running.withLock({ $0 }) < maximumActions else {
            return await terminal.note(
              "'\(text)': \(maximumActions) actions are under way; wait until one is over", isQuiet: false)
          }
          running.withLock { $0 += 1 }
          group.addTask {
            await world.perform(script)
            running.withLock { $0 -= 1 }
          }
        } catch {
          // The remark is the answer to a line that a person has typed, so it is printed even with `--quiet`.
          await terminal.note("'\(error.text)': \(error.expected)", isQuiet: false)
        }
      }
    }
  }
}
