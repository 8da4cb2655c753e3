// How simulated and recorded robots are served: the options, the endpoints and the captures of their lines.

import SpheroProcess
import SpheroRecording
import SpheroServing
import SpheroTransport

struct ServingOptions: Sendable {
  private var link: String?
  private var listen: String?
  private var captureFile: String?
  private(set) var isVerbose = false
  private(set) var isQuiet = false

  mutating func endpoints(_ line: inout Synopsis) throws(UsageError) {
    try line.option(
      "link", "l", &link, as: .newFile,
      "Also serve it at this path; further robots at path-2 and so on.")
    try line.option(
      "listen", nil, &listen,
      "Serve on this TCP port instead, or on ADDRESS:PORT; without an address, for this machine alone.")
    try line.conflict("link", "listen", "a link leads to a pseudo-terminal, not to a TCP port")
  }

  mutating func output(_ line: inout Synopsis) throws(UsageError) {
    try line.option(
      "capture", nil, &captureFile, as: .newFile,
      "Keep every byte, as the client sees it, in this file; of further robots in file-2 and so on.")
    try line.flag("quiet", "q", &isQuiet, "Print no remarks on stderr.")
    try line.flag(
      "verbose", "v", &isVerbose,
      "Print each packet on stderr, as the client sees it, and what happens to the robots: clients, sleep, charger, impacts."
    )
  }

  /// The address and the port of the first of `count` robots by `--listen`; nil without the option.
  @discardableResult
  func tcpPort(for count: Int) throws(UsageError) -> (InternetAddress, UInt16)? {
    guard let listen else { return nil }
    let isPort = listen.allSatisfy { "0123456789".contains($0) }
    let port: Port
    do throws(PortError) {
      port = try Port(parsing: "tcp:" + (isPort ? "127.0.0.1:" : "") + listen)
    } catch { throw UsageError("'--listen': \(error.message)", advice: error.advice) }
    guard case .tcp(let address, let number) = port else {
      throw UsageError(
        "'--listen': '\(listen)' names a host", advice: "Write a numeric address, like 0.0.0.0:4000.")
    }
    guard Int(number) + count - 1 <= 65_535 else {
      throw UsageError("'--listen': \(count) robots need as many ports, and the last one is 65535")
    }
    return (address, number)
  }

  /// Serves each robot at its endpoint until the task is cancelled; returns the recorders, which the caller finishes.
  ///
  /// `serve` receives the index of a robot, and returns when its listener is closed; `background` runs beside it.
  /// If `reportsClients`, the caller reports connections of clients, and `--verbose` prints no marks for them.
  func serve(
    _ terminal: Terminal, count: Int = 1, hint: String = "", reportsClients: Bool = false,
    _ serve: @escaping @Sendable (Int, any Listener) async throws -> Void,
    background: @escaping @Sendable () async -> Void = {}
  ) async throws -> [Recorder] {
    let remarks = Mailbox<ServingRemark>(capacity: 256)
    let endpoints = try listen(count) { remarks.push($0) }
    var recorders: [Recorder] = []
    let end = await result {
      // The captures are created after all listeners, so that the error of a listener leaves no empty capture.
      for (index, endpoint) in endpoints.enumerated() {
        recorders.append(
          try Recorder(
            file: Recorder.numbered(captureFile, index + 1), isVerbose: isVerbose, isQuiet: isQuiet,
            port: endpoint.text, label: Self.label(index, of: count), printsMarks: !reportsClients))
      }
      for endpoint in endpoints { try await terminal.print(endpoint.text) }
      if let first = endpoints.first {
        await terminal.note(
          "try it with 'sphero ping --port \(first.text)'; \(hint)Ctrl-C ends it", isQuiet: isQuiet)
      }
      try await withThrowingTaskGroup(of: Void.self) { [recorders] group in
        for (index, endpoint) in endpoints.enumerated() {
          group.addTask { try await serve(index, endpoint.listener.recorded(by: recorders[index].captures)) }
        }
        group.addTask { await background() }
        group.addTask {
          while let remarks = try? await remarks.receive() {
            for remark in remarks {
              // The new path goes to stdout, since scripts read it there.
              if case .moved(let path) = remark {
                // After its reader has closed stdout, the robots are still served.
                do { try await terminal.print(path) } catch OutputError.closed {}
              } else {
                await terminal.note(remark.description, isQuiet: isQuiet)
              }
            }
          }
          // Ctrl-C cancels the group and so ends the loop; the tasks that serve end when their listeners are closed.
          for endpoint in endpoints { await endpoint.listener.close() }
        }
        // The first error ends the group; `waitForAll` would wait for the tasks that have no end.
        while try await group.next() != nil {}
      }
    }
    for endpoint in endpoints { await endpoint.listener.close() }
    do { try end.get() } catch is CancellationError {} catch {
      // The first failure determines the exit code; an incomplete capture is a remark.
      do { try await recorders.finish(terminal) } catch {
        await terminal.note(Failure(error).message, isQuiet: false)
      }
      throw (error as? LinkError).map { Self.failure($0) } ?? error
    }
    return recorders
  }

  static func label(_ index: Int, of count: Int) -> String { count == 1 ? "" : "\(index + 1): " }

  private func listen(
    _ count: Int, _ remark: @escaping @Sendable (ServingRemark) -> Void
  ) throws -> [(listener: any Listener, text: String)] {
    do {
      return try (1...count).map { number in
        guard let (address, port) = try tcpPort(for: count) else {
          let terminal = try TerminalListener(link: Recorder.numbered(link, number), remark: remark)
          return (terminal, terminal.path)
        }
        let socket = try SocketListener(address, port: port + UInt16(number - 1), remark: remark)
        return (socket, "\(socket.endpoint)")
      }
    } catch let error as LinkError { throw Self.failure(error) }
  }

  private static func failure(_ error: LinkError) -> Failure {
    let endpoint = error.port ?? "the place"
    let isServer = endpoint.hasPrefix("tcp:")
    return switch error {
    case .busy(_, nil) where isServer:
      Failure(
        .cannotCreate, "\(endpoint) is taken by another program",
        advice: "Choose another port, or find the program with 'ss -ltnp'.")
    case .busy(_, let holder):
      Failure(
        .cannotCreate, "\(endpoint) is served by \(holder.map { "\($0)" } ?? "another program")",
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
  /// The listener with its bytes recorded; the listener itself without captures.
  fileprivate func recorded(by captures: [CaptureWriter]) -> any Listener {
    captures.isEmpty ? self : RecordingListener(self, to: captures)
  }
}

extension [Recorder] {
  /// Finishes all recorders and calls `body`, and then reports incomplete captures: the first one as a ``Failure``.
  func finish(_ terminal: Terminal, beforeLosses body: () async -> Void = {}) async throws {
    let shutdown = ShutdownDeadline()
    var losses: [CaptureLoss] = []
    await withTaskGroup(of: CaptureLoss?.self) { group in
      for recorder in self { group.addTask { await recorder.finish(within: shutdown.remaining) } }
      for await case let loss? in group { losses.append(loss) }
    }
    await body()
    for loss in losses.dropFirst() { await terminal.note("\(loss)", isQuiet: false) }
    if let loss = losses.first { throw Recorder.failure(loss) }
  }
}
