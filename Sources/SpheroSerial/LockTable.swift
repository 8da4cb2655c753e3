// Parser of /proc/locks, the list of advisory locks on Linux.

/// The identity of a file, equal for all paths to it.
package struct FileIdentity: Hashable, Sendable {
  /// The parts of the device number.
  package var major: UInt64
  package var minor: UInt64
  package var inode: UInt64

  package init(major: UInt64, minor: UInt64, inode: UInt64) {
    (self.major, self.minor, self.inode) = (major, minor, inode)
  }

  /// Splits a device number in the encoding of the system.
  package init(device: UInt64, inode: UInt64) {
    #if canImport(Darwin)
      self.init(major: (device >> 24) & 0xFF, minor: device & 0xFF_FFFF, inode: inode)
    #else
      self.init(
        major: (device >> 8) & 0xFFF | (device >> 32) & 0xFFFF_F000,
        minor: device & 0xFF | (device >> 12) & 0xFFFF_FF00, inode: inode)
    #endif
  }
}

enum LockTable {
  /// The processes that hold a `flock` lock on a file, in the order of the table.
  ///
  /// The text has lines like `2: FLOCK  ADVISORY  WRITE 10031 00:18:5 0 EOF`; `->` marks a process that waits.
  static func holders(in text: some StringProtocol, of file: FileIdentity) -> [Int32] {
    text.split(separator: "\n").compactMap { line in
      let words = line.split(separator: " ")
      guard words.count >= 6, words[1] == "FLOCK", let process = Int32(words[4]), process > 0 else {
        return nil
      }
      let numbers = words[5].split(separator: ":")
      guard numbers.count == 3, let major = UInt64(numbers[0], radix: 16),
        let minor = UInt64(numbers[1], radix: 16), let inode = UInt64(numbers[2])
      else { return nil }
      return FileIdentity(major: major, minor: minor, inode: inode) == file ? process : nil
    }
  }
}
