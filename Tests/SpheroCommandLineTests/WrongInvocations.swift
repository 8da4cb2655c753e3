// Invalid command lines with parts of their messages and advice.

@testable import sphero

/// An invalid command line.
struct WrongInvocation: CustomStringConvertible, Sendable {
  var words: [String]
  /// A part of the message.
  var message: String
  /// A part of the advice.
  var next: String
  var testDescription: String { description }
  var description: String { words.joined(separator: " ") }

  /// Words separated by spaces; text in single quotes is one word.
  init(_ line: String, _ message: String, next: String? = nil) {
    words = line.split(separator: "'", omittingEmptySubsequences: false).enumerated().flatMap { index, part in
      index.isMultiple(of: 2) ? part.split(separator: " ").map(String.init) : [String(part)]
    }
    self.message = message
    let name = self.words.first
    let verb = Program.subcommands.map { $0.name }.first { $0 == name }.map { "\($0) " } ?? ""
    self.next = next ?? "See 'sphero \(verb)--help'."
  }

  typealias W = WrongInvocation

  static let all =
    verbs + options + values + lists + contradictions + colours + bytes + surplus + programs
    + piping

  /// Streams of several robots, rates and times; recordings that are made and played.
  static let piping = [
    W("stream --hz 0", "'0' is not a value for --hz; it can be 0.01...400"),
    W("stream --hz 401", "0.01...400"),
    W("stream --hz 0.001", "0.01...400"), W("stream --hz nan", "'nan'"), W("stream --hz 0x10", "'0x10'"),
    W("stream --hz ''", "'' is not a value for --hz"),
    W("stream --hz 20Hz", "'20Hz' is not a value for --hz; did you mean '20'?"),
    W("stream --hz 20 --divisor 20", "'--divisor' and '--hz' contradict", next: "Leave one of them out."),
    W("monitor -d4 --hz 100", "'--divisor' and '--hz' contradict", next: "Leave one of them out."),
    W("stream --hz 10 --low-pass 6", "above half the sample rate"),
    W("stream --times now", "'now' of --times is not a time", next: "The times are wall and arrival."),
    W("stream --times wall,arival", "did you mean 'arrival'?", next: "The times are"),
    W("stream --times wall,", "a word is missing", next: "The times are"),
    W("stream --times ''", "--times is empty", next: "The times are"),
    W("stream -p sim: --port sim:", "--port 'sim:' is given twice", next: "sim:name=Zoe"),
    W("stream -p sim: -p ''", "--port is empty"), W("stream -p sim: -p", "'--port' needs a value: <port>"),
    W("record ''", "<file> is empty"), W("record - --capture a", "unknown option '--capture'"),
    W("record a b", "unexpected argument 'b'"), W("record --capture x", "unknown option '--capture'"),
    W("record --format csv", "unknown option '--format'"), W("record --hz 999", "0.01...400"),
    W("record -d1 --hz 1", "contradict", next: "Leave one of them out."),
    W("record -p sim: -p tcp:a:1", "'--port' is given 2 times", next: "Give it once."),
    W("record --mask acel", "did you mean 'accel'?", next: "masks"),
    W("stream --mask accelerometer,euler", "did you mean 'accel'?", next: "masks"),
    W("stream --mask attitude", "did you mean 'imu'?", next: "masks"),
    W("stream --mask gyro,Position", "did you mean 'odometer'?", next: "masks"),
    W("stream --mask motors", "did you mean 'emf'?", next: "masks"),
    W("record --for soon", "'soon' is not a value for --for"), W("rec run.capture", "did you mean 'record'?"),
    W("simulate --replay", "'--replay' needs a value"), W("simulate --replay ''", "--replay is empty"),
    W("simulate --replay a b", "unexpected argument 'b'"),
    W("simulate --replay a --pace 0", "'0' is not a value for --pace; it can be 0.01...100"),
    W("simulate --replay a --pace 1e3", "'1e3' is not a value for --pace"),
    W("simulate --replay a --pace fast", "'fast'"),
    W(
      "simulate --replay a --model ollie", "'--model' is for simulated robots", next: "Leave one of them out."
    ),
    W("simulate --replay a --robots 2", "'--robots' is for simulated robots", next: "Leave one of them out."),
    W("simulate --replay a --fault drop=1%", "'--fault' is for simulated robots", next: "Leave"),
    W("simulate --replay a --options model=ollie", "'--options' is for simulated robots", next: "Leave"),
    W(
      "simulate --replay a --link x --listen 4000", "'--link' and '--listen'", next: "Leave one of them out."),
    W("simulate --replay a --listen nowhere", "'--listen'", next: "Write "),
    W("simulate --replay a --listen 70000", "'--listen'", next: "Write a port"),
    W("simulate --replay a --port sim:", "unknown option '--port'"),
    W("simulate --replay a --link -", "'-' is not a value for --link", next: "Name a file."),
    W("roll 90 --duration 2s", "did you mean '--for'?"), W("stream --rate 50", "did you mean '--hz'?"),
    W("stream -hz 50", "did you mean '--hz'?"), W("stream -n==5", "'=5' is not a value for --count"),
    W("stream --csv", "did you mean '--format csv'?"), W("stop --duration 2s", "unknown option '--duration'"),
    W("turn 90deg", "did you mean '90'?"), W("turn 90°", "did you mean '90'?"),
    W("go 30cm 20cm", "did you mean '30'?"), W("turn --rate 90deg/s", "did you mean '90'?"),
    W("go 5m 3m", "'5m' is not a value for <x>; it can be -32000...32000, in cm"),
    W("go 5deg 0", "'5deg' is not a value for <x>; it can be -32000...32000, in cm"),
    W("turn 5cm", "'5cm' is not a value for <angle>; it can be -36000...36000, in deg"),
    W("roll 5cm", "'5cm' is not a value for <heading>; it can be whole degrees"),
    W("roll 0 --for 5cm", "'5cm' is not a value for --for; it can be seconds"),
    W("play run.capture", "did you mean 'simulate'?"), W("replay a", "did you mean 'simulate'?"),
    W("--port", "a command is missing after '--port'"), W("--port sim: -q", "'-q' stands before the command"),
    W("--port sim: --version", "unexpected argument '--port'"),
    W("--port sim: decode a", "unknown option '--port'"),
    W("-p sim: roll 90 --port sim:", "'sim:' is given twice", next: "Name each robot once"),
  ]

  /// Verbs, pages, and words before them.
  static let verbs = [
    W("strem", "unknown command 'strem'; did you mean 'stream'?"),
    W("STREAM", "did you mean 'stream'?"), W("devises", "did you mean 'devices'?"),
    W("lde", "did you mean 'led'?"), W("rol", "did you mean 'roll'?"), W("pign", "did you mean 'ping'?"),
    W("collison", "did you mean 'collisions'?"), W("surevy", "did you mean 'survey'?"),
    W("decod run.capture", "did you mean 'decode'?"), W("simulat", "did you mean 'simulate'?"),
    W("back-led 255", "did you mean 'raw Lights.SetBackLED'?"), W("rawMotors", "'raw Motion.SetRawMotors'?"),
    W("help get-temperature", "did you mean 'Sensing.GetTemperature'?"),
    W("raw set_back_led 255", "'set_back_led' has no group; did you mean 'Lights.SetBackLED'?"),
    W("completions bash", "did you mean 'help'?"), W("halp", "did you mean 'help'?"),
    W("version", "did you mean '--version'?"), W("list", "did you mean 'devices'?"),
    W("led fff", "did you mean '#fff'?", next: "See 'sphero help colours'."),
    W("color red", "did you mean 'led'?"), W("Colour", "did you mean 'led'?"),
    W("calibrate", "did you mean 'aim'?"), W("man", "did you mean 'help'?"),
    W("halt", "did you mean 'stop'?"), W("send 00 01", "did you mean 'raw'?"),
    W("sim", "did you mean 'simulate'?"), W("scan", "did you mean 'devices'?"),
    W("frobnicate", "unknown command 'frobnicate'"), W("''", "unknown command ''"),
    W("'stream '", "did you mean 'stream'?"), W("90", "unknown command '90'"),
    W("masks", "'masks' is not a command but a topic", next: "See 'sphero help masks'."),
    W("colors", "'colors' is not a command but a topic", next: "See 'sphero help colors'."),
    W("--quiet info", "'--quiet' stands before the command; options come after it"),
    W("-q", "'-q' stands before the command"),
    W("--versoin", "did you mean '--version'?"), W("--hlep", "did you mean '--help'?"),
    W("--version please", "unexpected argument 'please'"), W("-V -q", "unexpected argument '-q'"),
    W("help strem", "did you mean 'stream'?"), W("help mas", "did you mean 'masks'?"),
    W("help Motion.Rol", "did you mean 'Motion.Roll'?"), W("help prts", "did you mean 'ports'?"),
    W("help stream led", "unexpected argument 'led'"), W("--help nowhere", "unknown command 'nowhere'"),
  ]

  /// Names of options, and their combinations.
  static let options = [
    W("roll 90 --sped 3", "unknown option '--sped'; did you mean '--speed'?"),
    W("roll 90 --SPEED 3", "did you mean '--speed'?"), W("roll 90 --speeed=3", "'--speeed'"),
    W("roll 90 --fro 1s", "did you mean '--for'?"), W("roll 90 --keeep", "did you mean '--keep'?"),
    W("stream --maks accel", "did you mean '--mask'?"), W("stream --div 4", "did you mean '--divisor'?"),
    W("stream -mask accel", "unknown option '-mask'; did you mean '--mask'?"),
    W("stream -format csv", "did you mean '--format'?"), W("stream -N 3", "did you mean '-n'?"),
    W("stream -x", "unknown option '-x'"), W("stream -qx", "unknown option '-x' in '-qx'"),
    W("stream -qvz3", "unknown option '-z' in '-qvz3'"), W("stream ---mask accel", "did you mean '--mask'?"),
    W("stream -- --mask", "unexpected argument '--mask'"),
    W("stream --output a.csv", "unknown option '--output'; did you mean '> FILE'?"),
    W("info -o a.txt", "unknown option '-o'; did you mean '> FILE'?"),
    W("record --output a.capture", "did you mean '<file>'?", next: "The form is 'sphero record [<file>]"),
    W("record -oa", "unknown option '-o' in '-oa'; did you mean '<file>'?", next: "The form is"),
    W("plot a --out b.svg", "did you mean '--output'?"),
    W("stream --interval 50ms", "did you mean '--hz'?"), W("record --period 50ms", "did you mean '--hz'?"),
    W("ping -c 3", "unknown option '-c'; did you mean '--count'?"), W("roll 0 -c 3", "unknown option '-c'"),
    W("roll --heading 90", "did you mean '<heading>'?", next: "The form is 'sphero roll <heading> ["),
    W("raw --command=Core.Ping", "did you mean '<command>'?", next: "The form is 'sphero raw [<command>"),
    W("ping --cuont 3", "did you mean '--count'?"), W("ping --clok", "did you mean '--clock'?"),
    W("info --fromat json", "did you mean '--format'?"), W("info --verbos", "did you mean '--verbose'?"),
    W("stop --now", "unknown option '--now'"), W("led red --tial 3", "did you mean '--tail'?"),
    W("decode --stirct x", "did you mean '--strict'?"), W("simulate --lnik x", "did you mean '--link'?"),
    W("simulate --modle ollie", "did you mean '--model'?"), W("help --pdf", "unknown option '--pdf'"),
    W("info --help=yes", "unknown option '--help'"), W("stop --colour=always", "unknown option '--colour'"),
    W("stream --raw=1", "'--raw' takes no value"), W("roll 90 --keep=yes", "'--keep' takes no value"),
    W("roll 90 -k=yes", "'-k' takes no value"), W("stream --divisor", "'--divisor' needs a value: <n>"),
    W("stream -d", "'--divisor' needs a value: <n>"), W("stream -qd", "'--divisor' needs a value"),
    W("stream --mask --divisor 4", "'--mask' needs a value: <fields>, but '--divisor' follows"),
    W("stream --mask -q", "needs a value: <fields>, but '-q' follows"),
    W("ping --port --verbose", "'--port' needs a value: <port>, but '--verbose' follows"),
    W("ping --capture --count=3", "'--capture' needs a value: <file>, but '--count=3' follows"),
    W("ping --count --", "'--count' needs a value: <n>, but '--' follows"),
    W("stream extra", "unexpected argument 'extra'"), W("roll 90 80", "unexpected argument '80'"),
    W("stop now", "unexpected argument 'now'"), W("ping 3", "unexpected argument '3'"),
    W("ping -3", "unexpected argument '-3'"), W("decode one two", "unexpected argument 'two'"),
    W("devices all", "unexpected argument 'all'"), W("help pdf", "unknown command 'pdf'"),
    W(
      "help --completions bash --words Core.Ping", "'--completions' and '--words' contradict each other",
      next: "Leave one of them out."),
    W("help stream --man", "a page and an option print different things", next: "Leave one of them out."),
  ]

  /// Values of one option or argument.
  static let values = [
    W("roll", "<heading> is missing"), W("roll --speed 3", "<heading> is missing"),
    W(
      "roll 90 --keep --sleep", "'--keep' and '--sleep' contradict each other", next: "Leave one of them out."
    ),
    W("turn --rate", "'--rate' needs a value"), W("turn --rate 0", "'0' is not a value for --rate"),
    W("turn --rate 300", "no robot turns at 300 degrees/s", next: "Choose 1...199.1, or 400"),
    W("turn --rate 100 --within 3", "'--rate' alone turns nothing"),
    W("rotation-rate 9", "did you mean 'turn'?"),
    W("turn --rate 100 --for 3s", "'--rate' alone turns nothing"),
    W("go 1", "<y> is missing"), W("go 1 2 --path a", "both name places: choose one"),
    W("go --path ''", "--path is empty"),
    W("go 1 2 --speed 0", "the ball would not move", next: "Choose 1...255."),
    W("roll 0 --speed 101%", "'101%' is not a value for --speed; it can be 0...255, or like 40%"),
    W("roll 0 --speed -5%", "'-5%'"), W("roll 0 --speed %", "'%'"), W("follow a", "did you mean 'go'?"),
    W("ping --wait soon", "'soon' is not a value"),
    W("roll 0 -p sim: -p sim:", "'sim:' is given twice", next: "Name each robot once"),
    W("stop -p x -p x", "'x' is given twice", next: "Name each robot once"),
    W("roll north", "'north' is not a value for <heading>; it can be whole degrees"),
    W("roll 90.5", "'90.5' is not a value for <heading>"), W("roll 90deg", "'90deg'"),
    W("roll ''", "'' is not a value"),
    W("roll 99999999999999999999", "'99999999999999999999' is not a value for <heading>"),
    W("roll 90 --speed 256", "'256' is not a value for --speed; it can be 0...255"),
    W("roll 90 --speed -1", "'-1' is not a value for --speed"),
    W("roll 90 -sfast", "'fast' is not a value for --speed"),
    W("roll 90 --speed 1e2", "'1e2'"), W("roll 90 --speed ''", "'' is not a value for --speed"),
    W(
      "roll 90 --for soon",
      "'soon' is not a value for --for; it can be seconds, or like 500ms, 2min, 1h"),
    W("roll 90 --for -1s", "'-1s' is not a value for --for"), W("roll 90 --for nan", "'nan'"),
    W("roll 90 --for 1e99", "'1e99'"), W("roll 90 --for '1 s'", "'1 s'"), W("roll 90 -t5x", "'5x'"),
    W("stream --divisor 0", "'0' is not a value for --divisor; it can be 1...65535"),
    W("stream --divisor x", "'x'"), W("stream -d65536", "1...65535"),
    W("stream --divisor=", "'' is not a value"),
    W("stream --packets 0", "1...255"), W("stream --packets 256", "1...255"),
    W("stream --frames 0", "1...65535"), W("stream --count 0", "'0' is not a value for --count"),
    W("stream --count 1.5", "'1.5'"), W("stream --for inf", "'inf' is not a value for --for"),
    W("stream --format xml", "'xml' is not a value for --format; it can be text, json, csv"),
    W("stream --format cvs", "did you mean 'csv'? It can be text, json, csv"),
    W("stream --format JSON", "did you mean 'json'?"), W("info -fjsn", "did you mean 'json'?"),
    W("stream --low-pass 0", "'0' is not a value for --low-pass"), W("stream --low-pass 0x1p3", "'0x1p3'"),
    W("stream --high-pass -1", "'-1' is not a value for --high-pass"),
    W(
      "stream --low-pass 0.1", "--low-pass: '0.1' can be a frequency in Hz or a filter factor",
      next: "Write '--low-pass 0.1hz' or '--low-pass-factor 0.1'."),
    W(
      "plot a --high-pass 0.5", "--high-pass: '0.5' can be",
      next: "Write '--high-pass 0.5hz' or '--high-pass-factor 0.5'."),
    W(
      "stream --low-pass-factor 2",
      "'2' is not a value for --low-pass-factor: a filter factor is above 0 and at most 1",
      next: "A cut-off in Hz is '--low-pass 2'."),
    W("stream --high-pass-factor 0.5Hz", "'0.5Hz' is not", next: "A cut-off in Hz is '--high-pass 0.5Hz'."),
    W("stream --printed-high-pass-factor 20", "'20' is not", next: "A cut-off in Hz is '--high-pass 20'."),
    W("stream --low-pass-factor 0", "'0' is not a value for --low-pass-factor; it can be above 0, at most 1"),
    W("stream --low-pass-factor -0.1", "'-0.1' is not"), W("stream --low-pass-factor nan", "'nan' is not"),
    W("stream --low-pass 0hz", "'0hz' is not a value for --low-pass"),
    W("stream --low-pass hz", "'hz' is not"),
    W("heading", "the declination depends on the place", next: "Add it, like '--place 48.14,11.58'."),
    W("heading --place 48", "'48' is not a value for --place; it can be degrees within -90...90"),
    W("heading --place 91,0", "'91,0' is not"), W("heading --place 0,361", "'0,361' is not"),
    W("heading --place 0,0,900000", "'0,0,900000' is not"), W("heading --place a,b", "'a,b' is not"),
    W("heading --place 1,2,3,4", "'1,2,3,4' is not"), W("heading --place 1,", "'1,' is not"),
    W("heading 361 --place 0,0", "'361' is not a value for <degrees>; it can be 0...360"),
    W(
      "heading --place 0,0 --date 2027-02-29", "'2027-02-29' is not a value for --date; it can be a day like"),
    W("heading --place 0,0 --date 27-2-1", "'27-2-1' is not"),
    W("heading --place 0,0 --date now", "'now' is not"),
    W("heading --place 0,0 --true", "'--true' is for a heading, which is missing"),
    W("stream --euler --convention spero", "did you mean 'sphero'?"),
    W("ping --count 99999999999999999999", "'99999999999999999999' is not a value for --count"),
    W("ping --interval often", "'often' is not a value for --interval"),
    W(
      "ping --timeout 0s",
      "it can be seconds, or like 500ms, 2min, 1h; 10ms or more"),
    W("ping --timeout 9ms", "10ms or more"), W("led red --timeout never", "'never'"),
    W("aim --heading west", "'west' is not a value for --heading; it can be whole degrees"),
    W("survey --conventions --poses 0", "1...255"), W("survey --conventions --for x", "'x'"),
    W("sleep --for 0s", "'0s' is not a value for --for; it can be 1s...65534s in whole seconds"),
    W("sleep --for 500ms", "'500ms' is not a value for --for; it can be 1s...65534s in whole seconds"),
    W("sleep --for 65535s", "1s...65534s"), W("sleep --for 1900ms", "whole seconds"),
    W("decode --from me", "'me' is not a value for --from; it can be host, robot"),
    W("decode --from robto", "did you mean 'robot'?"),
    W("decode --input pcap", "'pcap' is not a value for --input"),
    W("decode --frames 0", "1...65535"), W("decode --divisor 0", "1...65535"),
    W("help --completions tcsh", "'tcsh' is not a value for --completions"),
    W("help --completions bsah", "did you mean 'bash'?"), W("ping --port ''", "--port is empty"),
    W("ping --capture ''", "--capture is empty"), W("ping --capture=", "--capture is empty"),
    W("ping --capture -", "'-' is not a value for --capture: stdout is for results", next: "Name a file."),
    W("simulate --capture -", "'-' is not a value for --capture", next: "Name a file."),
    W("simulate --link -", "'-' is not a value for --link", next: "Name a file."),
    W("'\u{1B}[31mred'", #"unknown command '\u{1b}[31mred'"#),
    W("roll '9\n0'", #"'9\n0' is not a value for <heading>"#),
    W(
      "stream --mask 'ac\u{7}cel'", #"'ac\u{7}cel' of --mask is not a sensor field; did you mean 'accel'?"#,
      next: "'sphero help masks'"),
    W("led '\u{202E}red'", #"\u{202e}"#, next: "'sphero help colours'"),
  ]

  /// Words separated by commas.
  static let lists = [
    W("stream --mask nonsense", "'nonsense' of --mask is not a sensor field", next: "'sphero help masks'"),
    W(
      "stream --mask acel,imu", "'acel' in --mask 'acel,imu' is not a sensor field; did you mean 'accel'?",
      next: "'sphero help masks' lists groups and fields."),
    W("stream -m imu,gryo,quat", "'gryo' in --mask", next: "masks"),
    W("stream -m Motion,gryo", "'gryo' in --mask", next: "masks"),
    W("stream -m 'mo tion'", "'mo tion' of --mask is not a sensor field", next: "masks"),
    W("stream -m yaww", "did you mean 'yaw'?", next: "masks"),
    W("stream -m accelx", "did you mean 'accel-x'?", next: "masks"),
    W("stream -m moton", "did you mean 'motion'?", next: "masks"),
    W("stream --mask accel,,imu", "a word is missing beside a comma of 'accel,,imu'", next: "masks"),
    W("stream --mask accel,", "a word is missing beside a comma", next: "masks"),
    W("stream --mask ''", "--mask is empty", next: "masks"),
    W("stream --mask=", "--mask is empty", next: "masks"),
    W("plot a --show ''", "--show is empty", next: "Name columns, like --show yaw,path."),
    W("plot a --show yaw,,path", "a word is missing beside a comma of 'yaw,,path'", next: "Name columns"),
    W("plot a --show ,", "a word is missing beside a comma", next: "Name columns"),
    W("stream --mask 0xZZ", "'0xZZ' of --mask is not a sensor field", next: "masks"),
    W("stream --mask 0x00000001:1", "--mask: ", next: "masks"),
    W("stream --mask 0x0", "'0x0'", next: "masks"),
    W("decode --mask acceleration", "'acceleration' of --mask", next: "masks"),
    W(
      "survey --steps rtae", "'rtae' of --steps is not a step; did you mean 'rate'?",
      next: "The steps are records"),
    W("survey --steps rate,,roll", "a word is missing", next: "The steps are"),
    W("survey --steps all", "'all' of --steps is not a step", next: "The steps are"),
    W("simulate --fault drop", "drop"), W("simulate --fault drp=1%", "drp"),
    W("simulate --options colour=red", "colour"),
    W("simulate --model toaster", "'toaster' is not a value for --model; it can be sphero1"),
    W("simulate --battery full", "write a part like 30% or 0.3"),
    W(
      "simulate --latency slow",
      "'slow' is not a value for --latency; it can be seconds, or like 500ms, 2min, 1h"),
    W("simulate --seed x", "write a whole number"), W("simulate --clock 3", "it can be 0.9...1.1"),
    W("simulate --robots 0", "'0' is not a value for --robots"),
    W("simulate --robots 101", "'101' is not a value for --robots; it can be 1...100"),
    W("simulate --listen nowhere", "'--listen'", next: "Write "),
    W("simulate --listen 70000", "'--listen'", next: "Write a port"),
    W("simulate --listen 65535 --robots 2", "the last one is 65535"),
  ]

  /// Options that exclude each other or are repeated.
  static let contradictions = [
    W(
      "roll 90 --keep --for 1s", "'--keep' and '--for' contradict each other", next: "Leave one of them out."),
    W("roll -t1s -k 90", "'--keep' and '--for' contradict each other", next: "Leave one of them out."),
    W("survey --conventions --steps rate", "choose one", next: "Leave one of them out."),
    W("survey --conventions --from a", "'--conventions' and '--from'", next: "Leave one of them out."),
    W("survey --conventions --roll", "'--conventions' and '--roll'", next: "Leave one of them out."),
    W("survey --poses 4", "'--poses' is for '--conventions', which is missing"),
    W("aim --poses 4", "unknown option '--poses'"), W("aim --format json", "unknown option '--format'"),
    W(
      "survey --offsets a.json --steps rate", "'--offsets' and '--steps' contradict each other", next: "Leave"
    ),
    W("survey --offsets a.json --conventions", "'--conventions' and '--offsets'", next: "Leave"),
    W("survey --offsets a.json --poses 5", "'--poses' is for '--conventions', which is missing"),
    W("survey --offsets none", "would be no file for '--calibration'", next: "Name another file."),
    W("survey --offsets -", "'-' is not a value for --offsets", next: "Name a file."),
    W("survey --force", "'--force' is for '--offsets', which is missing"),
    W(
      "stream --low-pass 2 --low-pass-factor 0.1", "'--low-pass' and '--low-pass-factor' contradict",
      next: "Leave"),
    W("stream --high-pass 2 --high-pass-factor 0.1", "'--high-pass' and '--high-pass-factor'", next: "Leave"),
    W(
      "stream --high-pass 2 --printed-high-pass-factor 0.1", "'--high-pass' and '--printed-high-pass-factor'",
      next: "Leave"),
    W(
      "stream --high-pass-factor 0.2 --printed-high-pass-factor 0.1",
      "'--high-pass-factor' and '--printed-high-pass-factor'", next: "Leave"),
    W(
      "drive --port sim: --tilt sim:", "'--tilt' and '--port' are the same robot, 'sim:'",
      next: "Name two robots"),
    W("drive --tilt /dev/rfcomm1 --port /dev/rfcomm1", "the same robot", next: "sim:name=Zoe"),
    W("drive --tilt", "'--tilt' needs a value"),
    W("balance --wals", "unknown option '--wals'"),
    W("monitor --radian", "unknown option '--radian'"),
    W("led --pick --tail 3", "'--pick' and '--tail' contradict each other", next: "Leave one of them out."),
    W("led --pick nocolour", "'nocolour' is not a colour name", next: "'sphero help colours'"),
    W("survey --from x --port sim:", "connects nothing", next: "Leave one of them out."),
    W("survey --from x --capture y", "connects nothing", next: "Leave one of them out."),
    W("survey --from x --steps rate", "connects nothing", next: "Leave one of them out."),
    W("survey --from x --roll", "connects nothing", next: "Leave one of them out."),
    W("survey --from x --for 9s", "connects nothing", next: "Leave one of them out."),
    W(
      "raw 00 01 --no-reply --format json", "without an answer nothing is printed",
      next: "Leave one of them out."),
    W("simulate --link x --listen 4000", "'--link' and '--listen'", next: "Leave one of them out."),
    W("led --save --tail 3", "'--save' keeps a colour, but there is none"),
    W("stream --events --format csv", "'--events' have no columns"),
    W("decode --samples --events --format csv", "'--events' have no columns"),
    W("decode --events run.capture", "'--events' is for samples: add '--samples'"),
    W(
      "decode --samples --shake-window 2s", "'--shake-window' is for events",
      next: "See 'sphero decode --help'."),
    W(
      "stream --shake-threshold 2", "'--shake-threshold' is for events, which are not printed: add '--events'"
    ),
    W("stream --shake-reversals 4", "'--shake-reversals' is for events"),
    W("stream --shake-threshold 1.33", "'--shake-threshold' is for events"),
    W("stream --events --shake-reversals 0", "'0' is not a value for --shake-reversals; it can be 1...16"),
    W("stream --events --shake-threshold 99", "0.1...16"),
    W("stream --events --shake-window 11s", "'--shake-window' is 100 ms to 10 s"),
    W("stream --raw --euler", "'--raw' prints what is on the wire"),
    W("stream --mask motion --raw", "'motion' is not"),
    W("stream --raw --low-pass 2", "leave out '--low-pass'"),
    W("stream --raw --low-pass-factor 0.2", "leave out '--low-pass-factor'"),
    W(
      "stream --mask yaw --printed-high-pass-factor 0.2", "'--printed-high-pass-factor' has nothing to filter"
    ),
    W(
      "stream --low-pass-factor 0.1 --high-pass-factor 0.1",
      "'--high-pass-factor' must be below '--low-pass-factor'"),
    W("stream --unfiltered", "'--unfiltered' is for values that are filtered as well: add a filter"),
    W("decode --unfiltered", "'--unfiltered' is for samples: add '--samples'"),
    W("stream --raw --calibration a.json", "'--raw' prints what is on the wire; leave out '--calibration'"),
    W("stream --mask yaw --calibration a.json", "'--calibration' has nothing to correct"),
    W(
      "stream -p sim: -p sim:name=B --calibration a.json", "'--calibration' has the offsets of one robot",
      next: "Stream each robot by itself"),
    W("decode --calibration a.json", "'--calibration' is for samples: add '--samples'"),
    W("stream --convention sphero --mask yaw", "'--convention' has nothing to read"),
    W("stream --fusion --mask accel,gyro,quat", "'--fusion' has nothing to compute: add '--mask motion'"),
    W("stream --low-pass 11", "above half the sample rate"),
    W("stream --low-pass 2 --high-pass 3", "'--high-pass' must be below '--low-pass'"),
    W("stream --mask yaw --low-pass 2", "has nothing to filter"),
    W("decode --samples --verbose", "leave out '--samples'"), W("decode --euler", "add '--samples'"),
    W("decode --mask motion", "add '--samples'"), W("decode --divisor 4", "'--divisor' is for samples"),
    W("stream --divisor 4 --divisor 20", "'--divisor' is given 2 times: '4', '20'", next: "Give it once."),
    W("stream -d4 --divisor=4", "given 2 times", next: "Give it once."),
    W("ping -n3 -n 4 -n5", "'--count' is given 3 times: '3', '4', '5'", next: "Give it once."),
    W("ping -p sim: --port sim:", "'--port' is given 2 times", next: "Give it once."),
    W("info --format csv --format json", "'--format' is given 2 times", next: "Give it once."),
    W("roll 1 -s1 -s2", "'--speed' is given 2 times", next: "Give it once."),
    W("simulate --seed 1 --seed 2", "'--seed' is given 2 times", next: "Give it once."),
    W("raw Motion.Roll speed=1 speed=2", "'speed' is given twice", next: "Give each field once."),
  ]

  /// Colours.
  static let colours = [
    W("led", "no colour"),
    W("led 256 0 0", "'256' is not a value for red", next: "Write a number 0...255."),
    W("led -1 0 0", "'-1' is not a value for red", next: "0...255"),
    W("led 1 2 3.5", "'3.5' is not a value for blue", next: "0...255"),
    W("led 0 0x10 0", "'0x10' is not a value for green", next: "0...255"),
    W("led red blue", "not 2 words", next: "'sphero help colours'"),
    W("led 1 2 3 4", "not 4 words", next: "colours"),
    W("led 255,0", "not 2 words", next: "colours"),
    W("led 255", "'255' is not a colour name", next: "colours"),
    W("led oragne", "did you mean 'orange'?", next: "See 'sphero help colours'."),
    W("led Bleu", "did you mean 'blue'?", next: "colours"),
    W("led octarine", "'octarine' is not a colour name", next: "colours"),
    W("led ff00zz", "'ff00zz' is not a colour name", next: "colours"),
    W("led '#ff00'", "not 4", next: "#rrggbb"),
    W("led '#ff00g0'", "'g' at offset 5", next: "#rrggbb"),
    W("led ''", "'' is not a colour name", next: "colours"),
    W("led red --tail 300", "'300' is not a value for --tail; it can be 0...255"),
    W("led --tail bright", "'bright' is not a value for --tail"),
  ]

  /// Commands of the protocol.
  static let bytes = [
    W("raw", "<command> is missing"), W("raw 00", "not a DID, CID and payload in hexadecimal"),
    W("raw zz zz", "'zz zz' is not a DID"), W("raw 0 1 2", "hexadecimal, two digits a byte"),
    W("raw 0 22 0", "'0 22 0' is not a DID"), W("raw 02 20 F F 00 00", "hexadecimal, two digits a byte"),
    W("raw '0 22 0'", "'0 22 0' is not a DID"), W("raw 02 30 0x", "hexadecimal, two digits a byte"),
    W("raw Motion.Rol", "unknown command 'Motion.Rol'; did you mean 'Motion.Roll'?"),
    W("raw No.Such", "unknown command 'No.Such'"), W("raw Motion.Roll speed", "not of the form field=value"),
    W("raw Motion.Roll speed=300", "Motion.Roll: "), W("raw Motion.Roll sped=3", "Motion.Roll: 'sped=3'"),
    W("raw Motion.Roll heading=360", "must be 0...359"),
    W(
      "raw Motion.Roll heading=400deg speed=1 state=drive",
      "'heading=400deg' is not valid; expected 0...359deg with the unit, or the wire's integer 0...359"),
    W(
      "raw Motion.SetRotationRate rate=156.8",
      "expected 0.000...199.136deg/s with the unit, or the wire's integer 0...255"),
    W(
      "raw Motion.Roll speed=40", "Motion.Roll: 'heading', 'state' are missing; nothing was sent",
      next: "Give every field: sphero raw Motion.Roll speed=40 heading=0deg state=drive"),
    W(
      "raw Lights.SetRGBLED", "Lights.SetRGBLED: 'red', 'green', 'blue' are missing",
      next: "Give every field: sphero raw Lights.SetRGBLED red=0 green=0 blue=0"),
    W("raw Motion.Roll state=fly", "'state=fly' is not valid"),
    W("raw Core.Ping extra=1", "Core.Ping: "), W("raw Bootloader.JumpToBootloader", "this can do harm"),
    W("raw 00 30", "this can do harm"),
  ]

  /// Files of lines and programs.
  static let programs = [
    W("run", "<file> is missing"), W("run a b", "unexpected argument 'b'"), W("run ''", "<file> is empty"),
    W("run a --stirct", "did you mean '--strict'?"), W("run - --format json", "unknown option '--format'"),
    W("script a", "did you mean 'run'?"), W("repl", "did you mean 'run'?"),
    W("runn -", "did you mean 'run'?"),
    W("run a --strict=yes", "'--strict' takes no value"), W("program", "<file> is missing"),
    W("program a --store 31", "'31' is not a value for --store; it can be 32...253"),
    W("program a --store 254", "32...253"), W("program a --for soon", "'soon' is not a value for --for"),
    W("program a --check --for 3s", "'--check' and '--for'", next: "Leave one of them out."),
    W("program a --format yaml", "'yaml' is not a value for --format"),
    W("macro a", "did you mean 'program'?"), W("program a --chekc", "did you mean '--check'?"),
    W("program a b", "unexpected argument 'b'"), W("program - --for -1s", "'-1s' is not a value for --for"),
    W("orbbasic a", "did you mean 'program'?"),
  ]

  /// Surplus words, and options of other verbs.
  static let surplus = [
    W("survey --for x", "'x' is not a value for --for"), W("survey again", "unexpected argument 'again'"),
    W("decode --low-pass 2", "add '--samples'"),
    W("devices --format yaml", "'yaml' is not a value for --format"),
    W("devices --quite", "unknown option '--quite'"), W("sleep 30s", "unexpected argument '30s'"),
    W("drive 90", "unexpected argument '90'"), W("drive --for 3s", "unknown option '--for'"),
    W("drive --speed 0", "the ball would not move", next: "Choose 1...255."), W("drive -s 256", "0...255"),
    W("drive --speed fast", "'fast' is not a value for --speed"),
    W("drive --sped 3", "did you mean '--speed'?"),
    W("driv", "did you mean 'drive'?"), W("joystick", "did you mean 'drive'?"),
    W("aim 90", "unexpected argument '90'"), W("info sim:", "unexpected argument 'sim:'"),
  ]
}
