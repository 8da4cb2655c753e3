// An example of the README, to the letter.

import SpheroProtocol
import SpheroSession
import SpheroTransport

func turnRed(_ robot: Robot) async throws -> String {
  do {
    try await robot.send(Lights.SetRGBLED(red: 255, green: 0, blue: 0))
    return "red"
  } catch let error as LinkError where error.code == .lost {
    return "\(error.port ?? "the robot") is gone"
  } catch let error as SessionError {
    switch error.code {
    case .refused: return "no: \(error.status?.name ?? "")"
    case .timedOut: return "no answer to \(error.attempts ?? 0) tries"
    default: return error.description
    }
  }
}
