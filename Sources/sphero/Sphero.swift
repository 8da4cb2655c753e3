// The front door: synchronous, so that help and version start at once.

import SpheroProcess

@main
enum Sphero {
  static func main() {
    ProcessContext.prepareDescriptors()
    ProcessContext.leave(Program.run(CommandLine.arguments.dropFirst()))
  }
}
