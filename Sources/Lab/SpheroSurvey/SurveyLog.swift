// What crossed the line during a survey, taken apart and sorted by step.

public import SpheroProtocol

/// What crossed the line during a survey: its packets, sorted by the step in which they passed.
///
/// A value without a clock: a survey that runs fills it, and so does its capture, later and elsewhere.
/// Whatever passes between two steps is left out.
public struct SurveyLog: Sendable {
  /// How a step ended.
  public enum Outcome: String, Hashable, Sendable, CaseIterable {
    /// All of it was done.
    case done
    /// The person did not want it.
    case skipped
    /// What it waits for did not happen.
    case abandoned
  }

  /// A packet and when it passed.
  struct Entry: Hashable, Sendable {
    enum Item: Hashable, Sendable {
      case sent(CommandPacket)
      /// A response and the command that it answers.
      case answered(ResponsePacket, to: CommandPacket)
      case event(EventPacket)
    }
    var time: Duration
    var item: Item
  }

  /// What passed in one step.
  struct Part: Hashable, Sendable {
    let step: String
    /// Nil while the step goes on, and where it was interrupted.
    var outcome: Outcome?
    var entries: [Entry] = []
  }

  /// The most packets that are kept of one step: ten times what the longest one takes.
  private static let capacity = 20_000

  private(set) var parts: [String: Part] = [:]
  /// The step that goes on.
  private(set) var current: String?
  private var host = PacketDecoder(from: .host)
  private var robot = PacketDecoder(from: .robot)
  /// Commands that may still be answered, by their numbers.
  private var waiting: [UInt8: CommandPacket] = [:]
  private var now = Duration.zero

  /// Makes a log of nothing.
  public init() {}

  /// Whether any step has begun.
  public var isEmpty: Bool { parts.isEmpty }

  /// Begins a step; one that was begun before begins anew, and names that mean no step are passed over.
  public mutating func begin(_ step: String) {
    current = SurveyStep.all.contains { $0.name == step } ? step : nil
    if let current { parts[current] = Part(step: current) }
  }

  /// Ends the step that goes on.
  public mutating func end(_ outcome: Outcome) {
    if let current { parts[current]?.outcome = outcome }
    current = nil
  }

  /// Takes bytes that cross the line.
  ///
  /// - Parameters:
  ///   - bytes: What was written or read at once.
  ///   - sender: Who sent them.
  ///   - time: When, by any clock; nil counts as the time before.
  public mutating func append(_ bytes: [UInt8], from sender: Sender, at time: Duration?) {
    now = max(now, time ?? now)
    switch sender {
    case .host:
      host.append(bytes)
      while let packet = host.next() { take(packet) }
    case .robot:
      robot.append(bytes)
      while let packet = robot.next() { take(packet) }
    }
  }

  private mutating func take(_ packet: Packet) {
    switch packet {
    case .command(let command):
      if command.options.contains(.answer) { waiting[command.sequence] = command }
      note(.sent(command))
    case .response(let response):
      guard let command = waiting.removeValue(forKey: response.sequence) else { return }
      note(.answered(response, to: command))
    case .event(let event): note(.event(event))
    }
  }

  private mutating func note(_ item: Entry.Item) {
    guard let current, let count = parts[current]?.entries.count, count < Self.capacity else { return }
    parts[current]?.entries.append(Entry(time: now, item: item))
  }
}

extension SurveyLog.Part {
  /// The first response to a kind of command.
  func response(to id: CommandID) -> ResponsePacket? {
    for case .answered(let response, let command) in entries.lazy.map(\.item) where command.id == id {
      return response
    }
    return nil
  }
}
