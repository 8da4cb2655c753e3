// The streams of a recording; a program receives samples only if it requests one of them.

import SpheroProtocol
import SpheroRecording
import SpheroSession
import SpheroSystem

extension StreamRequest {
  /// The first stream of a recording that has an attitude.
  ///
  /// - Throws: A ``Failure`` if the file cannot be read (exit code 66) or has no such stream (65).
  static func withAttitude(recordedIn path: String) async throws -> StreamRequest {
    let streams: [StreamFormat]
    do { streams = try await Replay.reading(path: path).streams } catch {
      throw await Failure.recording(error, path) ?? error
    }
    let attitude = SensorMask.quat.union(.imu)
    guard let stream = streams.first(where: { !$0.mask.isDisjoint(with: attitude) }) else {
      throw Failure(
        .badData, "\(path) has no stream with the attitude of the robot",
        advice: "Record one with 'sphero record FILE --mask quat'.")
    }
    return StreamRequest(mask: stream.mask, divisor: stream.divisor ?? 20, frames: stream.frames ?? 1)
  }
}

extension Failure {
  /// The failure that a recording lacks the requested stream; it lists the streams of a file, but a pipe cannot be read
  /// again.
  static func noStream(in path: String) async -> Failure {
    let streams = System.isPipe(path) ? nil : try? await Replay.reading(path: path).streams
    let options = (streams ?? []).prefix(3).map { stream in
      "'--mask \(stream.mask)" + (stream.divisor.map { " --divisor \($0)" } ?? "")
        + (stream.frames.map { " --frames \($0)" } ?? "") + "'"
    }
    let found = options.isEmpty ? "the one it has" : "its streams: \(options.joined(separator: ", "))"
    return Failure(
      .refused,
      "\(path) has no stream with the fields, the rate and the samples in a packet that this command needs",
      advice: "'sphero decode --samples \(path.shellWord)' prints \(found).")
  }
}
