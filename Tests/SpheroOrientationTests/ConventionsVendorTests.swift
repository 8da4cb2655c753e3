// Every vendor row of the tables: Sphero, Core Motion, Bose Wearable; and gravity.
import TestSupport
import Testing

@testable import SpheroOrientation

private struct VendorTable: Decodable {
  struct Sphero: Decodable {
    struct Angles: Decodable {
      var pitchDeg: Double
      var rollDeg: Double
      var yawDeg: Double
      var headingDeg: Double?
    }

    var qWxyz: [Double]
    var wireQ0Q1Q2Q3: [Double]
    var profileZyxRollMiddle: Angles
    var profileZxyPitchMiddle: Angles
    var accelAtRestGSpecificForce: [Double]
  }

  struct CoreMotion: Decodable {
    var qWxyz: [Double]
    var roll: Double
    var pitch: Double
    var yaw: Double
    var rotationmatrixM11ToM33: [Double]
    var gravityG: [Double]
  }

  struct Bose: Decodable {
    struct Formula: Decodable {
      var xRotation: Double
      var yRotation: Double
      var zRotation: Double
    }

    var qXyzw: [Double]
    var xRotation: Double
    var yRotation: Double
    var zRotation: Double
    var pitch: Double
    var roll: Double
    var yaw: Double
    var mappedQXyzw: [Double]
    var mappedXrotation: Double
    var mappedYrotation: Double
    var mappedZrotation: Double
    var formula: Formula
  }

  struct Vendor: Decodable {
    var sphero: [Sphero]
    var coreMotion: [CoreMotion]
    var bose: [Bose]
  }

  var vendor: Vendor
}

private struct GravityTable: Decodable {
  struct Reading: Decodable {
    var accelerometer: [Double]
    var gravity: [Double]
    var userAcceleration: [Double]
  }

  struct Case: Decodable {
    var qWxyz: [Double]
    var accelerationRefG: [Double]
    var gravityBodyG: [Double]
    var accelerationBodyG: [Double]
    var specificForceBodyG: [Double]
    var coreMotion: Reading
    var spheroBoseAndroid: Reading
    var tiltFromVerticalRad: Double
    var accelOnlyPitchXRightRad: Double
    var accelOnlyRollYFwdRad: Double
  }

  var cases: [Case]
}

/// Returns the difference of two angles modulo whole turns.
private func gap(_ angle: Angle, _ radians: Double) -> Double {
  abs((angle - Angle(radians: radians)).wrapped.radians)
}

@Suite(.ownThread) struct ConventionsVendorTests {
  private let vendor = Result { try Fixture.table("euler", as: VendorTable.self).vendor }

  @Test func spheroRowsInBothProfiles() throws {
    let rows = try vendor.get().sphero
    #expect(rows.count >= 20)
    for (index, row) in rows.enumerated() {
      let attitude = try #require(Rotation(Quaternion(wxyz: row.qWxyz)))
      for (profile, expected) in [
        (Convention.spheroReadingA, row.profileZxyPitchMiddle), (.spheroLater, row.profileZyxRollMiddle),
      ] {
        let note: Comment = "row \(index), \(profile.angles.order)"
        let angles = profile.pitchRollYaw(of: attitude)
        let radians = [expected.pitchDeg, expected.rollDeg, expected.yawDeg].map { $0 / 180 * .pi }
        let middle = profile.angles.order == .intrinsic(.zxy) ? radians[0] : radians[1]
        let lockDistance = abs(abs(middle) - .pi / 2)
        if lockDistance > 1e-7 {
          let tolerance = max(2e-14, 1e-15 / lockDistance)
          #expect(gap(angles.pitch, radians[0]) < tolerance, note)
          #expect(gap(angles.roll, radians[1]) < tolerance, note)
          #expect(gap(angles.yaw, radians[2]) < tolerance, note)
          if let degrees = expected.headingDeg {
            let heading = try #require(profile.heading(ofYaw: angles.yaw), note)
            let turn = try #require(Heading(degrees: degrees)).turn(to: heading)
            #expect(abs(turn.radians) < tolerance, note)
          }
        }
        let back = try #require(
          profile.attitude(
            of: PitchRollYaw(
              pitch: Angle(radians: radians[0]), roll: Angle(radians: radians[1]),
              yaw: Angle(radians: radians[2]))),
          note)
        #expect(back.angle(to: attitude).radians < 1e-14, note)
        let force = profile.accelerometer(ofSpecificForce: attitude.specificForce())
        #expect(
          force.isApproximatelyEqual(to: Vector3(row.accelAtRestGSpecificForce), tolerance: 1e-15), note)
      }

      // The words of the table are in the order x, y, z, w, not conjugated, in whole 1/10000.
      let wire = row.wireQ0Q1Q2Q3
      let layout = QuaternionLayout(.scalarLast, .bodyToReference)
      let streamed = try #require(layout.rotation(of: QuaternionWords(wire[0], wire[1], wire[2], wire[3])))
      #expect(streamed.angle(to: attitude).degrees < 0.0115, "row \(index)")
    }
  }

  @Test func coreMotionRows() throws {
    let rows = try vendor.get().coreMotion
    #expect(rows.count >= 20)
    for (index, row) in rows.enumerated() {
      let note: Comment = "row \(index)"
      let q = row.qWxyz
      let words = QuaternionWords(q[1], q[2], q[3], q[0])
      let attitude = try #require(Convention.coreMotion.attitude(of: words), note)
      let angles = Convention.coreMotion.pitchRollYaw(of: attitude)
      let lockDistance = abs(abs(row.pitch) - .pi / 2)
      #expect(gap(angles.pitch, row.pitch) < (lockDistance > 1e-7 ? 1e-14 : 5e-8), note)
      if lockDistance > 1e-7 {
        #expect(gap(angles.roll, row.roll) < max(1e-14, 1e-15 / lockDistance), note)
        #expect(gap(angles.yaw, row.yaw) < max(1e-14, 1e-15 / lockDistance), note)
      }
      let m = row.rotationmatrixM11ToM33
      let matrix = attitude.passiveMatrix
      for (own, given) in zip([matrix.row1, matrix.row2, matrix.row3], [m[0..<3], m[3..<6], m[6..<9]]) {
        #expect(own.isApproximatelyEqual(to: Vector3(Array(given)), tolerance: 2e-15), note)
      }
      let gravity = Convention.coreMotion.gravity(of: attitude)
      #expect(gravity.isApproximatelyEqual(to: Vector3(row.gravityG), tolerance: 2e-15), note)
      let rest = Convention.coreMotion.accelerometer(ofSpecificForce: attitude.specificForce())
      #expect(rest.isApproximatelyEqual(to: gravity, tolerance: 2e-15), note)
    }
  }

  @Test func boseRows() throws {
    let rows = try vendor.get().bose
    #expect(rows.count >= 40)
    for (index, row) in rows.enumerated() {
      let note: Comment = "row \(index)"
      let raw = Quaternion(xyzw: row.qXyzw)
      let rotation = try #require(Rotation(raw), note)
      let mapped = rotation * .boseMap
      let expectedMap = try #require(Rotation(Quaternion(xyzw: row.mappedQXyzw)), note)
      #expect(mapped.angle(to: expectedMap).radians < 1e-14, note)

      // The SDK uses an arcsine, which has half of the digits near lock.
      let lockDistance = abs(abs(row.yRotation) - .pi / 2)
      let tolerance = max(1e-14, 1e-14 / lockDistance)
      #expect(gap(rotation.yRotation, row.yRotation) < (lockDistance > 1e-7 ? tolerance : 5e-8), note)
      guard lockDistance > 1e-7 else { continue }
      #expect(gap(rotation.xRotation, row.xRotation) < tolerance, note)
      #expect(gap(rotation.zRotation, row.zRotation) < tolerance, note)
      #expect(gap(mapped.xRotation, row.mappedXrotation) < tolerance, note)
      #expect(gap(mapped.yRotation, row.mappedYrotation) < tolerance, note)
      #expect(gap(mapped.zRotation, row.mappedZrotation) < tolerance, note)

      let words = QuaternionWords(row.qXyzw[0], row.qXyzw[1], row.qXyzw[2], row.qXyzw[3])
      let attitude = try #require(Convention.boseWearable.attitude(of: words), note)
      let angles = Convention.boseWearable.pitchRollYaw(of: attitude)
      #expect(gap(angles.pitch, row.pitch) < tolerance, note)
      #expect(gap(angles.roll, row.roll) < tolerance, note)
      #expect(gap(angles.yaw, row.yaw) < tolerance, note)
      // The sign is missing on the SDK's example page.
      #expect(gap(angles.roll, -row.mappedYrotation) < tolerance, note)
      let heading = try #require(Convention.boseWearable.heading(ofYaw: angles.yaw))
      #expect(gap(heading.angle, row.yaw) < tolerance, note)
    }
  }

  @Test func gravityRows() throws {
    let rows = try Fixture.table("gravity", as: GravityTable.self).cases
    #expect(rows.count >= 72)
    for (index, row) in rows.enumerated() {
      let note: Comment = "row \(index)"
      func same(_ own: Vector3, _ given: [Double]) -> Bool {
        own.isApproximatelyEqual(to: Vector3(given), tolerance: 4e-15)
      }
      let attitude = try #require(Rotation(Quaternion(wxyz: row.qWxyz)), note)
      let acceleration = attitude.inverse.act(on: Vector3(row.accelerationRefG))
      let force = attitude.specificForce(acceleration: acceleration)
      #expect(same(attitude.gravity, row.gravityBodyG), note)
      #expect(same(acceleration, row.accelerationBodyG), note)
      #expect(same(force, row.specificForceBodyG), note)
      #expect(same(attitude.acceleration(specificForce: force), row.accelerationBodyG), note)
      #expect(abs(attitude.tilt.radians - row.tiltFromVerticalRad) < 4e-15, note)
      for (convention, expected) in [
        (Convention.coreMotion, row.coreMotion), (.spheroReadingA, row.spheroBoseAndroid),
      ] {
        let reading = convention.accelerometer(ofSpecificForce: force)
        #expect(same(reading, expected.accelerometer), note)
        #expect(same(convention.specificForce(ofAccelerometer: reading), row.specificForceBodyG), note)
        #expect(same(convention.gravity(of: attitude), expected.gravity), note)
        let user = convention.userAcceleration(accelerometer: reading, attitude: attitude)
        #expect(same(user, expected.userAcceleration), note)
      }
      let given = Vector3(row.specificForceBodyG)
      let lean = try #require(Convention.spheroLater.pitchRollYaw(atRestReading: given), note)
      let lockDistance = abs(abs(row.accelOnlyRollYFwdRad) - .pi / 2)
      #expect(gap(lean.pitch, row.accelOnlyPitchXRightRad) < max(4e-15, 1e-15 / lockDistance), note)
      #expect(gap(lean.roll, row.accelOnlyRollYFwdRad) < 4e-15, note)
      #expect(lean.yaw == .zero, note)
    }
  }
}
