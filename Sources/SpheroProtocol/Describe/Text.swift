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

/// Numbers with a fixed count of decimals.
package enum Decimal {
  private static let powers: [Double] = [1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9]

  /// The value rounded to `digits` decimals (0...9, clamped), trailing zeros kept.
  ///
  /// Exact, ties to even, for magnitudes below 2^53 / 10^digits;
  /// larger, infinite and not-a-number values print as Swift prints them.
  package static func text(_ value: Double, digits: Int) -> String {
    let digits = min(max(digits, 0), 9)
    let power = powers[digits]
    let product = value.magnitude * power
    guard product < 9_007_199_254_740_992 else { return "\(value)" }
    // The product is rounded; its exact error decides which side of a tie the value lies on.
    let error = (-product).addingProduct(value.magnitude, power)
    var rounded = product.rounded(.toNearestOrEven)
    let distance = product - rounded
    if distance == 0.5, error > 0 { rounded += 1 }
    if distance == -0.5, error < 0 { rounded -= 1 }
    let scaled = UInt64(rounded)
    let sign = value.sign == .minus && scaled != 0 ? "-" : ""
    let (whole, fraction) = scaled.quotientAndRemainder(dividingBy: UInt64(power))
    guard digits > 0 else { return "\(sign)\(whole)" }
    let tail = String(fraction)
    return "\(sign)\(whole)." + String(repeating: "0", count: digits - tail.count) + tail
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
