// Filtered columns of samples with gaps.

import SpheroHost
import SpheroMotion
import SpheroOrientation
import SpheroProtocol
import Testing

@Suite struct StreamColumnsTests {
  /// A filter of a field measures the time since the field's own last value, not since the last sample.
  @Test(arguments: [true, false]) func aMissingValueExtendsTheInterval(isLow: Bool) throws {
    let time = try #require(TimeConstant(cutoff: 1))
    func last(_ masks: [SensorMask]) throws -> Double {
      var options = StreamColumnOptions(mask: .accelOne, divisor: 20)
      options.filter = isLow ? SignalFilter(low: .lowPass(time)) : SignalFilter(high: .highPass(time))
      var columns = StreamColumns(options)
      var last: Double?
      for (index, mask) in masks.enumerated() where mask != [] {
        let sample = Sample(mask: mask, words: [index == 0 ? 0 : 1_000])
        let time = Duration.milliseconds(50 * index)
        last = columns.values(TimedSample(time: time, arrival: time, sample: sample)).last?.number
      }
      return try #require(last)
    }
    let direct = try last([.accelOne, [], [], .accelOne])
    let interrupted = try last([.accelOne, SensorMask(.pitch), SensorMask(.pitch), .accelOne])
    #expect(abs(interrupted - direct) < 1e-9)
    #expect(try abs(last([.accelOne, .accelOne]) - direct) > 1e-3)
  }
}
