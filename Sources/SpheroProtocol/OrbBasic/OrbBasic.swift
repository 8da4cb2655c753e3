// orbBasic commands (DID 02h): programs in BASIC that run inside the robot.

/// Programs in BASIC that run inside the robot (DID 02h).
///
/// ``OrbBasicProgram`` is such a program; these are the requests that carry and run it.
public enum OrbBasic {
  static func commands(_ catalogue: inout some CatalogueVisitor) {
    catalogue.command(EraseStorage.self, "OrbBasic.EraseStorage")
    catalogue.command(AppendFragment.self, "OrbBasic.AppendFragment")
    catalogue.command(Execute.self, "OrbBasic.Execute")
    catalogue.command(Abort.self, "OrbBasic.Abort")
    catalogue.command(SubmitInput.self, "OrbBasic.SubmitInput")
    catalogue.command(CommitToFlash.self, "OrbBasic.CommitToFlash")
    catalogue.command(CommitToFlashAlias.self, "OrbBasic.CommitToFlashAlias")
  }

  /// Where a program lies.
  public enum Area: UInt8, WireNamed, CaseIterable {
    /// Lost at sleep; 1 KB, and up to 4 KB with newer firmware.
    case ram
    /// Kept; 4 KB.
    case flash
    /// The names of the cases.
    public static let names: KeyValuePairs<Self, String> = [.ram: "ram", .flash: "flash"]
  }
}

extension OrbBasic {
  /// Erases the program of an area, as must be before another is appended.
  ///
  /// Sphero API 1.50, "Erase orbBasic Storage" (DID 02h, CID 60h).
  public struct EraseStorage: Command {
    public static let id = CommandID(0x02, 0x60)
    /// Where it lies.
    public var area = Area.ram
    /// Makes the command; RAM.
    public init() {}
    public init(area: Area) { self.area = area }
    public mutating func layout(_ wire: inout some Wire) throws(WireError) { try wire.field("area", &area) }
  }

  /// Adds text to the program of an area.
  ///
  /// ``Status/badParameter`` for an unknown area, ``Status/failedToExecute`` where it is full.
  /// Sphero API 1.50, "Append orbBasic Fragment" (DID 02h, CID 61h).
  public struct AppendFragment: Command {
    public static let id = CommandID(0x02, 0x61)
    /// Where it goes.
    public var area = Area.ram
    /// At most 253 bytes of lines; a NUL ends the program.
    public var text: WireText = ""
    /// Makes the command; no text.
    public init() {}
    public init(area: Area, text: WireText) { (self.area, self.text) = (area, text) }
    public mutating func layout(_ wire: inout some Wire) throws(WireError) {
      try wire.field("area", &area)
      try wire.field("text", &text, count: 0...253)
    }
  }

  /// Starts the program of an area; fails while one runs.
  ///
  /// Sphero API 1.50, "Execute orbBasic Program" (DID 02h, CID 62h).
  public struct Execute: Command {
    public static let id = CommandID(0x02, 0x62)
    /// Where it lies.
    public var area = Area.ram
    /// Line to start at.
    public var line: UInt16 = 10
    /// Makes the command; line 10 in RAM.
    public init() {}
    public init(area: Area, line: UInt16) { (self.area, self.line) = (area, line) }
    public mutating func layout(_ wire: inout some Wire) throws(WireError) {
      try wire.field("area", &area)
      try wire.field("line", &line)
    }
  }

  /// Ends the program that runs; succeeds also where none does.
  ///
  /// Sphero API 1.50, "Abort orbBasic Program" (DID 02h, CID 63h).
  public struct Abort: Command {
    public static let id = CommandID(0x02, 0x63)
    public init() {}
  }

  /// Answers the program's `input` statement; ignored where none waits.
  ///
  /// Sphero API 1.50, "Submit Value To Input Statement" (DID 02h, CID 64h).
  public struct SubmitInput: Command {
    public static let id = CommandID(0x02, 0x64)
    /// The value.
    public var value: Int32 = 0
    /// Makes the command; zero.
    public init() {}
    public init(value: Int32) { self.value = value }
    public mutating func layout(_ wire: inout some Wire) throws(WireError) { try wire.field("value", &value) }
  }

  /// Copies the program in RAM over the one in flash; fails while that one runs.
  ///
  /// Sphero API 1.50, "Commit RAM Program to Flash" (DID 02h, CID 65h).
  public struct CommitToFlash: Command {
    public static let id = CommandID(0x02, 0x65)
    public init() {}
  }

  /// The same as ``CommitToFlash``, under the other number that documents give for it.
  ///
  /// Sphero API quick reference (DID 02h, CID 70h).
  public struct CommitToFlashAlias: Command {
    public static let id = CommandID(0x02, 0x70)
    public init() {}
  }
}
