// The sensor packets of a step, by the request that they follow.

import SpheroProtocol

/// A request to stream, and the packets that followed it.
struct SurveyStream: Sendable {
  struct Packet: Sendable {
    var time: Duration
    var bytes: [UInt8]
  }
  var request: Sensing.SetDataStreaming
  /// The response, where there was one.
  var response: ResponsePacket?
  var answeredAt: Duration?
  /// Between the request and its response.
  var pending: [Packet] = []
  /// Between the response and the next request.
  var packets: [Packet] = []

  /// Whether it ends streaming.
  var isOff: Bool { request.sensorMask.isEmpty }
  /// Seconds between two frames, nominally.
  var framePeriod: Double { Double(request.divisor) * 0.0025 }
  /// Whether the robot did as it was told.
  var isObeyed: Bool { response?.status == .ok }

  /// The samples of all packets that have the length of the layout.
  var samples: [Sample] {
    packets.flatMap { packet in
      Sample.samples(in: packet.bytes, mask: request.sensorMask, frames: Int(request.frames)) ?? []
    }
  }
}

extension SurveyLog.Part {
  /// The obeyed streams that carry some fields, whatever else they carry: another version may have asked for more.
  func streams(with fields: SensorMask) -> [SurveyStream] {
    streams.filter { $0.isObeyed && $0.request.sensorMask.isSuperset(of: fields) }
  }

  /// The requests to stream in their order, each with what followed it.
  var streams: [SurveyStream] {
    var streams: [SurveyStream] = []
    for entry in entries {
      switch entry.item {
      case .sent(let command):
        if let request = Self.request(command) { streams.append(SurveyStream(request: request)) }
      case .answered(let response, let command):
        guard let last = streams.indices.last, Self.request(command) != nil else { continue }
        (streams[last].response, streams[last].answeredAt) = (response, entry.time)
      case .event(let event):
        guard event.id == Sensing.SensorData.id, let last = streams.indices.last else { continue }
        let packet = SurveyStream.Packet(time: entry.time, bytes: event.payload)
        if streams[last].response == nil {
          streams[last].pending.append(packet)
        } else {
          streams[last].packets.append(packet)
        }
      }
    }
    return streams
  }

  private static func request(_ command: CommandPacket) -> Sensing.SetDataStreaming? {
    guard command.id == Sensing.SetDataStreaming.id else { return nil }
    return try? Sensing.SetDataStreaming(payload: command.payload)
  }
}

/// Takes samples out of the packets of a step as they come.
struct SurveySampler: Sendable {
  private var layout: Sensing.SetDataStreaming?
  /// Frames of the streams so far, which give the time by the robot's rhythm.
  private(set) var time = Duration.zero

  /// The samples of an entry, each with its time since the stream began.
  mutating func callAsFunction(_ entry: SurveyLog.Entry) -> [(time: Duration, sample: Sample)] {
    switch entry.item {
    case .sent: return []
    case .answered(let response, let command):
      if command.id == Sensing.SetDataStreaming.id, response.status == .ok {
        layout = try? Sensing.SetDataStreaming(payload: command.payload)
      }
      return []
    case .event(let event):
      guard event.id == Sensing.SensorData.id, let layout,
        let samples = Sample.samples(
          in: event.payload, mask: layout.sensorMask, frames: Int(layout.frames))
      else { return [] }
      return samples.map { sample in
        time += .microseconds(2_500) * Int(layout.divisor)
        return (time, sample)
      }
    }
  }
}
