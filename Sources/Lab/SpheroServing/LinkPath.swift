// A path that leads to a pseudo-terminal: taken by one server, moved while it serves, removed when it ends.

import SpheroSerial
import SpheroSystem
import SpheroTransport

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// The right to a path, and the symbolic link there.
///
/// A name in the kernel goes with it, which is free again when its owner has ended, however it ended:
/// so a link that a killed server left is told from one that is in use.
final class LinkPath: Sendable {
  private struct Target {
    var path: String
    /// Whether this server has made the link; otherwise one that has ended.
    var isOwn: Bool
  }

  /// The path.
  let path: String
  private let lock: NameLock
  /// Where the link was last known to lead; one that leads elsewhere is somebody else's.
  private let target: Locked<Target?>

  /// Takes a path; nothing is made yet.
  ///
  /// - Throws: ``LinkError/busy(_:_:)`` where another server has it;
  ///   ``LinkError/failed(_:operation:code:)`` where something is there that no server has left.
  init(_ path: String) throws(LinkError) {
    self.path = path
    lock = try NameLock.take(Self.name(of: path), for: path)
    guard let kind = System.kind(of: path) else {
      target = Locked(nil)
      return
    }
    guard kind == .link, let target = System.target(ofLink: path), Self.isTerminal(target) else {
      throw .failed(path, operation: "symlink", code: EEXIST)
    }
    // Servers of other makes take no name. A link older than the terminal is that of an earlier one.
    if let server = HolderSearch.server(of: target), !System.isOlder(path, than: target) {
      throw .busy(path, server)
    }
    self.target = Locked(Target(path: target, isOwn: false))
  }

  /// Lets the link lead to a device file; at no time is there none.
  ///
  /// - Throws: ``LinkError/failed(_:operation:code:)``, with `EEXIST` where somebody has put something else there,
  ///   which is left alone.
  func lead(to target: String) throws(LinkError) {
    try self.target.withLock { last throws(LinkError) in
      let found = System.target(ofLink: path)
      do throws(SystemError) {
        if let last, found == last.path {
          // One of an earlier server must not stay, for it is older than the terminal.
          if found != target || !last.isOwn { try System.replaceLink(path, to: target) }
        } else {
          // Fails where something is there.
          try System.makeLink(path, to: target)
        }
      } catch { throw .failed(path, operation: "symlink", code: error.code) }
      last = Target(path: target, isOwn: true)
    }
  }

  /// Removes the link, where it leads to one of these device files.
  func remove(ifOneOf targets: [String]) {
    let target = target.withLock { target -> String? in
      guard let last = target, last.isOwn, targets.contains(last.path) else { return nil }
      target = nil
      return last.path
    }
    if let target, System.target(ofLink: path) == target { System.remove(path) }
  }

  /// Gives the right to the path back.
  func release() { lock.release() }

  /// Whether a target looks like the device end of a pseudo-terminal, also of one that is gone.
  private static func isTerminal(_ target: String) -> Bool {
    ["/dev/pts/", "/dev/ttys"].contains { prefix in
      target.hasPrefix(prefix) && target.dropFirst(prefix.count).allSatisfy { "0123456789".contains($0) }
    }
  }

  /// The name that stands for a path: the same for every way to write it, and short enough for the kernel.
  private static func name(of path: String) -> String {
    let cut = path.lastIndex(of: "/")
    let folder = cut.map { String(path[...$0]) } ?? "."
    let last = cut.map { path[path.index(after: $0)...] } ?? path[...]
    let place = System.identity(of: folder).map { "\($0.major):\($0.minor):\($0.inode)" } ?? folder
    // FNV-1a of the last component.
    let hash = last.utf8.reduce(0xCBF2_9CE4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    return "sphero/link/\(place)/\(String(hash, radix: 16))"
  }
}

extension System {
  /// What a path is.
  enum Kind: Hashable, Sendable {
    case link
    case other
  }

  /// What is at a path, without following a link; nil where nothing is.
  static func kind(of path: String) -> Kind? {
    var status = stat()
    guard unsafe lstat(path, &status) == 0 else { return nil }
    return status.st_mode & S_IFMT == S_IFLNK ? .link : .other
  }

  /// Whether a link was made before the file at another path.
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

  /// Makes a symbolic link where nothing is.
  static func makeLink(_ path: String, to target: String) throws(SystemError) {
    try check { unsafe symlink(target, path) }
  }

  /// Puts a symbolic link in the place of another one in one step.
  static func replaceLink(_ path: String, to target: String) throws(SystemError) {
    let fresh = try makeFreshLink(beside: path, to: target)
    do throws(SystemError) { try check { unsafe rename(fresh, path) } } catch {
      remove(fresh)
      throw error
    }
  }

  /// Makes a symbolic link under a name that nobody has; names that are taken are left alone.
  private static func makeFreshLink(beside path: String, to target: String) throws(SystemError) -> String {
    var attempt = 0
    while true {
      let fresh = "\(path).\(processID).\(attempt)"
      do throws(SystemError) {
        try makeLink(fresh, to: target)
        return fresh
      } catch {
        attempt += 1
        guard error.code == EEXIST, attempt < 100 else { throw error }
      }
    }
  }

  /// Removes a file; there is nothing to be done where that fails.
  static func remove(_ path: String) { _ = unsafe unlink(path) }
}
