// A queue of delivered bytes for one reader or writer.

import SpheroProtocol
import SpheroSystem
import SpheroTransport

/// A queue of pieces, the bytes of one delivery each, for one consumer; bounded in pieces and in bytes.
final class PieceQueue: Sendable {
  private struct State {
    var pieces = Queue<[UInt8]>()
    var byteCount = 0
  }

  /// The capacity; a piece that exceeds it is lost, as on a radio.
  static let (maximumPieces, maximumBytes) = (1 << 14, 1 << 20)
  private let state = Locked(State())
  private let event = AutoResetEvent()

  /// Appends a piece, unless the queue has ended or is full.
  func push(_ piece: [UInt8]) {
    guard !event.hasEnded else { return }
    state.withLock { state in
      guard state.pieces.count < Self.maximumPieces, state.byteCount + piece.count <= Self.maximumBytes
      else { return }
      state.pieces.append(piece)
      state.byteCount += piece.count
    }
    event.signal()
  }

  /// Ends the queue after the pending pieces, with the error that ``next()`` then throws; only the first call counts.
  func finish(throwing error: (any Error)? = nil) { event.finish(throwing: error) }

  /// Waits for the next piece; nil at the end.
  ///
  /// - Throws: The error of the end; `CancellationError` in a cancelled task without pending pieces.
  func next() async throws -> [UInt8]? {
    while true {
      if let piece = take() { return piece }
      if try await !event.wait() { return take() }
    }
  }

  private func take() -> [UInt8]? {
    state.withLock { state in
      guard let piece = state.pieces.popFirst() else { return nil }
      state.byteCount -= piece.count
      return piece
    }
  }
}
