// sphero plot as a process, and its pictures in a browser.

import Foundation
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5))) struct PlotCommandTests {
  private static let table = """
    time_s,pitch_deg,roll_deg,yaw_deg,odometer_x_cm,odometer_y_cm
    0.0,0,0,0,0,0
    1.0,0,10,100,100,0
    2.0,5,0,-50,100,100

    """

  private static func file(_ text: String, ending: String = "csv") throws -> String {
    let path = freshPath() + "." + ending
    try text.write(toFile: path, atomically: true, encoding: .utf8)
    return path
  }

  private static func tool(_ names: [String]) -> String? {
    let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
    return names.flatMap { name in folders.map { "\($0)/\(name)" } }
      .first { FileManager.default.isExecutableFile(atPath: $0) }
  }
  private static let browser = tool(["chromium", "chromium-browser", "google-chrome"])
  private static let checker = tool(["xmllint"])

  private static func run(_ path: String, _ words: [String]) async throws -> (code: Int32, output: String) {
    let tool = Process()
    let pipe = Pipe()
    tool.executableURL = URL(filePath: path)
    tool.arguments = words
    (tool.standardOutput, tool.standardError) = (pipe, FileHandle.nullDevice)
    try tool.start()
    return try await blocking {
      let data = try pipe.fileHandleForReading.readToEnd() ?? Data()
      tool.waitUntilExit()
      return (tool.terminationStatus, String(decoding: data, as: UTF8.self))
    }
  }

  @Test func aTableWithoutATimeIsRecognized() async throws {
    let path = try Self.file("yaw_deg,roll_deg\n1,2\n3,4\n")
    defer { try? FileManager.default.removeItem(atPath: path) }
    let outcome = try await sphero("plot", path, "-o", "-")
    #expect(
      outcome.code == 65 && outcome.error.contains("A table needs the column time_s"), "\(outcome.error)")
  }

  /// The rest of the header contains a comma, as the header of a table does.
  @Test func aCaptureThatIsCutWithinItsHeaderIsDrawn() async throws {
    let recording = packageRoot.appending(path: "Fixtures/examples/run.capture")
    let text = try String(contentsOf: recording, encoding: .utf8)
    let path = try Self.file(
      ".txt,seed=7\"\n" + text.split(separator: "\n").dropFirst().joined(separator: "\n"))
    defer { try? FileManager.default.removeItem(atPath: path) }
    let outcome = try await sphero("plot", path, "-o", "-")
    #expect(outcome.code == 0 && outcome.output.hasPrefix("<svg"), "\(outcome.error)")
    let table = try Self.file("time_s;yaw_deg\n1;2\n")
    defer { try? FileManager.default.removeItem(atPath: table) }
    #expect(try await sphero("plot", table, "-o", "-").error.contains("commas between columns"))
  }

  @Test func aPictureWithoutValuesIsNotDrawn() async throws {
    let recording = packageRoot.appending(path: "Fixtures/examples/run.capture").path
    let picture = freshPath() + ".svg"
    defer { try? FileManager.default.removeItem(atPath: picture) }
    let missing = try await sphero("plot", recording, "--mask", "speed", "-o", picture)
    #expect(missing.code == 65 && missing.error.contains("has no values of these fields"), "\(missing.error)")
    #expect(!FileManager.default.fileExists(atPath: picture))
  }

  @Test func aTableBecomesAPicture() async throws {
    let path = try Self.file(Self.table)
    let picture = freshPath() + ".svg"
    defer { for path in [path, picture] { try? FileManager.default.removeItem(atPath: path) } }
    let outcome = try await sphero("plot", path, "-o", picture)
    #expect(outcome.code == 0 && outcome.output.isEmpty, "\(outcome.error)")
    #expect(outcome.error == "sphero: 3 samples are drawn in \(picture)\n")
    let svg = try String(contentsOfFile: picture, encoding: .utf8)
    // -50...100 degrees over 120 units from 88 on; 2 s over 864 from 72 on.
    #expect(svg.contains("class=\"s2\" stroke=\"#00805c\" points=\"72,168 504,88 936,208\""), "\(svg)")
    // In a pipe, the picture is on stdout.
    #expect(try await sphero("plot", path).output == svg)
    #expect(try await sphero("plot", path, "-o", "-").output == svg)

    let again = try await sphero("plot", path, "-o", picture)
    #expect(again.code == 73 && again.error.contains("already there") && again.error.contains("--force"))
    try "old".write(toFile: picture, atomically: true, encoding: .utf8)
    #expect(try await sphero("plot", path, "-o", picture, "--force", "-q").error.isEmpty)
    #expect(try String(contentsOfFile: picture, encoding: .utf8) == svg)
  }

  @Test func aRecordingIsNotReplacedByItsPicture() async throws {
    let (path, link) = (try Self.file(Self.table), freshPath())
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: path)
    defer { for path in [path, link] { try? FileManager.default.removeItem(atPath: path) } }
    for words in [["-o", path], ["-o", path, "--force"], ["-o", link, "--force"]] {
      let outcome = try await Run(["plot", path] + words).end()
      #expect(outcome.code == 64 && outcome.error.contains("is the recording itself"), "\(outcome.error)")
      #expect(!outcome.error.contains("--force"))
      #expect(try String(contentsOfFile: path, encoding: .utf8) == Self.table)
    }
    let input = try #require(FileHandle(forReadingAtPath: path))
    let piped = try await Run(["plot", "-", "-o", path, "--force"], input: input).end()
    #expect(piped.code == 64 && piped.error.contains("is the recording itself"), "\(piped.error)")
    #expect(try String(contentsOfFile: path, encoding: .utf8) == Self.table)
  }

  @Test func aDeviceNeedsNoForce() async throws {
    let path = try Self.file(Self.table)
    defer { try? FileManager.default.removeItem(atPath: path) }
    let outcome = try await sphero("plot", path, "-o", "/dev/null")
    #expect(outcome.code == 0 && outcome.error == "sphero: 3 samples are drawn in /dev/null\n")
  }

  @Test func aPipeWithoutAReaderIsAnError() async throws {
    let (path, fifo) = (try Self.file(Self.table), freshPath() + ".svg")
    #expect(unsafe mkfifo(fifo, 0o600) == 0)
    defer { for path in [path, fifo] { try? FileManager.default.removeItem(atPath: path) } }
    let outcome = try await sphero("plot", path, "-o", fifo)
    #expect(outcome.code == 73 && outcome.error.contains(fifo), "\(outcome.error)")
  }

  @Test(arguments: ["html", "HTML", "Htm"]) func aPageIsNamedInAnyCase(ending: String) async throws {
    let path = try Self.file(Self.table)
    let page = freshPath() + "." + ending
    defer { for path in [path, page] { try? FileManager.default.removeItem(atPath: path) } }
    #expect(try await sphero("plot", path, "-o", page).code == 0)
    #expect(try String(contentsOfFile: page, encoding: .utf8).hasPrefix("<!DOCTYPE html>"))
  }

  @Test func aCaptureIsDrawnAsItsTableIs() async throws {
    let capture = freshPath()
    defer { try? FileManager.default.removeItem(atPath: capture) }
    let stream = try await sphero(
      "stream", "--port", "sim:", "--mask", "accel,imu,locator", "--divisor", "8", "--count", "40",
      "--capture",
      capture)
    #expect(stream.code == 0)
    let table = try await sphero("decode", "--samples", capture, "--format", "csv")
    let csv = try Self.file(table.output)
    defer { try? FileManager.default.removeItem(atPath: csv) }
    let (ofCapture, ofTable) = (try await sphero("plot", capture), try await sphero("plot", csv))
    #expect(ofCapture.code == 0 && ofTable.code == 0, "\(ofCapture.error)")
    #expect(ofCapture.output.contains("<polyline"))
    #expect(
      ofCapture.output.replacing(capture, with: "NAME") == ofTable.output.replacing(csv, with: "NAME"))
  }

  struct Bad: CustomTestStringConvertible, Sendable {
    var text: String
    var message: String
    var testDescription: String { text }
  }

  @Test(arguments: [
    Bad(text: "time_s,yaw_deg\n0,1\n0.1,x\n", message: "line 3: \"x\" in column 'yaw_deg'"),
    Bad(text: "time_s,yaw_deg\r\n0,1\r\n0.1\r\n", message: "line 3: 1 value for 2 columns"),
    Bad(text: "time_s,yaw_deg\n0,1,2\n", message: "line 2: 3 values for 2 columns"),
    Bad(text: "time_s,yaw_deg\n0,nan\n", message: "line 2: \"nan\""),
    Bad(text: "time_s,yaw_deg\n0,1\n1,-1e999\n", message: "line 3: \"-1e999\""),
    Bad(text: "time_s,yaw_deg\n", message: "holds no samples"), Bad(text: "", message: "holds no samples"),
    Bad(
      text: "time_s,yaw_deg\n0," + String(repeating: "1", count: 70_000),
      message: "line 2: the line is longer"),
    Bad(text: "0.1 < FF GG\n", message: "line 1"),
    Bad(text: "0.1 < FF FF 00 01 01 FD\n", message: "holds no samples"),
  ])
  func badFilesAreExplained(_ bad: Bad) async throws {
    let path = try Self.file(bad.text)
    let picture = freshPath()
    defer { try? FileManager.default.removeItem(atPath: path) }
    let outcome = try await sphero("plot", path, "-o", picture)
    #expect(outcome.code == 65 && outcome.output.isEmpty, "\(outcome.error)")
    #expect(outcome.error.contains(bad.message), "\(outcome.error)")
    #expect(outcome.error.split(separator: "\n").count >= 2)
    #expect(!FileManager.default.fileExists(atPath: picture))
  }

  @Test func theConventionOfATableTurnsItsBalls() async throws {
    let path = try Self.file("time_s,q0,q1,q2,q3\n0,10000,0,0,0\n1,8000,3600,4800,0\n")
    defer { try? FileManager.default.removeItem(atPath: path) }
    let (plain, read) = (
      try await sphero("plot", path), try await sphero("plot", path, "--convention", "sphero-a")
    )
    #expect(plain.code == 0 && read.code == 0, "\(plain.error)\(read.error)")
    #expect(plain.output != read.output)
    for option in ["--fusion", "--low-pass=2hz"] {
      let other = try await sphero("plot", path, "--convention", "sphero-a", "--mask", "motion", option)
      let name = option.prefix { $0 != "=" }
      #expect(other.code == 64 && other.error.contains("'\(name)' is for captures"), "\(other.error)")
    }
    let capture = packageRoot.appending(path: "Fixtures/examples/run.capture").path
    let unused = try await sphero("plot", capture, "--convention", "sphero-a")
    #expect(
      unused.code == 64 && unused.error.contains("'--convention' has nothing to read"), "\(unused.error)")
  }

  /// The columns of `motion` include vectors, of which the group names only the first part.
  @Test func theGroupOfMotionIsOffered() async throws {
    let header =
      "time_s,attitude_w,attitude_x,attitude_y,attitude_z,gravity_x_g,gravity_y_g,gravity_z_g,"
      + "user_acceleration_x_g,user_acceleration_y_g,user_acceleration_z_g,rotation_rate_x_deg/s,"
      + "rotation_rate_y_deg/s,rotation_rate_z_deg/s,heading_accuracy_deg,tilt_accuracy_deg"
    let path = try Self.file(header + "\n0,1,0,0,0,0,0,-1,0,0,0,0,0,0,0,0\n")
    defer { try? FileManager.default.removeItem(atPath: path) }
    let outcome = try await sphero("plot", path, "--show", "moton")
    #expect(outcome.code == 64 && outcome.error.contains("did you mean 'motion'?"), "\(outcome.error)")
  }

  @Test func wrongWords() async throws {
    let path = try Self.file(Self.table)
    defer { try? FileManager.default.removeItem(atPath: path) }
    for (words, code, message) in [
      (["plot"], 64, "nothing to draw"), (["plot", "/no/such.csv"], 66, "/no/such.csv"),
      (["plot", "/tmp"], 66, "/tmp"), (["plot", path, "-o", "/no/such/folder/x.svg"], 73, "/no/such/folder"),
      (["plot", path, "--mask", "accel"], 64, "--mask"), (["plot", path, "--euler"], 64, "--euler"),
      (["plot", path, "-o", "x.png"], 64, "rsvg-convert -o x.png x.svg"),
      (["plot", path, "-o", "a.b/x.PDF"], 64, "rsvg-convert -f pdf -o a.b/x.PDF a.b/x.svg"),
      (["plot", path, "-o", "x.jpeg"], 64, "rsvg-convert -o x.png x.svg"),
      (["plot", path, "--size", "85mm", "-o", "x.png"], 64, "rsvg-convert -d 300 -p 300 -o x.png x.svg"),
      (["plot", path, "--size", "85x"], 64, "like 85x60mm"),
      (["plot", path, "--size", "85x40mm"], 64, "at least --size 85x"),
      (["plot", path, "--show", "yaw,yow"], 64, "'yow'"),
      (["plot", path, "--show", "quat"], 64, "needs columns of 'quat'"),
      (["plot", path, "--show", "yaw,motion"], 64, "Add '--mask motion'"),
      (["plot", path, "--show", "euler_yaw"], 64, "Add '--euler' where"),
      (["plot", path, "--show", "position"], 64, "did you mean 'odometer'?"),
      (["plot", path, "--start", "3s"], 65, "no samples in that time"),
      (["plot", path, "--robot", "blue"], 64, "no robot 'blue'"),
      (["plot", path, "-o", "/dev/full"], 74, "/dev/full: No space left on device"),
      (["plot", path, "-o", "/"], 73, "/ is already there"),
    ] as [([String], Int32, String)] {
      let outcome = try await Run(words).end()
      #expect(outcome.code == code && outcome.output.isEmpty, "\(words): \(outcome.error)")
      #expect(outcome.error.contains(message), "\(outcome.error)")
    }
  }

  @Test func twoRobotsShareAPicture() async throws {
    let path = try Self.file(
      """
      robot,time_s,yaw_deg
      "a,1",0.0,0
      b,0.0,10
      "a,1",1.0,90
      b,2.0,40

      """)
    defer { try? FileManager.default.removeItem(atPath: path) }
    let both = try await sphero("plot", path)
    #expect(both.code == 0 && both.output.contains("2 robots, 4 samples in 2.000 s"), "\(both.error)")
    // 2 s over 864 units from 72 on; 120 units for 0...100 and 10...40 degrees, below a name of 16 units each.
    #expect(both.output.contains("points=\"72,224 504,116\""), "\(both.output)")
    #expect(both.output.contains("points=\"72,424 936,304\""), "\(both.output)")
    #expect(both.output.contains(">a,1</text>") && both.output.contains(">b</text>"))
    let one = try await sphero("plot", path, "--robot", "b")
    #expect(one.code == 0 && one.output.contains("<title>\(path), b</title>"), "\(one.error)")
    #expect(one.output.contains("points=\"72,208 936,88\""), "\(one.output)")
    let none = try await sphero("plot", path, "--robot", "c")
    #expect(none.code == 64 && none.error.contains("Its robots are 'a,1', 'b'"), "\(none.error)")
  }

  @Test func aTableWithoutRowsHasNoSamples() async throws {
    let path = try Self.file("robot,time_s,yaw_deg\n")
    defer { try? FileManager.default.removeItem(atPath: path) }
    let outcome = try await sphero("plot", path, "--robot", "a")
    #expect(outcome.code == 65 && outcome.error.contains("holds no samples"), "\(outcome.error)")
  }

  @Test func anEventOfACaptureIsMarked() async throws {
    let capture = freshPath()
    defer { try? FileManager.default.removeItem(atPath: capture) }
    let stream = try await sphero(
      "stream", "--port", "sim:", "--mask", "yaw", "--divisor", "8", "--count", "40", "--capture", capture)
    #expect(stream.code == 0)
    #expect(try await !sphero("plot", capture).output.contains("stroke-dasharray"))
    var lines = try String(contentsOfFile: capture, encoding: .utf8).split(separator: "\n")
    let middle = lines.count / 2
    let time = try #require(lines[middle].split(separator: " ").first)
    // The battery is low.
    lines.insert("\(time) < FF FE 01 00 02 03 F9", at: middle)
    try (lines.joined(separator: "\n") + "\n").write(toFile: capture, atomically: true, encoding: .utf8)
    let outcome = try await sphero("plot", capture)
    #expect(outcome.output.contains(">battery low</text>"), "\(outcome.error)")
    #expect(outcome.output.contains("stroke-dasharray"))
  }

  @Test func aPartOfARecordingIsDrawn() async throws {
    let path = try Self.file(Self.table)
    defer { try? FileManager.default.removeItem(atPath: path) }
    let outcome = try await sphero(
      "plot", path, "--start", "1s", "--for", "1s", "--show", "yaw", "--size", "85x60mm")
    #expect(outcome.code == 0, "\(outcome.error)")
    #expect(outcome.output.contains("width=\"85mm\" height=\"60mm\""), "\(outcome.output)")
    #expect(outcome.output.contains(">yaw (°)</text>") && !outcome.output.contains(">pitch (°)</text>"))
    #expect(!outcome.output.contains("path on the floor"))
  }

  @Test(.enabled(if: checker != nil, "SKIPPED: there is no xmllint to check the pictures with"))
  func picturesAreWellFormed() async throws {
    let path = try Self.file(Self.table, ending: "a&b.csv")
    let picture = freshPath() + ".svg"
    defer { for path in [path, picture] { try? FileManager.default.removeItem(atPath: path) } }
    _ = try await sphero("plot", path, "-o", picture)
    #expect(try await Self.run(try #require(Self.checker), ["--noout", "--nonet", picture]).code == 0)
  }

  /// Opens a page in the browser, and returns the output of its script.
  private static func look(_ svg: String, isDark: Bool) async throws -> [String: Any] {
    let page = try file(
      """
      <!DOCTYPE html><meta charset="utf-8"><body style="margin:0">\(svg)<pre id="found"></pre><script>
      const svg = document.querySelector("svg"), frame = svg.getBoundingClientRect();
      const outside = [...svg.querySelectorAll("text,polyline,circle")].filter(e => {
        const r = e.getBoundingClientRect();
        return r.left < frame.left || r.right > frame.right || r.top < frame.top || r.bottom > frame.bottom;
      }).map(e => e.outerHTML);
      const yaw = [...svg.querySelectorAll("polyline.s2:not([stroke-width])")][0], box = yaw.getBBox();
      document.getElementById("found").textContent = JSON.stringify({
        outside, box: [box.x, box.y, box.width, box.height], lines: svg.querySelectorAll("polyline").length,
        paper: getComputedStyle(svg.querySelector(".paper")).fill, stroke: getComputedStyle(yaw).stroke,
        ink: getComputedStyle(svg.querySelector("text")).fill });
      </script></body>
      """, ending: "html")
    let profile = freshPath()
    defer { for path in [page, profile] { try? FileManager.default.removeItem(atPath: path) } }
    let dom = try await run(
      try #require(browser),
      [
        "--headless", "--no-sandbox", "--disable-gpu", "--user-data-dir=\(profile)",
        "--window-size=1200,1600",
        "--blink-settings=preferredColorScheme=\(isDark ? 0 : 1)", "--dump-dom", "file://\(page)",
      ]
    ).output
    let start = try #require(dom.firstRange(of: "<pre id=\"found\">"), "\(dom.suffix(500))")
    let end = try #require(dom[start.upperBound...].firstRange(of: "</pre>"))
    let text = dom[start.upperBound..<end.lowerBound].replacing("&lt;", with: "<").replacing(
      "&gt;", with: ">"
    )
    .replacing("&amp;", with: "&")
    return try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
  }

  @Test(
    .enabled(if: browser != nil, "SKIPPED: there is no Chromium to look at the pictures with"),
    .timeLimit(.minutes(5)))
  func aBrowserShowsThePicture() async throws {
    let path = try Self.file(Self.table)
    defer { try? FileManager.default.removeItem(atPath: path) }
    let svg = try await sphero("plot", path).output
    let light = try await Self.look(svg, isDark: false)
    #expect((light["outside"] as? [String])?.isEmpty == true, "\(light)")
    #expect(light["box"] as? [Double] == [72, 88, 864, 120], "\(light)")
    #expect(light["paper"] as? String == "rgb(255, 255, 255)", "\(light)")
    let dark = try await Self.look(svg, isDark: true)
    #expect(
      dark["paper"] as? String == "rgb(20, 23, 26)" && dark["ink"] as? String == "rgb(230, 233, 236)",
      "\(dark)")
    #expect(dark["stroke"] as? String != light["stroke"] as? String)
    #expect(dark["box"] as? [Double] == light["box"] as? [Double])
  }
}
