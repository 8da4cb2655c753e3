// Motion events: how levelling ended.

extension Motion {
  static func events(_ catalogue: inout some CatalogueVisitor) {
    catalogue.event(SelfLevelResult.self, "Motion.SelfLevelResult")
  }

  /// Tells how a ``SelfLevel`` ended; only one that was asked for reports.
  ///
  /// Sphero API 1.50, asynchronous ID 0Bh.
  public struct SelfLevelResult: Event {
    /// 0B.
    public static let id = EventID(0x0B)
    /// How a levelling ended; an unknown end is kept as its number.
    public struct Result: WireCode {
      /// The number on the wire.
      public var rawValue: UInt8
      /// Takes the number of the wire.
      public init(rawValue: UInt8) { self.rawValue = rawValue }
      /// The robot does not know.
      public static let unclear = Result(rawValue: 0)
      /// Not level in time.
      public static let timedOut = Result(rawValue: 1)
      /// The sensors failed.
      public static let sensorError = Result(rawValue: 2)
      /// Switched off by an option.
      public static let disabled = Result(rawValue: 3)
      /// Ended by a command.
      public static let aborted = Result(rawValue: 4)
      /// Not in the charger.
      public static let noCharger = Result(rawValue: 5)
      /// Level.
      public static let success = Result(rawValue: 6)

      /// The codes that have a name.
      public static let names: KeyValuePairs<Result, String> = [
        .unclear: "unclear",
        .timedOut: "timed out",
        .sensorError: "sensor error",
        .disabled: "disabled",
        .aborted: "aborted",
        .noCharger: "no charger",
        .success: "success",
      ]
    }
    /// How it ended.
    public var result = Result.success
    /// Makes an event of success.
    public init() {}
    public init(result: Result) { self.result = result }
    public mutating func layout(_ wire: inout some Wire) throws(WireError) {
      try wire.field("result", &result)
    }
  }
}
