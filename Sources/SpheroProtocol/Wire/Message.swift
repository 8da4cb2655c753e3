// Messages: payloads that declare their layout once, and the events among them.

/// A payload with a declared layout.
public protocol Message: Hashable, Sendable, CustomStringConvertible {
  /// Creates a message with default values, which a reader overwrites.
  init()

  /// Visits the fields in wire order; the only declaration of how the bytes of a message are laid out.
  ///
  /// The visitor writes, reads or describes each field; errors are those of the visitor.
  mutating func layout(_ wire: inout some Wire) throws(WireError)

  /// Encodes the message; the default visits the layout. A requirement so that each message is specialized.
  func write(to writer: inout Writer) throws(WireError)

  /// Decodes the message; the default visits the layout. A requirement so that each message is specialized.
  init(from reader: inout Reader) throws(WireError)
}

extension Message {
  public mutating func layout(_ wire: inout some Wire) throws(WireError) {}

  public func write(to writer: inout Writer) throws(WireError) {
    var copy = self
    try copy.layout(&writer)
  }

  public init(from reader: inout Reader) throws(WireError) {
    self.init()
    try layout(&reader)
  }

  /// Decodes the bytes between the header and CHK; ignores bytes after the last field, which later firmware may append.
  public init(payload: [UInt8]) throws(WireError) {
    var reader = Reader(payload)
    try self.init(from: &reader)
  }

  /// Decodes a payload without bytes after the last field.
  init(exactly payload: [UInt8]) throws(WireError) {
    var reader = Reader(payload)
    try self.init(from: &reader)
    try reader.finish()
  }

  /// Encodes the bytes between the header and CHK.
  ///
  /// - Throws: ``WireError`` if a value is out of range.
  public func payload() throws(WireError) -> [UInt8] {
    var writer = Writer()
    try write(to: &writer)
    return writer.bytes
  }

  /// The fields with their values, units and byte ranges.
  public var fields: [FieldDescription] {
    var describer = Describer()
    var copy = self
    // A describer throws no error.
    try? copy.layout(&describer)
    return describer.fields
  }

  /// The fields in their units: `red=255 green=128 blue=0`; long runs of bytes are truncated.
  public var description: String {
    fields.map { $0.name + "=" + Dissection.shortened($0.value) }.joined(separator: " ")
  }

  /// A name, followed by the fields.
  func named(_ name: String) -> String {
    fields.reduce(name) { $0 + " " + $1.name + "=" + Dissection.shortened($1.value) }
  }
}

/// A message that the robot sends unasked, in an asynchronous packet.
public protocol Event: Message {
  /// The ID byte of the asynchronous packet.
  static var id: EventID { get }
  /// The name in output and errors; a message of your own declares it.
  static var name: String { get }
}

// Names come from the catalogue, since Embedded Swift has no reflection.
extension Event {
  /// The name in the catalogue, like `Sensing.Collision`; the ID if the catalogue does not list the event.
  public static var name: String { Catalogue.name(of: id) ?? "event \(id)" }

  /// Name and fields: `Core.PowerNotification state=low`.
  public var description: String { named(Self.name) }
}
