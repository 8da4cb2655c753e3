// Tests of the options of simulated robots, and of their errors.

import SpheroModel
import SpheroOrientation
import SpheroProtocol
import SpheroTransport
import TestSupport
import Testing

@testable import SpheroSimulator

@Suite(.ownThread) struct OptionTests {
  @Test func optionsOfTheRobot() throws {
    let options = try SimulatorOptions(
      parsing: "name=Bob,model=ollie,seed=7,latency=80ms,battery=40%,clock=1.05,reading=c,version=10,"
        + "renewal=sum,reserved=nothing,greeting=u>,sleep=silent,nap=3s,floor=/tmp/room,pace=2,stream=continues,"
        + "locator=backward,gyro-bias=0.5:-1:2,gyro-scale=-2%,gyro-misalignment=1:0:-3,gyro-drift=0.01")
    #expect(options.robot.name == "Bob" && options.robot.seed == 7 && options.faults.seed == 7)
    #expect(options.robot.model.profile.name == "ollie" && options.robot.latency == .milliseconds(80))
    #expect(options.robot.model.charge == 0.4 && options.robot.clockRate == 1.05)
    #expect(options.robot.model.sensorAxes == .c && options.robot.hasLongVersionRecord)
    #expect(options.robot.model.renewal == .sum && !options.robot.model.streamsReservedBits)
    #expect(options.robot.greeting == [0x75, 0x3E] && !options.robot.hangsUpToSleep)
    #expect(options.robot.napDelay == .seconds(3))
    #expect(options.floor == .file(path: "/tmp/room") && options.pace == 2)
    #expect(options.robot.model.keepsStreaming && options.robot.model.missesForwardPushes)
    let gyroscope = options.robot.model.errors.gyroscope
    #expect(gyroscope.bias == Vector3(0.5, -1, 2) && gyroscope.scale == Vector3(-0.02, -0.02, -0.02))
    #expect(gyroscope.misalignment == Vector3(1, 0, -3) && gyroscope.drift == Vector3(0.01, 0.01, 0.01))
    #expect(SimulatorOptions().floor == .room)
    #expect(try SimulatorOptions(parsing: "floor=none").floor == .unbounded)
  }

  @Test func theRobotsOfOneFloorHaveAddressesOfTheirOwn() async throws {
    let world = try await SimulatorOptions(parsing: "model=sprk").world(of: 3, time: VirtualTime())
    var addresses: [String?] = []
    for robot in world.robots { addresses.append(await robot.model.configuration.address) }
    // The first one has the address of its kind, 6886E7005678.
    #expect(addresses == [nil, "6886E7005679", "6886E700567A"])
    #expect(await world.robots[0].model.body.position == .zero)
  }

  /// A robot reports the first 16 bytes of its name, which differ also if letters have several bytes.
  @Test(arguments: [("Sphero", "Sphero-2"), ("äöüäöüäöüäöü", "äöüäöüä-2"), ("a", "a-2")])
  func theRobotsOfOneFloorReportDifferentNames(_ name: String, _ second: String) async throws {
    let world = try await SimulatorOptions(parsing: "name=\(name)").world(of: 2, time: VirtualTime())
    #expect(await world.robots[0].model.configuration.name == name)
    #expect(await world.robots[1].model.configuration.name == second)
  }

  @Test func faultsOfTheLine() throws {
    let plan = try SimulatorOptions(parsing: "drop=1%,late=0.05:300ms,refuse=30%:02,stall=1%,close=10s:3s")
      .faults
    #expect(
      plan.faults == [
        Fault(.drop, chance: 0.01), Fault(.reorder(.milliseconds(300)), chance: 0.05),
        Fault(.refuse(.badChecksum), chance: 0.3, of: .commands), Fault(.stall(.seconds(2)), chance: 0.01),
      ])
    #expect(plan.outage == FaultPlan.Outage(after: .seconds(10), lasting: .seconds(3)))
    // A command cannot be refused with the status of success.
    #expect(throws: (any Error).self) { try SimulatorOptions(parsing: "refuse=30%:00") }
  }

  @Test func faultsOfSomeTraffic() throws {
    let plan = try SimulatorOptions(
      parsing:
        "drop=30%@responses,late=5%:300ms@responses,duplicate=0.2@responses,misnumber=1@responses+commands,"
        + "stray=2%,stray=3%@commands,corrupt=0.01%@bytes,drop=1%@stream+events,stale=1,stall=1%@bytes+commands"
    ).faults
    #expect(
      plan.faults == [
        Fault(.drop, chance: 0.3, of: .responses),
        Fault(.reorder(.milliseconds(300)), chance: 0.05, of: .responses),
        Fault(.duplicate, chance: 0.2, of: .responses), Fault(.changeSequence, of: [.responses, .commands]),
        Fault(.stray, chance: 0.02, of: .fromRobot), Fault(.stray, chance: 0.03, of: .commands),
        Fault(.corrupt, chance: 0.0001, of: .bytes), Fault(.drop, chance: 0.01, of: [.sensorData, .events]),
        Fault(.stale, of: .responses, to: CommandID(0x02, 0x11)),
        Fault(.stall(.seconds(2)), chance: 0.01, of: [.bytes, .commands]),
      ])
  }

  @Test func aFaultThatIsWrittenWronglyIsExplained() {
    let error = #expect(throws: SimulatorOptionError.self) {
      try SimulatorOptions(parsing: "drop=1%@replies")
    }
    #expect(
      error?.description
        == "'1%@replies' is not a value for drop: write drop=CHANCE[@TRAFFIC]; "
        + "CHANCE is a number like 5%, or a fraction like 0.05; "
        + "TRAFFIC is commands, responses, stream, events, or bytes for single bytes; several are joined by +"
    )
  }

  @Test(arguments: [
    "late=1%@bytes", "refuse=1%@responses", "stale=1%@stream", "misnumber=1%@bytes", "drop=1%@",
    "drop=1%@bytes+",
    "drop=@bytes", "nap=soon",
    "model=robot", "seed=-1", "drop=200%", "drop", "latency=5x", "nonsense=1", "refuse=1%:zz", "refuse=1%:+5",
    "close=10s",
    "pace=0", "clock=2", "name=", "cut=1%:2s", "=", "gyro-bias=1:2", "gyro-bias=1:x:2", "gyro-scale=60%",
    "gyro-drift=", "gyro-misalignment=1:2:3:4", "stream=yes", "locator=forward",
  ])
  func whatMeansNothingIsNamed(_ text: String) {
    let error = #expect(throws: SimulatorOptionError.self) {
      try SimulatorOptions(parsing: "seed=1," + text + ",seed=2")
    }
    #expect(error?.option == text)
  }

  @Test func everyOptionHasALineOfHelp() {
    #expect(SimulatorOptions.help.count == SimulatorOptions.names.count)
    #expect(Set(SimulatorOptions.names).count == SimulatorOptions.names.count)
  }
}

@Suite(.ownThread) struct SimulatedRobotTests {
  private static func ping(_ sequence: UInt8) -> [UInt8] {
    let body: [UInt8] = [0x00, 0x01, sequence, 0x01]
    return [0xFF, 0xFF] + body + [~body.reduce(0, &+)]
  }

  @Test func commandsOverlapOnASlowLine() async throws {
    let time = VirtualTime()
    try await time.run {
      var configuration = SimulatedRobot.Configuration()
      configuration.latency = .milliseconds(100)
      let robot = SimulatedRobot(configuration, time: time)
      let (host, device) = MemoryTransport.pair()
      let life = time.start { await robot.serve(device) }
      for sequence in 0..<5 as Range<UInt8> {
        host.write(Self.ping(sequence))
        try await time.sleep(for: .milliseconds(10))
      }
      var answers: [UInt8] = []
      while answers.count < 30, let bytes = try await host.read() { answers += bytes }
      #expect(time.now == .milliseconds(140), "not 500 ms, one after the other")
      let numbers = stride(from: 3, to: 30, by: 6).map { answers[$0] }
      #expect(numbers == [0, 1, 2, 3, 4])
      host.close()
      await life.value
    }
  }

  @Test func eventsComeApartFromTheirResponse() async throws {
    let time = VirtualTime()
    try await time.run {
      let robot = SimulatedRobot(time: time)
      let (host, device) = MemoryTransport.pair()
      let life = time.start { await robot.serve(device) }
      // Power notifications on, SEQ 52h.
      host.write([0xFF, 0xFF, 0x00, 0x21, 0x52, 0x02, 0x01, 0x89])
      let response = try await host.read()
      #expect(response == [0xFF, 0xFF, 0x00, 0x52, 0x01, 0xAC])
      #expect(time.now == .zero)
      let event = try await host.read()
      #expect(event == [0xFF, 0xFE, 0x01, 0x00, 0x02, 0x02, 0xFA])
      #expect(time.now == .milliseconds(4))
      host.close()
      await life.value
    }
  }

  @Test func responsesKeepApartFromWhatIsAheadOfThem() async throws {
    let time = VirtualTime()
    try await time.run {
      let robot = SimulatedRobot(time: time)
      let (host, device) = MemoryTransport.pair()
      let life = time.start { await robot.serve(device) }
      // Three pings in one write: a client that takes one packet from each read gets all.
      host.write([0xFF, 0xFF, 0x00, 0x01, 0x52, 0x01, 0xAB] + [0xFF, 0xFF, 0x00, 0x01, 0x53, 0x01, 0xAA])
      host.write([0xFF, 0xFF, 0x00, 0x01, 0x54, 0x01, 0xA9])
      for (sequence, milliseconds) in [(0x52, 0), (0x53, 2), (0x54, 4)] as [(UInt8, Int)] {
        let response = try #require(try await host.read())
        #expect(response.prefix(4).elementsEqual([0xFF, 0xFF, 0x00, sequence]))
        #expect(response.count == 6)
        #expect(time.now == .milliseconds(milliseconds))
      }
      host.close()
      await life.value
    }
  }

  @Test func aSecondLineIsClosedAtOnce() async throws {
    let time = VirtualTime()
    try await time.run {
      let robot = SimulatedRobot(time: time)
      let (first, second) = (robot.connect(), robot.connect())
      first.write([0xFF, 0xFF, 0x00, 0x01, 0x52, 0x01, 0xAB])
      let answer = try await first.read()
      #expect(answer == [0xFF, 0xFF, 0x00, 0x52, 0x01, 0xAC])
      await #expect(throws: LinkError.refused("the simulated robot")) { try await second.read() }
      await first.close()
      #expect(try await first.read() == nil, "closed by this end")
      await second.close()
    }
  }

  @Test func sleepHangsUp() async throws {
    let time = VirtualTime()
    try await time.run {
      let robot = SimulatedRobot(time: time)
      let (host, device) = MemoryTransport.pair()
      let life = time.start { await robot.serve(device) }
      host.write([0xFF, 0xFF, 0x00, 0x22, 0x52, 0x06, 0, 0, 0, 0, 0, 0x85])
      var bytes: [UInt8] = []
      while let piece = try await host.read() { bytes += piece }
      #expect(bytes == [0xFF, 0xFF, 0x00, 0x52, 0x01, 0xAC])
      await life.value
      #expect(await robot.isAsleep)
    }
  }

  @Test func aSecondLineAtTheSameTimeIsNotServed() async throws {
    let time = VirtualTime()
    try await time.run {
      let robot = SimulatedRobot(time: time)
      let (first, device) = MemoryTransport.pair()
      let (second, other) = MemoryTransport.pair()
      let life = time.start { await robot.serve(device) }
      first.write(Self.ping(1))
      _ = try await first.read()
      await robot.serve(other)
      second.write(Self.ping(2))
      first.write(Self.ping(3))
      let answer = try await first.read()
      #expect(answer?[3] == 3)
      first.close()
      await life.value
    }
  }

  @Test func robotsOnOneFloorMeet() async throws {
    let time = VirtualTime()
    try await time.run {
      let floor = try Floor(parsing: "room 2 2\nstart 0 -0.3\nstart 0 0.3")
      let world = SimulatedWorld([.init(), .init()], on: floor, time: time)
      let robots = world.robots
      let (host, device) = MemoryTransport.pair()
      let life = time.start { await robots[0].serve(device) }
      // Collisions on, then roll ahead.
      host.write([0xFF, 0xFF, 0x02, 0x12, 0x01, 0x07, 1, 100, 0, 100, 0, 100, 0xB6])
      host.write([0xFF, 0xFF, 0x02, 0x30, 0x02, 0x05, 128, 0, 0, 1, 0x45])
      try await time.sleep(for: .seconds(2))
      var decoder = PacketDecoder(from: .robot)
      decoder.append(try await host.read() ?? [])
      var events = 0
      while let packet = decoder.next() {
        if case .event(let event) = packet, event.id == EventID(0x07) { events += 1 }
      }
      #expect(events >= 1)
      let place = await robots[1].model.body.position
      #expect(place.y > 0.31, "the other was pushed")
      host.close()
      await life.value
    }
  }
}
