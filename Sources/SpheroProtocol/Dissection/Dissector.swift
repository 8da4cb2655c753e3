// The dissector: decodes a recorded conversation into packets with names, fields and samples.

/// Decodes a conversation: the bytes of both directions become packets with names, fields and samples.
///
/// Pass the bytes to ``append(_:from:at:)`` in the order of time, and call ``finish()`` at the end.
/// The dissector tracks the state that the packets themselves do not contain:
///
/// * A response belongs to the oldest command of the last second with its sequence number that it may answer, or else to
///   the newest command with that number, however old it is.
/// * A sensor packet has the layout of the last Set Data Streaming that requested no answer or was answered with ok.
/// * A piece of a program continues the previous piece.
/// * A packet that is not complete a second after its first byte is discarded, if times are known.
public struct Dissector: Sendable {
  private var host = DirectionDecoder(.host)
  private var robot = DirectionDecoder(.robot)
  private var requests = OutstandingRequests()
  /// The command to which the response that ``next(describing:)`` returned last belongs; nil if it is unknown.
  package private(set) var answered: OutstandingRequests.Sent?
  private var programs = ProgramDissector()
  private var stream: StreamFormat
  private var formats: MessageFormats
  private var count = 0
  private var isEnding = false

  /// Creates a dissector.
  ///
  /// - Parameters:
  ///   - mask: The fields of a stream without a request; sensor packets of another length have no samples.
  ///   - frames: The number of frames in the packets of that stream, or nil for any number.
  ///   - messages: Your own messages, which have precedence over those of the catalogue with the same ID.
  public init<Messages: MessageCatalogue>(
    mask: SensorMask = [], frames: Int? = nil, messages: Messages.Type = Catalogue.self
  ) {
    formats = MessageFormats(Messages.self)
    stream = StreamFormat(mask: mask, frames: frames.map { UInt16(clamping: $0) })
  }

  /// The numbers of packets, bytes and errors in one direction.
  public func statistics(of sender: Sender) -> PacketDecoder.Statistics {
    sender == .host ? host.statistics : robot.statistics
  }

  /// Appends the bytes of one read or write, and returns the complete items in the order of completion.
  /// `time` counts from the start of the recording; nil if unknown.
  public mutating func append(
    _ bytes: some Collection<UInt8>, from sender: Sender, at time: Duration? = nil
  ) -> [Dissection] {
    let bytes = ContiguousArray(bytes)
    feed(bytes.span, from: sender, at: time)
    return items()
  }

  /// Appends the bytes of one read or write; ``next()`` then returns the complete items.
  package mutating func feed(_ bytes: Span<UInt8>, from sender: Sender, at time: Duration? = nil) {
    if let time {
      host.discardExpired(at: time)
      robot.discardExpired(at: time)
    }
    switch sender {
    case .host: host.append(bytes, at: time, offset: count)
    case .robot: robot.append(bytes, at: time, offset: count)
    }
    count += bytes.count
  }

  private mutating func items() -> [Dissection] {
    var items: [Dissection] = []
    while let item = next() { items.append(item) }
    return items
  }

  /// The next complete item. If `describing` is false, events have no names, fields and samples, and
  /// responses to a known command have no names and fields.
  package mutating func next(describing: Bool = true) -> Dissection? {
    guard var item = nextItem() else {
      guard isEnding else { return nil }
      if let rest = host.discardRest() ?? robot.discardRest() { return rest }
      isEnding = false
      return nil
    }
    explain(&item, describing: describing)
    return item
  }

  private mutating func nextItem() -> Dissection? {
    // Packets are decoded on demand: items of the robot that exist before those of the host come from a timeout, and
    // precede the packets in later bytes of the host.
    if !host.hasItems, robot.hasItems { return robot.next() }
    // An item is a large value: the test avoids the copy of a nil result.
    if host.isUsed, let item = host.next() { return item }
    return robot.next()
  }

  /// Ends the recording; ``next()`` then returns the last items.
  package mutating func end() {
    host.discardIncomplete()
    robot.discardIncomplete()
    isEnding = true
  }

  /// Ends the recording, discards incomplete packets and returns the last items.
  public mutating func finish() -> [Dissection] {
    end()
    return items()
  }

  private mutating func explain(_ item: inout Dissection, describing: Bool) {
    answered = nil
    switch item.packet {
    case .command(let packet):
      requests.sent(packet, at: item.time)
      item.describe(by: formats[.command(packet.id)])
      programs.addParts(of: packet, to: &item.fields)
      guard let request = Sensing.SetDataStreaming(recorded: packet) else { return }
      if !packet.options.contains(.answer) { stream = StreamFormat(request) }
    case .response(let packet):
      answered = requests.answered(by: packet, at: item.time)
      guard let command = answered?.packet else { return item.describeRaw() }
      if describing { item.explain(packet.status, to: command.id, formats[.response(command.id)]) }
      if packet.status == .ok, let request = Sensing.SetDataStreaming(recorded: command) {
        stream = StreamFormat(request)
      }
    case .event(let packet):
      guard describing else { return }
      item.explain(packet, formats[.event(packet.id)])
      if packet.id == Sensing.SensorData.id, !stream.mask.isEmpty {
        item.samples =
          Sample.samples(in: packet.payload, mask: stream.mask, frames: stream.frames.map { Int($0) }) ?? []
      }
    case nil: break
    }
  }
}

private struct MessageFormat: Sendable {
  let name: String
  let describe: @Sendable ([UInt8]) -> (fields: [FieldDescription], remarks: [WireError])
}

private struct MessageFormats: CatalogueVisitor, Sendable {
  enum ID: Hashable, Sendable {
    case command(CommandID)
    case response(CommandID)
    case event(EventID)
  }

  private var formats: [ID: MessageFormat] = [:]
  /// The result of the last look-up; consecutive messages usually have the same ID.
  private var last: (id: ID, format: MessageFormat?)?

  init<Messages: MessageCatalogue>(_ messages: Messages.Type) {
    Messages.visit(&self)
    Catalogue.visit(&self)
  }

  subscript(id: ID) -> MessageFormat? {
    mutating get {
      if let last, last.id == id { return last.format }
      let format = formats[id]
      last = (id, format)
      return format
    }
  }

  mutating func command<R: Request>(_ type: R.Type, _ name: StaticString) {
    add(R.self, .command(R.id), name)
    add(R.Response.self, .response(R.id), name)
  }

  mutating func event<E: Event>(_ type: E.Type, _ name: StaticString) { add(E.self, .event(E.id), name) }

  /// Adds the format of a message, unless an earlier one has the same ID.
  private mutating func add<M: Message>(_ type: M.Type, _ id: ID, _ name: StaticString) {
    guard formats[id] == nil else { return }
    formats[id] = MessageFormat(name: name.description, describe: { M.describe($0) })
  }
}

extension Dissection {
  /// Describes a response to `command` that is not part of a recording; your own `messages` have precedence.
  public init<Messages: MessageCatalogue>(
    _ response: ResponsePacket, to command: CommandID, messages: Messages.Type = Catalogue.self
  ) {
    self.init(.response(response))
    var formats = MessageFormats(Messages.self)
    explain(response.status, to: command, formats[.response(command)])
  }

  /// Describes an event that is not part of a recording; your own `messages` have precedence.
  public init<Messages: MessageCatalogue>(
    _ event: EventPacket, messages: Messages.Type = Catalogue.self
  ) {
    self.init(.event(event))
    var formats = MessageFormats(Messages.self)
    explain(event, formats[.event(event.id)])
  }

  private init(_ packet: Packet) {
    self.init(packet, bytes: (try? packet.encoded()) ?? [], from: packet.sender, offset: 0)
  }

  fileprivate mutating func explain(_ status: Status, to command: CommandID, _ format: MessageFormat?) {
    answered = command
    if status == .ok { return describe(by: format) }
    // A refusal has a name, but not the layout of the response.
    name = format?.name
    describeRaw()
  }

  fileprivate mutating func explain(_ event: EventPacket, _ format: MessageFormat?) {
    describe(by: format)
    if event.id == Configuration.ConfigurationBlock.id {
      fields.setParts(Configuration.ConfigurationBlock.parts(of: event.payload), of: "block")
    }
  }

  fileprivate mutating func describe(by format: MessageFormat?) {
    guard let format, let payload = packet?.payload else { return describeRaw() }
    name = format.name
    (fields, remarks) = format.describe(payload)
    // A payload that ends inside its first field is described as `rest` only.
    if fields.first?.name == "rest" { describeRaw() }
  }

  fileprivate mutating func describeRaw() {
    guard let payload = packet?.payload, !payload.isEmpty else { return }
    fields = [FieldDescription(name: "payload", value: .bytes(payload), range: 0..<payload.count)]
  }
}
