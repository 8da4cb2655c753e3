// Writes down what crosses the line, for people (-v) and for later (--capture).

import SpheroProcess
import SpheroProtocol
import SpheroRecording
import SpheroTransport

/// Writes down what crosses a line, and never holds it up: a full pipe must not keep a ball rolling.
final class Tracer: Sendable {
  private let lines = Mailbox<CaptureLine>(capacity: 65_536)
  private let start = SystemTime().now
  private let writer: Task<Failure?, Never>

  init(isVerbose: Bool, captureFile: String?) throws(Failure) {
    let file: LogFile?
    do throws(LinkError) { file = try captureFile.map { path throws(LinkError) in try LogFile(path) } } catch
    {
      throw Failure(
        .cannotCreate, error.description, advice: "Choose a file in a folder that you may write to.")
    }
    let lines = lines
    writer = Task { await Self.write(lines, isVerbose: isVerbose, file: file) }
  }

  func passed(_ bytes: [UInt8], from sender: Sender) {
    lines.push([CaptureLine(time: SystemTime().now - start, from: sender, bytes: bytes)])
  }

  /// Waits until everything is written, at most for a second.
  ///
  /// - Returns: Why the capture is not complete, if it is not.
  func finish() async -> Failure? {
    lines.finish()
    let patience = Task {
      do { try await SystemTime().sleep(for: .seconds(1)) } catch { return }
      writer.cancel()
    }
    defer { patience.cancel() }
    return await writer.value
  }

  private static func write(_ lines: Mailbox<CaptureLine>, isVerbose: Bool, file: LogFile?) async -> Failure?
  {
    var dissector = isVerbose ? Dissector() : nil
    var failure: Failure?
    while let batch = try? await lines.receive() {
      for line in batch {
        if let file, failure == nil {
          do throws(LinkError) { try file.write("\(line)\n") } catch {
            failure = Failure(
              .linkLost, "the capture is not complete: \(error)", advice: "Make room, and capture again.")
          }
        }
        for item in dissector?.append(line.bytes, from: line.sender, at: line.time) ?? [] {
          let bytes = CaptureLine(from: item.sender, bytes: item.bytes)
          try? await StandardStream.error.write("\(bytes)  \(item.meaning)\n")
        }
      }
    }
    return failure
  }
}

/// A line that is written down.
struct TracedTransport: Transport {
  private let line: any Transport
  private let tracer: Tracer

  init(_ line: some Transport, _ tracer: Tracer) { (self.line, self.tracer) = (line, tracer) }

  func read() async throws -> [UInt8]? {
    let bytes = try await line.read()
    if let bytes { tracer.passed(bytes, from: .robot) }
    return bytes
  }
  func write(_ bytes: [UInt8]) async throws {
    tracer.passed(bytes, from: .host)
    try await line.write(bytes)
  }
  func close() async { await line.close() }
}
