// The requests that bring a macro into the robot and start it.

// Embedded Swift has no list of commands of several types.
#if !hasFeature(Embedded)
  extension Macro {
    /// Where a macro is kept.
    public enum Storage: Hashable, Sendable, CaseIterable {
      /// In RAM, one at a time, up to 1 KB.
      case temporary
      /// In flash under an ID of its own, up to 254 bytes.
      case user
      /// In RAM, of any length: it runs while more of it comes.
      case stream
    }

    /// The longest macro, or piece of one, that a packet carries.
    static let longestPacket = 254
    /// The longest temporary macro.
    static let longestTemporary = 1024

    /// The requests that bring the macro into the robot and start it, in their order.
    ///
    /// Send each when the one before it has been answered.
    /// A stream starts with its first piece;
    /// the robot refuses a piece while its buffer of 1 KB is full, so let markers tell how far it is.
    ///
    /// - Parameter storage: Where it shall be kept.
    /// - Returns: What to send.
    /// - Throws: ``WireError/outOfRange(field:value:allowed:)`` for an ID that is not the user's or a value in a command,
    ///   ``WireError/wrongCount(field:count:allowed:)`` for a macro that is too long.
    public func requests(as storage: Storage) throws(WireError) -> [any Command] {
      switch storage {
      case .temporary: try temporaryRequests()
      case .user: try userRequests()
      case .stream: try streamRequests()
      }
    }

    private func temporaryRequests() throws(WireError) -> [any Command] {
      let bytes = try payload(id: Self.temporaryID, limit: Self.longestTemporary)
      let run = Macros.RunMacro(macro: Self.temporaryID)
      guard bytes.count > Self.longestPacket else {
        return [Macros.SaveTemporaryMacro(macro: bytes), run]
      }
      // A first piece of 254 bytes and others of 253 is what robots have been seen to take.
      let first = bytes.prefix(Self.longestPacket)
      let others = stride(from: first.count, to: bytes.count, by: Self.longestPacket - 1).map {
        start in
        bytes[start..<min(start + Self.longestPacket - 1, bytes.count)]
      }
      let chunks = ([first] + others).map { Macros.AppendMacroChunk(chunk: Array($0)) }
      return [Macros.AbortMacro()] + chunks + [run]
    }

    private func userRequests() throws(WireError) -> [any Command] {
      let ids: ClosedRange<Int64> = 32...253
      guard ids.contains(Int64(id)) else {
        throw .outOfRange(field: "id", value: Int64(id), allowed: ids)
      }
      let bytes = try payload(id: id, limit: Self.longestPacket)
      return [Macros.SaveMacro(macro: bytes), Macros.RunMacro(macro: id)]
    }

    /// Pieces are cut between commands, and each repeats the head.
    /// Only the last ends with 00: so does the one library that is known to have streamed.
    private func streamRequests() throws(WireError) -> [any Command] {
      var empty = self
      (empty.id, empty.commands) = (Self.streamID, [])
      var head = try empty.payload()
      head.removeLast()
      var pieces = [head]
      let streamEnd = MacroCommand(Macro.StreamEnd())
      let body = commands.prefix { $0 != .end && $0 != streamEnd } + [streamEnd]
      for command in body {
        let bytes = try command.payload()
        let end = command == streamEnd ? [MacroCommand.end.opcode] : []
        let room = Self.longestPacket - head.count
        guard bytes.count <= room else {
          throw .wrongCount(field: command.name, count: bytes.count, allowed: 0...room)
        }
        if pieces[pieces.count - 1].count + bytes.count + end.count > Self.longestPacket {
          pieces.append(head)
        }
        pieces[pieces.count - 1] += bytes + end
      }
      return pieces.map { Macros.SaveMacro(macro: $0) }
    }

    private func payload(id: UInt8, limit: Int) throws(WireError) -> [UInt8] {
      var copy = self
      copy.id = id
      let bytes = try copy.payload()
      guard bytes.count <= limit else {
        throw .wrongCount(field: "macro", count: bytes.count, allowed: 3...limit)
      }
      return bytes
    }
  }
#endif
