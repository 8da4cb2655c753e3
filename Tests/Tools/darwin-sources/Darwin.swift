// Stub of Apple's Swift overlay of the module Darwin: the C macros and variadic functions that Swift cannot import.
//
// The stub is neither linked nor run, so the bodies only need to type-check.

// The names are the names of C.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

@_exported import Darwin

/// The error number of the thread.
public var errno: Int32 {
  get { 0 }
  set {}
}

/// Opens a file.
public func open(_ path: UnsafePointer<CChar>, _ flags: Int32) -> Int32 { -1 }
/// Opens a file, and creates it with a mode if necessary.
public func open(_ path: UnsafePointer<CChar>, _ flags: Int32, _ mode: mode_t) -> Int32 { -1 }
/// Reads a property of a descriptor.
public func fcntl(_ descriptor: Int32, _ command: Int32) -> Int32 { -1 }
/// Sets a property of a descriptor.
public func fcntl(_ descriptor: Int32, _ command: Int32, _ value: Int32) -> Int32 { -1 }
/// Reads or sets a property of a device.
public func ioctl(_ descriptor: Int32, _ request: UInt, _ value: UnsafeMutableRawPointer) -> Int32 { -1 }
/// Sets a property of a device.
public func ioctl(_ descriptor: Int32, _ request: UInt, _ value: Int32) -> Int32 { -1 }

/// The requests of terminals.
public var TIOCEXCL: UInt { 0x2000_740D }
/// The requests of terminals.
public var TIOCNXCL: UInt { 0x2000_740E }
/// The requests of terminals.
public var TIOCOUTQ: UInt { 0x4004_7473 }
/// The requests of terminals.
public var TIOCGWINSZ: UInt { 0x4008_7468 }

/// The types of files.
public var S_IFMT: mode_t { 0o170000 }
/// The types of files.
public var S_IFIFO: mode_t { 0o010000 }
/// The types of files.
public var S_IFCHR: mode_t { 0o020000 }
/// The types of files.
public var S_IFDIR: mode_t { 0o040000 }
/// The types of files.
public var S_IFREG: mode_t { 0o100000 }
/// The types of files.
public var S_IFLNK: mode_t { 0o120000 }

/// The default action of a signal.
public var SIG_DFL: sig_t? { nil }
/// The action that ignores a signal.
public var SIG_IGN: sig_t { unsafeBitCast(1, to: sig_t.self) }

/// The wall clock.
public var CLOCK_REALTIME: clockid_t { _CLOCK_REALTIME }
