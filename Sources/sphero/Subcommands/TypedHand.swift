// The hand that a person, or another program, moves by lines on the standard input.

import SpheroModel
import SpheroProcess
import SpheroSimulator

/// Does with simulated robots what lines on the standard input say.
struct TypedHand {
  /// Beyond this a line is no action.
  private static let longestLine = 1_000

  var world: SimulatedWorld
  var terminal: Terminal

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
    do throws(HandScriptError) {
      let script = try HandScript(parsing: text)
      let count = world.robots.count
      guard script.robotCount <= count else {
        return await terminal.note(
          "'\(text)' names robot \(script.robotCount), but there \(count == 1 ? "is 1" : "are \(count)")",
          isQuiet: false)
      }
      group.addTask { await world.perform(script) }
    } catch {
      // An answer to the person who typed it, so not quiet.
      await terminal.note("'\(error.text)': \(error.expected)", isQuiet: false)
    }
  }
}
