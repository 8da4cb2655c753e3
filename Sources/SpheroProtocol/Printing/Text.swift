// Numbers and bytes as text, without Foundation.

// Rounding lives in libm, which is linked for whoever imports libc; without a system, whoever links brings `fma`.
#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#elseif canImport(Glibc)
  import Glibc
#endif

/// Bytes in hexadecimal.
package enum Hexadecimal {
  /// Two upper-case digits for each byte, with a separator between them.
  package static func text(_ bytes: some Sequence<UInt8>, separator: String = " ") -> String {
    bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16, uppercase: true) }.joined(separator: separator)
  }

  /// Appends two lower-case digits for each byte.
  package static func append(_ bytes: [UInt8], to text: inout [UInt8]) {
    text.reserveCapacity(text.count + 2 * bytes.count)
    for byte in bytes {
      text.append(digit(byte >> 4))
      text.append(digit(byte & 0x0F))
    }
  }

  /// A lower-case digit, 0...15.
  static func digit(_ value: UInt8) -> UInt8 {
    value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") - 10 + value
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
    let scaled = UInt64(rounded)
    if value.sign == .minus, scaled != 0 { bytes.append(UInt8(ascii: "-")) }
    let (whole, fraction) = scaled.quotientAndRemainder(dividingBy: UInt64(power))
    append(whole, to: &bytes)
    guard digits > 0 else { return }
    bytes.append(UInt8(ascii: "."))
    append(fraction, digits: digits, to: &bytes)
  }

  /// Appends an integer.
  package static func append(_ number: Int64, to bytes: inout [UInt8]) {
    if number < 0 { bytes.append(UInt8(ascii: "-")) }
    append(number.magnitude, to: &bytes)
  }

  /// Appends an integer with zeros in front of it, so that it has so many digits.
  private static func append(_ number: UInt64, digits: Int = 1, to bytes: inout [UInt8]) {
    let start = bytes.count
    var rest = number
    repeat {
      bytes.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10))
      rest /= 10
    } while rest > 0 || bytes.count - start < digits
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
    let (seconds, attoseconds) = components
    let isNegative = seconds < 0 || attoseconds < 0
    var whole = seconds.magnitude
    var fraction = attoseconds.magnitude
    if let digits {
      var unit: UInt64 = 1
      for _ in 0..<(18 - min(max(digits, 0), 18)) { unit *= 10 }
      fraction = (fraction + unit / 2) / unit * unit
      if fraction >= 1_000_000_000_000_000_000 { (whole, fraction) = (whole + 1, 0) }
    }
    let padded = String(fraction)
    var decimals = String(repeating: "0", count: 18 - padded.count) + padded
    if let digits {
      decimals = String(decimals.prefix(digits))
    } else {
      while decimals.last == "0" { decimals.removeLast() }
    }
    return (isNegative && (whole, fraction) != (0, 0) ? "-" : "") + "\(whole)"
      + (decimals.isEmpty ? "" : "." + decimals)
  }
}
