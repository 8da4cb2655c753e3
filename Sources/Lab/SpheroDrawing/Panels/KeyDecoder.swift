// Decodes the bytes of a terminal into keys and mouse events.

/// A key with its modifiers.
public struct KeyPress: Hashable, Sendable {
  /// A key, by its character or its name.
  public enum Key: Hashable, Sendable {
    /// A printable character; with Control, the lowercase letter.
    case character(Unicode.Scalar)
    /// A key without a character that edits text.
    case enter, tab, escape, backspace, delete, insert
    /// A key that moves a cursor.
    case up, down, left, right, home, end, pageUp, pageDown
    /// F1...F12.
    case function(Int)
  }

  /// The modifier keys that the terminal reports, with xterm's bits.
  public struct Modifiers: OptionSet, Hashable, Sendable {
    public let rawValue: Int
    public init(rawValue: Int) { self.rawValue = rawValue }
    /// Shift; not set for characters, which are different characters with Shift.
    public static let shift = Modifiers(rawValue: 1)
    /// Alt or Meta.
    public static let alt = Modifiers(rawValue: 2)
    /// The Control key.
    public static let control = Modifiers(rawValue: 4)
  }

  /// The pressed key.
  public var key: Key
  /// The modifier keys that are held.
  public var modifiers: Modifiers

  public init(_ key: Key, _ modifiers: Modifiers = []) { (self.key, self.modifiers) = (key, modifiers) }
}

/// A mouse event at a cell, whose column and row count from 0.
public struct MouseEvent: Hashable, Sendable {
  /// The kind of a mouse event.
  public enum Action: Hashable, Sendable {
    /// A change of a button.
    case press, release
    /// A movement with the button held.
    case drag
    /// A movement without a button.
    case move
    /// A step of the wheel.
    case scrollUp, scrollDown
  }
  /// A mouse button; the raw value is that of the terminal's report.
  public enum Button: Int, Hashable, Sendable {
    /// A button, or none for a movement without one.
    case left, middle, right, none
  }

  /// The kind of the event.
  public var action: Action
  /// The button that causes it.
  public var button: Button
  /// The column of the pointer, counted from 0.
  public var column: Int
  /// The row of the pointer, counted from 0.
  public var row: Int
  /// The modifier keys that are held.
  public var modifiers: KeyPress.Modifiers

  public init(
    _ action: Action, _ button: Button = .none, column: Int, row: Int, _ modifiers: KeyPress.Modifiers = []
  ) {
    (self.action, self.button, self.column, self.row) = (action, button, column, row)
    self.modifiers = modifiers
  }
}

/// An event in the bytes of a terminal.
public enum TerminalInput: Hashable, Sendable {
  /// A key was pressed, or repeats.
  case key(KeyPress)
  /// The mouse was moved, or a button or the wheel was used.
  case mouse(MouseEvent)

  /// Whether panels handle it: a key without Control and Alt, the left button, the wheel.
  public var isPlain: Bool {
    switch self {
    case .key(let press): press.modifiers.isDisjoint(with: [.control, .alt])
    case .mouse(let event):
      switch event.action {
      case .press, .drag: event.button == .left
      // Any release counts: a terminal that reports another button must not leave the joystick held.
      case .release, .scrollUp, .scrollDown: true
      case .move: false
      }
    }
  }
}

/// Decodes the sequences of xterm, the Linux console and most other terminals.
/// ESC is the key Escape unless more bytes of a sequence follow within ``escapeTimeout``.
/// Unknown sequences after `ESC [` and `ESC O` are skipped as a whole; memory is bounded by ``longestSequence``.
package struct KeyDecoder: Sendable {
  private static let escapeTimeout = Duration.milliseconds(50)
  private static let longestSequence = 32

  private var pending: [UInt8] = []
  /// Whether the next bytes belong to a control sequence whose beginning was discarded, since it was too long.
  private var isSkipping = false
  /// When pending bytes are decoded even without more bytes; nil if there are none.
  package private(set) var nextDeadline: Duration?

  package init() {}

  /// Decodes bytes that were read at a time of any monotonic clock, and returns the complete inputs.
  package mutating func feed(_ bytes: [UInt8], at time: Duration) -> [TerminalInput] {
    var inputs = advance(to: time)
    for byte in bytes {
      if isSkipping {
        if Self.isParameter(byte) { continue }
        isSkipping = false
        if Self.isFinal(byte) { continue }
      }
      pending.append(byte)
      while !pending.isEmpty, let (count, input) = Self.first(in: pending) {
        pending.removeFirst(count)
        if let input { inputs.append(input) }
      }
      if pending.count >= Self.longestSequence { (pending, isSkipping) = ([], true) }
    }
    nextDeadline = pending.isEmpty && !isSkipping ? nil : time + Self.escapeTimeout
    return inputs
  }

  /// Decodes pending bytes if their deadline has passed.
  package mutating func advance(to time: Duration) -> [TerminalInput] {
    guard let deadline = nextDeadline, time >= deadline else { return [] }
    defer { (pending, isSkipping, nextDeadline) = ([], false, nil) }
    guard pending.first == Self.escape else { return [] }
    if pending.count == 1 { return [.key(KeyPress(.escape))] }
    // Alt with `[` or `O`, which also begin sequences.
    guard pending.count == 2, pending[1] < 0x80 else { return [] }
    return [.key(KeyPress(.character(Unicode.Scalar(pending[1])), .alt))]
  }

  private static let escape: UInt8 = 0x1B

  /// Whether a byte is a parameter or an intermediate byte of a control sequence (ECMA-48).
  private static func isParameter(_ byte: UInt8) -> Bool { (0x20...0x3F).contains(byte) }
  /// Whether a byte ends a control sequence.
  private static func isFinal(_ byte: UInt8) -> Bool { (0x40...0x7E).contains(byte) }

  /// A sequence with its byte count; the input is nil if the sequence is unknown.
  private typealias Sequence = (count: Int, input: TerminalInput?)

  private static func first(in bytes: [UInt8]) -> Sequence? {
    guard bytes.first == escape else { return character(bytes[...]) }
    guard bytes.count > 1 else { return nil }
    switch bytes[1] {
    case escape: return (1, .key(KeyPress(.escape)))
    case UInt8(ascii: "["), UInt8(ascii: "O"): return control(bytes)
    default: return character(bytes.dropFirst(), .alt).map { ($0.count + 1, $0.input) }
    }
  }

  private static func character(
    _ bytes: ArraySlice<UInt8>, _ modifiers: KeyPress.Modifiers = []
  ) -> Sequence? {
    guard let byte = bytes.first else { return nil }
    func key(_ key: KeyPress.Key, _ more: KeyPress.Modifiers = []) -> Sequence {
      (1, .key(KeyPress(key, modifiers.union(more))))
    }
    switch byte {
    case 0x0A, 0x0D: return key(.enter)
    case 0x09: return key(.tab)
    case 0x08, 0x7F: return key(.backspace)
    case 0x00: return key(.character(" "), .control)
    case 0x01...0x1A: return key(.character(Unicode.Scalar(byte + 0x60)), .control)
    case 0x1C...0x1F: return key(.character(Unicode.Scalar(byte + 0x40)), .control)
    case 0x20...0x7E: return key(.character(Unicode.Scalar(byte)))
    case 0xC2...0xF4:
      let count = byte < 0xE0 ? 2 : byte < 0xF0 ? 3 : 4
      let rest = bytes.dropFirst().prefix(count - 1)
      guard rest.allSatisfy({ $0 & 0xC0 == 0x80 }) else { return (1, nil) }
      guard rest.count == count - 1 else { return nil }
      let scalars = String(decoding: bytes.prefix(count), as: UTF8.self).unicodeScalars
      let isValid = scalars.count == 1 && scalars.first.map { $0 != "\u{FFFD}" && $0.value >= 0xA0 } == true
      return (count, isValid ? scalars.first.flatMap { key(.character($0)).input } : nil)
    default: return (1, nil)
    }
  }

  /// The modifiers of a number from 1, the sum of their bits; none without a number.
  private static func modifiers(_ number: Int?) -> KeyPress.Modifiers {
    KeyPress.Modifiers(rawValue: max(0, (number ?? 1) - 1) & 7)
  }

  /// A control sequence (ECMA-48): ESC [, parameters, a final byte; or a key: ESC O, its modifiers as a number, a letter.
  private static func control(_ bytes: [UInt8]) -> Sequence? {
    let (isKey, body) = (bytes[1] == UInt8(ascii: "O"), bytes.dropFirst(2))
    // The Linux console sends F1...F5 as ESC [ [ A...E.
    if !isKey, body.first == UInt8(ascii: "[") {
      guard bytes.count > 3 else { return nil }
      let number = Int(bytes[3]) - 0x40
      return (4, (1...5).contains(number) ? .key(KeyPress(.function(number))) : nil)
    }
    guard let end = body.firstIndex(where: { !isParameter($0) }) else { return nil }
    let (count, final) = (end + 1, bytes[end])
    // An invalid final byte ends this sequence and begins the next input.
    guard isFinal(final) else { return (end, nil) }
    let isMouse = !isKey && body.first == UInt8(ascii: "<")
    let numbers = body[..<end].dropFirst(isMouse ? 1 : 0).split(
      separator: UInt8(ascii: ";"), omittingEmptySubsequences: false
    ).map { Int(String(decoding: $0.prefix(6), as: UTF8.self)) ?? 0 }
    if isKey { return (count, letterKey(final, modifiers(numbers.last))) }
    if isMouse { return (count, mouse(numbers, final)) }
    if final == UInt8(ascii: "M"), end == body.startIndex {
      // The old encoding of mouse events has three more bytes.
      return bytes.count < count + 3 ? nil : (count + 3, nil)
    }
    return (count, key(numbers, final))
  }

  private static func key(_ numbers: [Int], _ final: UInt8) -> TerminalInput? {
    let held = modifiers(numbers.dropFirst().first)
    guard final == UInt8(ascii: "~") else { return letterKey(final, held) }
    let number = numbers.first ?? 0
    switch number {
    case 1...8: return .key(KeyPress(numberedKeys[number - 1], held))
    case 11...15: return .key(KeyPress(.function(number - 10), held))
    case 17...21: return .key(KeyPress(.function(number - 11), held))
    case 23...24: return .key(KeyPress(.function(number - 12), held))
    default: return nil
    }
  }

  /// The keys of the sequences from ESC [ 1 ~ to ESC [ 8 ~.
  private static let numberedKeys: [KeyPress.Key] = [
    .home, .insert, .delete, .end, .pageUp, .pageDown, .home, .end,
  ]

  private static func letterKey(_ letter: UInt8, _ held: KeyPress.Modifiers) -> TerminalInput? {
    switch Unicode.Scalar(letter) {
    case "A": .key(KeyPress(.up, held))
    case "B": .key(KeyPress(.down, held))
    case "C": .key(KeyPress(.right, held))
    case "D": .key(KeyPress(.left, held))
    case "H": .key(KeyPress(.home, held))
    case "F": .key(KeyPress(.end, held))
    case "P", "Q", "R", "S": .key(KeyPress(.function(Int(letter) - 0x4F), held))
    case "Z": .key(KeyPress(.tab, held.union(.shift)))
    case "M": .key(KeyPress(.enter, held))
    default: nil
    }
  }

  /// A mouse event in xterm's mode 1006: button and modifiers, column and row from 1.
  private static func mouse(_ numbers: [Int], _ final: UInt8) -> TerminalInput? {
    guard numbers.count == 3, numbers[1] > 0, numbers[2] > 0 else { return nil }
    let (bits, column, row) = (numbers[0], numbers[1] - 1, numbers[2] - 1)
    // Bit 7 denotes the buttons 8...11, such as back and forward; with it, 0 is not the left button.
    guard bits & 128 == 0 else { return nil }
    let held = KeyPress.Modifiers(rawValue: bits >> 2 & 7)
    let button = MouseEvent.Button(rawValue: bits & 3) ?? .none
    let action: MouseEvent.Action
    switch (bits & 64 != 0, bits & 32 != 0, final) {
    case (true, _, UInt8(ascii: "M")):
      guard bits & 3 < 2 else { return nil }
      return .mouse(
        MouseEvent(bits & 1 == 0 ? .scrollUp : .scrollDown, column: column, row: row, held))
    case (false, true, UInt8(ascii: "M")): action = button == .none ? .move : .drag
    case (false, false, UInt8(ascii: "M")): action = .press
    case (false, _, UInt8(ascii: "m")): action = .release
    default: return nil
    }
    return .mouse(MouseEvent(action, button, column: column, row: row, held))
  }
}
