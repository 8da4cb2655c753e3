// Writes down what crosses the line, for people (-v) and for later (--capture).

import SpheroProtocol
import SpheroSerial

/// Writes down what crosses a line.
actor Tracer {
  private let file: LogFile?
  private let start = SystemTime().now
  private var dissector: Dissector?

  init(isVerbose: Bool, captureFile: String?) throws(Failure) {
    dissector = isVerbose ? Dissector() : nil
    do throws(LinkError) { file = try captureFile.map { path throws(LinkError) in try LogFile(path) } } catch
    {
      throw Failure(
        .cannotCreate, error.description, advice: "Choose a file in a folder that you may write to.")
    }
  }

  func passed(_ bytes: [UInt8], from sender: Sender) {
    let line = CaptureLine(time: SystemTime().now - start, from: sender, bytes: bytes)
    // A full disk must not stop a robot in the middle of its way.
    if let file { try? file.write("\(line)\n") }
    for item in dissector?.append(line) ?? [] {
      try? StandardStream.error.write(
        "\(CaptureLine(from: item.sender, bytes: item.bytes))  \(item.meaning)\n")
    }
  }
}

/// A line that is written down.
struct TracedTransport: Transport {
  private let line: any Transport
  private let tracer: Tracer

  init(_ line: some Transport, _ tracer: Tracer) { (self.line, self.tracer) = (line, tracer) }

  func read() async throws -> [UInt8]? {
    let bytes = try await line.read()
    if let bytes { await tracer.passed(bytes, from: .robot) }
    return bytes
  }
  func write(_ bytes: [UInt8]) async throws {
    await tracer.passed(bytes, from: .host)
    try await line.write(bytes)
  }
  func close() async { await line.close() }
}
