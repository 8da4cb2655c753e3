// The output of each verb as the tables of Docs/JSON.md.

import SpheroHost
import SpheroOrientation
import SpheroProtocol
import SpheroSession
import Testing

@testable import sphero

/// The generated half of `Docs/JSON.md`.
enum OutputTables {
  /// A kind of object with an example.
  struct Kind {
    var name: String
    var from: String
    var fields: [Field]
  }

  static func text() throws -> String {
    var page = "\n## What commands print\n"
    for kind in try kinds() {
      page += "\n### `\(kind.name)`: \(kind.from)\n\n| key | value | unit |\n|---|---|---|\n"
      for field in kind.fields { page += row(field) }
    }
    page += "\n## Fields of sensors\n\n| key | value | unit |\n|---|---|---|\n"
    for field in SensorField.allCases {
      page += row(Field(field.name, field.scale.unit, .integer(1, field.scale)))
    }
    var keys = MessageKeys()
    Catalogue.visit(&keys)
    Macro.visitSteps(&keys)
    page += "\n## Fields of messages that have a unit\n\n| key | value | unit | in |\n|---|---|---|---|\n"
    for (row, places) in keys.measured.sorted(by: { $0.key < $1.key }) {
      page += "\(row) \(places.joined(separator: ", ")) |\n"
    }
    page += "\n## Fields of messages that are codes\n\n| key | names | in |\n|---|---|---|\n"
    for (row, places) in keys.codes.sorted(by: { $0.key < $1.key }) {
      page += "\(row) \(places.joined(separator: ", ")) |\n"
    }
    return page
  }

  static func kinds() throws -> [Kind] {
    let command = CommandPacket(id: Motion.Roll.id, sequence: 1, payload: [1, 0, 90, 1])
    let answer = ResponsePacket(status: .ok, sequence: 1)
    var dissector = Dissector(mask: .imu)
    let items = try [
      Packet.command(command), .response(answer),
      .event(EventPacket(id: Sensing.SensorData.id, payload: [0, 1, 0, 2, 0, 3])),
    ].flatMap { dissector.append(try $0.encoded(), from: $0.sender, at: .zero) }
    let noise = Dissection(nil, bytes: [13], from: .robot, at: .zero, offset: 0)
    let messages = zip(["command", "response", "event", "discarded"], items + [noise])
    return [
      Kind(name: "sample", from: "`sphero stream`, `sphero decode --samples`", fields: try sample()),
      Kind(name: "ping", from: "`sphero ping`", fields: try ping()),
      Kind(name: "collision", from: "`sphero collisions`", fields: collision),
      Kind(name: "collision_thresholds", from: "`sphero collisions --tune`", fields: thresholds),
      Kind(name: "info", from: "`sphero info`", fields: info),
      Kind(name: "device", from: "`sphero devices`", fields: device),
      Kind(name: "diagnosis", from: "`sphero doctor`", fields: diagnosis),
      Kind(name: "conventions", from: "`sphero survey --conventions`", fields: try conventions()),
      Kind(name: "offsets", from: "`sphero survey --offsets`", fields: offsets),
      Kind(name: "heading", from: "`sphero heading`", fields: try heading()),
      Kind(name: "answer", from: "`sphero run`, for each line", fields: Self.answer),
      Kind(name: "marker", from: "`sphero program` of a macro", fields: Self.marker),
      Kind(name: "print", from: "`sphero program` of orbBasic", fields: Self.printed),
      Kind(name: "shake", from: String(events.dropFirst(2)), fields: try shake()),
      Kind(name: "statistics", from: "`--statistics`, on stderr", fields: statistics),
    ]
      + messages.map { name, item in
        let verbs = ["response": ", `sphero raw`", "event": events]
        return Kind(
          name: name, from: "`sphero decode`" + (verbs[name] ?? ""), fields: Array(item.record.dropFirst()))
      }
  }

  private static let events = ", `sphero stream --events`, `sphero decode --samples --events`"

  private static func shake() throws -> [Field] {
    var detector = ShakeDetector()
    let found = (0..<20).compactMap { number in
      detector(Vector3(number.isMultiple(of: 2) ? 3 : -3, 0, 1), at: Double(number) / 10)
    }
    return try #require(found.first).fields
  }

  private static func zipped(_ columns: [Column], _ values: [FieldValue]) -> [Field] {
    zip(columns, values).map { Field($0.name, $0.unit, $1) }
  }

  private static func sample() throws -> [Field] {
    let words = ["--mask", "imu,quat,motion", "--euler", "--times", "wall,arrival"]
    let verb = try Synopsis.bind(Stream.self, words)
    var columns = verb.columns(of: "")
    // With the robot's attitude the accuracy is null, without it the angles are.
    func values(_ q0: Int16) -> [FieldValue] {
      // In the order of the wire: angles, accelerometer, gyroscope, quaternion.
      let words: [Int16] = [0, 0, 0, 0, 0, 4_096, 0, 0, 0, q0, 0, 0, 0]
      let sample = Sample(mask: [.imu, .quat, .accel, .gyro], words: words)
      return columns.values(
        TimedSample(time: .zero, arrival: .zero, wallClock: .seconds(1), sample: sample))
    }
    let values = zip(values(10_000), values(0)).map { $0 == .missing ? $1 : $0 }
    // The fields of the wire have a separate table.
    return zipped(columns.columns, values).filter { field in
      !SensorField.allCases.contains { $0.name == field.name }
    }
  }

  private static func ping() throws -> [Field] {
    let verb = try Synopsis.bind(Ping.self, ["--clock"])
    return zipped(verb.columns, [.count(1), .seconds(.zero), .seconds(.zero, digits: 4)])
  }

  private static var collision: [Field] {
    var impact = Sensing.Collision()
    (impact.y, impact.axis) = (1, .y)
    return zipped(Collisions.columns, Collisions.values(impact, at: .zero))
  }

  private static var thresholds: [Field] {
    Collisions.fields(Sensing.ConfigureCollisionDetection(), nil, nil)
  }

  private static var info: [Field] {
    var answers = Info.Answers()
    answers.version = Core.GetVersioning.Response()
    answers.version?.apiMajor = 1
    answers.version?.apiMinor = 50
    answers.bluetooth = Core.GetBluetoothInfo.Response()
    answers.power = Core.GetPowerState.Response()
    answers.permanent = Settings.GetPermanentOptions.Response()
    answers.temporary = Settings.GetTemporaryOptions.Response()
    return answers.fields
  }

  private static var answer: [Field] {
    let failure = Failure(.usage, "", advice: "")
    return LineOutput.fields(1, "") + LineOutput.fields("", failure, [""])
  }

  private static let time = Column("time", .seconds)

  private static var marker: [Field] {
    let values: [FieldValue] = [.seconds(.zero, digits: 3), .count(1), .count(1), .count(1)]
    return zipped([time] + ProgramCommand.markerColumns, values)
  }

  private static var printed: [Field] {
    zipped([time] + ProgramCommand.printColumns, [.seconds(.zero, digits: 3), .text(""), .flag(true)])
  }

  private static var device: [Field] {
    zipped(Devices.columns, [.text(""), .flag(true), .text(""), .text("")])
  }

  private static var diagnosis: [Field] {
    zipped(Doctor.columns, Doctor.values(Diagnosis("battery", .good, "", advice: "")))
  }

  /// The fields of a decided probe, and those that only an undecided one has.
  private static func conventions() throws -> [Field] {
    let truth = Convention.sphero
    let poses =
      try ProbePose.allCases.map { (pose: Optional($0), attitude: $0.attitude) }
      + [(30.0, 35.0, 10.0), (100, -30, 25), (250, 15, -40)].map { yaw, pitch, roll in
        let angles = EulerAngles(.degrees(yaw), .degrees(pitch), .degrees(roll), order: .intrinsic(.zxy))
        return (pose: nil, attitude: try #require(Rotation(eulerAngles: angles)))
      }
    let samples = poses.map { pose, attitude in
      ConventionSample(
        words: truth.words(of: attitude),
        accelerometer: truth.accelerometer(ofSpecificForce: attitude.specificForce()),
        angles: truth.pitchRollYaw(of: attitude), pose: pose)
    }
    let axes = truth.gyroscopeAxes.rotation
    let turns = zip(poses, poses.dropFirst()).map { start, end in
      ConventionRotation(
        from: truth.words(of: start.attitude), to: truth.words(of: end.attitude),
        gyroscope: axes * (start.attitude.inverse * end.attitude) * axes.inverse)
    }
    let decided = try #require(ConventionProbe(samples, turns: turns)).fields
    let undecided = try #require(ConventionProbe(Array(samples.prefix(1)))).fields
    return zip(decided, undecided).map { $0.value == .missing ? $1 : $0 }
  }

  private static var offsets: [Field] {
    RestCalibration(rotationRateOffset: .zero, accelerationOffset: .zero, sampleCount: 1).fields
  }

  private static func heading() throws -> [Field] {
    let verb = try Synopsis.bind(HeadingCommand.self, ["90", "--place", "0,0", "--date", "2026-01-01"])
    let field = try #require(WorldMagneticModel.field(latitude: .zero, longitude: .zero, year: 2026))
    return verb.fields(field, try #require(verb.place), try #require(verb.date))
  }

  private static var statistics: [Field] {
    var statistics = HostStatistics()
    statistics.roundTrip.record(.zero)
    var tally = StreamStatistics()
    for time in [Duration.zero, .seconds(1)] {
      tally.add(TimedSample(time: time, arrival: time, sample: Sample(mask: [])), at: time)
    }
    return statistics.fields + tally.fields
  }

  private static func row(_ field: Field) -> String {
    let key = Key.text(field.name)
    let keys = isCode(field.value) ? "`\(key)`, `\(key)_code`" : "`\(key)`"
    return "| \(keys) | \(shape(field.value)) | \(unit(field.unit)) |\n"
  }

  static func unit(_ unit: Quantity.Unit) -> String { "\(unit.symbol)".filter { $0 != " " } }

  private static func isCode(_ value: FieldValue) -> Bool {
    switch value {
    case .choice, .flags: true
    default: false
    }
  }

  static func shape(_ value: FieldValue) -> String {
    switch value {
    case .integer(_, let quantity): number(quantity.digits)
    case .decimal(_, let digits): number(digits)
    case .number: "number"
    case .choice: "name, number"
    case .flags: "list of names, number"
    case .flag: "true or false"
    case .bytes: "hexadecimal"
    case .text: "text"
    case .missing: "null"
    case .list: "list"
    case .record: "object"
    }
  }

  private static func number(_ digits: Int) -> String {
    digits == 0 ? "integer" : "\(digits) decimal\(digits == 1 ? "" : "s")"
  }
}

/// Collects the fields of all messages that have a unit or are codes, by key.
private struct MessageKeys: CatalogueVisitor, MacroStepVisitor {
  var measured: [String: [String]] = [:]
  var codes: [String: [String]] = [:]

  mutating func command<R: Request>(_ type: R.Type, _ name: StaticString) {
    add(R.table, "`\(name)`")
    add(R.Response.table, "`\(name)` (response)")
  }

  mutating func event<E: Event>(_ type: E.Type, _ name: StaticString) { add(E.table, "`\(name)`") }

  mutating func step<S: MacroStep>(_ type: S.Type, _ name: StaticString) {
    add(S.table, "step `\(name)`")
  }

  private mutating func add(_ rows: [FieldRow], _ place: String) {
    for row in rows {
      let key = "| `\(Key.text(row.name))`"
      if row.quantity.unit != .one {
        let shape = OutputTables.shape(.integer(1, row.quantity))
        measured["\(key) | \(shape) | \(OutputTables.unit(row.quantity.unit)) |", default: []].append(place)
      } else if !row.choices.isEmpty, row.values != "0 false, 1 true" {
        codes["\(key) | \(row.values) |", default: []].append(place)
      }
    }
  }
}
