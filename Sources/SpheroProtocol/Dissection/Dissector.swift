// Follows a recorded conversation and explains every byte of it.

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
  private var requests = OpenRequests()
  private var programs = ProgramContents()
  private var stream: StreamFormat
  /// What the messages mean that were seen: of those that were added, then of the catalogue.
  private var meanings: Meanings
  /// All bytes of both directions so far.
  private var count = 0
  private var isEnding = false

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
    (host, robot) = (Side(.host, timeout: patience), Side(.robot, timeout: patience))
    meanings = Meanings { Meaning(of: $0, in: Messages.self) }
    stream = StreamFormat(mask: mask, frames: frames.map { UInt16(clamping: $0) })
    if !mask.isEmpty { robot.expectedPayloadCounts = [Sensing.SensorData.id: stream.payloadCounts] }
  }

  /// What the decoder of one direction has seen.
  public func statistics(of sender: Sender) -> PacketDecoder.Statistics {
    sender == .host ? host.statistics : robot.statistics
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
    giveUp(before: time)
    while let item = next() { items.append(item) }
    let bytes = ContiguousArray(bytes)
    feed(bytes.span, from: sender, at: time)
    while let item = next() { items.append(item) }
    return items
  }

  /// Takes the next bytes of one direction; ``next()`` then returns what is complete.
  package mutating func feed(_ bytes: Span<UInt8>, from sender: Sender, at time: Duration? = nil) {
    giveUp(before: time)
    if sender == .host {
      host.append(bytes, at: time, offset: count)
    } else {
      robot.append(bytes, at: time, offset: count)
    }
    count += bytes.count
  }

  private mutating func giveUp(before time: Duration?) {
    guard let time else { return }
    host.giveUp(at: time)
    robot.giveUp(at: time)
  }

  /// What is complete next.
  package mutating func next() -> Dissection? {
    guard var item = nextItem() else {
      guard isEnding else { return nil }
      if let rest = host.discardRest() ?? robot.discardRest() { return rest }
      isEnding = false
      return nil
    }
    explain(&item)
    return item
  }

  /// What is complete next, without its meaning.
  private mutating func nextItem() -> Dissection? {
    // What giving up has found comes before what came later.
    if !host.hasFound, robot.hasFound { return robot.next() }
    // An item is large, so where there cannot be one, none is looked for.
    if host.isUsed, let item = host.next() { return item }
    return robot.next()
  }

  /// Ends the recording: looks behind headers whose packet never came; ``next()`` then returns the last items.
  package mutating func end() {
    host.giveUp()
    robot.giveUp()
    isEnding = true
  }

  /// Ends the recording: looks behind headers whose packet never came, and reports the bytes that are left.
  ///
  /// - Returns: The last items.
  public mutating func finish() -> [Dissection] {
    end()
    var items: [Dissection] = []
    while let item = next() { items.append(item) }
    return items
  }

  // MARK: - Meaning

  private mutating func explain(_ item: inout Dissection) {
    switch item.packet {
    case .command(let packet):
      requests.sent(packet)
      explain(packet, in: &item)
    case .response(let packet):
      explain(packet, to: requests.answered(packet.sequence)?.packet, in: &item)
    case .event(let packet):
      explain(packet, in: &item)
    case nil:
      break
    }
  }

  private mutating func explain(_ packet: CommandPacket, in item: inout Dissection) {
    item.describe(by: meanings[.command(packet.id)])
    programs.explain(packet, in: &item.fields)
    guard let request = Sensing.SetDataStreaming(recorded: packet) else { return }
    // Lengths that were told beforehand stay right: packets of the old stream may still come.
    robot.expectedPayloadCounts[Sensing.SensorData.id]?.formUnion(
      StreamFormat(request).payloadCounts)
    if !packet.options.contains(.answer) { follow(packet) }
  }

  private mutating func explain(
    _ packet: ResponsePacket, to command: CommandPacket?, in item: inout Dissection
  ) {
    guard let command else { return item.describeRaw() }
    item.explain(packet.status, to: command.id, meanings[.response(command.id)])
    if packet.status == .ok { follow(command) }
  }

  private mutating func explain(_ packet: EventPacket, in item: inout Dissection) {
    item.explain(packet, meanings[.event(packet.id)])
    if packet.id == Sensing.SensorData.id, !stream.mask.isEmpty {
      item.samples =
        Sample.samples(in: packet.payload, mask: stream.mask, frames: stream.frames.map { Int($0) }) ?? []
    }
  }

  /// A request for streaming that is in effect changes what sensor packets mean.
  private mutating func follow(_ packet: CommandPacket) {
    guard let request = Sensing.SetDataStreaming(recorded: packet) else { return }
    stream = StreamFormat(request)
  }
}

/// The name of a message, and what takes its payload apart.
private struct Meaning: Sendable {
  /// What a payload belongs to.
  enum Subject: Hashable, Sendable {
    case command(CommandID)
    case response(CommandID)
    case event(EventID)
  }

  /// The name in the catalogue; a response has that of its command.
  let name: String
  /// Takes a payload apart.
  let describe: @Sendable ([UInt8]) -> (fields: [FieldDescription], remarks: [WireError])

  fileprivate init<M: Message>(_ type: M.Type, _ name: StaticString) {
    (self.name, describe) = (name.description, { M.describe($0) })
  }

  /// Looks through messages, then through the catalogue; nil where none of them is meant.
  init?<Messages: MessageCatalogue>(of subject: Subject, in messages: Messages.Type) {
    var search = Search(subject: subject)
    Messages.visit(&search)
    if search.found == nil { Catalogue.visit(&search) }
    guard let found = search.found else { return nil }
    self = found
  }

  private struct Search: CatalogueVisitor {
    let subject: Subject
    var found: Meaning?

    mutating func command<R: Request>(_ type: R.Type, _ name: StaticString) {
      guard found == nil else { return }
      switch subject {
      case .command(R.id): found = Meaning(R.self, name)
      case .response(R.id): found = Meaning(R.Response.self, name)
      default: break
      }
    }

    mutating func event<E: Event>(_ type: E.Type, _ name: StaticString) {
      if found == nil, case .event(E.id) = subject { found = Meaning(E.self, name) }
    }
  }
}

/// The meanings that were looked up, so that each is looked up once.
private struct Meanings: Sendable {
  private let find: @Sendable (Meaning.Subject) -> Meaning?
  private var known: [Meaning.Subject: Meaning?] = [:]
  /// The one that was asked for last, which is the next one in a stream.
  private var last: (subject: Meaning.Subject, meaning: Meaning?)?

  init(_ find: @escaping @Sendable (Meaning.Subject) -> Meaning?) { self.find = find }

  subscript(subject: Meaning.Subject) -> Meaning? {
    mutating get {
      if let last, last.subject == subject { return last.meaning }
      let meaning = known[subject] ?? find(subject)
      known[subject] = .some(meaning)
      last = (subject, meaning)
      return meaning
    }
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
    explain(response.status, to: command, Meaning(of: .response(command), in: Messages.self))
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
    explain(event, Meaning(of: .event(event.id), in: Messages.self))
  }

  private init(_ packet: Packet) {
    self.init(packet, bytes: (try? packet.encoded()) ?? [], from: packet.sender, offset: 0)
  }

  fileprivate mutating func explain(_ status: Status, to command: CommandID, _ meaning: Meaning?) {
    answered = command
    if status == .ok { return describe(by: meaning) }
    // A refusal has a name, but not the layout of the response.
    name = meaning?.name
    describeRaw()
  }

  fileprivate mutating func explain(_ event: EventPacket, _ meaning: Meaning?) {
    describe(by: meaning)
    addParts(of: event)
  }

  /// Says what is known of the inside of a block.
  fileprivate mutating func addParts(of packet: EventPacket) {
    guard packet.id == Configuration.ConfigurationBlock.id else { return }
    fields.addParts(Configuration.ConfigurationBlock.parts(of: packet.payload), to: "block")
  }

  fileprivate mutating func describe(by meaning: Meaning?) {
    guard let meaning, let payload = packet?.payload else { return describeRaw() }
    name = meaning.name
    (fields, remarks) = meaning.describe(payload)
    // Of what ends inside its first field nothing is known.
    if fields.first?.name == "rest" { describeRaw() }
  }

  /// Shows the payload as one field of raw bytes.
  fileprivate mutating func describeRaw() {
    guard let payload = packet?.payload, !payload.isEmpty else { return }
    fields = [FieldDescription(name: "payload", value: .bytes(payload), range: 0..<payload.count)]
  }
}
