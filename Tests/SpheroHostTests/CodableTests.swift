// The stored forms, exactly as Docs/Storing.md shows them, and the refusal of others.
import Foundation
import SpheroHost
import SpheroProtocol
import TestSupport
import Testing

@Suite struct CodableTests {
  @Test func timedSamples() throws {
    let sample = TimedSample(
      time: .microseconds(2_500), arrival: .seconds(3), hostTime: .milliseconds(-1_250),
      sample: Sample(mask: SensorMask(.q0), words: [-5]))
    #expect(
      try isStored(
        sample,
        as: #"{"arrival":"3","hostTime":"-1.25","#
          + #""sample":{"mask":"q0","words":[-5]},"time":"0.0025","wallClock":"0"}"#))
    let exact = TimedSample(
      time: Duration(secondsComponent: 1, attosecondsComponent: 1), arrival: .zero,
      wallClock: .seconds(1_800_000_000),
      sample: sample.sample)
    let back = try JSONDecoder().decode(TimedSample.self, from: JSONEncoder().encode(exact))
    #expect(back == exact)
  }

  @Test(arguments: [
    "", "-", ".5", "5.", "1.2.3", "--1", "1e3", "+1", "1-", "0x1", "1.1234567890123456789",
    "99999999999999999999", "١",
  ])
  func malformedTimesAreRefused(text: String) {
    let stored =
      #"{"arrival":"0","hostTime":"0","sample":{"mask":"q0","words":[0]},"time":""# + text
      + #"","wallClock":"0"}"#
    #expect(
      refusal(of: stored, as: TimedSample.self)
        == "'time' is seconds in decimal, like \"0.0025\", not \"\(text)\"")
  }

  @Test func streamRequests() throws {
    #expect(
      try isStored(
        StreamRequest(mask: [.accel, .gyro], divisor: 10, frames: 2, packets: 100),
        as: #"{"divisor":10,"frames":2,"mask":"accel,gyro","packets":100}"#))
    #expect(
      refusal(of: #"{"divisor":0,"frames":2,"mask":"accel","packets":100}"#, as: StreamRequest.self) != nil)
    #expect(
      refusal(of: #"{"divisor":1,"frames":1,"mask":"none","packets":1}"#, as: StreamRequest.self) != nil)
    #expect(throws: EncodingError.self) { try JSONEncoder().encode(StreamRequest(mask: .imu, divisor: 0)) }
  }

  @Test func valuesReadWell() {
    let sample = Sample(mask: .imu, words: [-90, 5, 180])
    #expect(
      "\(TimedSample(time: .milliseconds(50), arrival: .zero, sample: sample))"
        == "0.05 s: pitch=-90° roll=5° yaw=180°")
    #expect(
      "\(StreamRequest(mask: [.accel, .gyro]))" == "accel,gyro each 0.05 s, 1 to a packet, 200 packets")
  }

  /// Only the name of a key is compared.
  @Test func lanesOfTheSameNameAreTheSame() {
    #expect(CoalescingKey("motion") == CoalescingKey.motion && CoalescingKey("mine") == CoalescingKey("mine"))
    let keys: Set<CoalescingKey> = [
      .motion, .color, .tailLight, .stream, CoalescingKey("mine"), CoalescingKey("enim"),
    ]
    #expect(keys.count == 6)
  }
}
