// A symbolic link to a pseudo-terminal: owned by one server, and removed when the server ends.

import SpheroLibc
import SpheroSerial
import SpheroSystem
import SpheroTransport

/// The lock of a path, and the symbolic link at the path, which a server that has ended may have left.
final class LinkPath: Sendable {
  let path: String
  private let lock: AbstractSocketLock
  /// The last known target, and whether this server has created the link; one with another target is another program's.
  private let target: Locked<(path: String, isOwn: Bool)?>

  /// Acquires the lock; throws if the path is a link that a running server uses, or anything but a link that a server left.
  init(_ path: String) throws(LinkError) {
    self.path = path
    lock = try AbstractSocketLock.acquire(Self.name(of: path), for: path)
    guard System.hasEntry(path) else {
      target = Locked(nil)
      return
    }
    guard let target = System.target(ofLink: path), Self.isTerminal(target) else {
      throw .failed(path, operation: "symlink", code: EEXIST)
    }
    // A simulator of another package has no lock, but may serve the terminal. If the link is older than the terminal,
    // the number of the terminal was used again, and the link is that of an earlier server.
    if let server = HolderSearch.server(of: target), !System.isOlder(path, than: target) {
      throw .busy(path, server)
    }
    self.target = Locked((target, false))
  }

  /// Makes the link point to a device file; throws if another program has created a file at the path.
  func point(to target: String) throws(LinkError) {
    try self.target.withLock { last throws(LinkError) in
      let found = System.target(ofLink: path)
      do throws(SystemError) {
        if let last, found == last.path {
          // The link of an earlier server is older than the terminal, so another program would take it for stale.
          if found != target || !last.isOwn { try System.replaceLink(path, to: target) }
        } else {
          try System.makeLink(path, to: target)
        }
      } catch { throw .failed(path, operation: "symlink", code: error.code) }
      last = (target, true)
    }
  }

  /// Removes the link if it points to one of these device files and this server has created it.
  func remove(ifOneOf targets: [String]) {
    let target = target.withLock { target -> String? in
      guard let last = target, last.isOwn, targets.contains(last.path) else { return nil }
      target = nil
      return last.path
    }
    if let target, System.target(ofLink: path) == target { System.remove(path) }
  }

  func release() { lock.release() }

  /// Whether a path has the form of a pseudo-terminal's device file, which need not exist.
  private static func isTerminal(_ target: String) -> Bool {
    ["/dev/pts/", "/dev/ttys"].contains { prefix in
      let number = target.dropFirst(prefix.count)
      return target.hasPrefix(prefix) && !number.isEmpty && number.allSatisfy { "0123456789".contains($0) }
    }
  }

  /// The name of the lock of a path: the same for all spellings of the path, and of bounded length.
  private static func name(of path: String) -> String {
    let cut = path.lastIndex(of: "/")
    let folder = cut.map { String(path[...$0]) } ?? "."
    let last = cut.map { path[path.index(after: $0)...] } ?? path[...]
    return
      "sphero/link/\(System.identity(of: folder) ?? AbstractSocketLock.hash(folder[...]))/\(AbstractSocketLock.hash(last))"
  }
}

extension System {
  /// Whether a file, or a link with any target, is at a path.
  static func hasEntry(_ path: String) -> Bool {
    var status = stat()
    return unsafe lstat(path, &status) == 0
  }

  /// Whether a link was created before the file at another path.
  static func isOlder(_ link: String, than path: String) -> Bool {
    var (first, second) = (stat(), stat())
    guard unsafe lstat(link, &first) == 0, unsafe stat(path, &second) == 0 else { return false }
    #if canImport(Darwin)
      let (one, other) = (first.st_ctimespec, second.st_ctimespec)
    #else
      let (one, other) = (first.st_ctim, second.st_ctim)
    #endif
    return (one.tv_sec, one.tv_nsec) < (other.tv_sec, other.tv_nsec)
  }

  static func makeLink(_ path: String, to target: String) throws(SystemError) {
    try check { unsafe symlink(target, path) }
  }

  /// Replaces a file by a symbolic link atomically.
  static func replaceLink(_ path: String, to target: String) throws(SystemError) {
    let names = (0..<100).lazy.map { "\(path).\(processID).\($0)" }
    // Without an unused name, the creation fails with `EEXIST`.
    let fresh = names.first { !hasEntry($0) } ?? path
    try makeLink(fresh, to: target)
    do throws(SystemError) { try check { unsafe rename(fresh, path) } } catch {
      remove(fresh)
      throw error
    }
  }

  static func remove(_ path: String) { _ = unsafe unlink(path) }
}
