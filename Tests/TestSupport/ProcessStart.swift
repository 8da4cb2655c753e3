// Keeps the starts of processes apart from the closes that other tests watch.

public import Foundation

/// Taken while a process starts, and while a descriptor is closed whose close somebody watches.
///
/// A process has all descriptors of this one until it becomes its program. Where one is closed here meanwhile,
/// that is no last close: who watches the file sees it later, perhaps behind the next open.
let processStart = NSLock()

extension Process {
  /// Starts the program, and returns when it has none of this program's descriptors any more.
  ///
  /// - Throws: Where there is no such program.
  public func start() throws { try processStart.withLock { try run() } }
}
