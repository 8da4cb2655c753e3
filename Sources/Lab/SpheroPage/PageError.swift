// Why words of a page cannot be followed.

/// A sentence for people.
package struct PageError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What is wrong, and what would do.
  package let description: String

  init(_ description: String) { self.description = description }
}
