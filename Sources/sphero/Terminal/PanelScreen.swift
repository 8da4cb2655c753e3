// A panel on the terminal: keys and mouse go in, pictures come out, and the robot never waits for the screen.

import SpheroDrawing
import SpheroProcess
import SpheroProtocol
import SpheroSession
import SpheroTransport

/// What a panel on the terminal has to take in.
enum PanelNews<P: Panel>: Sendable {
  /// Something is known of the robot.
  case change(@Sendable (inout P) -> Void)
  case screen([TerminalScreen.Happening])
  /// It is time to look at the clock, and to draw.
  case tick(at: Duration)
}

/// A panel on the terminal.
struct PanelScreen<P: Panel>: Sendable {
  /// Lets the panel know something of the robot.
  typealias Tell = @Sendable (@escaping @Sendable (inout P) -> Void) -> Void

  /// What the panel has to take in.
  let news = Mailbox<PanelNews<P>>(capacity: 4_096)
  /// What runs beside the panel; its errors end the panel, its end does not.
  var sources: [@Sendable () async throws -> Void] = []
  /// Tells the robot what the panel wants; called after each batch of news.
  var update: @Sendable (inout P, Duration) async throws -> Void
  /// Brings the robot to where it may be left alone; takes half a second at most.
  var beforeSuspending: @Sendable () async -> Void = {}
  /// Whether stdout is for a result, and may be a pipe.
  var leavesOutput = false
  /// Whether the panel takes the mouse; otherwise the terminal selects text with it.
  var wantsMouse = true

  /// The pictures a second at most, and how late the end of a key that was held is noticed.
  private let picturePeriod = Duration.milliseconds(50)

  init(update: @escaping @Sendable (inout P, Duration) async throws -> Void = { _, _ in }) {
    self.update = update
  }

  /// Lets the panel know something of the robot.
  func tell(_ change: @escaping @Sendable (inout P) -> Void) { news.push(.change(change)) }

  /// Ends the panel, as where the terminal has gone.
  func end() { news.push(.screen([.ended])) }

  /// A picture for the terminal.
  private struct Picture: Sendable {
    let canvas: Canvas
    /// How often everything had to be drawn so far.
    let redraws: Int
  }

  /// Shows a panel until a key ends it or the terminal goes.
  ///
  /// - Parameter panel: The panel as it begins.
  /// - Returns: The panel as it ended, and how; `cancelled` where the terminal has gone.
  /// - Throws: `ScreenError`; what the sources and `update` throw; `CancellationError`.
  func run(_ panel: P) async throws -> (panel: P, outcome: PanelOutcome) {
    try await TerminalScreen.use(
      on: Program.time, wantsMouse: wantsMouse, leavesOutput: leavesOutput, asksToSuspend: true
    ) { screen in
      // A picture that waits gives way to the next one, so that a slow terminal holds up nothing but itself.
      let pictures = Mailbox<Picture>(capacity: 1)
      return try await withThrowingTaskGroup(of: (P, PanelOutcome)?.self) { group in
        for source in sources {
          group.addTask {
            try await source()
            return nil
          }
        }
        group.addTask {
          while let happenings = try await screen.happenings.receive() { news.push(.screen(happenings)) }
          return nil
        }
        group.addTask {
          while true {
            news.push(.tick(at: Program.time.now))
            try await Program.time.sleep(for: picturePeriod)
          }
        }
        group.addTask {
          try await paint(pictures, on: screen)
          return nil
        }
        group.addTask { try await control(panel, on: screen, pictures) }
        defer { group.cancelAll() }
        while let result = try await group.next() {
          if let result { return result }
        }
        throw CancellationError()
      }
    }
  }

  /// Takes in the news, tells the robot and draws until a key ends it.
  private func control(
    _ panel: P, on screen: TerminalScreen, _ pictures: Mailbox<Picture>
  ) async throws -> (P, PanelOutcome) {
    var (panel, keys, redraws) = (panel, KeyDecoder(), 0)
    while let batch = try await news.receive() {
      var (outcome, suspends, draws) = (PanelOutcome.goesOn, false, false)
      func take(_ inputs: [TerminalInput]) {
        for input in inputs where outcome == .goesOn && input.isPlain {
          outcome = panel.take(input, at: Program.time.now)
        }
      }
      for item in batch where outcome == .goesOn {
        switch item {
        case .change(let change): change(&panel)
        case .tick(let time):
          draws = true
          take(keys.advance(to: time))
        case .screen(let happenings):
          draws = true
          for happening in happenings where outcome == .goesOn {
            switch happening {
            case .bytes(let bytes, let time): take(keys.feed(bytes, at: time))
            case .redraw: redraws += 1
            case .suspends: suspends = true
            case .ended: outcome = .cancelled
            }
          }
        }
        if suspends || outcome != .goesOn { panel.release() }
        let (width, height) = screen.size
        panel.resize(width: width, height: height)
      }
      try await update(&panel, Program.time.now)
      if outcome != .goesOn { return (panel, outcome) }
      if suspends {
        await beforeSuspending()
        screen.suspend()
        // What was typed meanwhile was not meant for the robot.
        panel.release()
      }
      if draws { pictures.push(Picture(canvas: panel.draw(at: Program.time.now), redraws: redraws)) }
    }
    return (panel, .cancelled)
  }

  /// Writes the newest picture, as fast as the terminal takes it.
  private func paint(_ pictures: Mailbox<Picture>, on screen: TerminalScreen) async throws {
    var printer = CanvasPrinter(colors: .ofTerminal)
    var redraws = 0
    while let picture = try await pictures.receive()?.last {
      if picture.redraws != redraws { printer.forget() }
      redraws = picture.redraws
      try await screen.write(printer.update(to: picture.canvas))
    }
  }
}

extension Connection {
  /// Makes sure that a panel can be shown, before anything is opened.
  ///
  /// - Parameters:
  ///   - instead: What does without a terminal; nil is `sphero stream`.
  ///   - leavesOutput: Whether stdout may be a pipe.
  /// - Throws: `Failure` where there is no terminal; `UsageError`.
  func checkScreen(instead: String? = nil, leavesOutput: Bool = false) throws {
    do { try TerminalScreen.check(leavesOutput: leavesOutput) } catch {
      var failure = Failure(error)
      if case .failed = error {} else { failure.advice = instead ?? failure.advice }
      throw failure
    }
    if isVerbose, StandardStream.error.isTerminal {
      throw UsageError(
        "'--verbose' prints packets where the screen is drawn", advice: "Send them to a file: 2> packets.txt")
    }
  }
}

extension ColorDepth {
  /// How many colours the terminal has.
  static var ofTerminal: ColorDepth {
    ColorDepth(
      noColor: ProcessContext.environment("NO_COLOR"), term: ProcessContext.environment("TERM"),
      colorTerm: ProcessContext.environment("COLORTERM"))
  }
}
