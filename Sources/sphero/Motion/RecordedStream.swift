// The stream that a recording contains, which a program must request to receive its samples.

import SpheroProcess
import SpheroProtocol
import SpheroRecording
import SpheroSession

extension StreamRequest {
  /// The first stream of a recording that has an attitude.
  ///
  /// A ``Failure`` reports a file that cannot be read (66) or has no such stream (65).
  static func withAttitude(recordedIn path: String) async throws -> StreamRequest {
    let source = try InputStream.opened(path)
    var reader = CaptureReader(.capture)
    var decoder = PacketDecoder(from: .host)
    var malformed: CaptureError?
    while let bytes = try await source.nextBytes() {
      reader.append(bytes)
      while let record = reader.next(keeping: &malformed) {
        guard case .line(let line) = record, line.sender == .host else { continue }
        decoder.append(line.bytes)
        while let packet = decoder.next() {
          guard case .command(let command) = packet, command.id == Sensing.SetDataStreaming.id,
            let request = try? Sensing.SetDataStreaming(request: command.payload),
            request.divisor > 0,
            SensorMask.quat.union(.imu).fields.contains(where: request.sensorMask.fields.contains)
          else { continue }
          return StreamRequest(
            mask: request.sensorMask, divisor: request.divisor, frames: max(1, request.frames))
        }
      }
    }
    throw Failure(
      .badData, "\(path) has no stream with the attitude of the robot",
      advice: "Record one with 'sphero record FILE --mask quat'.")
  }
}
