// Decodes and dissects recordings and test vectors in WebAssembly, where Int has 32 bits, and compares the result
// with the expectations of the protocol tests.
//
//   node dissect.mjs MODULE VECTORS.json FILE.capture...      the expected dissection of FILE.capture is FILE.txt
import { readFileSync } from "node:fs";

const [path, vectors, ...recordings] = process.argv.slice(2);
const module = new WebAssembly.Module(readFileSync(path));
let failures = 0;

function fail(location, expected, actual) {
  console.error(`${location}\n  expected ${expected}\n  actual   ${actual}`);
  failures++;
}

/** Creates an instance whose calls pass bytes and return text through the module's buffer. */
function instance() {
  const { memory, buffer, ...calls } = new WebAssembly.Instance(module).exports;
  const address = buffer();
  const text = (count) => new TextDecoder().decode(new Uint8Array(memory.buffer, address, count));
  const call = (name, bytes, ...rest) => {
    new Uint8Array(memory.buffer, address).set(bytes);
    return text(calls[name](bytes.length, ...rest));
  };
  return { call, start: calls.start, finish: () => text(calls.finish()) };
}

/** Dissects lines such as `< FF FF 00 ...` from the robot and `> ...` from the host with a new instance. */
function dissect(text, isJSON) {
  const { call, start, finish } = instance();
  let result = "";
  start(isJSON ? 1 : 0);
  for (const line of text.split("\n")) {
    const [, mark, digits] = line.split("#")[0].match(/^([<>]) *(.*)$/) ?? [];
    if (mark) result += call("append", hexadecimal(digits), mark === ">" ? 1 : 0);
  }
  return result + finish();
}

const snake = (name) => name.replace(/(?<=[^A-Z_])(?=[A-Z])/g, "_").toLowerCase();
const perCount = [1, 0.01, 0.001, 0.784];
const hexadecimal = (digits) => Buffer.from(digits.replaceAll(" ", ""), "hex");

for (const recording of recordings) {
  const actual = dissect(readFileSync(recording, "utf8"), false).split("\n");
  const expected = readFileSync(recording.replace(/capture$/, "txt"), "utf8").split("\n");
  const lines = [...Array(Math.max(actual.length, expected.length)).keys()];
  const line = lines.find((line) => actual[line] !== expected[line]);
  if (line !== undefined) fail(`${recording}: line ${line + 1}`, expected[line], actual[line]);
}

// The command that a response answers; the response itself does not identify it.
function command({ did, cid, seq }) {
  const bytes = [did, cid, seq, 1];
  const sum = bytes.reduce((sum, byte) => sum + byte, 0);
  return "> " + Buffer.from([0xff, 0xff, ...bytes, ~sum & 0xff]).toString("hex") + "\n";
}

// Field names that differ in the vectors. Sensor fields, whose names differ systematically, are compared by position only.
const aliases = {
  n: "divisor", m: "frames", pcnt: "packetCount", enable: "isOn", macroExec: "macroExecutive",
  idColors: "colors", payload: "data",
};

function text({ type, kind, did, cid, mrsp, seq, id, sop2, answer, reset, data }) {
  switch (type ?? kind) {
    case "command": return `command ${did} ${cid} ${sop2 ?? 0xfc + (answer ? 1 : 0) + (reset ? 2 : 0)} ${seq} ${data}`;
    case "response": return `response ${mrsp} ${seq} ${data}`;
    default: return `async ${id} ${data}`;
  }
}

let [packets, values] = [0, 0];
for (const { id, kind, fields, hex } of JSON.parse(readFileSync(vectors, "utf8"))) {
  // Every packet and count, and the re-encoded bytes.
  const isSinglePacket = kind !== "stream";
  const isHost = kind === "command" || fields.side === "robot";
  const actual = instance().call("decode", hexadecimal(hex), isHost ? 1 : 0, fields.maxAsync ?? 4096).trim().split("\n");
  const expected = (isSinglePacket ? [{ kind, ...fields }] : fields.packets).map(text);
  const counts = isSinglePacket ? "0 0 0" : `${fields.discarded} ${fields.badChecksum} ${fields.pending}`;
  const lines = actual.filter((line) => !line.startsWith("encoded"));
  const isEqual = (one, other) => JSON.stringify(one) === JSON.stringify(other);
  const expectedLines = [...expected, counts].map((line) => line.trim());
  if (!isEqual(lines.map((line) => line.trim()), expectedLines)) fail(id, expectedLines, lines);
  const encoded = "encoded " + hex.replaceAll(" ", "");
  if (isSinglePacket && actual[1] !== encoded) fail(`${id}: re-encoded`, encoded, actual[1]);
  packets += expected.length;

  // Every value of a documented layout.
  const known = fields.args ?? fields.values ?? {};
  if (Object.keys(known).length > 0 && !(kind === "response" && fields.did === undefined)) {
    const line = (kind === "response" ? command(fields) : "") + (kind === "command" ? "> " : "< ") + hex;
    const dissection = JSON.parse(dissect(line, true).trim().split("\n").at(-1));
    for (const [name, value] of Object.entries(known)) {
      // Keys are in snake case; the numeric value of a code has the suffix `_code`, and counts are converted to their unit.
      const field = snake(name) in dissection.fields ? name : aliases[name] ?? name;
      const key = `${snake(field)}_code` in dissection.fields ? `${snake(field)}_code` : snake(field);
      const actual = dissection.fields[key];
      const isCount = typeof actual === "number" && perCount.some((size) => Math.abs(actual / size - value) < 1e-6);
      // Dissections omit the NUL bytes that terminate or pad a text.
      const isMatch =
        typeof value === "number" ? isCount || Number(actual) === value : actual === value || actual === value.replace(/\0+$/, "")
          || (typeof actual === "string" && actual === hexadecimal(value).toString().replace(/\0+$/, ""));
      // The library provides no message for the command that erases the user's configuration.
      if (!isMatch && dissection.name !== null) fail(`${id}: ${name}`, value, actual);
      values++;
    }
  }

  // Every sensor word; the effect of reserved mask bits depends on the firmware.
  const isDocumented = !(fields.mask & 0x0380039f) && !(fields.mask2 & 0x003fffff);
  if (fields.frames && isDocumented) {
    const words = instance()
      .call("samples", hexadecimal(fields.data), fields.mask | 0, fields.mask2 | 0, fields.frames.length)
      .trim().split("\n").map((line) => line.split(" ").slice(1).map(Number));
    const raw = fields.frames.flatMap(Object.values);
    const scaled = (fields.scaled ?? []).flatMap(Object.values);
    if (!isEqual(words.map(([word]) => word), raw)) fail(`${id}: words`, raw, words);
    const isNear = (value, index) => Math.abs(value - words[index][1]) <= 1e-12 * Math.max(1, Math.abs(value));
    if (!scaled.every(isNear)) fail(`${id}: values`, scaled, words);
    values += raw.length + scaled.length;
  }
}

if (recordings.length === 0 || values === 0) fail("fixtures", "at least one", "none");
console.log(
  `${recordings.length} recordings, ${packets} packets and ${values} values of vectors, ${failures} failures`);
process.exitCode = failures === 0 ? 0 : 1;
