// The stored forms of the values of this module; Docs/Storing.md shows each of them.

// Embedded Swift has no coders.
#if !hasFeature(Embedded)
  import SpheroProtocol

  extension TimedSample: Codable {
    private enum Key: String, CodingKey { case time, arrival, hostTime, wallClock, sample }

    /// Reads the four times, seconds in decimal as text, and the sample.
    public init(from decoder: any Decoder) throws {
      let values = try decoder.container(keyedBy: Key.self)
      func duration(_ key: Key) throws -> Duration {
        let text = try values.decode(String.self, forKey: key)
        guard let duration = Duration(seconds: text) else {
          throw decoder.refusal("'\(key.rawValue)' is seconds in decimal, like \"0.0025\", not \"\(text)\"")
        }
        return duration
      }
      self.init(
        time: try duration(.time), arrival: try duration(.arrival), hostTime: try duration(.hostTime),
        wallClock: try duration(.wallClock), sample: try values.decode(Sample.self, forKey: .sample))
    }

    /// Writes `time`, `arrival`, `hostTime` and `wallClock` like `"0.0025"`, exactly, and `sample`.
    public func encode(to encoder: any Encoder) throws {
      var values = encoder.container(keyedBy: Key.self)
      let times: [(Key, Duration)] = [
        (.time, time), (.arrival, arrival), (.hostTime, hostTime), (.wallClock, wallClock),
      ]
      for (key, time) in times { try values.encode(time.text(), forKey: key) }
      try values.encode(sample, forKey: .sample)
    }
  }

  extension StreamRequest: Codable {
    private enum Key: String, CodingKey { case mask, divisor, frames, packets }

    /// Reads `mask`, `divisor`, `frames` and `packets`; refuses a stream that no robot can send.
    public init(from decoder: any Decoder) throws {
      let values = try decoder.container(keyedBy: Key.self)
      self.init(
        mask: try values.decode(SensorMask.self, forKey: .mask),
        divisor: try values.decode(UInt16.self, forKey: .divisor),
        frames: try values.decode(UInt16.self, forKey: .frames),
        packets: try values.decode(UInt8.self, forKey: .packets))
      do throws(SessionError) { try validate() } catch { throw decoder.refusal(error.message) }
    }

    /// Writes `mask`, `divisor`, `frames` and `packets`; refuses a stream that no robot can send.
    public func encode(to encoder: any Encoder) throws {
      do throws(SessionError) { try validate() } catch {
        throw EncodingError.invalidValue(
          self, .init(codingPath: encoder.codingPath, debugDescription: error.message))
      }
      var values = encoder.container(keyedBy: Key.self)
      try values.encode(mask, forKey: .mask)
      try values.encode(divisor, forKey: .divisor)
      try values.encode(frames, forKey: .frames)
      try values.encode(packets, forKey: .packets)
    }
  }

  extension Duration {
    /// Reads seconds in decimal, as ``text(digits:)`` prints them; nil for anything else.
    fileprivate init?(seconds text: String) {
      let isNegative = text.hasPrefix("-")
      let parts = text.dropFirst(isNegative ? 1 : 0).split(
        separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
      let decimals = parts.count == 2 ? parts[1] : "0"
      guard parts.allSatisfy({ !$0.isEmpty && $0.utf8.allSatisfy { (0x30...0x39).contains($0) } }),
        let whole = Int64(parts[0]), decimals.count <= 18,
        let fraction = Int64(decimals + String(repeating: "0", count: 18 - decimals.count))
      else { return nil }
      let size = Duration(secondsComponent: whole, attosecondsComponent: fraction)
      self = isNegative ? .zero - size : size
    }
  }
#endif
