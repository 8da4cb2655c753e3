// The cases of enums in their sources, for tests whose tables must be complete.

public import Foundation

/// The root of the package.
public let packageRoot = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
  .deletingLastPathComponent()

/// A file of `Sources` by its path from the folder of its target on, like `SpheroHost/Notice.swift`.
private func sourceFile(_ path: String) -> URL {
  let lab = packageRoot.appending(path: "Sources/Lab/\(path)")
  return FileManager.default.fileExists(atPath: lab.path)
    ? lab : packageRoot.appending(path: "Sources/\(path)")
}

@_silgen_name("swift_EnumCaseName")
private func enumCaseName<Value>(_ value: Value) -> UnsafePointer<CChar>?

/// The name of an enum's case, without its payload; nil for nil and for a value of another type.
public func caseName<Value>(of value: Value?) -> String? {
  // The runtime returns a static string.
  guard let value, let name = unsafe enumCaseName(value) else { return nil }
  return unsafe String(cString: name)
}

/// The cases of an enum in a file of `Sources`, in their order.
///
/// - Parameters:
///   - type: The enum's own name, like `SessionError`.
///   - path: The file, from `Sources` on.
/// - Returns: The names.
/// - Throws: The error of reading the file.
public func caseNames(of type: String, in path: String) throws -> [String] {
  let source = try String(contentsOf: sourceFile(path), encoding: .utf8)
  let lines = source.split(separator: "\n")
  guard let head = lines.firstIndex(where: { $0.contains(" enum \(type):") }) else { return [] }
  let end = lines[head].prefix { $0 == " " } + "}"
  return lines[head...].prefix { $0 != end }.compactMap { line in
    let words = line.trimmingPrefix { $0 == " " || $0 == "\t" }.split(separator: " ")
    guard let place = words.firstIndex(of: "case"), place <= 1, place + 1 < words.count else { return nil }
    let name = words[place + 1].prefix { $0.isLetter || $0.isNumber }
    return name.isEmpty ? nil : String(name)
  }
}
