// Bootloader commands (DID 00h and 01h): in, out, and a look at flash.

/// The small program that replaces the large one (DID 01h); the main application refuses its commands as unknown.
///
/// Reflashing itself is not a part of this library: nobody has published the layout of a page.
public enum Bootloader {
  static func commands(_ catalogue: inout some CatalogueVisitor) {
    catalogue.command(JumpToBootloader.self, "Bootloader.JumpToBootloader")
    catalogue.command(LeaveBootloader.self, "Bootloader.LeaveBootloader")
    catalogue.command(IsPageBlank.self, "Bootloader.IsPageBlank")
  }
}

extension Bootloader {
  /// Leaves the main application for the bootloader, which answers from then on.
  ///
  /// Sphero API 1.50, "Jump To Bootloader" (DID 00h, CID 30h).
  public struct JumpToBootloader: HazardousCommand {
    public static let id = CommandID(0x00, 0x30)
    /// What can go wrong.
    public static let hazard =
      "The robot neither drives nor streams until the bootloader is left, and accepts commands that erase its program."
    public init() {}
  }

  /// Starts the main application; brings a robot back that is stuck in the bootloader.
  ///
  /// The main application answers ``Status/unknownDevice``, which does no harm.
  /// Sphero API 1.50, "Jump To Main" (DID 01h, CID 04h).
  public struct LeaveBootloader: Command {
    public static let id = CommandID(0x01, 0x04)
    public init() {}
  }

  /// Asks whether a page of flash is erased.
  ///
  /// Sphero API 1.50, "Is Page Blank" (DID 01h, CID 05h).
  public struct IsPageBlank: Command {
    public static let id = CommandID(0x01, 0x05)
    /// Number of the page.
    public var page: UInt8 = 0
    /// Makes the command; the first page.
    public init() {}
    public init(page: UInt8) { self.page = page }
    public mutating func layout(_ wire: inout some Wire) throws(WireError) { try wire.field("page", &page) }

    /// Whether it is.
    public struct Response: Message {
      /// 0 where it is not, anything else where it is.
      public var blank: UInt8 = 0
      /// Makes a response; not blank.
      public init() {}
      public mutating func layout(_ wire: inout some Wire) throws(WireError) {
        try wire.field("blank", &blank)
      }
      /// Whether the page is erased.
      public var isBlank: Bool { blank != 0 }
    }
  }
}
