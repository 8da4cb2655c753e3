// The members of open structs, as their sources say them: a table of a test must have them all.

public import Foundation

/// The root of the package.
public let packageRoot = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
  .deletingLastPathComponent()

/// A member of an open struct: `public static let timedOut = Code("timedOut")`.
public struct OpenName: Hashable, Sendable {
  /// The name in the source.
  public var name: String
  /// The name that people read.
  public var text: String
}

/// The members of the open struct in a file of `Sources`, in their order.
///
/// - Parameters:
///   - type: The struct's own name, like `Code`.
///   - path: The file, from `Sources` on.
/// - Returns: The members; those of other types are left out.
/// - Throws: What reading the file throws.
public func openNames(of type: String = "Code", in path: String) throws -> [OpenName] {
  let source = try String(contentsOf: packageRoot.appending(path: "Sources/\(path)"), encoding: .utf8)
  return source.split(separator: "\n").compactMap { line in
    let line = line.trimmingCharacters(in: .whitespaces)
    let parts = line.components(separatedBy: " = \(type)(\"")
    guard line.hasPrefix("public static let "), parts.count == 2, parts[1].hasSuffix("\")") else {
      return nil
    }
    return OpenName(
      name: String(parts[0].dropFirst("public static let ".count)), text: String(parts[1].dropLast(2)))
  }
}
