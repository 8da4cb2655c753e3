// Where the robots that a command serves are reached: pseudo-terminals, links to them, TCP ports.

import SpheroRecording
import SpheroSerial
import SpheroServing
import SpheroTransport

/// The places of robots that are served until Ctrl-C.
struct Places: Sendable {
  private var link: String?
  private var listen: String?

  /// Visits the options.
  ///
  /// - Parameters:
  ///   - line: The visitor.
  ///   - isPlural: Whether there may be several robots.
  /// - Throws: ``UsageError`` of the visitor.
  mutating func options(_ line: inout some OptionVisitor, isPlural: Bool = false) throws(UsageError) {
    try line.option(
      "link", "l", &link, as: .newFile,
      "Also serve it at this path" + (isPlural ? "; further robots at path-2 and so on." : "."))
    try line.option(
      "listen", nil, &listen,
      "Serve on this TCP port instead, or on ADDRESS:PORT; without an address, for this machine alone.")
    try line.conflict("link", "listen", "a link leads to a pseudo-terminal, not to a TCP port")
  }

  /// The address and the port of `--listen`.
  ///
  /// - Parameter count: How many robots there are.
  /// - Returns: Those of the first robot; nil without the option.
  /// - Throws: ``UsageError`` where there is no such place.
  func tcpPort(for count: Int = 1) throws(UsageError) -> (InternetAddress, UInt16)? {
    guard let listen else { return nil }
    let isPort = listen.allSatisfy { "0123456789".contains($0) }
    let place: Port
    do throws(PortError) { place = try Port(parsing: "tcp:" + (isPort ? "127.0.0.1:" : "") + listen) } catch {
      throw UsageError("'--listen': \(error.message)", advice: error.advice)
    }
    guard case .tcp(let address, let port) = place.place else { return nil }
    guard Int(port) + count - 1 <= 65_535 else {
      throw UsageError("'--listen': \(count) robots need as many ports, and the last one is 65535")
    }
    return (address, port)
  }

  /// What serves robots at their places, and who hears of it.
  struct Service: Sendable {
    /// How many robots there are.
    var count = 1
    var isQuiet: Bool
    /// What a person reads first, after the words that try the place.
    var hint: String
    /// Makes what writes down the line of a robot, counted from 1; it gets the place.
    var recorder: @Sendable (Int, String) throws -> Recorder
    /// Serves a robot, counted from 0, until its place is closed.
    var serve: @Sendable (Int, any Listener) async throws -> Void
    /// Goes on beside the robots.
    var beside: @Sendable () async -> Void = {}
  }

  /// Serves robots, each at its place, until the task is cancelled.
  ///
  /// The places are printed: device files, links, or texts like `tcp:127.0.0.1:4000`.
  ///
  /// - Returns: What wrote down what crossed the lines, for whoever ends it.
  func serve(_ service: Service, _ terminal: Terminal) async throws -> [Recorder] {
    let remarks = Mailbox<ServingRemark>(capacity: 256)
    let listeners = try listeners(service.count) { remarks.push($0) }
    var recorders: [Recorder] = []
    let outcome: Result<Void, any Error>
    do {
      // Only now: a place that cannot be made must not cost an old capture.
      for (index, listener) in listeners.enumerated() {
        recorders.append(try service.recorder(index + 1, listener.text))
      }
      for listener in listeners { try await terminal.print(listener.text) }
      if let first = listeners.first {
        await terminal.note(
          "try it with 'sphero ping --port \(first.text)'; \(service.hint)Ctrl-C ends it",
          isQuiet: service.isQuiet)
      }
      try await withThrowingTaskGroup(of: Void.self) { [recorders] group in
        for (index, listener) in listeners.enumerated() {
          group.addTask {
            try await service.serve(index, listener.place.recorded(by: recorders[index].captures))
          }
        }
        group.addTask { await service.beside() }
        group.addTask {
          while let remarks = try? await remarks.receive() {
            for remark in remarks { try await Self.tell(remark, service, terminal) }
          }
          // Ctrl-C: no line waits for its client any more.
          for listener in listeners { await listener.place.close() }
        }
        try await group.waitForAll()
      }
      outcome = .success(())
    } catch { outcome = .failure(error) }
    for listener in listeners { await listener.place.close() }
    do { try outcome.get() } catch is CancellationError {} catch let error as LinkError {
      throw Self.failure(error)
    }
    return recorders
  }

  private static func tell(_ remark: ServingRemark, _ service: Service, _ terminal: Terminal) async throws {
    // Paths are results, remarks are not.
    if case .moved(let path) = remark {
      try await terminal.print(path)
    } else {
      await terminal.note(remark.description, isQuiet: service.isQuiet)
    }
  }

  private func listeners(
    _ count: Int, _ remark: @escaping @Sendable (ServingRemark) -> Void
  ) throws -> [(place: any Listener, text: String)] {
    do {
      return try (1...count).map { number in
        guard let (address, port) = try tcpPort(for: count) else {
          let place = try TerminalListener(link: Recorder.numbered(link, number), remark: remark)
          return (place, place.path)
        }
        let place = try SocketListener(address, port: port + UInt16(number - 1), remark: remark)
        return (place, "\(place.place)")
      }
    } catch let error as LinkError { throw Self.failure(error) }
  }

  /// What a person reads where a place cannot be made.
  private static func failure(_ error: LinkError) -> Failure {
    let place = error.port ?? "the place"
    let isServer = place.hasPrefix("tcp:")
    return switch error {
    case .busy(_, nil) where isServer:
      Failure(
        .cannotCreate, "\(place) is taken by another program",
        advice: "Choose another port, or find the program with 'ss -ltnp'.")
    case .busy(_, let holder):
      Failure(
        .cannotCreate, "\(place) is served by \(holder.map { "\($0)" } ?? "another program")",
        advice: holder.map { "Choose another path, or end that one with 'kill \($0.processID)'." }
          ?? "Choose another path.")
    case .failed where !isServer:
      Failure(
        .cannotCreate, error.message,
        advice: "Choose a path that does not exist, in a folder that you can write to.")
    case .noPermission: Failure(.noPermission, error.message, advice: "Choose a port from 1024 to 65535.")
    default:
      Failure(
        .cannotCreate, error.message,
        advice: "Choose an address of this machine; 127.0.0.1 is always one.")
    }
  }
}

extension Listener {
  /// The place with what crosses its lines written down; itself where nobody writes.
  fileprivate func recorded(by captures: [CaptureWriter]) -> any Listener {
    captures.isEmpty ? self : RecordingListener(self, to: captures)
  }
}

extension [Recorder] {
  /// Ends them all, and reports what their captures lack.
  ///
  /// - Throws: ``Failure`` where a capture is incomplete.
  func finish(_ terminal: Terminal, meanwhile: () async -> Void = {}) async throws {
    let departure = Departure()
    var losses: [CaptureLoss] = []
    await withTaskGroup(of: CaptureLoss?.self) { group in
      for recorder in self { group.addTask { await recorder.finish(within: departure.rest) } }
      for await case let loss? in group { losses.append(loss) }
    }
    await meanwhile()
    for loss in losses.dropFirst() { await terminal.note("\(loss)", isQuiet: false) }
    if let loss = losses.first { throw Recorder.failure(loss) }
  }
}
