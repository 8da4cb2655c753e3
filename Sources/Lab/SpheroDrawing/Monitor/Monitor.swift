// What a monitor of a robot shows: values, attitude, path, link and events, as far as they were seen.

public import SpheroControls
public import SpheroOrientation
package import SpheroProtocol

/// The state of a monitor, in bounded memory; a panel without a robot to operate.
public struct Monitor: Sendable {
  /// A value that is watched.
  struct Row: Sendable {
    let name: String
    let unit: String
    /// The least value at the end of its bar.
    let leastLimit: Double
    var value: Double?
    var text = ""
    var history: History
  }

  /// How well the robot is reached.
  public enum Link: Hashable, Sendable {
    /// Samples come.
    case live
    /// The line is open, but samples stay away.
    case silent
    /// The line was lost.
    case lost
  }

  /// How much an event matters.
  public enum Weight: Hashable, Sendable {
    /// It is reported and no more.
    case note
    /// It may become a trouble.
    case warning
    /// It is one.
    case alarm
  }

  /// Something that happened.
  struct Event: Sendable {
    let time: Double
    let text: String
    let weight: Weight
  }

  /// What the robot is called, or where it is.
  public var title = ""
  /// How well the robot is reached.
  public var link = Link.live
  /// The colour of the ball; nil where nobody knows it.
  public var color: RGB?
  /// What is known of the battery.
  public var battery: (text: String, weight: Weight)?
  /// Samples that were lost on their way.
  public var lostSamples = 0
  /// Times that the line was lost and came back.
  public var reconnections = 0
  /// The attitude, which takes body to reference coordinates; nil where nobody knows it.
  public private(set) var attitude: Rotation?
  /// The way over the floor.
  public private(set) var path = FloorPath()
  var rows: [Row]
  private(set) var events: [Event] = []
  private(set) var time = 0.0
  /// The arrivals of the last samples, in seconds.
  private var arrivals: [Double] = []
  let nominalRate: Double
  /// The cells of the screen.
  private var size = (width: 0, height: 0)

  /// How many events are kept.
  private static let eventLimit = 100
  /// The seconds over which the rate is counted.
  private static let rateWindow = 2.0

  /// Starts a monitor.
  ///
  /// - Parameters:
  ///   - columns: The values of each sample.
  ///   - rate: The samples a second that were asked for.
  package init(columns: [Column], rate: Double) {
    nominalRate = rate
    let piece = max(0.1, rate > 0 ? 1 / rate : 1)
    rows = columns.map { column in
      Row(
        name: column.name.split(separator: "_").joined(separator: " "), unit: "\(column.unit.symbol)",
        leastLimit: Self.leastLimit(column.unit), history: History(piece: piece))
    }
  }

  /// The least that the end of a bar stands for: noise of a ball that lies still must not fill it.
  package static func leastLimit(_ unit: Quantity.Unit) -> Double {
    switch unit {
    case .g: 2
    case .degrees: 180
    case .degreesPerSecond: 100
    case .centimetres: 50
    case .millimetresPerSecond: 200
    case .one: 1
    default: 1
    }
  }

  /// Takes a sample.
  ///
  /// - Parameters:
  ///   - values: A value for each column.
  ///   - time: When it was measured, in seconds.
  ///   - arrival: When it came, in seconds of any clock.
  ///   - attitude: The attitude at it; nil where nobody knows it.
  ///   - place: Centimetres to the right and ahead of the origin; nil where nobody knows them.
  package mutating func take(
    _ values: [FieldValue], at time: Double, arrival: Double, attitude: Rotation?,
    place: (x: Double, y: Double)?
  ) {
    self.time = time
    self.attitude = attitude
    for (index, value) in values.enumerated() where index < rows.count {
      rows[index].value = value.number
      rows[index].text = value.plain
      if let number = value.number { rows[index].history.append(number, at: time) }
    }
    if let place { path.append(FloorPath.Place(x: place.x, y: place.y, time: time, color: color)) }
    arrivals.append(arrival)
    let first = arrivals.firstIndex { $0 >= arrival - Self.rateWindow } ?? 0
    arrivals.removeFirst(max(first, arrivals.count - 2_048))
    link = .live
  }

  /// The samples a second that come, measured by their arrivals up to now; nil before there are two.
  package func rate(at now: Double) -> Double? {
    let recent = arrivals.drop { $0 < now - Self.rateWindow }
    guard let first = recent.first, recent.count > 1, now > first else {
      return recent.isEmpty && !arrivals.isEmpty ? 0 : nil
    }
    return Double(recent.count - 1) / max((recent.last ?? now) - first, now - first - 2 / max(nominalRate, 1))
  }

  /// Adds something that happened.
  public mutating func note(_ text: String, _ weight: Weight = .note) {
    events.append(Event(time: time, text: text, weight: weight))
    if events.count > Self.eventLimit { events.removeFirst(events.count - Self.eventLimit) }
  }
}

extension Monitor: Panel {
  /// Takes the size of the screen, in cells.
  public mutating func resize(width: Int, height: Int) { size = (width, height) }

  /// Ends at the key `q`.
  public mutating func take(_ input: TerminalInput, at now: Duration) -> PanelOutcome {
    guard case .key(let press) = input else { return .goesOn }
    return press.key == .character("q") || press.key == .character("Q") ? .cancelled : .goesOn
  }

  /// Does nothing: no key is held.
  public mutating func release() {}

  /// Draws the state.
  ///
  /// - Parameter now: The time on the clock of the arrivals, for the rate.
  /// - Returns: The picture; a remark where the screen is too small.
  public func draw(at now: Duration) -> Canvas {
    draw(width: size.width, height: size.height, now: now / .seconds(1))
  }
}
