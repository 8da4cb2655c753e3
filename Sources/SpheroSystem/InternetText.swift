// Conversions between numeric Internet addresses as text and as bytes.

import SpheroLibc

extension System {
  /// The 4 or 16 bytes of a numeric Internet address in network byte order; nil for another text.
  package static func internetBytes(_ text: String) -> [UInt8]? {
    // A C string ends at a NUL, and the rest would be ignored.
    guard !text.utf8.contains(0) else { return nil }
    for (family, count) in [(AF_INET, 4), (AF_INET6, 16)] {
      var bytes = [UInt8](repeating: 0, count: count)
      // inet_pton writes exactly 4 or 16 bytes.
      if unsafe inet_pton(family, text, &bytes) == 1 { return bytes }
    }
    return nil
  }

  /// The usual text of an address of 4 or 16 bytes; empty for any other count.
  package static func internetText(_ bytes: [UInt8]) -> String {
    let family: Int32
    switch bytes.count {
    case 4: family = AF_INET
    case 16: family = AF_INET6
    default: return ""
    }
    var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
    guard unsafe inet_ntop(family, bytes, &text, socklen_t(text.count)) != nil else { return "" }
    return String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}
