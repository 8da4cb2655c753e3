// The front door: synchronous, so that help and version start at once.

import SpheroProcess

@main
enum Sphero {
  static func main() {
    ProcessContext.prepareDescriptors()
    ProcessContext.exit(Program.run(ProcessContext.words[...]))
  }
}
