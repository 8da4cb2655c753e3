// Decodes the bytes of a terminal into keys and mouse events.

/// An event in the bytes of a terminal.
public enum TerminalInput: Hashable, Sendable {
  /// A key without Control and Alt, by its character or its name.
  public enum Key: Hashable, Sendable {
    /// A printable character.
    case character(Unicode.Scalar)
    /// A key without a character that edits text.
    case enter, tab, escape, backspace
    /// A key that moves a cursor.
    case up, down, left, right, home, end, pageUp, pageDown
  }

  /// An event of the left mouse button or of the wheel.
  public enum MouseAction: Hashable, Sendable {
    /// The button is pressed.
    case press
    /// A button is released; any counts, because a terminal that reports another one must not leave the joystick held.
    case release
    /// A movement with the button held.
    case drag
    /// A step of the wheel.
    case scrollUp, scrollDown
  }

  /// A key was pressed, or repeats; `isShifted` is false for characters, which are different characters with Shift.
  case key(Key, isShifted: Bool = false)
  /// The mouse was used at a cell, whose column and row count from 0.
  case mouse(MouseAction, column: Int, row: Int)
}

/// Decodes the sequences of xterm, the Linux console and most other terminals.
/// ESC is the key Escape unless more bytes of a sequence follow within ``escapeTimeout``.
/// Unknown sequences after `ESC [` and `ESC O` are skipped as a whole, as are keys with Control or Alt and other keys
/// that no panel uses; memory is bounded by ``longestSequence``.
package struct KeyDecoder: Sendable {
  private static let escapeTimeout = Duration.milliseconds(50)
  private static let longestSequence = 32

  private var pending: [UInt8] = []
  /// Whether the next bytes belong to a control sequence whose beginning was discarded, since it was too long.
  private var isSkipping = false
  /// When pending bytes are decoded or discarded even without more bytes; nil if there are none.
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

  /// Decodes a pending ESC as that key if the deadline has passed, and discards other pending bytes.
  package mutating func advance(to time: Duration) -> [TerminalInput] {
    guard let deadline = nextDeadline, time >= deadline else { return [] }
    defer { (pending, isSkipping, nextDeadline) = ([], false, nil) }
    return pending == [Self.escape] ? [.key(.escape)] : []
  }

  private static let escape: UInt8 = 0x1B

  /// Whether a byte is a parameter or an intermediate byte of a control sequence (ECMA-48).
  private static func isParameter(_ byte: UInt8) -> Bool { (0x20...0x3F).contains(byte) }
  /// Whether a byte ends a control sequence.
  private static func isFinal(_ byte: UInt8) -> Bool { (0x40...0x7E).contains(byte) }

  /// A sequence with its byte count; the input is nil if the sequence is skipped.
  private typealias Sequence = (count: Int, input: TerminalInput?)

  private static func first(in bytes: [UInt8]) -> Sequence? {
    guard bytes.first == escape else { return character(bytes[...]) }
    guard bytes.count > 1 else { return nil }
    switch bytes[1] {
    case escape: return (1, .key(.escape))
    case UInt8(ascii: "["), UInt8(ascii: "O"): return control(bytes)
    // A character with Alt.
    default: return character(bytes.dropFirst()).map { ($0.count + 1, nil) }
    }
  }

  private static func character(_ bytes: ArraySlice<UInt8>) -> Sequence? {
    guard let byte = bytes.first else { return nil }
    switch byte {
    case 0x0A, 0x0D: return (1, .key(.enter))
    case 0x09: return (1, .key(.tab))
    case 0x08, 0x7F: return (1, .key(.backspace))
    case 0x20...0x7E: return (1, .key(.character(Unicode.Scalar(byte))))
    case 0xC2...0xF4:
      let count = byte < 0xE0 ? 2 : byte < 0xF0 ? 3 : 4
      let rest = bytes.dropFirst().prefix(count - 1)
      guard rest.allSatisfy({ $0 & 0xC0 == 0x80 }) else { return (1, nil) }
      guard rest.count == count - 1 else { return nil }
      let scalars = String(decoding: bytes.prefix(count), as: UTF8.self).unicodeScalars
      let isValid = scalars.count == 1 && scalars.first.map { $0 != "\u{FFFD}" && $0.value >= 0xA0 } == true
      return (count, isValid ? scalars.first.map { .key(.character($0)) } : nil)
    // Control with a letter, and bytes that begin no character.
    default: return (1, nil)
    }
  }

  /// A control sequence (ECMA-48): ESC [, parameters, a final byte; or a key: ESC O, its modifiers as a number, a letter.
  private static func control(_ bytes: [UInt8]) -> Sequence? {
    let (isKey, body) = (bytes[1] == UInt8(ascii: "O"), bytes.dropFirst(2))
    // The Linux console sends F1...F5 as ESC [ [ A...E.
    if !isKey, body.first == UInt8(ascii: "[") { return bytes.count > 3 ? (4, nil) : nil }
    guard let end = body.firstIndex(where: { !isParameter($0) }) else { return nil }
    let (count, final) = (end + 1, bytes[end])
    // An invalid final byte ends this sequence and begins the next input.
    guard isFinal(final) else { return (end, nil) }
    let isMouse = !isKey && body.first == UInt8(ascii: "<")
    let numbers = body[..<end].dropFirst(isMouse ? 1 : 0).split(
      separator: UInt8(ascii: ";"), omittingEmptySubsequences: false
    ).map { Int(String(decoding: $0.prefix(6), as: UTF8.self)) ?? 0 }
    if isMouse { return (count, mouse(numbers, final)) }
    if isKey { return (count, key(final, modifiers: numbers.last)) }
    if final == UInt8(ascii: "M"), end == body.startIndex {
      // The old encoding of mouse events has three more bytes.
      return bytes.count < count + 3 ? nil : (count + 3, nil)
    }
    return (count, key(final, number: numbers.first, modifiers: numbers.dropFirst().first))
  }

  /// The key of a final byte, or of ESC [ `number` ~; `modifiers` is 1 plus xterm's bits of the modifiers.
  private static func key(_ final: UInt8, number: Int? = nil, modifiers: Int?) -> TerminalInput? {
    let bits = max(0, (modifiers ?? 1) - 1)
    // Alt is bit 1, Control bit 2.
    guard bits & 0b110 == 0, let key = key(final, number: number) else { return nil }
    let isBackTab = final == UInt8(ascii: "Z")
    return .key(key, isShifted: bits & 1 != 0 || isBackTab)
  }

  private static func key(_ final: UInt8, number: Int?) -> TerminalInput.Key? {
    switch (Unicode.Scalar(final), number) {
    case ("A", _): .up
    case ("B", _): .down
    case ("C", _): .right
    case ("D", _): .left
    case ("H", _), ("~", 1), ("~", 7): .home
    case ("F", _), ("~", 4), ("~", 8): .end
    case ("~", 5): .pageUp
    case ("~", 6): .pageDown
    case ("Z", _): .tab
    // The keypad sends no number; a sequence with one is a mouse event of another mode.
    case ("M", nil): .enter
    default: nil
    }
  }

  /// A mouse event in xterm's mode 1006: button and modifiers, column and row from 1.
  private static func mouse(_ numbers: [Int], _ final: UInt8) -> TerminalInput? {
    guard numbers.count == 3, numbers[1] > 0, numbers[2] > 0 else { return nil }
    let bits = numbers[0]
    // Bit 7 denotes the buttons 8...11, such as back and forward; with it, 0 is not the left button.
    guard bits & 128 == 0 else { return nil }
    let (isWheel, isMove, button) = (bits & 64 != 0, bits & 32 != 0, bits & 3)
    let action: TerminalInput.MouseAction
    switch (Unicode.Scalar(final), isWheel, button) {
    case ("M", true, 0): action = .scrollUp
    case ("M", true, 1): action = .scrollDown
    case ("M", false, 0): action = isMove ? .drag : .press
    case ("m", false, _): action = .release
    default: return nil
    }
    return .mouse(action, column: numbers[1] - 1, row: numbers[2] - 1)
  }
}
