// Tests of errors: their sentences and their properties.

import SpheroSimulator
import TestSupport
import Testing

@Suite struct ErrorTests {
  @Test func everyOptionErrorHasItsSentence() throws {
    func errorOf(_ body: (inout SimulatorOptions) throws(SimulatorOptionError) -> Void)
      -> SimulatorOptionError?
    {
      var options = SimulatorOptions()
      do throws(SimulatorOptionError) { try body(&options) } catch { return error }
      return nil
    }
    let unknown = errorOf { options throws(SimulatorOptionError) in try options.apply("seed=1,size=3") }
    #expect(unknown?.code == .unknownName && unknown?.option == "size=3")
    #expect(
      unknown?.description.hasPrefix(
        "'size=3' is not an option of a simulated robot: the names are name, model, seed, latency, ") == true)
    let value = errorOf { options throws(SimulatorOptionError) in try options.apply("model=bolt") }
    #expect(value?.code == .invalidValue && value?.option == "model=bolt")
    #expect(
      value?.description
        == "'bolt' is not a value for model: write model=sphero1|sphero2|sprk|ollie|bb8|sprkplus")
    let missing = errorOf { options throws(SimulatorOptionError) in try options.apply("battery") }
    #expect(
      missing?.description
        == "battery has no value: write battery=PERCENT; PERCENT is a number like 8%, or a fraction like 0.08"
    )
    let other = errorOf { options throws(SimulatorOptionError) in try options.applyFaults("drop=1%,seed=1") }
    #expect(other?.code == .noFault && other?.option == "seed=1")
    #expect(
      other?.description.hasPrefix("'seed=1' is not a fault: the faults are drop, ") == true)
    let codes = try caseNames(of: "Code", in: "SpheroSimulator/SimulatorOptions.swift")
    #expect([unknown, value, other].compactMap { $0.map { "\($0.code)" } } == codes)
  }
}
