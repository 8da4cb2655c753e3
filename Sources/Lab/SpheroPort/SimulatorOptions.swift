// Options of a simulated robot in the text of a port.

package import SpheroSimulator
package import SpheroTransport

extension SimulatorOptions {
  /// Parses options like `model=ollie,seed=7,drop=1%`.
  ///
  /// - Throws: `PortError` with the position of the first invalid option.
  package init(port options: String) throws(PortError) {
    do throws(SimulatorOptionError) { try self.init(parsing: options) } catch {
      let text = "\(Port.simulated(options: options))"
      let start = text.index(text.endIndex, offsetBy: -options.count)
      let parts = text[start...].split(separator: ",")
      let part = parts.first { $0 == error.option } ?? text[start...]
      guard error.code == .invalidValue else {
        throw PortError(text: text, at: part, .simulatorOption, known: Self.names)
      }
      throw PortError(text: text, at: part, .simulatorValue, known: [Self.form(of: Self.parts(part).name)])
    }
  }
}
