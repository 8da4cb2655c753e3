// A panel on the terminal: receives keys and mouse events, draws pictures, and never delays the robot.

import SpheroDrawing
import SpheroProcess
import SpheroSession
import SpheroTransport

struct PanelScreen<P: Panel>: Sendable {
  /// Enqueues a change of the panel, for example a new value of the robot.
  typealias Change = @Sendable (@escaping @Sendable (inout P) -> Void) -> Void

  private enum Event: Sendable {
    case change(@Sendable (inout P) -> Void)
    case screen(TerminalScreen.Event)
    /// The time for a picture, and for the timeouts of the Escape key and of held keys.
    case tick(at: Duration)
  }

  private let events = Mailbox<Event>(capacity: 4_096)
  /// Tasks that run beside the panel and change it; an error of a task ends the panel.
  var sources: [@Sendable () async throws -> Void] = []
  /// Sends the commands of the panel to the robot; called after each batch of events with the present time.
  var update: @Sendable (inout P, Duration) async throws -> Void
  /// Brings the robot to a safe state before Ctrl-Z suspends the process.
  var beforeSuspending: @Sendable () async -> Void = {}
  /// Whether stdout may be a file or a pipe, because the command writes its result there.
  var allowsRedirectedOutput = false
  /// Whether the panel receives mouse events; otherwise the mouse selects text.
  var wantsMouse = true

  init(update: @escaping @Sendable (inout P, Duration) async throws -> Void = { _, _ in }) {
    self.update = update
  }

  func change(_ change: @escaping @Sendable (inout P) -> Void) { events.push(.change(change)) }

  func end() { events.push(.screen(.ended)) }

  private typealias Picture = (canvas: Canvas, redraws: Int)

  /// Shows a panel until a key ends it or the terminal closes, and returns its final state.
  ///
  /// Throws `ScreenError`, `CancellationError`, and the errors of the sources and of `update`.
  func run(_ panel: P) async throws -> (panel: P, outcome: PanelOutcome) {
    let report = { @Sendable (event: TerminalScreen.Event) in events.push(.screen(event)) }
    return try await TerminalScreen.use(
      on: Program.time, wantsMouse: wantsMouse, allowsRedirectedOutput: allowsRedirectedOutput,
      reporting: report
    ) { screen in
      // A new picture replaces a pending one: a slow terminal delays nothing else.
      let pictures = Mailbox<Picture>(capacity: 1)
      return try await withThrowingTaskGroup(of: (P, PanelOutcome)?.self) { group in
        let tasks: [@Sendable () async throws -> Void] = [
          {
            while true {
              events.push(.tick(at: Program.time.now))
              try await Program.time.sleep(for: .milliseconds(50))
            }
          },
          {
            let colors = ColorDepth(
              noColor: ProcessContext.environment("NO_COLOR"), term: ProcessContext.environment("TERM"),
              colorTerm: ProcessContext.environment("COLORTERM"))
            var printer = CanvasPrinter(colors: colors, isASCII: !Style.hasUTF8())
            var redraws = 0
            while let picture = try await pictures.receive()?.last {
              if picture.redraws != redraws { printer.invalidate() }
              redraws = picture.redraws
              try await screen.write(printer.update(to: picture.canvas))
            }
          },
        ]
        for task in sources + tasks {
          group.addTask {
            try await task()
            return nil
          }
        }
        group.addTask { try await control(panel, on: screen, pictures) }
        defer { group.cancelAll() }
        for try await case let result? in group { return result }
        throw CancellationError()
      }
    }
  }

  private func control(
    _ panel: P, on screen: TerminalScreen, _ pictures: Mailbox<Picture>
  ) async throws -> (P, PanelOutcome) {
    var (panel, keys, redraws, resumption) = (panel, KeyDecoder(), 0, Duration.zero)
    while let batch = try await events.receive() {
      var (outcome, suspends, draws) = (PanelOutcome.continues, false, false)
      var hasTerminalEnded = false
      func handle(_ inputs: [TerminalInput]) {
        for input in inputs where outcome == .continues {
          outcome = panel.handle(input, at: Program.time.now)
        }
      }
      for item in batch where outcome == .continues {
        switch item {
        case .change(let change): change(&panel)
        case .tick(let time):
          draws = true
          handle(keys.advance(to: time))
        case .screen(let event):
          draws = true
          switch event {
          // Keys that were read before the suspension are not for the robot.
          case .bytes(_, let time) where time < resumption: break
          case .bytes(let bytes, let time): handle(keys.feed(bytes, at: time))
          case .redraw: redraws += 1
          case .suspensionRequested: suspends = true
          case .ended: (outcome, hasTerminalEnded) = (.cancelled, true)
          }
        }
        if suspends || outcome != .continues { panel.release() }
        let (width, height) = screen.size
        panel.resize(width: width, height: height)
      }
      try await update(&panel, Program.time.now)
      // When a window closes, its input may end before SIGHUP arrives, and SIGHUP determines the exit code.
      if hasTerminalEnded { try await Program.time.sleep(for: .milliseconds(100)) }
      if outcome != .continues { return (panel, outcome) }
      if suspends {
        await beforeSuspending()
        TerminalScreen.suspend()
        resumption = Program.time.now
      }
      if draws { pictures.push(Picture(canvas: panel.draw(at: Program.time.now), redraws: redraws)) }
    }
    return (panel, .cancelled)
  }
}

/// A panel that shows whether the link is lost.
protocol LinkPanel: Panel {
  var isLinkLost: Bool { get set }
  var remark: (text: String, severity: Monitor.Severity)? { get set }
}

extension AimPanel: LinkPanel {}
extension ColorPanel: LinkPanel {}

/// Shows lost and restored links until the session ends; `handle` receives each notice afterwards, since it may wait for
/// an answer of the robot.
func followLink<P: LinkPanel>(
  of robot: Robot, _ change: PanelScreen<P>.Change, _ handle: (Notice) async -> Void
) async throws {
  for try await notice in await robot.notices() {
    change { panel in
      switch notice {
      case .disconnected: panel.isLinkLost = true
      case .reconnected: (panel.isLinkLost, panel.remark) = (false, (notice.description, .note))
      default: break
      }
    }
    await handle(notice)
  }
  throw SessionError.leaving
}

/// Runs `body`, and cancels it without an error after `limit` by the clock `time`; nil sets no limit.
func within(
  _ limit: Duration?, by time: any TimeSource = Program.time,
  _ body: @escaping @Sendable () async throws -> Void
) async throws {
  guard let limit else { return try await body() }
  try await withThrowingTaskGroup(of: Void.self) { group in
    group.addTask { try await body() }
    group.addTask { try await time.sleep(for: limit) }
    try await group.next()
    group.cancelAll()
    while let result = await group.nextResult() {
      if case .failure(let error) = result, !(error is CancellationError) { throw error }
    }
  }
}

/// Runs a cleanup for at most 300 ms and ignores its errors, in a new task because the current one may be cancelled.
func cleanUp(_ body: @escaping @Sendable () async throws -> Void) async {
  await Program.time.start { try? await within(.milliseconds(300), body) }.value
}

extension Connection {
  /// Checks, before the port is opened, that a panel can be shown; `instead` replaces the advice if that is not the case.
  func checkScreen(instead: String? = nil, allowsRedirectedOutput: Bool = false) throws {
    do { try TerminalScreen.check(allowsRedirectedOutput: allowsRedirectedOutput) } catch {
      var failure = Failure(error)
      failure.advice = instead ?? failure.advice
      throw failure
    }
    if isVerbose, StandardStream.error.isTerminal {
      throw UsageError(
        "'--verbose' prints packets where the screen is drawn", advice: "Send them to a file: 2> packets.txt")
    }
  }
}
