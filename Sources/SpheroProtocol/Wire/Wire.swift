// Messages, which declare their layout once, and the reader and writer that visit it.

// The public interface of messages uses types of SpheroText, such as `FieldValue` and `Quantity`.
@_exported public import SpheroText

/// A payload with a declared layout.
public protocol Message: Hashable, Sendable, CustomStringConvertible {
  /// Creates a message with default values, which a reader overwrites.
  init()

  /// Visits the fields in wire order, the only declaration of their bytes; errors are those of the visitor.
  mutating func layout(_ wire: inout some Wire) throws(WireError)

  /// Encodes the message by visiting the layout, which the compiler specializes; throws if a value is out of range.
  func write(to writer: inout Writer) throws(WireError)

  /// Decodes the message by visiting the layout; throws if the payload does not fit it.
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
  /// Throws if the payload is truncated or a value is out of range.
  public init(payload: [UInt8]) throws(WireError) {
    var reader = Reader(payload)
    try self.init(from: &reader)
  }

  init(exactly payload: [UInt8]) throws(WireError) {
    var reader = Reader(payload)
    try self.init(from: &reader)
    try reader.finish()
  }

  /// Encodes the bytes between the header and CHK; throws ``WireError`` if a value is out of range.
  public func payload() throws(WireError) -> [UInt8] {
    var writer = Writer()
    try write(to: &writer)
    return writer.bytes
  }

  /// The fields with their values, units and byte ranges.
  public var fields: [FieldDescription] {
    var describer = Describer()
    var copy = self
    // A describer of values throws no error.
    try? copy.layout(&describer)
    return describer.fields
  }

  /// The fields in their units: `red=255 green=128 blue=0`; long runs of bytes are truncated.
  public var description: String { Dissection.text(of: fields) }

  func named(_ name: String) -> String {
    let fields = fields
    return fields.isEmpty ? name : name + " " + Dissection.text(of: fields)
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

  package init?(packet: EventPacket) {
    guard packet.id == Self.id, let event = try? Self(payload: packet.payload) else { return nil }
    self = event
  }
}

/// Visits the fields of a message in wire order.
///
/// The visitor determines what is done with ``Message/layout(_:)``: a ``Writer`` encodes, a ``Reader`` decodes.
/// Integers are big-endian (Sphero API 1.50, "Packet structures").
public protocol Wire {
  /// Visits an integer of one, two or four bytes, with its name in output and the values that may be sent; throws if the
  /// payload is truncated or the value is out of range.
  mutating func field<Value: WireInteger>(
    _ name: StaticString, _ value: inout Value, _ quantity: Quantity, in range: ClosedRange<Value>
  ) throws(WireError)

  /// Visits a field whose values have names; throws ``WireError/unknownValue(field:value:offset:)`` for other raw values.
  mutating func field<Value: WireChoice>(_ name: StaticString, _ value: inout Value) throws(WireError)

  /// Visits a run of bytes with its permitted lengths; a reader reads all remaining bytes, up to the upper bound.
  ///
  /// - Throws: ``WireError`` if there are too few bytes or, for a writer, too many.
  mutating func field<Value: WireBytes>(
    _ name: StaticString, _ value: inout Value, count counts: ClosedRange<Int>
  ) throws(WireError)

  /// Whether an optional field follows; old firmware and programs omit the last fields of some payloads.
  ///
  /// A visitor that reads returns whether bytes remain, an encoder returns `isPresent`: whether the message has a value.
  mutating func follows(_ isPresent: Bool) -> Bool

  /// The number of bytes that remain to be read; nil if the visitor has no payload of known length, the default.
  var remaining: Int? { get }
}

extension Wire {
  public var remaining: Int? { nil }

  /// Visits an integer that may have any value.
  public mutating func field<Value: WireInteger>(
    _ name: StaticString, _ value: inout Value, _ quantity: Quantity = .count
  ) throws(WireError) {
    try field(name, &value, quantity, in: .min ... .max)
  }

  /// Visits an integer without a unit and with limits.
  public mutating func field<Value: WireInteger>(
    _ name: StaticString, _ value: inout Value, in range: ClosedRange<Value>
  ) throws(WireError) {
    try field(name, &value, .count, in: range)
  }

  /// Visits exactly `count` bytes.
  public mutating func field<Value: WireBytes>(
    _ name: StaticString, _ value: inout Value, count: Int
  ) throws(WireError) {
    try field(name, &value, count: count...count)
  }

  /// Visits an integer at the end of the payload that old firmware or programs omit.
  public mutating func trailing<Value: WireInteger>(
    _ name: StaticString, _ value: inout Value?, _ quantity: Quantity = .count
  ) throws(WireError) {
    guard follows(value != nil) else {
      value = nil
      return
    }
    var present = value ?? 0
    try field(name, &present, quantity)
    value = present
  }
}

/// Decodes the visited fields from an untrusted payload.
public struct Reader: Wire {
  private let bytes: [UInt8]
  /// The offset of the next field.
  public private(set) var offset: Int

  /// Reads a payload from an offset on.
  public init(_ bytes: [UInt8], from offset: Int = 0) {
    (self.bytes, self.offset) = (bytes, min(max(0, offset), bytes.count))
  }

  public var remaining: Int? { bytes.count - offset }

  public mutating func follows(_ isPresent: Bool) -> Bool { offset < bytes.count }

  public mutating func field<Value: WireInteger>(
    _ name: StaticString, _ value: inout Value, _ quantity: Quantity, in range: ClosedRange<Value>
  ) throws(WireError) {
    let end = offset + Value.bitWidth / 8
    guard end <= bytes.count else { throw .truncated(field: "\(name)", offset: offset) }
    var decoded: Value = 0
    // The smart shift `<<` yields zero where an 8-bit value is shifted by eight.
    for index in offset..<end { decoded = (decoded << 8) | Value(truncatingIfNeeded: bytes[index]) }
    guard range.contains(decoded) else { throw .outOfRange(name, decoded, range) }
    value = decoded
    offset = end
  }

  public mutating func field<Value: WireChoice>(
    _ name: StaticString, _ value: inout Value
  ) throws(WireError) {
    let start = offset
    var raw = value.rawValue
    try field(name, &raw, .count, in: .min ... .max)
    guard let known = Value(rawValue: raw) else {
      throw .unknownValue(field: "\(name)", value: Int64(raw), offset: start)
    }
    value = known
  }

  public mutating func field<Value: WireBytes>(
    _ name: StaticString, _ value: inout Value, count counts: ClosedRange<Int>
  ) throws(WireError) {
    let end = offset + min(counts.upperBound, bytes.count - offset)
    guard end - offset >= counts.lowerBound else { throw .truncated(field: "\(name)", offset: offset) }
    // A field that is the whole payload shares its storage.
    value = Value(bytes: end - offset == bytes.count ? bytes : Array(bytes[offset..<end]))
    offset = end
  }

  /// Checks that every byte has been read; throws ``WireError/excess(offset:count:)``.
  public func finish() throws(WireError) {
    guard offset == bytes.count else { throw .excess(offset: offset, count: bytes.count - offset) }
  }
}

/// Encodes the visited fields, most significant byte first.
public struct Writer: Wire {
  /// The bytes written.
  public private(set) var bytes: [UInt8]
  private var checksRanges = true

  /// Appends to `bytes`, so that a payload follows its header without a copy.
  public init(_ bytes: [UInt8] = []) { self.bytes = bytes }

  /// Starts empty; writes values outside their ranges if `checksRanges` is false.
  init(checksRanges: Bool) { (bytes, self.checksRanges) = ([], checksRanges) }

  public mutating func follows(_ isPresent: Bool) -> Bool { isPresent }

  public mutating func field<Value: WireInteger>(
    _ name: StaticString, _ value: inout Value, _ quantity: Quantity, in range: ClosedRange<Value>
  ) throws(WireError) {
    guard !checksRanges || range.contains(value) else { throw .outOfRange(name, value, range) }
    var shift = Value.bitWidth
    while shift > 0 {
      shift &-= 8
      bytes.append(UInt8(truncatingIfNeeded: value >> shift))
    }
  }

  public mutating func field<Value: WireChoice>(
    _ name: StaticString, _ value: inout Value
  ) throws(WireError) {
    var raw = value.rawValue
    try field(name, &raw, .count, in: .min ... .max)
  }

  public mutating func field<Value: WireBytes>(
    _ name: StaticString, _ value: inout Value, count counts: ClosedRange<Int>
  ) throws(WireError) {
    guard !checksRanges || counts.contains(value.bytes.count) else {
      throw .wrongCount(field: "\(name)", count: value.bytes.count, allowed: counts)
    }
    bytes += value.bytes
  }
}
