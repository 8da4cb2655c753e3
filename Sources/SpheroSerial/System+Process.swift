// Information about processes in /proc on Linux; none on other systems.

import SpheroLibc
package import SpheroSystem

extension System {
  package static var processID: Int32 { getpid() }

  /// The file at a path, or at the link of a descriptor in /proc; nil where it is not accessible.
  package static func identity(of path: String) -> FileIdentity? {
    var status = stat()
    guard unsafe stat(path, &status) == 0 else { return nil }
    return FileIdentity(
      device: UInt64(truncatingIfNeeded: status.st_dev), inode: UInt64(truncatingIfNeeded: status.st_ino))
  }

  /// Whether a process runs as the same user as this one.
  package static func isOwn(_ process: Int32) -> Bool {
    var status = stat()
    return unsafe stat("/proc/\(process)", &status) == 0 && status.st_uid == geteuid()
  }

  /// The beginning of a file in /proc; nil where it cannot be read.
  package static func text(of path: String, atMost count: Int = 1 << 20) -> String? {
    guard let descriptor = try? check({ unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK) }) else {
      return nil
    }
    defer { close(descriptor) }
    var bytes: [UInt8] = []
    while bytes.count < count {
      guard let more = try? read(descriptor, atMost: 1 << 16) else { return nil }
      if more.isEmpty { break }
      bytes += more
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// The target of a symbolic link; nil where there is no link.
  package static func target(ofLink path: String) -> String? {
    var buffer = [CChar](repeating: 0, count: 1_024)
    let count = unsafe readlink(path, &buffer, buffer.count)
    guard count >= 0 else { return nil }
    return String(decoding: buffer.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  /// Sends SIGINT to a process, and resumes it where it is suspended.
  package static func interrupt(_ process: Int32) {
    _ = kill(process, SIGINT)
    _ = kill(process, SIGCONT)
  }
}
