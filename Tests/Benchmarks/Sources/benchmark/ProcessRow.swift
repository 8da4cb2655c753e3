// Compares whole programs: their run time, their output, and streaming from a robot.

import CProcesses

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Rows that compare two programs; see `Benchmark`.
struct ProcessRow {
  /// The rows of the table.
  let text: String

  /// Parses the command line and runs the comparison; nil if the arguments are for another mode.
  init?(_ words: [String], isQuick: Bool) {
    guard let kind = words.first, let gap = words.firstIndex(of: "--") else { return nil }
    let (before, baseline) = (Array(words[1..<gap]), Array(words[(gap + 1)...]))
    switch kind {
    case "start" where before.count > 2:
      text = Self.start(before[0], before[1], Array(before[2...]), baseline, rounds: isQuick ? 15 : 101)
    case "print" where before.count > 3:
      text = Self.print(
        before[0], limit: before[1], of: before[2], Array(before[3...]), baseline, rounds: isQuick ? 3 : 7)
    case "live" where before.count > 1:
      guard let seconds = Double(before[0]) else { return nil }
      text = Self.live(seconds, Array(before[1...]), baseline)
    default: return nil
    }
  }

  /// Compares the run time, with discarded output; the ratio is unlimited if `limit` is not a number.
  private static func start(
    _ work: String, _ limit: String, _ ours: [String], _ baseline: [String], rounds: Int
  ) -> String {
    let maximum = Double(limit)
    let limitText = maximum == nil ? limit : "at most \(limit)"
    let costs = (0..<rounds).map { _ in [run(ours), run(baseline)] }
    guard costs.allSatisfy({ $0.allSatisfy { $0.status == 0 } }) else {
      return Row.line(work, "-", "-", "a program exited with an error", limitText)
    }
    let (mine, its) = (costs.map { $0[0].seconds }.median, costs.map { $0[1].seconds }.median)
    return Row.line(
      work, "\((mine * 1e3).short) ms", "\((its * 1e3).short) ms", (mine / its).short,
      limitText + (mine / its <= maximum ?? .infinity ? "" : ", **missed**"))
  }

  /// Compares the CPU time of programs with the same output, which is compared byte for byte first.
  private static func print(
    _ work: String, limit limitText: String, of file: String, _ ours: [String], _ baseline: [String],
    rounds: Int
  ) -> String {
    let outputs = [ours, baseline].map { words in
      let path = file + ".printed"
      let status = run(words, to: path).status
      return status == 0 ? contents(path) : []
    }
    guard !outputs[0].isEmpty else {
      return Row.line(work, "-", "-", "the command exited with an error", limitText)
    }
    guard outputs[0] == outputs[1] else {
      let place = zip(outputs[0], outputs[1]).enumerated().first { $1.0 != $1.1 }?.offset
      let end = place.map { "at byte \($0)" } ?? "in length"
      return Row.line(work, "-", "-", "the outputs differ \(end)", limitText)
    }
    let costs = (0..<rounds).map { _ in [run(ours), run(baseline)] }
    let (mine, its) = (costs.map { $0[0].processor }.median, costs.map { $0[1].processor }.median)
    let rate = Double(contents(file).count) / mine / 1e6
    let isMet = mine / its <= Double(limitText) ?? 0
    return Row.line(
      work, "\(mine.short) s, \(rate.short) MB/s", "\(its.short) s", (mine / its).short,
      "at most " + limitText + (isMet ? "" : ", **missed**"))
  }

  /// Compares programs that stream from a robot: share of a core, latency, memory.
  private static func live(_ seconds: Double, _ ours: [String], _ baseline: [String]) -> String {
    var rows: [String] = []
    func measure(_ words: [String], to output: String?, headers: Int32) -> Result<live_cost, LiveError> {
      var cost = live_cost()
      let error = withWords(words) { live_run($0, output, seconds, headers, &cost) }
      return error.map { .failure(LiveError(text: String(cString: $0))) } ?? .success(cost)
    }
    let file = "/tmp/sphero-live-\(getpid()).csv"
    defer { unlink(file) }
    let share = "`sphero stream`, 30 fields, 400/s, CSV to a file: share of a core"
    switch (
      measure(ours, to: file, headers: 1), measure(baseline + ["count"], to: file, headers: 0)
    ) {
    case (.success(let mine), .success(let its)):
      let percent = mine.processor * 100
      rows.append(
        Row.line(
          share, "\(percent.short) %", "\((its.processor * 100).short) %",
          (mine.processor / its.processor).short, "at most 3 %" + (percent <= 3 ? "" : ", **missed**")))
      rows.append(
        Row.line(
          "the same: memory after \((seconds / 10).short) s and \(seconds.short) s",
          "\((mine.first_kilobytes / 1024).short), \((mine.last_kilobytes / 1024).short) MB",
          "\((its.last_kilobytes / 1024).short) MB", "-",
          "flat" + (mine.last_kilobytes <= mine.first_kilobytes * 1.02 ? "" : ", **missed**")))
    case (.failure(let error), _), (_, .failure(let error)):
      rows.append(Row.line(share, "-", "-", error.text, "3 %"))
    }
    let latency = "byte in the line to line on stdout, p99"
    switch (measure(ours, to: nil, headers: 1), measure(baseline + ["print"], to: nil, headers: 0)) {
    case (.success(let mine), .success(let its)):
      rows.append(
        Row.line(
          latency, "\((mine.late * 1e6).short) µs (median \((mine.middle * 1e6).short))",
          "\((its.late * 1e6).short) µs (\((its.middle * 1e6).short))", (mine.late / its.late).short,
          "at most 3" + (mine.late <= 3 * its.late ? "" : ", **missed**")))
    case (.failure(let error), _), (_, .failure(let error)):
      rows.append(Row.line(latency, "-", "-", error.text, "3"))
    }
    return rows.joined(separator: "\n")
  }

  private struct LiveError: Error { var text: String }

  private static func run(_ words: [String], to output: String = "/dev/null") -> process_cost {
    withWords(words) { process_run($0, output) }
  }

  private static func withWords<R>(_ words: [String], _ body: (UnsafePointer<UnsafePointer<CChar>?>) -> R)
    -> R
  {
    let copies = words.map { strdup($0) }
    defer { for copy in copies { free(copy) } }
    return body(copies.map { UnsafePointer($0) } + [nil])
  }

  private static func contents(_ path: String) -> [UInt8] {
    guard let file = fopen(path, "r") else { return [] }
    defer { fclose(file) }
    fseek(file, 0, SEEK_END)
    let size = ftell(file)
    rewind(file)
    return [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
      count = fread(buffer.baseAddress, 1, size, file)
    }
  }
}
