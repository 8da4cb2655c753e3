// Tests that the page reads its own recordings, and dissects all recordings as the command does.
import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { check, checkLines } from "./checks.mjs";
import { World } from "./world.mjs";

const captures = new URL("../../../Fixtures/captures/", import.meta.url);
// The path of the built command, or an empty string; the expected texts of the fixtures are always compared.
const command = process.env.SPHERO_COMMAND ?? "";
const native = (...words) => execFileSync(command, words, { stdio: ["ignore", "pipe", "ignore"] }).toString();

/** Reads a file in pieces of `size` bytes, like the page. */
function readFile(world, name, bytes, size) {
  const [packets, table] = [[], []];
  const takeResults = () => {
    const count = Number(world.say("packets"));
    while (packets.length < count) packets.push(...world.say(`packets ${packets.length} 1000`).trimEnd().split("\n").map((line) => JSON.parse(line)));
    for (let text; (text = world.say("table")) !== ""; ) table.push(text);
  };
  world.say(`open ${name}`);
  for (let at = 0; at < bytes.length; at += size) {
    world.sphero.receive(2, bytes.subarray(at, at + size));
    takeResults();
  }
  world.say("end");
  takeResults();
  return { packets, table: table.join(""), picture: world.say("picture") };
}

/** Extracts sender, sentence, offset and bytes of each packet from the output of `sphero decode`, with runs of spaces collapsed. */
function expectedSentences(text) {
  const found = [];
  for (const line of text.split("\n")) {
    const sentence = line.match(/^ {7}([<>]) (.*)$/);
    const place = line.match(/^ {9}(\d+) bytes? from (\d+): (.*)$/);
    if (sentence) found.push(`${sentence[1]} ${sentence[2].replace(/ +/g, " ").trim()}`);
    else if (place) found.push(`  ${place[1]} from ${place[2]}: ${place[3].toLowerCase().replaceAll(" ", "")}`);
  }
  return found.join("\n");
}

const sentences = (packets) =>
  packets.flatMap(({ kind, from, message, offset, bytes }) => {
    const sentence = `${from === "host" ? ">" : "<"} ${message.replace(/ +/g, " ").trim()}`;
    // The sentence of discarded bytes already contains them.
    return kind === "discarded" ? [sentence] : [sentence, `  ${bytes.length / 2} from ${offset}: ${bytes}`];
  }).join("\n");

/** The packets as lines of JSON, without the members and kinds that only the page has: sentences, headers and remarks. */
const jsonLines = (packets) =>
  packets.filter(({ kind }) => kind !== "header" && kind !== "remark").map(({ message, ...packet }) => JSON.stringify(packet)).join("\n");
const nativePackets = (path) => native("decode", "--format", "json", path).trimEnd().split("\n").filter(Boolean).map((line) => JSON.parse(line));
const nativeTable = (path) => {
  try {
    return native("decode", "--samples", "--format", "csv", path);
  } catch (error) {
    // A recording whose sensor packets have no known layout.
    if (error.status === 65) return error.stdout.toString();
    throw error;
  }
};

export async function dissectsRecordings() {
  const world = await World.make();
  const names = readdirSync(captures).filter((name) => name.endsWith(".capture"));
  check("there are recordings", "18 or more", names.length, names.length >= 18);
  if (command === "") console.log("  --  the command `sphero` is not built: the recordings are only compared with Fixtures/captures/*.txt");
  for (const name of names) {
    const path = new URL(name, captures).pathname;
    // Pieces of 7 bytes end at arbitrary positions in a line.
    const { packets, table } = readFile(world, name, readFileSync(path), 7);
    checkLines(`${name}: sentences, offsets and bytes`, expectedSentences(readFileSync(path.replace(/capture$/, "txt"), "utf8")), sentences(packets));
    if (command === "") continue;
    checkLines(`${name}: each member of the JSON`, jsonLines(nativePackets(path)), jsonLines(packets));
    checkLines(`${name}: the table`, nativeTable(path), table);
  }
}

export async function readsOwnRecording() {
  const world = await World.make();
  world.connect();
  world.run(500);
  world.news.length = 0;
  const before = world.sent.length;
  world.say("record start");
  for (let step = 0; step < 20; step++) {
    world.say("stick 0.3 0.8");
    world.run(150);
  }
  world.say("color #12ab34");
  world.say("raw Core.GetVersioning");
  world.run(4000);
  const { recording } = world.view;
  world.say("record stop");
  const [capture, rows] = [world.say("capture"), world.say("rows")];
  const samples = world.news.filter(({ kind }) => kind === "sample");
  check("the view counts the samples", { is_on: true, samples: samples.length }, { is_on: recording.is_on, samples: recording.samples });
  check("capture and table are returned only once", ["", ""], [world.say("capture"), world.say("rows")]);

  const bytes = new TextEncoder().encode(capture);
  const { packets, table, picture } = readFile(world, "again.capture", bytes, 1 << 16);
  const commands = packets.filter(({ from }) => from === "host").map(({ device, command, sequence, payload }) => ({ device, command, sequence, payload }));
  const sent = world.sent.slice(before).map(({ id, sequence, payload }) => {
    const [device, command] = id.split(":").map((digits) => parseInt(digits, 16));
    return { device, command, sequence, payload: Buffer.from(payload).toString("hex") };
  });
  checkLines(`the capture contains the ${sent.length} sent commands in order`, sent.map((item) => JSON.stringify(item)).join("\n"), commands.map((item) => JSON.stringify(item)).join("\n"));
  check("it contains all transmitted bytes", recording.bytes, packets.reduce((sum, { bytes }) => sum + (bytes?.length ?? 0) / 2, 0));
  check("all of its bytes belong to packets", 0, packets.filter(({ kind }) => kind === "discarded" || kind === "incomplete").length);
  const dataPackets = packets.filter(({ name }) => name === "Sensing.SensorData").length;
  check("it has one packet per sample", samples.length, dataPackets);

  // The recorded table also has the fields of the view, and its times have a different origin.
  const cells = (text) => {
    const [head, ...lines] = text.trimEnd().split("\n").map((line) => line.split(","));
    return lines.map((line) => Object.fromEntries(head.map((name, index) => [name, line[index]])));
  };
  const [recorded, decoded] = [cells(rows), cells(table)];
  check("both tables have one row per sample", [samples.length, samples.length], [recorded.length, decoded.length]);
  const differences = recorded.map((row, index) => Object.entries(row).find(([name, cell]) =>
    name === "time_s" ? Math.abs(Number(cell) - Number(recorded[0].time_s) - Number(decoded[index]?.time_s)) > 0.002 : decoded[index]?.[name] !== cell));
  check("the cells of both tables are equal", undefined, differences.find(Boolean));
  check("the plot is an SVG image", "SVG", picture.slice(0, 60), /^(<\?xml.*?\?>\s*)?<svg /.test(picture) && picture.trimEnd().endsWith("</svg>") && picture.length > 1000);
  const tableFile = readFile(world, "rows.csv", new TextEncoder().encode(rows), 1000);
  check("a table of samples also has a plot", "SVG", tableFile.picture.slice(0, 60), tableFile.picture.includes("<svg "));

  if (command === "") return;
  const folder = mkdtempSync(join(tmpdir(), "sphero-page-"));
  try {
    const path = join(folder, "page.capture");
    writeFileSync(path, capture);
    checkLines(`${basename(path)}: the command reads the same packets`, jsonLines(nativePackets(path)), jsonLines(packets));
    checkLines(`${basename(path)}: the command prints the same table`, nativeTable(path), table);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Files that are not recordings are rejected early, and reading stops where a recording ends; both in limited time and memory. */
export async function rejectsOtherFiles() {
  const world = await World.make();
  const rejection = (name, text) => {
    try {
      readFile(world, name, Buffer.from(text), 1 << 15);
      return null;
    } catch (error) {
      if (error.cause instanceof WebAssembly.RuntimeError) throw error;
      return error.message;
    }
  };
  const start = performance.now();
  const noise = Buffer.from(Array.from({ length: 1 << 17 }, (_, at) => (at * 7 + (at >> 8) * 13) & 0x7f));
  for (const [name, content, reason] of [
    ["letter.txt", "Dear robot,\nhow are you?\n", /line 1, column \d+: /], ["empty", "", /it is empty$/], ["short.txt", "x\n".repeat(6_000_000), /line 1, column \d+: /],
    ["digits.txt", "10\n".repeat(4_000_000), /no packet of a robot/], ["noise.bin", noise, /no packet of a robot/], ["zeros.bin", Buffer.alloc(12_000_000), /no packet of a robot/],
    ["head.csv", "time_s,yaw_deg\n", /no packet of a robot and no table/],
  ]) {
    const sentence = rejection(name, content);
    check(`${name} is rejected`, `'${name}' is not a recording, with a reason`, sentence, sentence?.startsWith(`'${name}' is not a recording: `) && reason.test(sentence));
  }
  for (const [name, content] of [
    ["one.capture", "0.5 < FF FF 00 01 01 FD\n"], ["one.hex", "FFFF000101FD"], ["one.bin", Buffer.from("ffff000101fd", "hex")], ["marks.capture", "#: capture start=2025-11-22T08:26:42.000000Z\n"],
    ["log.txt", `${"the program starts\n".repeat(300)}FF FF 00 01 01 FD\n`],
  ])
    check(`${name} is accepted`, null, rejection(name, content));
  const { packets } = readFile(world, "tail.capture", Buffer.from(`0.5 < FF FF 00 01 01 FD\n${"x\n".repeat(6_000_000)}`), 1 << 15);
  const last = packets.filter(({ kind }) => kind === "remark").at(-1)?.message;
  check("12 MB of other text after a packet stop the reading", "at most 30 lines, and the line number", { lines: packets.length, last }, packets.length <= 30 && /^reading ends at line 1001/.test(last));
  check("the packet before the text is kept", 1, packets.filter(({ kind }) => kind === "response").length);
  const seconds = (performance.now() - start) / 1000;
  check("all files take less than 10 seconds and 64 MiB", "less", `${seconds.toFixed(1)} s, ${world.memorySize >> 20} MiB`, seconds < 10 && world.memorySize <= 64 << 20);
}
