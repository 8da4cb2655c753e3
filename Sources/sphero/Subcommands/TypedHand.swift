// Actions on simulated robots by lines of standard input.

import SpheroModel
import SpheroOrientation
import SpheroProcess
import SpheroSimulator
import SpheroSystem

/// Performs the lines of standard input as hand scripts.
struct TypedHand {
  private static let maximumLineCount = 1_000
  /// The maximum number of concurrent actions.
  private static let maximumActions = 64

  var world: SimulatedWorld
  var terminal: Terminal
  private let running = Locked(0)

  init(world: SimulatedWorld, terminal: Terminal) { (self.world, self.terminal) = (world, terminal) }

  /// Starts the action of each line at once, until the input ends or the task is cancelled.
  func follow() async {
    guard let input = try? InputFile("-") else { return }
    await withDiscardingTaskGroup { group in
      var line: [UInt8] = []
      while let bytes = try? await input.read() {
        for byte in bytes {
          guard byte == 0x0A else {
            if line.count <= Self.maximumLineCount { line.append(byte) }
            continue
          }
          await perform(line, in: &group)
          line = []
        }
      }
      await perform(line, in: &group)
    }
  }

  private func perform(_ line: [UInt8], in group: inout DiscardingTaskGroup) async {
    let text = String(decoding: line, as: UTF8.self)
    do throws(TextLineError) {
      let script = try HandScript(parsing: text)
      let count = world.robots.count
      guard script.robotCount <= count else {
        return await terminal.note(
          "'\(text)' names robot \(script.robotCount), but there \(count == 1 ? "is 1" : "are \(count)")",
          isQuiet: false)
      }
      let mayBegin = running.withLock { running in
        guard running < Self.maximumActions else { return false }
        running += 1
        return true
      }
      guard mayBegin else {
        return await terminal.note(
          "'\(text)': \(Self.maximumActions) actions are under way; wait until one is over", isQuiet: false)
      }
      group.addTask {
        await world.perform(script)
        running.withLock { $0 -= 1 }
      }
    } catch {
      // Printed even with `--quiet`: the answer to a typed line.
      await terminal.note("'\(error.text)': \(error.expected)", isQuiet: false)
    }
  }
}
