// Where the robots of sphero simulate are reached, and who is served.

import SpheroRecording
import SpheroSerial
import SpheroSimulator
import SpheroTransport

extension Simulate {
  /// Serves robots, each at its place, until the task is cancelled.
  ///
  /// The places are printed: device files, links, or texts like `tcp:127.0.0.1:4000`.
  ///
  /// - Returns: What wrote down what crossed the lines, for whoever ends it.
  func serve(
    _ world: SimulatedWorld, _ options: SimulatorOptions, _ terminal: Terminal
  ) async throws -> [Recorder] {
    let remarks = Mailbox<ServingRemark>(capacity: 256)
    let listeners = try listeners { remarks.push($0) }
    var recorders: [Recorder] = []
    let outcome: Result<Void, any Error>
    do {
      // Only now: a place that cannot be made must not cost an old capture.
      for (index, listener) in listeners.enumerated() {
        recorders.append(try recorder(index + 1, port: listener.text))
      }
      for listener in listeners { try await terminal.print(listener.text) }
      if let first = listeners.first {
        await terminal.note(
          "try it with 'sphero ping --port \(first.text)'; lines typed here, like 'shake 1s', move it; Ctrl-C ends it",
          isQuiet: isQuiet)
      }
      try await withThrowingTaskGroup(of: Void.self) { [recorders] group in
        for (index, robot) in world.robots.enumerated() {
          group.addTask {
            try await Self.serve(
              robot, at: listeners[index].place, options.faults(of: index), recorders[index].captures)
          }
        }
        group.addTask { await TypedHand(world: world, terminal: terminal).follow() }
        group.addTask {
          while let remarks = try? await remarks.receive() {
            for remark in remarks { try await self.tell(remark, terminal) }
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

  private static func serve(
    _ robot: SimulatedRobot, at place: some Listener, _ faults: FaultPlan, _ captures: [CaptureWriter]
  ) async throws {
    guard !captures.isEmpty else { return try await robot.serve(place, faults: faults) }
    // Below the faults: what is written down is what the client sees.
    try await robot.serve(RecordingListener(place, to: captures), faults: faults)
  }

  private func tell(_ remark: ServingRemark, _ terminal: Terminal) async throws {
    // Paths are results, remarks are not.
    if remark.kind == .moved {
      try await terminal.print(remark.place)
    } else {
      await terminal.note(remark.description, isQuiet: isQuiet)
    }
  }

  // MARK: Places

  private func listeners(
    _ remark: @escaping @Sendable (ServingRemark) -> Void
  ) throws -> [(place: any Listener, text: String)] {
    do {
      return try (1...robots.value).map { number in
        guard let (address, port) = try tcpPort() else {
          let place = try TerminalListener(link: numbered(link, number), remark: remark)
          return (place, place.path)
        }
        let place = try SocketListener(address, port: port + UInt16(number - 1), remark: remark)
        return (place, "\(place.place)")
      }
    } catch let error as LinkError { throw Self.failure(error) }
  }

  /// The address and the port of `--listen`; nil without it.
  func tcpPort() throws(UsageError) -> (InternetAddress, UInt16)? {
    guard let listen else { return nil }
    let isPort = listen.allSatisfy { "0123456789".contains($0) }
    let place: Port
    do throws(PortError) { place = try Port(parsing: "tcp:" + (isPort ? "127.0.0.1:" : "") + listen) } catch {
      throw UsageError("'--listen': \(error.message)", advice: error.advice)
    }
    guard case .tcp(let address, let port) = place.place else { return nil }
    guard Int(port) + robots.value - 1 <= 65_535 else {
      throw UsageError("'--listen': \(robots.value) robots need as many ports, and the last one is 65535")
    }
    return (address, port)
  }

  /// What a person reads where a place cannot be made.
  private static func failure(_ error: LinkError) -> Failure {
    let place = error.port ?? "the place"
    let isServer = place.hasPrefix("tcp:")
    return switch error.code {
    case .busy where isServer && error.holder == nil:
      Failure(
        .cannotCreate, "\(place) is taken by another program",
        advice: "Choose another port, or find the program with 'ss -ltnp'.")
    case .busy:
      Failure(
        .cannotCreate, "\(place) is served by \(error.holder.map { "\($0)" } ?? "another program")",
        advice: error.holder.map { "Choose another path, or end that one with 'kill \($0.processID)'." }
          ?? "Choose another path.")
    case .failed where !isServer:
      Failure(
        .cannotCreate, error.message,
        advice: "Choose a path where no file is, in a folder that you may write to.")
    case .noPermission: Failure(.noPermission, error.message, advice: "Choose a port from 1024 to 65535.")
    default:
      Failure(
        .cannotCreate, error.message,
        advice: "Choose an address of this machine; 127.0.0.1 is always one.")
    }
  }
}
