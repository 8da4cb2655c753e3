// Strict parsing of hexadecimal bytes.

public import Testing

/// The bytes of a text like `FF 01` or `ff01`; records an issue for any other text.
public func bytes(
  _ hexadecimal: some StringProtocol, sourceLocation: SourceLocation = #_sourceLocation
) -> [UInt8] {
  let digits = hexadecimal.filter { !$0.isWhitespace }.map { $0.isASCII ? $0.hexDigitValue : nil }
  var bytes: [UInt8] = []
  for index in stride(from: 0, to: digits.count, by: 2) {
    guard index + 1 < digits.count, let high = digits[index], let low = digits[index + 1] else {
      Issue.record("'\(hexadecimal)' is not hexadecimal", sourceLocation: sourceLocation)
      return []
    }
    bytes.append(UInt8(high << 4 | low))
  }
  return bytes
}
