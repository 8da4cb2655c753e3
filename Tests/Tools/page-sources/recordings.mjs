// What the page records it can look at again; and all recordings are taken apart as the command does it.
import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { check, checkLines } from "./checks.mjs";
import { World } from "./world.mjs";

const captures = new URL("../../../Fixtures/captures/", import.meta.url);
// The command, where it was built; what the fixtures say beside each recording is compared in any case.
const command = process.env.SPHERO_COMMAND ?? "";
const native = (...words) => execFileSync(command, words, { stdio: ["ignore", "pipe", "ignore"] }).toString();

/** Looks at a file, in pieces as a page reads them. */
function look(world, name, bytes, piece) {
  const [packets, table] = [[], []];
  const take = () => {
    for (let text; (text = world.say("packets")) !== ""; ) packets.push(...text.trimEnd().split("\n").map((line) => JSON.parse(line)));
    for (let text; (text = world.say("table")) !== ""; ) table.push(text);
  };
  world.say(`open ${name}`);
  for (let at = 0; at < bytes.length; at += piece) {
    world.sphero.receive(2, bytes.subarray(at, at + piece));
    take();
  }
  world.say("end");
  take();
  return { packets, table: table.join(""), picture: world.say("picture") };
}

/** The lines of `sphero decode`: sender, sentence, place and bytes of each packet; columns of spaces count as one. */
function told(text) {
  const found = [];
  for (const line of text.split("\n")) {
    const sentence = line.match(/^ {7}([<>]) (.*)$/);
    const place = line.match(/^ {9}(\d+) bytes? from (\d+): (.*)$/);
    if (sentence) found.push(`${sentence[1]} ${sentence[2].replace(/ +/g, " ").trim()}`);
    else if (place) found.push(`  ${place[1]} from ${place[2]}: ${place[3].toLowerCase().replaceAll(" ", "")}`);
  }
  return found.join("\n");
}

const seen = (packets) =>
  packets.flatMap(({ kind, from, message, offset, bytes }) => {
    const sentence = `${from === "host" ? ">" : "<"} ${message.replace(/ +/g, " ").trim()}`;
    // The sentence of bytes that belong to no packet has them in it.
    return kind === "discarded" ? [sentence] : [sentence, `  ${bytes.length / 2} from ${offset}: ${bytes}`];
  }).join("\n");

/** The lines of JSON without what only one of both tells: the sentence, and what the file says of itself. */
const plain = (packets) =>
  packets.filter(({ kind }) => kind !== "header" && kind !== "remark").map(({ message, ...packet }) => JSON.stringify(packet)).join("\n");
const nativePackets = (path) => native("decode", "--format", "json", path).trimEnd().split("\n").filter(Boolean).map((line) => JSON.parse(line));
const nativeTable = (path) => native("decode", "--samples", "--format", "csv", path);

export async function dissectsRecordings() {
  const world = await World.make();
  const names = readdirSync(captures).filter((name) => name.endsWith(".capture"));
  check("there are recordings", "18 or more", names.length, names.length >= 18);
  if (command === "") console.log("  --  no command `sphero` is built: the recordings are compared with Fixtures/captures/*.txt alone");
  for (const name of names) {
    const path = new URL(name, captures).pathname;
    // A piece of 7 bytes ends anywhere in a line.
    const { packets, table } = look(world, name, readFileSync(path), 7);
    checkLines(`${name}: sentences, places and bytes`, told(readFileSync(path.replace(/capture$/, "txt"), "utf8")), seen(packets));
    if (command === "") continue;
    checkLines(`${name}: each member of the JSON`, plain(nativePackets(path)), plain(packets));
    checkLines(`${name}: the table`, nativeTable(path), table);
  }
}

export async function looksAtWhatItRecorded() {
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
  check("what was taken is not told again", ["", ""], [world.say("capture"), world.say("rows")]);

  const bytes = new TextEncoder().encode(capture);
  const { packets, table, picture } = look(world, "again.capture", bytes, 1 << 16);
  const commands = packets.filter(({ from }) => from === "host").map(({ device, command, sequence, payload }) => ({ device, command, sequence, payload }));
  const sent = world.sent.slice(before).map(({ id, sequence, payload }) => {
    const [device, command] = id.split(":").map((digits) => parseInt(digits, 16));
    return { device, command, sequence, payload: Buffer.from(payload).toString("hex") };
  });
  checkLines(`the ${sent.length} commands that were sent are in it, in their order`, sent.map((item) => JSON.stringify(item)).join("\n"), commands.map((item) => JSON.stringify(item)).join("\n"));
  check("all bytes that crossed the line are in it", recording.bytes, packets.reduce((sum, { bytes }) => sum + (bytes?.length ?? 0) / 2, 0));
  check("none of its bytes belongs to no packet", 0, packets.filter(({ kind }) => kind === "discarded" || kind === "incomplete").length);
  const dataPackets = packets.filter(({ name }) => name === "Sensing.SensorData").length;
  check("each sample was a packet", samples.length, dataPackets);

  // The table of the recording has the fields of the view as well, and begins at its own first sample.
  const cells = (text) => {
    const [head, ...lines] = text.trimEnd().split("\n").map((line) => line.split(","));
    return lines.map((line) => Object.fromEntries(head.map((name, index) => [name, line[index]])));
  };
  const [recorded, decoded] = [cells(rows), cells(table)];
  check("its table has a row for each sample", [samples.length, samples.length], [recorded.length, decoded.length]);
  const rest = recorded.map((row, index) => Object.entries(row).find(([name, cell]) =>
    name === "time_s" ? Math.abs(Number(cell) - Number(recorded[0].time_s) - Number(decoded[index]?.time_s)) > 0.002 : decoded[index]?.[name] !== cell));
  check("each cell is what was recorded", undefined, rest.find(Boolean));
  check("the picture is a drawing of it", "SVG", picture.slice(0, 60), /^(<\?xml.*?\?>\s*)?<svg /.test(picture) && picture.trimEnd().endsWith("</svg>") && picture.length > 1000);
  const ofTable = look(world, "rows.csv", new TextEncoder().encode(rows), 1000);
  check("a table of samples has a picture, too", "SVG", ofTable.picture.slice(0, 60), ofTable.picture.includes("<svg "));

  if (command === "") return;
  const folder = mkdtempSync(join(tmpdir(), "sphero-page-"));
  try {
    const path = join(folder, "page.capture");
    writeFileSync(path, capture);
    checkLines(`${basename(path)}: the command reads the same packets`, plain(nativePackets(path)), plain(packets));
    checkLines(`${basename(path)}: the command prints the same table`, nativeTable(path), table);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** What is not a recording is rejected early; what goes on with something else ends there. Neither takes long or much memory. */
export async function rejectsOthers() {
  const world = await World.make();
  const rejection = (name, text) => {
    try {
      look(world, name, Buffer.from(text), 1 << 15);
      return null;
    } catch (error) {
      if (error instanceof WebAssembly.RuntimeError) throw error;
      return error.message;
    }
  };
  const begun = performance.now();
  const noise = Buffer.from(Array.from({ length: 1 << 17 }, (_, at) => (at * 7 + (at >> 8) * 13) & 0x7f));
  for (const [name, content, reason] of [
    ["letter.txt", "Dear robot,\nhow are you?\n", /line 1, column \d+: /], ["empty", "", /it is empty$/], ["short.txt", "x\n".repeat(6_000_000), /line 1, column \d+: /],
    ["digits.txt", "10\n".repeat(4_000_000), /no packet of a robot/], ["noise.bin", noise, /no packet of a robot/], ["zeros.bin", Buffer.alloc(12_000_000), /no packet of a robot/],
    ["head.csv", "time_s,yaw_deg\n", /no packet of a robot and no table/],
  ]) {
    const sentence = rejection(name, content);
    check(`${name} is rejected`, `'${name}' is not a recording, and why`, sentence, sentence?.startsWith(`'${name}' is not a recording: `) && reason.test(sentence));
  }
  for (const [name, content] of [
    ["one.capture", "0.5 < FF FF 00 01 01 FD\n"], ["one.hex", "FFFF000101FD"], ["one.bin", Buffer.from("ffff000101fd", "hex")], ["marks.capture", "#: capture start=2025-11-22T08:26:42.000000Z\n"],
    ["log.txt", `${"the program starts\n".repeat(300)}FF FF 00 01 01 FD\n`],
  ])
    check(`${name} is not rejected`, null, rejection(name, content));
  const { packets } = look(world, "tail.capture", Buffer.from(`0.5 < FF FF 00 01 01 FD\n${"x\n".repeat(6_000_000)}`), 1 << 15);
  const last = packets.filter(({ kind }) => kind === "remark").at(-1)?.message;
  check("12 MB of something else behind a packet end the reading", "30 lines at most, and where", { lines: packets.length, last }, packets.length <= 30 && /^reading ends at line 1001/.test(last));
  check("a packet before it is kept", 1, packets.filter(({ kind }) => kind === "response").length);
  const seconds = (performance.now() - begun) / 1000;
  check("all of it within 10 seconds and 64 MiB", "less", `${seconds.toFixed(1)} s, ${world.memorySize >> 20} MiB`, seconds < 10 && world.memorySize <= 64 << 20);
}
