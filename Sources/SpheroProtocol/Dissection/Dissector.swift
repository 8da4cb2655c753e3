// Follows a recorded conversation and tells what every byte of it means.

/// Takes a conversation apart: the bytes of both directions become packets with names, fields and samples.
///
/// Feed it with ``append(_:from:at:)`` in the order of time and call ``finish()`` at the end.
/// Four things are not in a packet, so they are followed here:
/// a response belongs to the command with its sequence number;
/// a sensor packet has the layout of the last Set Data Streaming that was answered with ok
/// (or sent without asking for an answer);
/// a piece of a program goes on where the one before it ended;
/// and a header whose packet is not complete after a second was none.
public struct Dissector: Sendable {
  private var host: Side
  private var robot: Side
  private var requests = Requests()
  private var programs = ProgramContents()
  private var stream: Stream
  private let patience: Duration
  /// Finds the layout of a payload: among the messages that were added, then in the catalogue.
  private let look: @Sendable (Explanation.Subject, Dissection) -> Dissection
  /// All bytes of both directions so far.
  private var count = 0

  /// The layout of sensor packets.
  private struct Stream: Sendable {
    var mask: SensorMask
    var frames: Int?

    /// What the payloads of its packets can measure.
    var payloadCounts: Set<Int> {
      let stride = mask.wordCount * 2
      if let frames { return [stride * frames] }
      return stride > 0 ? Set(Swift.stride(from: stride, through: 4_095, by: stride)) : []
    }
  }

  /// Starts a dissection.
  ///
  /// - Parameters:
  ///   - mask: The fields of a stream whose request is not in the recording; sensor packets whose length does not fit
  ///     are then taken for damage.
  ///   - frames: How many frames its packets have, or nil for any number.
  ///   - patience: How long bytes may wait for the rest of their packet, where times are known.
  ///   - messages: Messages of your own, which go before those of the catalogue that have the same ID.
  public init<Messages: MessageCatalogue>(
    mask: SensorMask = [], frames: Int? = nil, patience: Duration = .seconds(1),
    messages: Messages.Type = Catalogue.self
  ) {
    (host, robot) = (Side(.host), Side(.robot))
    look = { $1.explained(as: $0, messages: Messages.self) }
    stream = Stream(mask: mask, frames: frames)
    self.patience = patience
    if !mask.isEmpty { robot.decoder.expectedPayloadCounts = [Sensing.SensorData.id: stream.payloadCounts] }
  }

  /// What the decoder of one direction has seen.
  public func statistics(of sender: Sender) -> PacketDecoder.Statistics {
    sender == .host ? host.decoder.statistics : robot.decoder.statistics
  }

  /// Takes the next bytes of one direction.
  ///
  /// - Parameters:
  ///   - bytes: What was written or read at once; it need not be whole packets.
  ///   - sender: Who sent it.
  ///   - time: When it was seen, since the recording began, or nil where that is not known.
  /// - Returns: What is complete now, in the order in which it was completed.
  public mutating func append(
    _ bytes: some Collection<UInt8>, from sender: Sender, at time: Duration? = nil
  ) -> [Dissection] {
    var items: [Dissection] = []
    if let time {
      host.giveUp(waitingSince: time - patience)
      robot.giveUp(waitingSince: time - patience)
      items += collect()
    }
    if sender == .host {
      host.append(bytes, at: time, offset: count)
    } else {
      robot.append(bytes, at: time, offset: count)
    }
    count += bytes.count
    return items + collect()
  }

  /// Ends the recording: looks behind headers whose packet never came, and reports the bytes that are left.
  ///
  /// - Returns: The last items.
  public mutating func finish() -> [Dissection] {
    host.giveUp(waitingSince: nil)
    robot.giveUp(waitingSince: nil)
    return collect() + [host.discardRest(), robot.discardRest()].compactMap { $0 }
  }

  private mutating func collect() -> [Dissection] {
    (host.take() + robot.take()).map { explained($0) }
  }

  // MARK: - Meaning

  private mutating func explained(_ item: Dissection) -> Dissection {
    var item = item
    switch item.packet {
    case .command(let packet):
      requests.sent(packet)
      explain(packet, in: &item)
    case .response(let packet):
      explain(packet, to: requests.answered(packet.sequence), in: &item)
    case .event(let packet):
      explain(packet, in: &item)
    case nil:
      break
    }
    return item
  }

  private mutating func explain(_ packet: CommandPacket, in item: inout Dissection) {
    item = look(.command(packet.id), item)
    programs.explain(packet, in: &item.fields)
    if !packet.options.contains(.answer) { follow(packet) }
  }

  private mutating func explain(
    _ packet: ResponsePacket, to command: CommandPacket?, in item: inout Dissection
  ) {
    guard let command else { return item.describeRaw() }
    item.answered = command.id
    item = look(.response(command.id, packet.status), item)
    if packet.status == .ok { follow(command) }
  }

  private func explain(_ packet: EventPacket, in item: inout Dissection) {
    item = look(.event(packet.id), item)
    item.addParts(of: packet)
    if packet.id == Sensing.SensorData.id {
      item.samples = Sample.samples(in: packet.payload, mask: stream.mask, frames: stream.frames) ?? []
    }
  }

  /// A request for streaming that is in effect changes what sensor packets mean.
  private mutating func follow(_ packet: CommandPacket) {
    guard packet.id == Sensing.SetDataStreaming.id,
      let request = try? Sensing.SetDataStreaming(payload: packet.payload)
    else { return }
    stream = Stream(mask: request.sensorMask, frames: request.frames == 0 ? nil : Int(request.frames))
    // Lengths that were told beforehand stay right: packets of the old stream may still come.
    robot.decoder.expectedPayloadCounts[Sensing.SensorData.id]?.formUnion(stream.payloadCounts)
  }
}

/// The commands that may still be answered.
private struct Requests: Sendable {
  /// How many later commands make an answer to an earlier one improbable.
  private static let limit = 64
  private var commands: [CommandPacket] = []

  mutating func sent(_ packet: CommandPacket) {
    guard packet.options.contains(.answer) else { return }
    if commands.count == Self.limit { commands.removeFirst() }
    commands.append(packet)
  }

  /// Some programs use a number again before it is answered: the older command is answered first.
  mutating func answered(_ sequence: UInt8) -> CommandPacket? {
    commands.firstIndex { $0.sequence == sequence }.map { commands.remove(at: $0) }
  }
}

/// Finds a message in the catalogue and takes its payload apart.
private struct Explanation: CatalogueVisitor {
  /// What the payload belongs to.
  enum Subject: Sendable {
    case command(CommandID)
    case response(CommandID, Status)
    case event(EventID)
  }

  let subject: Subject
  var item: Dissection
  /// Whether the payload has been taken apart.
  var isComplete = false

  mutating func command<R: Request>(_ type: R.Type, _ name: StaticString) {
    guard item.name == nil else { return }
    switch subject {
    case .command(R.id): complete(R.self, name)
    case .response(R.id, .ok): complete(R.Response.self, name)
    // A refusal has a name, but not the layout of the response.
    case .response(R.id, _): item.name = "\(name)"
    default: break
    }
  }

  mutating func event<E: Event>(_ type: E.Type, _ name: StaticString) {
    if item.name == nil, case .event(E.id) = subject { complete(E.self, name) }
  }

  /// The item; a payload that nobody knows is one field of raw bytes.
  var result: Dissection {
    var result = item
    if !isComplete { result.describeRaw() }
    return result
  }

  private mutating func complete<M: Message>(_ type: M.Type, _ name: StaticString) {
    item.name = "\(name)"
    item.describe(M.self)
    isComplete = true
  }
}

extension Dissection {
  /// A response that was not recorded, with its meaning.
  ///
  /// - Parameters:
  ///   - response: The response.
  ///   - command: What it answers.
  ///   - messages: Messages of your own, which go before those of the catalogue that have the same ID.
  public init<Messages: MessageCatalogue>(
    _ response: ResponsePacket, to command: CommandID, messages: Messages.Type = Catalogue.self
  ) {
    self.init(.response(response))
    answered = command
    self = explained(as: .response(command, response.status), messages: Messages.self)
  }

  /// An event that was not recorded, with its meaning.
  ///
  /// - Parameters:
  ///   - event: The event.
  ///   - messages: Messages of your own, which go before those of the catalogue that have the same ID.
  public init<Messages: MessageCatalogue>(
    _ event: EventPacket, messages: Messages.Type = Catalogue.self
  ) {
    self.init(.event(event))
    self = explained(as: .event(event.id), messages: Messages.self)
    addParts(of: event)
  }

  private init(_ packet: Packet) {
    self.init(packet, bytes: (try? packet.encoded()) ?? [], from: packet.sender, offset: 0)
  }

  /// The item with the meaning that one of the messages gives it.
  fileprivate func explained<Messages: MessageCatalogue>(
    as subject: Explanation.Subject, messages: Messages.Type
  ) -> Dissection {
    var explanation = Explanation(subject: subject, item: self)
    Messages.visit(&explanation)
    // What is named already is not looked at again.
    Catalogue.visit(&explanation)
    return explanation.result
  }

  /// Says what is known of the inside of a block.
  fileprivate mutating func addParts(of packet: EventPacket) {
    guard packet.id == Configuration.ConfigurationBlock.id else { return }
    fields.addParts(Configuration.ConfigurationBlock.parts(of: packet.payload), to: "block")
  }

  fileprivate mutating func describe<M: Message>(_ type: M.Type) {
    guard let payload = packet?.payload else { return }
    (fields, remarks) = M.describe(payload)
    // Of what ends inside its first field nothing is known.
    if fields.first?.name == "rest" { describeRaw() }
  }

  /// Shows the payload as one field of raw bytes.
  fileprivate mutating func describeRaw() {
    guard let payload = packet?.payload, !payload.isEmpty else { return }
    fields = [FieldDescription(name: "payload", value: .bytes(payload), range: 0..<payload.count)]
  }
}
