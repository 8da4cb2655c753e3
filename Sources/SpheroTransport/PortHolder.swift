// The process that holds a busy port.

/// A process that holds a port.
public struct PortHolder: Hashable, Sendable {
  public var processID: Int32
  /// The name of its program as the system reports it: at most 15 bytes on Linux.
  public var program: String

  public init(processID: Int32, program: String) { (self.processID, self.program) = (processID, program) }
}

extension PortHolder: CustomStringConvertible {
  /// The program and its process, like `sphero (pid 123)`.
  public var description: String { "\(program) (pid \(processID))" }
}
