// What crosses the line, written down for people (-v) and for later (--capture).

import SpheroProcess
import SpheroProtocol
import SpheroRecording
import SpheroSystem
import SpheroTransport

/// What writes down what crosses one line: for people, for later, or both.
struct Recorder: Sendable {
  private let capture: CaptureWriter?
  private let trace: CaptureWriter?

  /// All of them.
  var captures: [CaptureWriter] { [capture, trace].compactMap { $0 } }

  /// Begins to write.
  ///
  /// - Parameters:
  ///   - file: The capture to make, or nil for none.
  ///   - isVerbose: Whether packets are printed on stderr.
  ///   - isQuiet: Whether remarks are left out.
  ///   - port: What the line was opened by.
  ///   - label: What stands in front of each printed packet.
  /// - Throws: ``Failure`` where the file cannot be made.
  init(file: String?, isVerbose: Bool, isQuiet: Bool, port: String, label: String = "") throws(Failure) {
    let header = CaptureHeader(program: "sphero", version: Program.version, port: port)
    if let file {
      let sink: CaptureFile
      do throws(LinkError) { sink = try CaptureFile(file, isReplacing: false) } catch {
        if case .failed(_, _, let code) = error, SystemError(code: code).isExisting {
          throw Failure(
            .cannotCreate, "\(file) already exists, and captures do not overwrite files",
            advice: "Choose another name, or remove the file first.")
        }
        throw Failure(
          .cannotCreate, error.message, advice: "Choose a file in a folder that you may write to.")
      }
      capture = CaptureWriter(to: sink, header: header, time: Program.time) { reason in
        await Terminal().note("\(label)the capture ends here: \(reason)", isQuiet: isQuiet)
      }
    } else {
      capture = nil
    }
    trace =
      isVerbose ? CaptureWriter(to: PacketPrinter(label: label), header: header, time: Program.time) : nil
  }

  /// Ends both, and reports what the capture lacks.
  func finish(within patience: Duration) async -> CaptureLoss? {
    async let traced = trace?.finish(within: patience)
    let loss = await capture?.finish(within: patience)
    _ = await traced
    return loss ?? nil
  }

  /// The file of a robot, counted from 1: the first has the name itself, the others have it with their number.
  static func numbered(_ path: String?, _ number: Int) -> String? {
    path.map { number == 1 ? $0 : "\($0)-\(number)" }
  }

  /// A file name by the present time, so that no capture takes the place of another.
  ///
  /// - Parameter what: What it begins with.
  /// - Returns: Like `record-20261122T074617Z.capture`, in UTC.
  static func freshName(of what: String) -> String {
    let time = WallTime(sinceEpoch: SystemTime().wallClock).description
    return "\(what)-\(time.prefix { $0 != "." }.filter { $0 != ":" && $0 != "-" })Z.capture"
  }

  /// What an incomplete capture means.
  static func failure(_ loss: CaptureLoss) -> Failure {
    Failure(.linkLost, "\(loss)", advice: "Make room, or read the pipe faster, and capture again.")
  }
}

extension Connection {
  /// Writes down what crosses a line for as long as `body` runs, where that is asked for.
  ///
  /// - Parameters:
  ///   - line: The open line: only now, since a port that does not open must not cost an old capture.
  ///   - port: What the line was opened by.
  ///   - departure: How long the captures may take at the end.
  ///   - body: What to do with the line; its captures are for a line that takes its place later.
  /// - Returns: What `body` returns.
  /// - Throws: What `body` throws; `Failure` where the capture cannot be made, or is incomplete at the end.
  func recorded<Result>(
    _ line: some Transport, port: String, _ departure: Departure,
    _ body: (any Transport, [CaptureWriter]) async throws -> Result
  ) async throws -> Result {
    let recorder: Recorder
    do throws(Failure) {
      recorder = try Recorder(
        file: captureFile, isVerbose: isVerbose, isQuiet: isQuiet, port: port, label: label)
    } catch {
      await line.close()
      throw error
    }
    let captures = recorder.captures
    let outcome: Swift.Result<Result, any Error>
    do {
      outcome = .success(try await body(line.noted(by: captures), captures))
    } catch { outcome = .failure(error) }
    guard let loss = await recorder.finish(within: departure.rest) else { return try outcome.get() }
    if case .failure = outcome {
      // The first failure decides the exit code; this one must be reported all the same.
      await Terminal().note("\(label)\(loss)", isQuiet: false)
    }
    _ = try outcome.get()
    throw Recorder.failure(loss)
  }
}

extension Transport {
  /// The line with its bytes written down; itself where nobody writes them, since each layer costs as much as a read.
  func noted(by captures: [CaptureWriter]) -> any Transport {
    captures.isEmpty ? self : RecordingTransport(self, to: captures)
  }
}

/// Prints packets with their meaning on stderr.
private actor PacketPrinter: CaptureSink {
  private let label: String
  private var dissector = Dissector()

  init(label: String) { self.label = label }

  func write(_ record: CaptureRecord) async throws {
    switch record {
    case .header: break
    case .mark(let mark): try await StandardStream.error.write("\(label)\(mark)\n")
    case .line(let line):
      for item in dissector.append(line.bytes, from: line.sender, at: line.time) {
        let bytes = CaptureLine(from: item.sender, bytes: item.bytes)
        try await StandardStream.error.write("\(label)\(bytes)  \(item.meaning)\n")
      }
    }
  }
}
