// A server admits a pending client after the requests to hang up, and only the session that is served hangs up.

import SpheroSystem
import SpheroTransport
import Testing

@testable import SpheroServing

@Suite(.timeLimit(.minutes(5))) struct ServerTests {
  /// A step of the arbiter, with the session that was served before it.
  private enum Step: Hashable {
    case hangUp(served: Int?)
    case admit(served: Int?)
  }

  /// Serves session 2 while client 3 is pending; records its steps until it has admitted a client twice.
  private struct Arbiter: ClientArbiter {
    typealias Session = MemoryTransport
    var sessionNumber: Int? = 2
    var descriptors: [Int32] { [] }
    let steps: Mailbox<Step>

    func nextDeadline(at now: Duration) -> Duration? { nil }
    mutating func process(at now: Duration) -> Duration? { nil }

    mutating func admit(at now: Duration) -> Duration? {
      steps.push(.admit(served: sessionNumber))
      if sessionNumber == nil { sessionNumber = 3 }
      return nil
    }

    mutating func hangUp(at now: Duration) -> Bool {
      steps.push(.hangUp(served: sessionNumber))
      sessionNumber = nil
      return true
    }

    mutating func close() {}
  }

  /// The first steps of a server that starts with requests to hang up sessions.
  private func steps(_ count: Int, hangingUp sessions: [Int]) async throws -> [Step] {
    let steps = Mailbox<Step>(capacity: 100)
    let server = try Server("test") { (requests, _) throws(LinkError) in
      for session in sessions { requests.hangUp(session) }
      return Arbiter(steps: steps)
    }
    var seen: [Step] = []
    while seen.count < count, let more = try await steps.receive() { seen += more }
    server.close()
    return Array(seen.prefix(count))
  }

  @Test func aHangUpPrecedesTheAdmissionOfThePendingClient() async throws {
    #expect(try await steps(2, hangingUp: [2]) == [.hangUp(served: 2), .admit(served: nil)])
  }

  @Test func aHangUpOfAnotherSessionIsVoid() async throws {
    #expect(try await steps(1, hangingUp: [1, 3]) == [.admit(served: 2)])
  }

  @Test func theClientThatIsAdmittedKeepsItsSessionAfterASecondHangUpOfTheFormer() async throws {
    let expected = [Step.hangUp(served: 2), .admit(served: nil), .admit(served: 3)]
    #expect(try await steps(3, hangingUp: [2, 2]) == expected)
  }
}
