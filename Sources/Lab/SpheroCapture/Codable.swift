// How lines and marks of a capture are stored: as the text of the capture format; see Docs/Captures.md.

// Embedded Swift has no coders.
#if !hasFeature(Embedded)
  import SpheroProtocol

  extension CaptureLine: Codable {
    /// Reads a line of the capture format: `"0.031000 < FF FF 00 07 01 F7"`.
    public init(from decoder: any Decoder) throws {
      let text = try decoder.singleValueContainer().decode(String.self)
      do throws(CaptureError) { try self.init(parsing: text) } catch { throw decoder.refusal("\(error)") }
    }

    /// Writes the line of the capture format, its time rounded to microseconds as in every capture.
    ///
    /// What could not be read again, as a negative time, is refused.
    public func encode(to encoder: any Encoder) throws {
      guard (try? CaptureLine(parsing: description)) != nil else {
        throw EncodingError.invalidValue(
          self,
          .init(codingPath: encoder.codingPath, debugDescription: "no line of the capture format says this"))
      }
      var container = encoder.singleValueContainer()
      try container.encode(description)
    }
  }

  extension CaptureRecord: Codable {
    /// Reads a line, a header or a mark of the capture format; text that holds none, or more than one, is refused.
    public init(from decoder: any Decoder) throws {
      let text = try decoder.singleValueContainer().decode(String.self)
      var records: [CaptureRecord] = []
      do throws(CaptureError) {
        records = try CaptureReader.records(in: text.utf8, format: .capture)
      } catch { throw decoder.refusal("\(error)") }
      guard let record = records.first, records.count == 1 else {
        throw decoder.refusal("one line, header or mark of a capture is due, not \(records.count)")
      }
      self = record
    }

    /// Writes the item as its line of the capture format; what could not be read again is refused.
    public func encode(to encoder: any Encoder) throws {
      let read = try? CaptureReader.records(in: description.utf8, format: .capture)
      guard read?.count == 1, read?.first?.description == description else {
        throw EncodingError.invalidValue(
          self,
          .init(codingPath: encoder.codingPath, debugDescription: "no line of the capture format says this"))
      }
      var container = encoder.singleValueContainer()
      try container.encode(description)
    }
  }
#endif
