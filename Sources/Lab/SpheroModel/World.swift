// Several robots on one floor: they step together, and bump into each other.

import SpheroOrientation

/// Several robots on one floor.
///
/// A value like ``RobotModel``: bytes and the time go in, for each robot by its number,
/// and bytes and the next deadline come out.
/// All bodies move together, in steps of ``Body/stepLength``.
public struct World: Sendable {
  /// How much of the speed is given back where two balls meet, 0...1.
  private static let ballBounce = 0.8
  /// How often balls in a crowd are moved apart in one step.
  private static let rounds = 8

  /// The floor.
  public let floor: Floor
  /// The robots, by number.
  public private(set) var robots: [RobotModel]
  /// Whether no balls touch that are still to be parted.
  private var isSettled = false

  /// Puts robots on a floor.
  ///
  /// - Parameters:
  ///   - configurations: One for each robot.
  ///   - floor: Where they roll; its starting places are taken in order.
  ///   - now: The time.
  public init(
    _ configurations: [RobotModel.Configuration], on floor: Floor = Floor(), at now: Duration = .zero
  ) {
    self.floor = floor
    robots = zip(configurations, floor.starts(for: configurations.count)).map { configuration, place in
      RobotModel(configuration, on: floor, startingAt: place, at: now)
    }
  }

  /// Lets time pass for all.
  public mutating func tick(at now: Duration) {
    guard let first = robots.first else { return }
    if robots.count == 1 { return robots[0].tick(at: now) }
    var next = first.nextStepTime
    while next <= now {
      if isSettled, robots.allSatisfy({ $0.isResting }) {
        let until = min(nextDeadline ?? now, now)
        for index in robots.indices { robots[index].skipSteps(to: until) }
      }
      for index in robots.indices { robots[index].beginStep() }
      resolveContacts()
      for index in robots.indices { robots[index].endStep() }
      next = robots[0].nextStepTime
    }
    for index in robots.indices { robots[index].think(until: now) }
  }

  /// The next time at which a robot has something to do by itself, or nil where all wait for bytes alone.
  public var nextDeadline: Duration? { robots.compactMap { $0.nextDeadline }.min() }

  /// Gives bytes that arrive to a robot; a number that no robot has is ignored.
  public mutating func receive(_ bytes: [UInt8], by robot: Int, at now: Duration) {
    change(robot, at: now) { $0.receive(bytes, at: now) }
  }

  /// Takes what a robot sends, in the order of its line.
  public mutating func takeOutput(of robot: Int) -> [OutputPiece] {
    robots.indices.contains(robot) ? robots[robot].takeOutput() : []
  }

  /// Does something with one robot, once all have come to the time; a number that no robot has is ignored.
  public mutating func change(_ robot: Int, at now: Duration, _ body: (inout RobotModel) -> Void) {
    tick(at: now)
    guard robots.indices.contains(robot) else { return }
    body(&robots[robot])
    isSettled = false
  }

  /// Parts balls that touch, and lets them bounce.
  private mutating func resolveContacts() {
    let before = robots.map { $0.machine.body.isHeld ? nil : $0.machine.body.position }
    var places = before
    for round in 0..<Self.rounds {
      let isCrowded = part(&places, bouncing: round == 0)
      if round == 0 { isSettled = !isCrowded }
      guard isCrowded else { return }
      for (index, place) in places.enumerated() {
        guard let place, let start = before[index], place != robots[index].machine.body.position else {
          continue
        }
        robots[index].machine.body.move(to: place)
        robots[index].machine.body.keepOff(floor, from: start)
        places[index] = robots[index].machine.body.position
      }
    }
  }

  /// Parts the balls that touch at some places; nil is a ball in a hand.
  ///
  /// - Returns: Whether any did.
  private mutating func part(_ places: inout [Planar?], bouncing isBouncing: Bool) -> Bool {
    let reach = 2 * Body.radius
    var isCrowded = false
    for one in places.indices {
      for other in places.indices.dropFirst(one + 1) {
        guard let place = places[one], let otherPlace = places[other] else { continue }
        let way = otherPlace - place
        let distance = way.length
        guard distance < reach else { continue }
        isCrowded = true
        let normal = distance > 1e-9 ? way / distance : Planar(1, 0)
        let gap = (reach - distance) / 2 + 1e-9
        (places[one], places[other]) = (place - normal * gap, otherPlace + normal * gap)
        guard isBouncing else { continue }
        let approach = (robots[other].machine.body.velocity - robots[one].machine.body.velocity).dot(normal)
        guard approach < 0 else { continue }
        // Equal masses: each takes half of the change.
        let change = normal * ((1 + Self.ballBounce) / 2 * approach)
        robots[one].machine.body.hit(change)
        robots[other].machine.body.hit(-change)
      }
    }
    return isCrowded
  }
}
