// Random histories of robots in a room, with clients, hands and damaged bytes, and their invariants.

import SpheroOrientation
import SpheroProtocol
import TestSupport

@testable import SpheroModel

/// One random history of a world.
struct History {
  /// A world that took one leap where the other one took many steps.
  private struct Leap {
    var world: World
    var end: Duration
    /// What each robot has sent meanwhile in the other world.
    var pieces: [[OutputPiece]]
  }

  private static let reach = 2 * Body.radius

  private var chance: SeededGenerator
  private(set) var world: World
  private let floor: Floor
  private let halfWidth: Double
  private(set) var witnesses: [LineWitness] = []
  private var wasAsleep: [Bool]
  private(set) var now = Duration.zero
  private var nextAction = Duration.zero
  private var eventsSinceAction = 0
  private var leap: Leap?
  /// When each line has been quiet for long enough to forget damage.
  private var quietAt: [Duration]
  /// Until when balls that a hand has put down may still overlap.
  private var crowdedUntil = Duration.zero
  private var sequence: UInt8 = 0
  private var energy: Double?
  private(set) var steps = 0
  private(set) var problems: [String] = []

  init(seed: UInt64) {
    var chance = SeededGenerator(seed: seed)
    let count = Int.random(in: 1...3, using: &chance)
    let width = Double.random(in: 0.6...3, using: &chance)
    var floor = Floor(width: width, depth: width)
    if chance.isTrue(0.3) { floor.walls.append(.init(from: Planar(-0.1, 0.1), to: Planar(width / 2, 0.1))) }
    if chance.isTrue(0.2) { floor.slope = Planar(Double.random(in: -2...2, using: &chance), 0) }
    floor.grip = [0.8, 0.8, 0.1].randomElement(using: &chance) ?? 0.8
    floor.starts = (0..<count).map { Planar(Double($0) * 0.15 - 0.2, -0.1) }
    (self.floor, halfWidth) = (floor, width / 2)
    let configurations = (0..<count).map { _ in
      var configuration = RobotModel.Configuration()
      configuration.seed = chance.next()
      configuration.profile = Profile.all.randomElement(using: &chance) ?? .sphero2
      configuration.clockRate = [1, 1, 0.95, 1.05, 0.999].randomElement(using: &chance) ?? 1
      configuration.wakesByBytes = chance.isTrue(0.7)
      configuration.keepsStreaming = chance.isTrue(0.2)
      configuration.charge = chance.isTrue(0.8) ? 0.8 : Double.random(in: 0...1, using: &chance)
      return configuration
    }
    self.chance = chance
    world = World(configurations, on: floor)
    wasAsleep = configurations.map { _ in false }
    quietAt = configurations.map { _ in .zero }
    witnesses = configurations.map { LineWitness(clockRate: $0.clockRate) }
    for index in 0..<count { connect(index) }
  }

  private mutating func fail(_ problem: String) {
    if problems.count < 3 { problems.append("\(now): \(problem)") }
  }

  /// Whether anything is wrong.
  var isWrong: Bool { !problems.isEmpty || witnesses.contains { !$0.problems.isEmpty } }

  // MARK: Time

  /// Advances to the next deadline of the world or the next action.
  mutating func step() {
    steps += 1
    let deadline = world.nextDeadline
    if let deadline, deadline < nextAction, eventsSinceAction < 300 {
      eventsSinceAction += 1
      now = max(now, deadline)
      tick()
      if let next = world.nextDeadline, next <= now { fail("the deadline stays at \(next)") }
    } else {
      // What happened too often since the last action ends the wait; otherwise the action is due.
      now = eventsSinceAction < 300 ? max(now, nextAction) : now
      tick()
      finishLeap()
      act()
      chooseNextAction()
      eventsSinceAction = 0
    }
  }

  private mutating func tick() {
    world.tick(at: now)
    for index in world.robots.indices {
      let pieces = world.takeOutput(of: index)
      leap?.pieces[index] += pieces
      let isAsleep = world.robots[index].isAsleep
      if wasAsleep[index], isAsleep, !pieces.isEmpty { fail("a sleeping robot sends") }
      // It says what it does before it falls asleep, or when it wakes.
      if wasAsleep[index], !isAsleep { witnesses[index].wake() }
      witnesses[index].hear(pieces, at: now, isAsleep: isAsleep)
      if !wasAsleep[index], isAsleep { witnesses[index].sleep() }
      wasAsleep[index] = isAsleep
      if witnesses[index].isDamaged, now >= quietAt[index] { witnesses[index].isDamaged = false }
    }
    checkBodies()
  }

  private mutating func chooseNextAction() {
    let isQuiet = world.robots.allSatisfy { $0.hardware.isResting }
    let wait: Duration =
      switch Int.random(in: 0..<100, using: &chance) {
      case 0..<20: .zero
      case 20..<60: .microseconds(Int.random(in: 0...5_000, using: &chance))
      case 60..<94: .microseconds(Int.random(in: 0...50_000, using: &chance))
      case 94..<99: .milliseconds(Int.random(in: 0...(isQuiet ? 30_000 : 300), using: &chance))
      default: .seconds(isQuiet ? Int.random(in: 0...10_000, using: &chance) : 1)
      }
    nextAction = now + wait
    if wait > .zero, wait < .seconds(60), chance.isTrue(0.05) {
      var other = world
      other.tick(at: nextAction)
      leap = Leap(world: other, end: nextAction, pieces: world.robots.map { _ in [] })
    }
  }

  /// Compares one leap with many steps: what happens does not depend on how often the clock advances.
  private mutating func finishLeap() {
    defer { leap = nil }
    guard var leap, leap.end == now else { return }
    // Programs wait while 64 pieces lie in the queue, so there it matters how often they are taken.
    guard leap.pieces.allSatisfy({ $0.count < 64 }) else { return }
    for index in world.robots.indices {
      let pieces = leap.world.takeOutput(of: index)
      if pieces != leap.pieces[index] { fail("robot \(index) sends other bytes") }
      let (one, other) = (world.robots[index], leap.world.robots[index])
      if one.body != other.body { fail("robot \(index) has rolled elsewhere") }
      if one.isAsleep != other.isAsleep || one.batteryVoltage != other.batteryVoltage {
        fail("robot \(index) is in another state")
      }
    }
  }

  // MARK: Actions

  private mutating func act() {
    guard let index = world.robots.indices.randomElement(using: &chance) else { return }
    energy = nil
    switch Int.random(in: 0..<100, using: &chance) {
    case 0..<86 where witnesses[index].isConnected: send(to: index)
    case 86..<89 where witnesses[index].isConnected:
      witnesses[index].disconnect(keepsStreaming: world.robots[index].configuration.keepsStreaming)
      world.withRobot(index, at: now) { [now] in $0.disconnect(at: now) }
    case 97..<100: break
    case 89..<97: touch(index)
    default: if !witnesses[index].isConnected { connect(index) }
    }
    settle(index)
  }

  private mutating func connect(_ index: Int) {
    witnesses[index].connect()
    world.withRobot(index, at: now) { [now] in $0.connect(at: now) }
  }

  /// Hears what an action caused at once.
  private mutating func settle(_ index: Int) {
    let isAsleep = world.robots[index].isAsleep
    if wasAsleep[index], !isAsleep { witnesses[index].wake() }
    let pieces = world.takeOutput(of: index)
    if isAsleep, wasAsleep[index], !pieces.isEmpty { fail("a sleeping robot sends") }
    witnesses[index].hear(pieces, at: now, isAsleep: isAsleep)
    if isAsleep, !wasAsleep[index] { witnesses[index].sleep() }
    wasAsleep[index] = isAsleep
  }

  /// A hand does something.
  private mutating func touch(_ index: Int) {
    func vector(_ size: Double) -> Vector3 {
      Vector3(
        Double.random(in: -size...size, using: &chance), Double.random(in: -size...size, using: &chance),
        Double.random(in: -size...size, using: &chance))
    }
    let now = now
    switch Int.random(in: 0..<9, using: &chance) {
    case 0...1:
      let pose = Rotation(rotationVector: vector(3))
      world.withRobot(index, at: now) { $0.hold(pose, at: now) }
    case 2...4:
      world.withRobot(index, at: now) { $0.hold(nil, at: now) }
      crowdedUntil = now + .seconds(2)
    case 5:
      let push = vector(chance.isTrue(0.9) ? 20 : 1e300)
      world.withRobot(index, at: now) { $0.shake(push, at: now) }
    case 6: world.withRobot(index, at: now) { $0.shake(.zero, at: now) }
    case 7:
      let push = vector(chance.isTrue(0.9) ? 3 : 1e300)
      world.withRobot(index, at: now) { $0.knock(Planar(push.x, push.y), at: now) }
    default:
      let isIn = chance.isTrue(0.3)
      world.withRobot(index, at: now) { $0.setCharger(isIn, at: now) }
    }
  }

  /// A client sends a few commands in one write, whole or damaged, in one read or two.
  private mutating func send(to index: Int) {
    var commands: [LineWitness.Sent] = []
    var bytes: [UInt8] = []
    for _ in 0..<(chance.isTrue(0.1) ? 3 : 1) {
      let command = RandomCommand.any(&chance)
      let sop2: UInt8 = [0xFF, 0xFF, 0xFF, 0xFF, 0xFE, 0xFD, 0xFC].randomElement(using: &chance) ?? 0xFF
      sequence &+= 1
      let packet = Talk.packet(
        command.device, command.command, command.payload, sop2: sop2, sequence: sequence)
      for _ in 0..<(chance.isTrue(0.02) ? 2 : 1) {
        commands.append(
          .init(
            device: command.device, command: command.command, payload: command.payload, sequence: sequence,
            isAnswered: sop2 & 1 == 1))
        bytes += packet
      }
    }
    let hasStrays = chance.isTrue(0.02)
    if hasStrays { bytes = (0..<5).map { _ in UInt8.random(in: 0...0xFE, using: &chance) } + bytes }
    let isDamaged = chance.isTrue(0.02)
    if isDamaged { damage(&bytes) }
    // After strays, bytes inside an earlier packet may count as the head of another one.
    if isDamaged || hasStrays { witnesses[index].damage() }
    if witnesses[index].isDamaged {
      // A fragment is given up after a second, and each command that it has held back may begin another one.
      quietAt[index] = now + .seconds(5)
      commands = []
      witnesses[index].damage()
    }
    let wasAsleep = wasAsleep[index]
    let cut = chance.isTrue(0.3) ? bytes.indices.randomElement(using: &chance) ?? 0 : 0
    for part in [bytes[..<cut], bytes[cut...]] where !part.isEmpty {
      world.receive(Array(part), by: index, at: now)
    }
    let isAsleep = world.robots[index].isAsleep
    let pieces = world.takeOutput(of: index)
    let hasWoken = wasAsleep && (!isAsleep || !pieces.isEmpty)
    if hasWoken {
      if !world.robots[index].configuration.wakesByBytes { fail("bytes wake a robot that is to be shaken") }
      witnesses[index].wake()
    }
    if !isAsleep || !wasAsleep || hasWoken {
      // Each command begins with FFh.
      witnesses[index].hear(
        commands, most: bytes.count { $0 == 0xFF }, pieces, at: now, isAsleep: isAsleep)
    }
    if isAsleep { witnesses[index].sleep() }
    self.wasAsleep[index] = isAsleep
  }

  private mutating func damage(_ bytes: inout [UInt8]) {
    guard let place = bytes.indices.randomElement(using: &chance) else { return }
    switch Int.random(in: 0..<4, using: &chance) {
    case 0: bytes.remove(at: place)
    case 1: bytes[place] ^= UInt8.random(in: 1...255, using: &chance)
    case 2: bytes.removeSubrange(place...)
    default: bytes.insert(0xFF, at: place)
    }
  }

  // MARK: Bodies

  /// Bodies stay on the floor and apart, and nothing rolls faster by itself.
  private mutating func checkBodies() {
    let bodies = world.robots.map(\.body)
    for (index, body) in bodies.enumerated() {
      let place = body.position
      guard place.x.isFinite, place.y.isFinite, max(abs(place.x), abs(place.y)) < halfWidth else {
        return fail("robot \(index) has left the floor: \(place)")
      }
    }
    if now >= crowdedUntil {
      for one in bodies.indices {
        for other in bodies.indices.dropFirst(one + 1)
        where !bodies[one].isHeld && !bodies[other].isHeld {
          let way = bodies[one].position - bodies[other].position
          let distance = (way * way).sum().squareRoot()
          if distance < Self.reach - 0.001 { fail("\(one) and \(other) overlap: \(distance)") }
        }
      }
    }
    let isLevel = floor.slope == .zero
    let isFree = world.robots.allSatisfy { robot in
      // A robot that turns before it rolls has a speed to come to.
      guard robot.hardware.drive.speed == 0, !robot.hardware.drive.isBoosting else { return false }
      return switch robot.body.effort {
      case .none, .controlled(speed: 0, yaw: _, turnRate: _): true
      default: false
      }
    }
    guard isLevel, isFree else {
      energy = nil
      return
    }
    let sum = bodies.reduce(0.0) {
      $0 + max(($1.velocity * $1.velocity).sum(), $1.rimSpeed * $1.rimSpeed)
    }
    if let energy, sum > energy + 1e-9 { fail("the energy grows from \(energy) to \(sum)") }
    energy = sum
  }
}
