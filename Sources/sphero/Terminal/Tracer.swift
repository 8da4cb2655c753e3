// Writes down what crosses the line, for people (-v) and for later (--capture).

import SpheroProtocol
import SpheroSerial

/// Writes down what crosses a line.
actor Tracer {
  private let isVerbose: Bool
  private let file: LogFile?
  private let start = SystemTime().now
  private var decoders: [Sender: PacketDecoder] = [:]

  init(isVerbose: Bool, captureFile: String?) throws(Failure) {
    self.isVerbose = isVerbose
    do throws(LinkError) { file = try captureFile.map { path throws(LinkError) in try LogFile(path) } } catch
    {
      throw Failure(
        .cannotCreate, error.description, advice: "Choose a file in a folder that you may write to.")
    }
  }

  func passed(_ bytes: [UInt8], from sender: Sender) {
    let time = SystemTime().now - start
    let seconds = Decimal.text(time / .seconds(1), digits: 3)
    let arrow = sender == .host ? ">" : "<"
    if let file { try? file.write("\(seconds) \(arrow) \(Hexadecimal.text(bytes))\n") }
    guard isVerbose else { return }
    var decoder = decoders[sender] ?? PacketDecoder(from: sender)
    decoder.append(bytes)
    while let packet = decoder.next() {
      let hexadecimal = (try? packet.encoded()).map { Hexadecimal.text($0) } ?? ""
      try? StandardStream.error.write("\(arrow) \(hexadecimal)  \(Self.meaning(of: packet))\n")
    }
    decoders[sender] = decoder
  }

  private static func meaning(of packet: Packet) -> String {
    switch packet {
    case .command(let packet):
      let message = Catalogue.command(packet.id).flatMap { try? $0.init(request: packet.payload) }
      return described(message, or: "command \(packet.id)")
    case .response(let packet): return "seq \(packet.sequence) \(packet.status.name)"
    case .event(let packet):
      let message = Catalogue.event(packet.id).flatMap { try? $0.init(payload: packet.payload) }
      return described(message, or: "event \(packet.id)")
    }
  }

  private static func described(_ message: (any Message)?, or name: String) -> String {
    guard let message else { return name }
    return ([type(of: message).name] + message.fields.map(\.description)).joined(separator: " ")
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
