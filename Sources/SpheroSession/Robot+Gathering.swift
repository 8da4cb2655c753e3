// Bytes that gather on the line: for how long, and how they are taken in at the times they came.

import SpheroHost
import SpheroTransport

extension Robot {
  /// Takes in what has come, so that nothing that waits here counts as late; a call of ``settle()`` must follow.
  ///
  /// - Returns: The present time.
  func catchUp() -> Duration {
    if let gathering, fullChannel == nil { receiveArrivals(of: gathering) }
    return time.now
  }

  /// Takes in what has come, each piece at its own time.
  func receiveArrivals(of line: any GatheringTransport) {
    line.takeArrivals().forEachPiece { conversation.receive($0, at: $1) }
  }

  /// Lets bytes gather for as long as all who take samples allow, while nobody waits for anything else.
  func setReportLatency(of line: any GatheringTransport, _ outlook: Conversation.Outlook) {
    var latency = Duration.zero
    if outlook.isQuiet, listeners.isEmpty, let first = channels.first {
      latency = channels.dropFirst().reduce(first.reportLatency) { min($0, $1.reportLatency) }
    }
    guard latency != reportLatency else { return }
    reportLatency = latency
    line.gather(for: latency)
  }
}
