// Euler angles against every row of the table, and gimbal lock in all 24 orders.
import TestSupport
import Testing

@testable import SpheroOrientation

/// The part of `vectors/euler.json` about angles and matrices.
private struct EulerTable: Decodable {
  struct Case: Decodable {
    var kind: String
    var seq: String
    var intrinsic: Bool
    var qWxyz: [Double]
    var unitWxyz: [Double]
    var anglesRad: [Double]
    var matrixRowmajorBodyToRef: [Double]
    var lockDistance: Double
    var compare: String
  }

  struct Degenerate: Decodable {
    var kind: String
    var qWxyz: [Double]
  }

  var cases: [Case]
  var degenerate: [Degenerate]
}

private let table = Result { try Fixture.table("euler", as: EulerTable.self) }

@Suite(.ownThread) struct RotationEulerTests {
  @Test func anglesAndMatricesMatchTheTable() throws {
    let cases = try table.get().cases
    #expect(cases.count >= 318)
    for (index, row) in cases.enumerated() {
      let note: Comment = "row \(index), \(row.kind), \(row.seq)"
      let rotation = try #require(Rotation(Quaternion(wxyz: row.qWxyz)), note)
      let unit = Quaternion(wxyz: row.unitWxyz)
      #expect(abs(abs(rotation.quaternion.dot(unit)) - 1) < 1e-15, note)

      let sequence = try #require(EulerSequence(rawValue: row.seq.lowercased()), note)
      let order: EulerOrder = row.intrinsic ? .intrinsic(sequence) : .extrinsic(sequence)
      // At lock the table has zero for the rotation next to the body: the third intrinsic, the first extrinsic.
      let isLocked = row.kind == "lock"
      let angles = rotation.eulerAngles(
        order: order, thirdAtLock: isLocked ? Angle(radians: row.anglesRad[2]) : .zero)
      #expect(abs(angles.second.radians - row.anglesRad[1]) < 1e-15, note)
      let rebuilt = try #require(Rotation(eulerAngles: angles), note)
      #expect(rebuilt.angle(to: rotation).radians < 3e-15, note)
      let outer = zip([angles.first, angles.third], [row.anglesRad[0], row.anglesRad[2]])
      let tolerance = isLocked ? 2e-15 : 2e-15 / max(row.lockDistance, 1e-300)
      for (angle, expected) in outer where row.compare == "angles" || isLocked {
        // Both ends of the range are the same direction to rounding.
        let difference = abs((angle - Angle(radians: expected)).wrapped.radians)
        #expect(difference < max(tolerance, 1e-15), note)
      }

      let expected = try #require(
        Rotation(
          eulerAngles: EulerAngles(
            Angle(radians: row.anglesRad[0]), Angle(radians: row.anglesRad[1]),
            Angle(radians: row.anglesRad[2]), order: order)), note)
      #expect(expected.angle(to: rotation).radians < 3e-15, note)

      let m = row.matrixRowmajorBodyToRef
      let matrix = RotationMatrix(
        rows: Vector3([m[0], m[1], m[2]]), Vector3([m[3], m[4], m[5]]), Vector3([m[6], m[7], m[8]]))
      let active = rotation.activeMatrix
      for (own, given) in zip(
        [active.row1, active.row2, active.row3], [matrix.row1, matrix.row2, matrix.row3])
      {
        #expect(own.isApproximatelyEqual(to: given, tolerance: 2e-15), note)
      }
      let fromActive = try #require(Rotation(activeMatrix: matrix), note)
      #expect(fromActive.angle(to: rotation).radians < 3e-15, note)
      let fromPassive = try #require(Rotation(passiveMatrix: matrix.transpose), note)
      #expect(fromPassive.angle(to: rotation).radians < 3e-15, note)
    }
  }

  @Test func degenerateRowsAreRejected() throws {
    for row in try table.get().degenerate {
      let rotation = Rotation(Quaternion(wxyz: row.qWxyz))
      if row.kind == "subnormal" {
        #expect(rotation?.quaternion == Quaternion(w: 0, x: 1, y: 0, z: 0))
      } else {
        #expect(rotation == nil, "\(row.qWxyz)")
      }
    }
  }

  @Test(arguments: EulerOrder.all) func lockReturnsTheRequestedThirdAngle(order: EulerOrder) throws {
    let ends: [Double] = order.sequence.isTaitBryan ? [-.pi / 2, .pi / 2] : [0, .pi]
    for end in ends {
      for (first, third, chosen) in [(0.3, 0.9, 0.0), (-2.0, 3.0, 0.0), (1.0, 2.5, 2.5), (-3.0, -1.0, -1.0)] {
        let locked = EulerAngles(
          Angle(radians: first), Angle(radians: end), Angle(radians: third), order: order)
        let rotation = try #require(Rotation(eulerAngles: locked))
        let angles = rotation.eulerAngles(order: order, thirdAtLock: Angle(radians: chosen))
        #expect(
          angles.third.isApproximatelyEqual(to: Angle(radians: chosen), tolerance: Angle(radians: 1e-15)))
        #expect(abs(angles.second.radians - end) < 1e-15)
        if chosen == third {
          #expect(
            angles.first.isApproximatelyEqual(to: Angle(radians: first), tolerance: Angle(radians: 2e-15)))
        }
        #expect(try #require(Rotation(eulerAngles: angles)).angle(to: rotation).radians < 3e-15)
      }
    }
  }

  @Test(arguments: EulerOrder.all) func anglesRoundTrip(order: EulerOrder) throws {
    let seed: UInt64 = 24
    var random = SeededGenerator(seed: seed)
    for _ in 0..<200 {
      let rotation = random.rotation()
      let angles = rotation.eulerAngles(order: order)
      let rebuilt = try #require(Rotation(eulerAngles: angles), "seed \(seed)")
      #expect(rebuilt.angle(to: rotation).radians < 3e-15, "seed \(seed), \(angles)")
      let range = order.sequence.isTaitBryan ? -Double.pi / 2...(.pi / 2) : 0...(.pi)
      #expect(range.contains(angles.second.radians), "seed \(seed), \(angles)")
      #expect(angles.first == angles.first.wrapped && angles.third == angles.third.wrapped, "seed \(seed)")
    }
  }

  @Test func extrinsicOrdersAreReversedIntrinsicOrders() throws {
    let (a, b, c) = (Angle(degrees: 10), Angle(degrees: -20), Angle(degrees: 130))
    let intrinsic = try #require(Rotation(eulerAngles: EulerAngles(a, b, c, order: .intrinsic(.zxy))))
    let extrinsic = try #require(Rotation(eulerAngles: EulerAngles(c, b, a, order: .extrinsic(.yxz))))
    #expect(intrinsic.isApproximatelyEqual(to: extrinsic, tolerance: Angle(radians: 1e-15)))
  }

  @Test func anglesByAxis() {
    let angles = EulerAngles(.degrees(1), .degrees(2), .degrees(3), order: .intrinsic(.zxy))
    #expect(angles[.z] == .degrees(1) && angles[.x] == .degrees(2) && angles[.y] == .degrees(3))
    let proper = EulerAngles(.degrees(1), .degrees(2), .degrees(3), order: .intrinsic(.zxz))
    #expect(proper[.z] == nil && proper[.x] == .degrees(2) && proper[.y] == nil)
  }
}
