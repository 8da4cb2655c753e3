// Numbers and bytes as text, without Foundation.

// Rounding lives in libm, which is linked for whoever imports libc; without a system, whoever links brings `fma`.
#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#elseif canImport(Glibc)
  import Glibc
#endif

extension [UInt8] {
  /// Appends so many bytes at once, which `fill` writes from a place on: faster than one by one.
  @inline(__always) mutating func append(count: Int, _ fill: (inout MutableSpan<UInt8>, Int) -> Void) {
    let start = self.count
    append(addingCapacity: count) { $0.append(repeating: 0, count: count) }
    var bytes = mutableSpan
    fill(&bytes, start)
  }
}

/// Bytes in hexadecimal.
package enum Hexadecimal {
  /// Two upper-case digits for each byte, with a separator between them.
  package static func text(_ bytes: some Sequence<UInt8>, separator: String = " ") -> String {
    var text: [UInt8] = []
    append(Array(bytes), separator: Array(separator.utf8), to: &text)
    return String(decoding: text, as: UTF8.self)
  }

  /// Appends two upper-case digits for each byte, with a separator between them.
  package static func append(_ bytes: [UInt8], separator: [UInt8], to text: inout [UInt8]) {
    var isFirst = true
    for byte in bytes {
      if !isFirst { text += separator }
      isFirst = false
      text.append(upperDigit(byte >> 4))
      text.append(upperDigit(byte & 0x0F))
    }
  }

  /// Appends two lower-case digits for each byte.
  package static func append(_ bytes: [UInt8], to text: inout [UInt8]) {
    let bytes = bytes.span
    text.append(count: 2 * bytes.count) { text, start in
      for index in bytes.indices {
        text[start &+ 2 &* index] = digit(bytes[index] >> 4)
        text[start &+ 2 &* index &+ 1] = digit(bytes[index] & 0x0F)
      }
    }
  }

  /// A lower-case digit, 0...15.
  static func digit(_ value: UInt8) -> UInt8 {
    UInt8(ascii: "0") &+ value &+ (value < 10 ? 0 : 39)
  }

  private static func upperDigit(_ value: UInt8) -> UInt8 {
    UInt8(ascii: "0") &+ value &+ (value < 10 ? 0 : 7)
  }
}

extension Hexadecimal {
  /// The bytes that a text of hexadecimal digits stands for; blanks are ignored.
  ///
  /// - Returns: Nil where there is another character or half a byte.
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

/// Numbers in digits, never with an exponent.
package enum Decimal {
  private static let powers: [Double] = [1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9]

  /// The value rounded to `digits` decimals (0...9, clamped), trailing zeros kept.
  ///
  /// Exact, ties to even, for magnitudes below 2^53 / 10^digits; larger ones have the digits that tell them
  /// from their neighbours, and zeros behind. Infinite and not-a-number values print as Swift prints them.
  package static func text(_ value: Double, digits: Int) -> String {
    var bytes: [UInt8] = []
    append(value, digits: digits, to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  /// The fewest digits that tell the number from its neighbours.
  package static func text(_ number: Float) -> String {
    String(decoding: withoutExponent("\(number)"), as: UTF8.self)
  }

  /// Appends the value as ``text(_:digits:)`` has it.
  package static func append(_ value: Double, digits: Int, to bytes: inout [UInt8]) {
    let digits = min(max(digits, 0), 9)
    let power = powers[digits]
    let product = value.magnitude * power
    guard product < 9_007_199_254_740_992 else {
      bytes += withoutExponent("\(value)")
      return
    }
    // The product is rounded; its exact error decides which side of a tie the value lies on.
    let error = (-product).addingProduct(value.magnitude, power)
    var rounded = product.rounded(.toNearestOrEven)
    let distance = product - rounded
    if distance == 0.5, error > 0 { rounded += 1 }
    if distance == -0.5, error < 0 { rounded -= 1 }
    append(UInt64(rounded), digits: digits, isNegative: value.sign == .minus, to: &bytes)
  }

  /// Appends counts of a quantity in its unit, as ``append(_:digits:to:)`` has their value.
  package static func append(_ count: Int64, of quantity: Quantity, to bytes: inout [UInt8]) {
    if quantity.perCount == 1 { return append(count, to: &bytes) }
    guard let (rounded, isNegative) = quantity.rounded(count) else {
      return append(quantity.value(of: count), digits: quantity.digits, to: &bytes)
    }
    append(rounded, digits: quantity.digits, isNegative: isNegative, to: &bytes)
  }

  /// Appends an integer.
  package static func append(_ number: Int64, to bytes: inout [UInt8]) {
    append(number.magnitude, digits: 0, isNegative: number < 0, to: &bytes)
  }

  /// Appends a number of units of the last decimal; zero has no sign.
  private static func append(
    _ scaled: UInt64, digits: Int, isNegative: Bool, to bytes: inout [UInt8]
  ) {
    let hasSign = isNegative && scaled != 0
    guard scaled >= 10_000_000 || digits > 6 else {
      return appendShort(UInt32(truncatingIfNeeded: scaled), digits, hasSign, to: &bytes)
    }
    if hasSign { bytes.append(UInt8(ascii: "-")) }
    guard digits > 0 else { return append(scaled, padding: 1, to: &bytes) }
    var power: UInt64 = 1
    for _ in 0..<digits { power *= 10 }
    append(scaled / power, padding: 1, to: &bytes)
    bytes.append(UInt8(ascii: "."))
    append(scaled % power, padding: digits, to: &bytes)
  }

  /// Appends at most seven digits, a point among them: they fit a word, the first one in its lowest byte.
  private static func appendShort(_ scaled: UInt32, _ digits: Int, _ hasSign: Bool, to bytes: inout [UInt8]) {
    let all = eightDigits(scaled)
    // Zeros in front of the whole part stay away, but for the last one.
    let skipped = min(all.trailingZeroBitCount / 8, 7 - digits)
    let wholeCount = 8 - digits - skipped
    let ascii = all | 0x3030_3030_3030_3030
    var word = ascii >> UInt64(8 * skipped)
    var count = wholeCount
    if digits > 0 {
      let fraction = ascii >> UInt64(8 * (8 - digits))
      word &= ~(.max << UInt64(8 * wholeCount))
      word |= UInt64(UInt8(ascii: ".")) << UInt64(8 * wholeCount)
      word |= fraction << UInt64(8 * wholeCount + 8)
      count += 1 + digits
    }
    if hasSign { bytes.append(UInt8(ascii: "-")) }
    bytes.append(count: count) { bytes, start in
      for index in start..<(start + count) {
        bytes[index] = UInt8(truncatingIfNeeded: word)
        word >>= 8
      }
    }
  }

  /// The eight digits of a number below 10^8, each in a byte, the first one in the lowest.
  ///
  /// Halves, then pairs, then digits are parted from each other, all at once:
  /// 5243 / 2^19 and 103 / 2^10 are a hundredth and a tenth, close enough for four and two digits.
  private static func eightDigits(_ number: UInt32) -> UInt64 {
    let halves = UInt64(number / 10_000) | UInt64(number % 10_000) << 32
    let hundreds = (halves &* 5_243) >> 19 & 0x0000_007F_0000_007F
    let pairs = hundreds | (halves &- hundreds &* 100) << 16
    let tens = (pairs &* 103) >> 10 & 0x000F_000F_000F_000F
    return tens | (pairs &- tens &* 10) << 8
  }

  /// Appends an integer with zeros in front of it, so that it has so many digits.
  static func append(_ number: UInt64, padding: Int, to bytes: inout [UInt8]) {
    let start = bytes.count
    var rest = number
    repeat {
      bytes.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10))
      rest /= 10
    } while rest > 0 || bytes.count - start < padding
    var (low, high) = (start, bytes.count - 1)
    while low < high {
      bytes.swapAt(low, high)
      (low, high) = (low + 1, high - 1)
    }
  }

  /// A number as Swift prints it, like `-1.5e-07`, with its digits written out.
  private static func withoutExponent(_ text: String) -> [UInt8] {
    let bytes = Array(text.utf8)
    guard let mark = bytes.firstIndex(of: UInt8(ascii: "e")),
      let exponent = Int(String(decoding: bytes[(mark + 1)...], as: UTF8.self))
    else { return bytes }
    let isNegative = bytes.first == UInt8(ascii: "-")
    let mantissa = bytes[(isNegative ? 1 : 0)..<mark]
    let parts = mantissa.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    let whole = Array(parts.first ?? [])
    let fraction = parts.count > 1 && parts[1] != [UInt8(ascii: "0")] ? Array(parts[1]) : []
    let digits = whole + fraction
    // How many of the digits stand in front of the point.
    let place = whole.count + exponent
    func zeros(_ count: Int) -> [UInt8] { Array(repeating: UInt8(ascii: "0"), count: max(0, count)) }
    var result: [UInt8] = isNegative ? [UInt8(ascii: "-")] : []
    if place <= 0 {
      result += Array("0.".utf8) + zeros(-place) + digits
    } else if place < digits.count {
      result += digits[..<place] + [UInt8(ascii: ".")] + digits[place...]
    } else {
      result += digits + zeros(place - digits.count)
    }
    return result
  }
}

extension Duration {
  /// The seconds as a decimal number: rounded to `digits` decimals (0...18), or all of them without trailing zeros.
  package func text(digits: Int? = nil) -> String {
    var bytes: [UInt8] = []
    append(digits: digits, to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Appends the seconds as ``text(digits:)`` has them.
  package func append(digits: Int? = nil, to bytes: inout [UInt8]) {
    let (seconds, attoseconds) = components
    var whole = seconds.magnitude
    var fraction = attoseconds.magnitude
    let places = digits.map { min(max($0, 0), 18) }
    if let places {
      var unit: UInt64 = 1
      for _ in places..<18 { unit *= 10 }
      fraction = (fraction + unit / 2) / unit * unit
      if fraction >= 1_000_000_000_000_000_000 { (whole, fraction) = (whole + 1, 0) }
    }
    if seconds < 0 || attoseconds < 0, (whole, fraction) != (0, 0) { bytes.append(UInt8(ascii: "-")) }
    Decimal.append(whole, padding: 1, to: &bytes)
    bytes.append(UInt8(ascii: "."))
    Decimal.append(fraction, padding: 18, to: &bytes)
    if let places {
      bytes.removeLast(18 - places)
    } else {
      while bytes.last == UInt8(ascii: "0") { bytes.removeLast() }
    }
    if bytes.last == UInt8(ascii: ".") { bytes.removeLast() }
  }
}
