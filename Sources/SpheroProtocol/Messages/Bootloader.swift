// Messages that enter the bootloader (DID 00h), leave it, and inspect its flash (DID 01h).

/// The commands of the bootloader (DID 01h), which the main application refuses as unknown, and the one that enters it.
///
/// Writing flash is not supported: the layout of a page was never published.
public enum Bootloader {
  /// Leaves the main application; from then on, the bootloader responds
  /// (Sphero API 1.50, "Jump To Bootloader").
  public struct JumpToBootloader: HazardousCommand, NonIdempotentRequest {
    public static let id = CommandID(0x00, 0x30)
    public static let hazard =
      "The robot neither drives nor streams until the bootloader is left, and accepts commands that erase its program."
    public init() {}
  }

  /// Starts the main application; recovers a robot that is stuck in the bootloader
  /// (Sphero API 1.50, "Jump To Main").
  ///
  /// The main application itself responds ``Status/unknownDevice``, which is harmless.
  public struct LeaveBootloader: Command, NonIdempotentRequest {
    public static let id = CommandID(0x01, 0x04)
    public init() {}
  }

  /// Reads whether a page of flash is erased (Sphero API 1.50, "Is Page Blank").
  public struct IsPageBlank: Command {
    public static let id = CommandID(0x01, 0x05)
    /// Page number.
    public var page: UInt8 = 0
    public init() {}
    public init(page: UInt8) { self.page = page }
    public mutating func layout(_ wire: inout some Wire) throws(WireError) { try wire.field("page", &page) }

    public struct Response: Message {
      /// 0 if the page is not erased; any other value if it is.
      public var blank: UInt8 = 0
      public init() {}
      public mutating func layout(_ wire: inout some Wire) throws(WireError) {
        try wire.field("blank", &blank)
      }
    }
  }
}
