// Pieces of bytes that have come due and wait for whoever reads or writes them.

import SpheroProtocol
import SpheroSystem
import SpheroTransport

/// A queue of pieces for one consumer, bounded in pieces and in bytes.
final class PieceQueue: Sendable {
  private struct State {
    var pieces = Queue<[UInt8]>()
    var byteCount = 0
  }

  /// The pieces and bytes that wait; beyond them the newest are lost, as on a radio.
  static let (mostPieces, mostBytes) = (1 << 14, 1 << 20)
  private let state = Locked(State())
  private let event = AutoResetEvent()

  /// How many bytes wait.
  var byteCount: Int { state.withLock { $0.byteCount } }

  /// Appends a piece, unless the queue has ended or is full.
  func push(_ piece: [UInt8]) {
    guard !event.hasEnded else { return }
    state.withLock { state in
      guard state.pieces.count < Self.mostPieces, state.byteCount + piece.count <= Self.mostBytes else {
        return
      }
      state.pieces.append(piece)
      state.byteCount += piece.count
    }
    event.signal()
  }

  /// Ends the queue; what waits is still delivered. Only the first end counts.
  ///
  /// - Parameter error: What the next wait throws, or nil for a plain end.
  func finish(throwing error: (any Error)? = nil) { event.finish(throwing: error) }

  /// Waits for a piece.
  ///
  /// - Returns: The oldest piece, or nil at the end.
  /// - Throws: The error of the end, or `CancellationError` where the task is cancelled while nothing waits.
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
