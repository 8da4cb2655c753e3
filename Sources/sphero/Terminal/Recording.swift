// What crosses the line, written down for people (-v) and for later (--capture).

import SpheroProcess
import SpheroProtocol
import SpheroRecording
import SpheroTransport

extension Connection {
  /// Writes down what crosses a line for as long as `body` runs, where that is asked for.
  ///
  /// - Parameters:
  ///   - line: The open line: only now, since a port that does not open must not cost an old capture.
  ///   - port: What the line was opened by.
  ///   - departure: How long the captures may take in the end.
  ///   - body: What to do with the line; its captures are for a line that takes its place later.
  /// - Returns: What `body` returns.
  /// - Throws: What `body` throws; `Failure` where the capture cannot be made, or is incomplete in the end.
  func recorded<Result>(
    _ line: some Transport, port: String, _ departure: Departure,
    _ body: (any Transport, [CaptureWriter]) async throws -> Result
  ) async throws -> Result {
    let header = CaptureHeader(program: "sphero", version: Program.version, port: port)
    var capture: CaptureWriter?
    if let captureFile {
      let file: CaptureFile
      do throws(LinkError) { file = try CaptureFile(captureFile) } catch {
        await line.close()
        throw Failure(
          .cannotCreate, error.description, advice: "Choose a file in a folder that you may write to.")
      }
      let isQuiet = isQuiet
      capture = CaptureWriter(to: file, header: header) { reason in
        await Terminal().note("the capture ends here: \(reason)", isQuiet: isQuiet)
      }
    }
    let trace = isVerbose ? CaptureWriter(to: PacketPrinter(), header: header) : nil
    let captures = [capture, trace].compactMap { $0 }
    let outcome: Swift.Result<Result, any Error>
    do {
      outcome = .success(try await body(RecordingTransport(line, to: captures), captures))
    } catch { outcome = .failure(error) }
    let patience = departure.rest
    async let traced = trace?.finish(within: patience)
    let loss = await capture?.finish(within: patience)
    _ = await traced
    guard let loss else { return try outcome.get() }
    let advice = "Make room, or read the pipe faster, and capture again."
    if case .failure = outcome {
      // The first failure decides the exit code; this one must be told all the same.
      await Terminal().note("\(loss)", isQuiet: false)
    }
    _ = try outcome.get()
    throw Failure(.linkLost, "\(loss)", advice: advice)
  }
}

/// Prints packets with their meaning on stderr.
private actor PacketPrinter: CaptureSink {
  private var dissector = Dissector()

  func write(_ record: CaptureRecord) async throws {
    switch record {
    case .header: break
    case .mark(let mark): try await StandardStream.error.write("\(mark)\n")
    case .line(let line):
      for item in dissector.append(line.bytes, from: line.sender, at: line.time) {
        let bytes = CaptureLine(from: item.sender, bytes: item.bytes)
        try await StandardStream.error.write("\(bytes)  \(item.meaning)\n")
      }
    }
  }
}
