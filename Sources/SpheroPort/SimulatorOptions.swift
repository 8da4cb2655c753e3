// The options of a simulated robot, as they stand behind `sim:`.

import SpheroSimulator
import SpheroTransport

extension SimulatedRobot.Configuration {
  /// The names of the options.
  static let optionNames: [String] = []

  /// Reads options like `name=value,name=value`; none of them is known yet, so that only an empty text is taken.
  ///
  /// - Throws: `PortError` that points at the first option that is unknown.
  init(options: String) throws(PortError) {
    self.init()
    guard !options.isEmpty else { return }
    let text = "\(Port.simulated(options: options))"
    let start = text.index(text.endIndex, offsetBy: -options.count)
    let option = text[start...].prefix { $0 != "," }
    throw PortError(text: text, at: option, .simulatorOption(known: Self.optionNames))
  }
}
