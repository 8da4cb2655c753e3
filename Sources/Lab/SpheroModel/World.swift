// Several robots on one floor, with their collisions.

import SpheroOrientation

/// Several robots on one floor, by number: a value like ``RobotModel``, without clock or line.
public struct World: Sendable {
  public let floor: Floor
  /// The robots, in the order of their numbers.
  public private(set) var robots: [RobotModel]
  /// Whether no balls overlapped in the last step, and no robot has been changed since.
  private var isSettled = false

  /// Places robots on the starting places of a floor, in order.
  public init(
    _ configurations: [RobotModel.Configuration], on floor: Floor = Floor(), at now: Duration = .zero
  ) {
    let floor = floor.bounded
    self.floor = floor
    robots = zip(configurations, floor.starts(for: configurations.count)).map { configuration, place in
      RobotModel(configuration, on: floor, startingAt: place, at: now)
    }
  }

  public mutating func tick(at now: Duration) {
    if robots.count == 1 { return robots[0].tick(at: now) }
    while !robots.isEmpty, robots[0].nextStepTime <= now {
      if isSettled, robots.indices.allSatisfy({ robots[$0].hardware.isResting }) {
        let until = min(nextDeadline ?? now, now)
        for index in robots.indices { robots[index].skipSteps(to: until) }
      }
      for index in robots.indices { robots[index].beginStep() }
      resolveContacts()
      for index in robots.indices { robots[index].endStep() }
    }
    for index in robots.indices { robots[index].runTicks(until: now) }
  }

  /// The time of the next pending action, or nil if all robots wait only for bytes.
  public var nextDeadline: Duration? {
    let next = robots.indices.compactMap { robots[$0].nextDeadline }.min()
    // A moving ball may hit one at rest, which reports the collision at once.
    guard robots.count > 1, robots.indices.contains(where: { !robots[$0].hardware.isResting }),
      robots.indices.contains(where: { !robots[$0].isAsleep && robots[$0].hardware.collisions.isOn })
    else { return next }
    return min(next ?? robots[0].nextStepTime, robots[0].nextStepTime)
  }

  /// Passes received bytes to a robot; ignored for a number without a robot.
  public mutating func receive(_ bytes: [UInt8], by robot: Int, at now: Duration) {
    withRobot(robot, at: now) { $0.receive(bytes, at: now) }
  }

  /// Removes and returns the pending output of a robot, in order.
  public mutating func takeOutput(of robot: Int) -> [OutputPiece] {
    robots.indices.contains(robot) ? robots[robot].takeOutput() : []
  }

  /// Removes and returns the pending remarks of a robot, in order.
  public mutating func takeRemarks(of robot: Int) -> [TimedRobotRemark] {
    robots.indices.contains(robot) ? robots[robot].takeRemarks() : []
  }

  /// Advances all robots to a time, then changes one; ignored for a number without a robot.
  public mutating func withRobot(_ robot: Int, at now: Duration, _ body: (inout RobotModel) -> Void) {
    tick(at: now)
    guard robots.indices.contains(robot) else { return }
    body(&robots[robot])
    isSettled = false
  }

  private mutating func resolveContacts() {
    let before = robots.map { $0.hardware.body.isHeld ? nil : $0.hardware.body.position }
    var places = before
    // Several rounds separate a crowd.
    for round in 0..<8 {
      let isCrowded = separate(&places, bouncing: round == 0)
      if round == 0 { isSettled = !isCrowded }
      guard isCrowded else { return }
      for (index, place) in places.enumerated() {
        guard let place, let start = before[index], place != robots[index].hardware.body.position else {
          continue
        }
        robots[index].hardware.body.position = place
        robots[index].hardware.body.resolveContacts(with: floor, from: start)
        places[index] = robots[index].hardware.body.position
      }
    }
  }

  /// Separates overlapping balls, and with `bouncing` applies their impacts; returns whether any overlap.
  private mutating func separate(_ places: inout [Planar?], bouncing isBouncing: Bool) -> Bool {
    let reach = 2 * Body.radius
    var isCrowded = false
    for one in places.indices {
      for other in places.indices.dropFirst(one + 1) {
        guard let place = places[one], let otherPlace = places[other] else { continue }
        let offset = otherPlace - place
        let distance = offset.length
        guard distance < reach else { continue }
        isCrowded = true
        let normal = distance > 1e-9 ? offset / distance : Planar(1, 0)
        let correction = (reach - distance) / 2 + 1e-9
        (places[one], places[other]) = (place - normal * correction, otherPlace + normal * correction)
        guard isBouncing else { continue }
        let approach = (robots[other].hardware.body.velocity - robots[one].hardware.body.velocity).dot(normal)
        guard approach < 0 else { continue }
        // Equal masses: each ball receives half of the change; the coefficient of restitution is 0.8.
        let change = normal * ((1 + 0.8) / 2 * approach)
        robots[one].hardware.body.hit(change)
        robots[other].hardware.body.hit(-change)
      }
    }
    return isCrowded
  }
}
