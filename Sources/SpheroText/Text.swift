// Decimal and hexadecimal numbers as ASCII bytes.

// `addingProduct` calls `fma` of libm; without an operating system, the linker must provide it.
import SpheroLibc

extension OutputSpan<UInt8> {
  /// Appends the lowest `count` bytes of a word, at most eight, for which the capacity must be free. It stores eight
  /// bytes, since a loop over a variable count mispredicts its end.
  @inlinable @inline(__always) package mutating func append(word: UInt64, count: Int) {
    precondition(freeCapacity >= 8 && 0...8 ~= count)
    unsafe withUnsafeMutableBufferPointer { buffer, filled in
      let bytes = UnsafeMutableRawBufferPointer(buffer)
      unsafe bytes.storeBytes(of: word.littleEndian, toByteOffset: filled, as: UInt64.self)
      filled &+= count
    }
  }

  @inlinable @inline(__always) package mutating func append(_ more: Span<UInt8>) {
    precondition(freeCapacity >= more.count)
    unsafe withUnsafeMutableBufferPointer { buffer, filled in
      let free = unsafe UnsafeMutableBufferPointer(rebasing: buffer[filled...])
      filled &+= unsafe more.withUnsafeBufferPointer { unsafe free.initialize(fromContentsOf: $0) }
    }
  }
}

extension [UInt8] {
  @inlinable @inline(__always) package mutating func append(_ more: Span<UInt8>) {
    // Without bytes, the standard library would write to the storage that all empty arrays share.
    if !more.isEmpty { append(addingCapacity: more.count) { $0.append(more) } }
  }

  /// Whether `isWanted` returns a nonzero value for any byte from `start`. It returns a number instead of a Boolean, so
  /// that the loop has no branch and is vectorized.
  @inlinable @inline(__always) package func contains(from start: Int, _ isWanted: (UInt8) -> UInt8) -> Bool {
    let slice = self[start...]
    let rest = slice.span
    var found: UInt8 = 0
    for index in rest.indices { found |= isWanted(rest[index]) }
    return found != 0
  }
}

extension String {
  package static func text(_ append: (inout [UInt8]) -> Void) -> String {
    var bytes: [UInt8] = []
    append(&bytes)
    return String(decoding: bytes, as: UTF8.self)
  }
}

extension UInt8 {
  @inlinable package var isDigit: Bool { self &- 0x30 < 10 }
  @inlinable package var isLetter: Bool { (self | 0x20) &- 0x61 < 26 }
  @inline(__always) func isSame(as other: UInt8) -> UInt8 { self == other ? 1 : 0 }
  @inline(__always) func isOutside(_ range: ClosedRange<UInt8>) -> UInt8 {
    self &- range.lowerBound > range.upperBound &- range.lowerBound ? 1 : 0
  }
}

package enum Hexadecimal {
  /// The eight upper-case digits of a word.
  package static func text(_ word: UInt32) -> String {
    text([24, 16, 8, 0].map { UInt8(truncatingIfNeeded: word >> $0) }, separator: "")
  }

  /// Two upper-case digits for each byte, with a separator between bytes.
  package static func text(_ bytes: some Sequence<UInt8>, separator: String = " ") -> String {
    String.text { append(Array(bytes), separator: Array(separator.utf8), to: &$0) }
  }

  package static func append(_ bytes: [UInt8], separator: [UInt8], to text: inout [UInt8]) {
    for (index, byte) in bytes.enumerated() {
      if index > 0 { text += separator }
      let digits = pair(byte, letters: 7)
      text.append(UInt8(truncatingIfNeeded: digits))
      text.append(UInt8(truncatingIfNeeded: digits >> 8))
    }
  }

  /// Appends two lower-case digits for each byte.
  package static func append(_ bytes: [UInt8], to text: inout [UInt8]) {
    guard !bytes.isEmpty else { return }
    // Each store has eight bytes.
    text.append(addingCapacity: 2 * bytes.count + 8) { digits in
      for byte in bytes { digits.append(word: pair(byte, letters: 39), count: 2) }
    }
  }

  /// The two digits of a byte, the first in the lowest byte; `letters` is the gap between 9 and the letters in ASCII.
  private static func pair(_ byte: UInt8, letters: UInt64) -> UInt64 {
    let values = UInt64(byte >> 4) | UInt64(byte & 0x0F) << 8
    // Adding 6 carries into the fifth bit for 10...15.
    let areLetters = (values &+ 0x0606) >> 4 & 0x0101
    return 0x3030 &+ values &+ areLetters &* letters
  }

  /// Parses hexadecimal digits; nil without digits, for any other character, and for a number beyond the type.
  package static func number<Number: FixedWidthInteger>(_ digits: some StringProtocol) -> Number? {
    // The initializer also reads a sign.
    digits.first?.isHexDigit == true ? Number(digits, radix: 16) : nil
  }

  /// Parses hexadecimal digits and ignores spaces; nil for any other character and for an odd number of digits.
  package static func bytes(_ text: some StringProtocol) -> [UInt8]? {
    let digits = text.filter { $0 != " " }.map { $0.isASCII ? $0.hexDigitValue : nil }
    guard digits.count.isMultiple(of: 2) else { return nil }
    var bytes: [UInt8] = []
    for index in stride(from: 0, to: digits.count, by: 2) {
      guard let high = digits[index], let low = digits[index + 1] else { return nil }
      bytes.append(UInt8(high << 4 | low))
    }
    return bytes
  }
}

/// Decimal numbers without an exponent.
package enum Decimal {
  private static let powers: [Double] = [1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9]

  /// The value rounded to `digits` decimals (0...9, clamped), trailing zeros kept.
  ///
  /// Rounding is exact, ties to even, for magnitudes below 2^53 / 10^digits. Larger numbers have the shortest digits that
  /// identify them, padded with zeros, and `.0` where Swift prints it; infinite and not-a-number values print as in Swift.
  package static func text(_ value: Double, digits: Int) -> String {
    String.text { append(value, digits: digits, to: &$0) }
  }

  package static func text(_ number: Float) -> String { withoutExponent("\(number)") }

  /// The number that ``text(_:digits:)`` prints; a zero has no sign.
  package static func rounded(_ value: Double, digits: Int) -> Double {
    let digits = min(max(digits, 0), 9)
    guard let scaled = scaled(value.magnitude, digits) else { return value }
    return Double(value.sign == .minus ? -scaled : scaled) / powers[digits]
  }

  package static func append(_ value: Double, digits: Int, to bytes: inout [UInt8]) {
    let digits = min(max(digits, 0), 9)
    if let scaled = scaled(value.magnitude, digits) {
      append(scaled.magnitude, digits, value.sign == .minus, to: &bytes)
    } else {
      bytes += withoutExponent("\(value)").utf8
    }
  }

  /// The units of the last decimal that are nearest to a magnitude; nil from 2^53.
  @inline(__always) private static func scaled(_ magnitude: Double, _ digits: Int) -> Int64? {
    let power = powers[digits]
    let product = magnitude * power
    guard product < 9_007_199_254_740_992 else { return nil }
    // x86-64 without AVX-512 converts only signed integers in one instruction.
    var scaled = Int64(product)
    let rest = product - Double(scaled)
    if rest == 0.5 {
      // The product is rounded, so its exact error decides a tie.
      let error = (-product).addingProduct(magnitude, power)
      if error > 0 || error == 0 && !scaled.isMultiple(of: 2) { scaled += 1 }
    } else if rest > 0.5 {
      scaled += 1
    }
    return scaled
  }

  /// Appends counts of a quantity as a number in its unit; nothing if it is not finite.
  package static func append(_ count: Int64, of quantity: Quantity, to bytes: inout [UInt8]) {
    let rounded = quantity.perCount == 1 ? (count.magnitude, count < 0) : quantity.rounded(count)
    if let (magnitude, isNegative) = rounded {
      return append(magnitude, quantity.digits, isNegative, to: &bytes)
    }
    let value = quantity.value(of: count)
    if value.isFinite { append(value, digits: quantity.digits, to: &bytes) }
  }

  /// Appends a number in units of the last decimal; zero has no sign.
  @inline(__always) private static func append(
    _ scaled: UInt64, _ digits: Int, _ isNegative: Bool, to bytes: inout [UInt8]
  ) {
    if isNegative, scaled != 0 { bytes.append(UInt8(ascii: "-")) }
    guard isShort(scaled, digits) else { return appendLong(scaled, digits, to: &bytes) }
    let text = shortText(UInt32(truncatingIfNeeded: scaled), digits)
    bytes.append(addingCapacity: 8) { $0.append(word: text.word, count: text.count) }
  }

  /// Whether all 16-bit counts of a quantity fit eight bytes.
  static func isShort(_ quantity: Quantity) -> Bool {
    // The minimum has the largest magnitude.
    quantity.rounded(Int16.min).map { isShort($0.magnitude, quantity.digits) } ?? false
  }

  /// Appends a separator and the counts of a quantity that ``isShort(_:)``; ``room(forShort:)`` must be free.
  @inline(__always) static func append(
    short count: Int16, of quantity: Quantity, behind separator: UInt8, to output: inout OutputSpan<UInt8>
  ) {
    // A short quantity has a value for each count.
    guard let (magnitude, isNegative) = quantity.rounded(count) else { return }
    output.append(separator)
    if isNegative, magnitude != 0 { output.append(UInt8(ascii: "-")) }
    let text = shortText(UInt32(truncatingIfNeeded: magnitude), quantity.digits)
    output.append(word: text.word, count: text.count)
  }

  /// The capacity for short numbers: a separator, a sign and eight characters each; the last store writes eight bytes.
  static func room(forShort count: Int) -> Int { 10 * count + 8 }

  @inline(__always) private static func isShort(_ scaled: UInt64, _ digits: Int) -> Bool {
    scaled < 10_000_000 && digits <= 6
  }

  private static func appendLong(_ scaled: UInt64, _ digits: Int, to bytes: inout [UInt8]) {
    guard digits > 0 else { return append(scaled, padding: 1, to: &bytes) }
    var power: UInt64 = 1
    for _ in 0..<digits { power *= 10 }
    append(scaled / power, padding: 1, to: &bytes)
    bytes.append(UInt8(ascii: "."))
    append(scaled % power, padding: digits, to: &bytes)
  }

  /// Up to seven digits and a point, the first character in the lowest byte; without decimals, the point is not counted.
  @inline(__always) private static func shortText(
    _ scaled: UInt32, _ digits: Int
  ) -> (word: UInt64, count: Int) {
    // The lowest bit of the last whole digit. The first of the eight digits is always zero and makes room for the point.
    let unit: UInt64 = 1 &<< UInt64(truncatingIfNeeded: 56 &- 8 &* digits)
    let all = eightDigits(scaled)
    let ascii = all | 0x3030_3030_3030_3030
    let whole = ascii &>> 8 & (unit &- 1)
    let point = UInt64(UInt8(ascii: ".")) &* unit
    let fraction = ascii & ((0 &- unit) &<< 8)
    // Removes leading zeros except the last.
    let zeros = ((all | unit).trailingZeroBitCount & 0x38) &- 8
    let count = (digits == 0 ? 7 : 8) &- zeros / 8
    return ((whole | point | fraction) &>> UInt64(truncatingIfNeeded: zeros), count)
  }

  /// The eight digits of a number below 10^8, the first in the lowest byte. It is split in parallel: 5243 / 2^19 and
  /// 103 / 2^10 approximate 1/100 and 1/10 exactly enough for four and two digits.
  private static func eightDigits(_ number: UInt32) -> UInt64 {
    let halves = UInt64(number / 10_000) | UInt64(number % 10_000) << 32
    let hundreds = (halves &* 5_243) >> 19 & 0x0000_007F_0000_007F
    let pairs = hundreds | (halves &- hundreds &* 100) << 16
    let tens = (pairs &* 103) >> 10 & 0x000F_000F_000F_000F
    return tens | (pairs &- tens &* 10) << 8
  }

  static func append(_ number: UInt64, padding: Int, to bytes: inout [UInt8]) {
    let digits = String(number).utf8
    for _ in 0..<max(0, padding - digits.count) { bytes.append(UInt8(ascii: "0")) }
    bytes += digits
  }

  /// Converts the exponent of a printed number, like `-1.5e-07`, to digits.
  private static func withoutExponent(_ text: String) -> String {
    let parts = text.split(separator: "e")
    guard parts.count == 2, let exponent = Int(parts[1]) else { return text }
    let sign = text.prefix { $0 == "-" }
    // The only digit before the point, and those after it.
    let digits = String(parts[0].filter { $0 != "-" && $0 != "." })
    // The number of digits before the point of the result.
    let place = 1 + exponent
    func zeros(_ count: Int) -> String { String(repeating: "0", count: max(0, count)) }
    let whole = place > 0 ? digits.prefix(place) + zeros(place - digits.count) : "0"
    let fraction = zeros(-place) + digits.dropFirst(max(0, place))
    return sign + whole + (fraction.isEmpty ? "" : "." + fraction)
  }
}

extension Duration {
  /// The seconds, rounded to `digits` decimals (0...18); nil means all decimals without trailing zeros.
  package func text(digits: Int? = nil) -> String {
    String.text { append(digits: digits, to: &$0) }
  }

  package func append(digits: Int? = nil, to bytes: inout [UInt8]) {
    let (seconds, attoseconds) = components
    let places = min(max(digits ?? 18, 0), 18)
    var unit: UInt64 = 1
    for _ in places..<18 { unit *= 10 }
    let units = (attoseconds.magnitude + unit / 2) / unit
    let (carry, fraction) = units.quotientAndRemainder(dividingBy: 1_000_000_000_000_000_000 / unit)
    let whole = seconds.magnitude + carry
    if seconds < 0 || attoseconds < 0, (whole, fraction) != (0, 0) { bytes.append(UInt8(ascii: "-")) }
    Decimal.append(whole, padding: 1, to: &bytes)
    guard places > 0 else { return }
    bytes.append(UInt8(ascii: "."))
    Decimal.append(fraction, padding: places, to: &bytes)
    guard digits == nil else { return }
    while bytes.last == UInt8(ascii: "0") { bytes.removeLast() }
    if bytes.last == UInt8(ascii: ".") { bytes.removeLast() }
  }
}

extension Quantity {
  /// The value of `count` counts in units of the last decimal, rounded to nearest, ties to even, as a computation in
  /// `Double` yields it; nil if integers do not suffice.
  @inline(__always) func rounded(_ count: some BinaryInteger) -> (magnitude: UInt64, isNegative: Bool)? {
    guard numerator != 0, let small = Int32(exactly: count) else { return nil }
    let product = Int64(small) &* Int64(numerator)
    let magnitude = product.magnitude
    var whole = magnitude &>> UInt64(shift)
    // Adds one less than half a divisor, and 1 more if the quotient is odd: ties go to even.
    if shift > 0 { whole = (magnitude &+ (1 &<< UInt64(shift &- 1)) &- 1 &+ whole & 1) &>> UInt64(shift) }
    return (whole, product < 0)
  }
}
