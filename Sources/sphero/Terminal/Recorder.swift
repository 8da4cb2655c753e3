// The output of a connection besides its results: captures, printed packets and remarks.

import SpheroProcess
import SpheroProtocol
import SpheroRecording
import SpheroSession
import SpheroSystem
import SpheroTransport

/// Writes the packets of one line to a capture, and prints them on stderr if the command is verbose.
struct Recorder: Sendable {
  private let capture: CaptureWriter?
  private let trace: CaptureWriter?

  var captures: [CaptureWriter] { [capture, trace].compactMap { $0 } }

  /// Creates the capture in a file, otherwise in `output`; without both, there is none.
  ///
  /// The header of the capture contains the port and the kind of link. Printed packets and remarks begin with the label.
  /// `printsMarks` is false if the caller reports connections and disconnections itself.
  init(
    file: String?, output: CaptureOutput? = nil, isVerbose: Bool, isQuiet: Bool, port: String,
    link: String? = nil, label: String = "",
    printsMarks: Bool = true, time: any TimeSource = Program.time
  ) throws(Failure) {
    let header = CaptureHeader(program: "sphero", version: Program.version, port: port, link: link)
    var sink: (any CaptureSink)? = output
    if let file {
      do throws(LinkError) { sink = try CaptureFile(file, isReplacing: false) } catch {
        if case .failed(_, _, let code) = error, SystemError(code: code).alreadyExists {
          throw Failure(
            .cannotCreate, "\(file) already exists, and captures do not overwrite files", advice: error.advice
          )
        }
        throw Failure(.cannotCreate, error.message, advice: error.advice)
      }
    }
    capture = sink.map { sink in
      CaptureWriter(to: sink, header: header, time: time) { reason in
        await Terminal().note("\(label)the capture ends here: \(reason)", isQuiet: isQuiet)
      }
    }
    trace =
      isVerbose
      ? CaptureWriter(to: PacketPrinter(label: label, printsMarks: printsMarks), header: header, time: time)
      : nil
  }

  func finish(within limit: Duration) async -> CaptureLoss? {
    async let traced = trace?.finish(within: limit)
    let loss = await capture?.finish(within: limit)
    _ = await traced
    return loss
  }

  /// The file of the robot with a number from 1: `path`, `path-2`, `path-3` and so on.
  static func numbered(_ path: String?, _ number: Int) -> String? {
    path.map { number == 1 ? $0 : "\($0)-\(number)" }
  }

  /// A file name of a verb, the time in UTC and the number of this process: `record-20261122T074617Z-4711.capture`.
  static func freshName(of verb: String) -> String {
    let time = WallTime(sinceEpoch: SystemTime().wallClock).description
    return
      "\(verb)-\(time.prefix { $0 != "." }.filter { $0 != ":" && $0 != "-" })Z-\(System.processID).capture"
  }

  static func failure(_ loss: CaptureLoss) -> Failure {
    Failure(.linkLost, "\(loss)", advice: "Make room, or read the pipe faster, and capture again.")
  }
}

/// A capture on stdout; after a write fails, it discards all records, and ``check()`` throws the error.
final class CaptureOutput: CaptureSink {
  private let error = Locked<OutputError?>(nil)

  func write(_ record: CaptureRecord) async throws {
    guard error.withLock({ $0 }) == nil else { return }
    do { try await StandardStream.output.write("\(record)\n") } catch let failure as OutputError {
      error.withLock { $0 = failure }
    }
  }

  func check() throws(OutputError) { if let error = error.withLock({ $0 }) { throw error } }
}

private actor PacketPrinter: CaptureSink {
  private let label: String
  private let printsMarks: Bool
  private var dissector = Dissector()

  init(label: String, printsMarks: Bool) { (self.label, self.printsMarks) = (label, printsMarks) }

  func write(_ record: CaptureRecord) async throws {
    switch record {
    case .header: break
    case .mark(let mark): if printsMarks { try await Terminal.writeError("\(label)\(mark)\n") }
    case .line(let line):
      for item in dissector.append(line.bytes, from: line.sender, at: line.time) {
        let bytes = CaptureLine(from: item.sender, bytes: item.bytes)
        try await Terminal.writeError("\(label)\(bytes)  \(item.meaning)\n")
      }
    }
  }
}

struct RemarkPrinter: Sendable {
  private let mailbox = Mailbox<Notice>(capacity: 256)
  private let task: Task<Void, Never>
  private let reportsLoss: Bool
  /// Whether the robot has answered; a line that is lost before is not opened again.
  private let wasConnected = Locked(false)
  /// The number of gaps of less than a second that are reported; `stream` and `record` count the lost samples of all.
  private static let maximumShortGaps = 10

  /// Starts to print; `reportsLoss` is false if a lost link is not opened again, since the error then reports it.
  init(of connection: Connection, reportsLoss: Bool) {
    self.reportsLoss = reportsLoss
    task = Task(executorPreference: Program.time) { [mailbox] in
      var shortGaps = 0
      while let notices = try? await mailbox.receive() {
        for notice in notices {
          var suffix = notice == .disconnected ? "; reconnecting for up to a minute" : ""
          if case .gap(let gap) = notice, gap.reason == .lost, gap.duration < .seconds(1) {
            shortGaps += 1
            guard shortGaps <= Self.maximumShortGaps else { continue }
            if shortGaps == Self.maximumShortGaps {
              suffix = "; further gaps of less than 1 s are not reported"
            }
          }
          await Terminal().note("\(notice)" + suffix, connection)
        }
      }
    }
  }

  func add(_ notice: Notice) {
    if notice == .connected { return wasConnected.withLock { $0 = true } }
    if notice != .disconnected || reportsLoss && wasConnected.withLock({ $0 }) { mailbox.push([notice]) }
  }

  /// Waits until all remarks are printed, for at most `limit`: a reader of stderr may block.
  func finish(within limit: Duration) async {
    mailbox.finish()
    let timer = Task(executorPreference: Program.time) {
      do { try await Program.time.sleep(for: limit) } catch { return }
      task.cancel()
    }
    await task.value
    timer.cancel()
  }
}
