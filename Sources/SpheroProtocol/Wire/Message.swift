// A message, a request with its typed response, and an event.

/// A payload that has a layout.
public protocol Message: Hashable, Sendable, CustomStringConvertible {
  /// Makes a message with default values, for a reader to fill.
  init()

  /// Visits the fields in wire order: the one place where the bytes of a message are laid out.
  ///
  /// - Parameter wire: What walks through: a writer, a reader, a describer.
  /// - Throws: What the wire throws.
  mutating func layout(_ wire: inout some Wire) throws(WireError)

  /// Encodes into a writer; not to be implemented, the default walks the layout, specialised per message.
  func write(to writer: inout Writer) throws(WireError)

  /// Decodes from a reader; not to be implemented, the default walks the layout, specialised per message.
  init(from reader: inout Reader) throws(WireError)
}

extension Message {
  public mutating func layout(_ wire: inout some Wire) throws(WireError) {}

  /// Encodes into a writer.
  public func write(to writer: inout Writer) throws(WireError) {
    var copy = self
    try copy.layout(&writer)
  }

  /// Decodes from a reader.
  public init(from reader: inout Reader) throws(WireError) {
    self.init()
    try layout(&reader)
  }

  /// Decodes a payload; bytes after the last field are ignored, since later firmware may append some.
  ///
  /// - Parameter payload: The bytes between the header and CHK.
  /// - Throws: ``WireError``.
  public init(payload: [UInt8]) throws(WireError) {
    var reader = Reader(payload)
    try self.init(from: &reader)
  }

  /// Encodes the payload.
  ///
  /// - Returns: The bytes between the header and CHK.
  /// - Throws: ``WireError`` where a value lies outside its range.
  public func payload() throws(WireError) -> [UInt8] {
    var writer = Writer()
    try write(to: &writer)
    return writer.bytes
  }

  /// The fields with their values, units and places.
  public var fields: [FieldDescription] {
    var describer = Describer()
    var copy = self
    // A describer refuses nothing.
    try? copy.layout(&describer)
    return describer.fields
  }

  /// The fields in their units: `red=255 green=128 blue=0`; long runs of bytes are cut.
  public var description: String {
    fields.map { $0.name + "=" + Dissection.shortened($0.value) }.joined(separator: " ")
  }
}

/// A request to the robot, which knows its reply: a ``Command`` or a ``HazardousCommand``.
public protocol Request: Message {
  /// The payload of a successful response.
  associatedtype Response: Message = Acknowledgement
  /// The device and command bytes: DID and CID.
  static var id: CommandID { get }
  /// How it is called in results and errors; a message of your own that says it is called so everywhere.
  static var name: String { get }
  /// Whether it may be sent again if no answer comes.
  static var delivery: Delivery { get }
  /// The commands that it replaces, and that replace it; nil where there are none.
  static var lane: Lane? { get }
  /// What it starts or ends that a session must know; nil where there is nothing.
  var effect: RequestEffect? { get }
  /// The lasting harm that it can do, in one sentence; nil for a ``Command``.
  static var danger: String? { get }
}

/// A request that is free to be sent: what it changes can be seen, and set back by another.
public protocol Command: Request {}

/// A request that can change the robot permanently; the sender must accept the hazard.
///
/// It encodes, decodes and prints like any other, but a session does not take it where it takes a ``Command``.
public protocol HazardousCommand: Request {
  /// What can go wrong, in one sentence.
  static var hazard: String { get }
}

extension HazardousCommand {
  /// Its ``hazard``.
  public static var danger: String? { hazard }
}

extension Request {
  /// Nothing that lasts can go wrong.
  public static var danger: String? { nil }
}

extension Request {
  /// Decodes a request as a robot must: every byte has a meaning.
  ///
  /// - Parameter payload: The bytes between DLEN and CHK.
  /// - Throws: ``WireError``, also for bytes after the last field.
  public init(request payload: [UInt8]) throws(WireError) {
    var reader = Reader(payload)
    try self.init(from: &reader)
    try reader.finish()
  }

  /// Wraps the request in a packet.
  ///
  /// - Parameters:
  ///   - sequence: SEQ, echoed by the robot.
  ///   - options: SOP2: whether to answer, whether to restart the inactivity timer.
  /// - Returns: The packet.
  /// - Throws: ``WireError`` where a value lies outside its range.
  public func packet(
    sequence: UInt8, options: CommandPacket.Options = .standard
  ) throws(WireError) -> CommandPacket {
    CommandPacket(id: Self.id, options: options, sequence: sequence, payload: try payload())
  }
}

extension Request {
  /// Why a payload cannot be the successful response to this request; nil where it can be.
  ///
  /// A record may be longer than its layout, since later firmware appends fields;
  /// a response without a layout must be empty.
  public static func misfit(ofResponse payload: [UInt8]) -> WireError? {
    var reader = Reader(payload)
    do throws(WireError) { _ = try Response(from: &reader) } catch { return error }
    return reader.offset > 0 || payload.isEmpty ? nil : .excess(offset: 0, count: payload.count)
  }
}

/// The empty payload of a response that only says that a command was executed.
public struct Acknowledgement: Message {
  /// Makes an empty payload.
  public init() {}

  /// `executed`.
  public var description: String { "executed" }
}

/// A message that the robot sends by itself.
public protocol Event: Message {
  /// The ID byte of the asynchronous packet.
  static var id: EventID { get }
  /// How it is called in results and errors; a message of your own that says it is called so everywhere.
  static var name: String { get }
}
