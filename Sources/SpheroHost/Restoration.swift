// The settings that a robot gets again after its line was lost.

import SpheroProtocol

/// The newest command of each kind that sets something which a robot may forget with its line.
///
/// Motion is not among them: what moved is stopped, and stays so.
struct Restoration: Sendable {
  private static let kinds: [CommandID] = [
    Settings.SetTemporaryOptions.id, Sensing.ConfigureCollisionDetection.id, Sensing.ConfigureLocator.id,
    Core.SetPowerNotification.id, Motion.SetRotationRate.id, Motion.SetMotionTimeout.id,
  ]

  /// What to send, in the order in which it was sent last.
  private(set) var requests: [EncodedRequest] = []

  /// Remembers a command that the robot has confirmed.
  mutating func note(_ request: EncodedRequest) {
    guard Self.kinds.contains(request.command) else { return }
    requests.removeAll { $0.command == request.command }
    requests.append(request)
  }
}
