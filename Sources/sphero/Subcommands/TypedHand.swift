// The hand that a person, or another program, moves by lines on the standard input.

import SpheroModel
import SpheroOrientation
import SpheroProcess
import SpheroSimulator
import SpheroSystem

/// Does with simulated robots what lines on the standard input say.
struct TypedHand {
  /// Beyond this a line is not an action.
  private static let longestLine = 1_000
  /// How many lines may be under way at the same time.
  private static let mostActions = 64

  var world: SimulatedWorld
  var terminal: Terminal
  private let running = Locked(0)

  init(world: SimulatedWorld, terminal: Terminal) { (self.world, self.terminal) = (world, terminal) }

  /// Acts until the input ends or the task is cancelled; each line acts at once.
  func follow() async {
    guard let input = try? InputFile("-") else { return }
    await withDiscardingTaskGroup { group in
      var line: [UInt8] = []
      while let bytes = try? await input.read() {
        for byte in bytes {
          guard byte == 0x0A else {
            if line.count <= Self.longestLine { line.append(byte) }
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
        guard running < Self.mostActions else { return false }
        running += 1
        return true
      }
      guard mayBegin else {
        return await terminal.note(
          "'\(text)': \(Self.mostActions) actions are under way; wait until one is over", isQuiet: false)
      }
      group.addTask {
        await world.perform(script)
        running.withLock { $0 -= 1 }
      }
    } catch {
      // An answer to the person who typed it, so not quiet.
      await terminal.note("'\(error.text)': \(error.expected)", isQuiet: false)
    }
  }
}
