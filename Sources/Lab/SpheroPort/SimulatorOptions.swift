// The options of a simulated robot, as they stand after `sim:`.

import SpheroSimulator
import SpheroTransport

extension SimulatorOptions {
  /// Reads options like `model=ollie,seed=7,drop=1%`.
  ///
  /// - Throws: `PortError` that points at the first option that means nothing.
  init(port options: String) throws(PortError) {
    do throws(SimulatorOptionError) { try self.init(parsing: options) } catch {
      let text = "\(Port.simulated(options: options))"
      let start = text.index(text.endIndex, offsetBy: -options.count)
      let parts = text[start...].split(separator: ",")
      let part = parts.first { $0 == error.option } ?? text[start...]
      throw PortError(text: text, at: part, .simulatorOption, known: Self.forms)
    }
  }
}
