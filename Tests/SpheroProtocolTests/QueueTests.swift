// The queue, compared with an array, and the effects of requests.

import SpheroProtocol
import TestSupport
import Testing

@Suite(.ownThread) struct QueueTests {
  @Test(arguments: [1, 2, 3] as [UInt64])
  func queueBehavesLikeAnArray(seed: UInt64) {
    var chance = SeededGenerator(seed: seed)
    var queue = Queue<Int>()
    var array: [Int] = []
    for step in 0..<20_000 {
      // Long phases of growth and of shrinking.
      let grows = (step / 500).isMultiple(of: 2)
      switch Int.random(in: 0..<10, using: &chance) {
      case 0..<(grows ? 7 : 2):
        queue.append(step)
        array.append(step)
      case 7:
        let number = Int.random(in: 0..<100, using: &chance)
        queue.removeFirst(number)
        array.removeFirst(min(number, array.count))
      case 8:
        queue.replaceLast(with: -step)
        if !array.isEmpty { array[array.count - 1] = -step }
      case 9:
        // A sort takes longer than the other operations.
        guard step.isMultiple(of: 50) else { continue }
        queue.sort { $0 % 10 < $1 % 10 }
        array.sort { $0 % 10 < $1 % 10 }
      default:
        #expect(queue.popFirst() == (array.isEmpty ? nil : array.removeFirst()), "seed \(seed), step \(step)")
      }
      guard queue.count == array.count, queue.first == array.first, queue.last == array.last else {
        Issue.record("seed \(seed), step \(step)")
        return
      }
    }
    while let element = queue.popFirst() { #expect(element == array.removeFirst()) }
    #expect(array.isEmpty && queue.last == nil)
  }
}

@Suite(.ownThread) struct RequestEffectTests {
  private func check<R: Request>(_ request: R, _ effect: RequestEffect?) throws {
    #expect(request.effect == effect, "\(R.name)")
    // The encoded request has the same effect.
    #expect(RequestEffect(of: R.id, payload: try request.payload()) == effect, "\(R.name)")
  }

  @Test func requestAndItsPayloadHaveTheSameEffect() throws {
    try check(Motion.Roll(speed: 9, heading: 300), .roll(heading: 300))
    try check(Motion.Roll(speed: 0, heading: 7), .roll(heading: 7))
    try check(Motion.Roll(speed: 9, heading: 300, state: .fastRotate), .roll(heading: 300))
    try check(Motion.Roll(speed: 9, heading: 300, state: .stop), .stop(heading: 300))
    try check(Motion.Boost(isOn: false), .drive(isStabilized: true))
    try check(Motion.SetRawMotors(), .drive(isStabilized: false))
    try check(Macros.RunMacro(macro: 1), .runProgram())
    try check(OrbBasic.Execute(), .runProgram())
    try check(Macros.AbortMacro(), .abortProgram)
    try check(OrbBasic.Abort(), .abortProgram)
    try check(Motion.SetHeading(heading: 5), .aim(heading: 5))
    try check(Motion.SetStabilization(mode: .onWithoutReset), .stabilization(.onWithoutReset))
    try check(Sensing.ConfigureCollisionDetection(), .collisionDetection(isOn: true))
    try check(Sensing.ConfigureCollisionDetection(method: .off), .collisionDetection(isOn: false))
    try check(Core.SetPowerNotification(isOn: false), .powerNotification(isOn: false))
    try check(Core.Ping(), nil)
    try check(Lights.SetBackLED(brightness: 3), nil)
  }

  @Test func effectsThatMayMoveTheBall() {
    let moving: [RequestEffect] = [
      .roll(heading: 0), .drive(isStabilized: true), .drive(isStabilized: false), .runProgram(),
    ]
    let resting: [RequestEffect] = [
      .stop(heading: 0), .aim(heading: 0), .stabilization(.on), .collisionDetection(isOn: true),
      .powerNotification(isOn: true),
    ]
    #expect(moving.allSatisfy { $0.moves })
    #expect(!resting.contains { $0.moves })
    // A malformed roll may move the ball.
    #expect(RequestEffect(of: Motion.Roll.id, payload: [1]) == .runProgram())
    #expect(RequestEffect(of: Motion.SetHeading.id, payload: []) == nil)
    // Of Move, only the name is known.
    #expect(RequestEffect(of: CommandID(0x02, 0x32), payload: []) == .runProgram())
  }
}
