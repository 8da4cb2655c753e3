// Decodes and dissects recordings and vectors in WebAssembly, where Int has 32 bits, and compares what is seen
// with what is expected: the same as in the tests of the protocol.
//
//   node dissect.mjs MODULE VECTORS.json FILE.capture...      each capture has its dissection beside it, as FILE.txt
import { readFileSync } from "node:fs";

const [path, vectors, ...recordings] = process.argv.slice(2);
const module = new WebAssembly.Module(readFileSync(path));
let failures = 0;

function fail(where, expected, seen) {
  console.error(`${where}\n  expected ${expected}\n  saw      ${seen}`);
  failures++;
}

/** Calls into a fresh instance: bytes are laid on the shelf, text is taken from it. */
function instance() {
  const { memory, shelf, ...calls } = new WebAssembly.Instance(module).exports;
  const place = shelf();
  const said = (count) => new TextDecoder().decode(new Uint8Array(memory.buffer, place, count));
  const call = (name, bytes, ...rest) => {
    new Uint8Array(memory.buffer, place).set(bytes);
    return said(calls[name](bytes.length, ...rest));
  };
  return { call, start: calls.start, finish: () => said(calls.finish()) };
}

/** What a fresh instance says of lines like `< FF FF 00 ...` from the robot and `> ...` from the host. */
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
  const seen = dissect(readFileSync(recording, "utf8"), false).split("\n");
  const expected = readFileSync(recording.replace(/capture$/, "txt"), "utf8").split("\n");
  const lines = [...Array(Math.max(seen.length, expected.length)).keys()];
  const line = lines.find((line) => seen[line] !== expected[line]);
  if (line !== undefined) fail(`${recording}: line ${line + 1}`, expected[line], seen[line]);
}

// The command that a response answers, since the response does not name it.
function command({ did, cid, seq }) {
  const bytes = [did, cid, seq, 1];
  const sum = bytes.reduce((sum, byte) => sum + byte, 0);
  return "> " + Buffer.from([0xff, 0xff, ...bytes, ~sum & 0xff]).toString("hex") + "\n";
}

// Names that the vectors spell otherwise; of sensor fields, which also put the axis elsewhere, only the order is compared.
const spelling = {
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
  // Every packet and count, and the same bytes again.
  const isOne = kind !== "stream";
  const isHost = kind === "command" || fields.side === "robot";
  const seen = instance().call("decode", hexadecimal(hex), isHost ? 1 : 0, fields.maxAsync ?? 4096).trim().split("\n");
  const expected = (isOne ? [{ kind, ...fields }] : fields.packets).map(text);
  const counts = isOne ? "0 0 0" : `${fields.discarded} ${fields.badChecksum} ${fields.pending}`;
  const lines = seen.filter((line) => !line.startsWith("encoded"));
  const same = (one, other) => JSON.stringify(one) === JSON.stringify(other);
  const wanted = [...expected, counts].map((line) => line.trim());
  if (!same(lines.map((line) => line.trim()), wanted)) fail(id, wanted, lines);
  const again = "encoded " + hex.replaceAll(" ", "");
  if (isOne && seen[1] !== again) fail(`${id}: again`, again, seen[1]);
  packets += expected.length;

  // Every value of a known layout.
  const known = fields.args ?? fields.values ?? {};
  if (Object.keys(known).length > 0 && !(kind === "response" && fields.did === undefined)) {
    const line = (kind === "response" ? command(fields) : "") + (kind === "command" ? "> " : "< ") + hex;
    const told = JSON.parse(dissect(line, true).trim().split("\n").at(-1));
    for (const [name, value] of Object.entries(known)) {
      // Keys are in snake case; the number of a code stands beside its name, and counts are told in their unit.
      const named = snake(name) in told.fields ? name : spelling[name] ?? name;
      const key = `${snake(named)}_code` in told.fields ? `${snake(named)}_code` : snake(named);
      const mine = told.fields[key];
      const isCount = typeof mine === "number" && perCount.some((size) => Math.abs(mine / size - value) < 1e-6);
      // The NUL bytes that end or pad a text are not told.
      const isSame =
        typeof value === "number" ? isCount || Number(mine) === value : mine === value || mine === value.replace(/\0+$/, "")
          || (typeof mine === "string" && mine === hexadecimal(value).toString().replace(/\0+$/, ""));
      // Erasing the user's configuration is known by name, but not offered in any form.
      if (!isSame && told.name !== null) fail(`${id}: ${name}`, value, mine);
      values++;
    }
  }

  // Every word of the sensors; what reserved bits do depends on the firmware.
  const isDocumented = !(fields.mask & 0x0380039f) && !(fields.mask2 & 0x003fffff);
  if (fields.frames && isDocumented) {
    const words = instance()
      .call("samples", hexadecimal(fields.data), fields.mask | 0, fields.mask2 | 0, fields.frames.length)
      .trim().split("\n").map((line) => line.split(" ").slice(1).map(Number));
    const raw = fields.frames.flatMap(Object.values);
    const scaled = (fields.scaled ?? []).flatMap(Object.values);
    if (!same(words.map(([word]) => word), raw)) fail(`${id}: words`, raw, words);
    const isNear = (value, index) => Math.abs(value - words[index][1]) <= 1e-12 * Math.max(1, Math.abs(value));
    if (!scaled.every(isNear)) fail(`${id}: values`, scaled, words);
    values += raw.length + scaled.length;
  }
}

if (recordings.length === 0 || values === 0) fail("fixtures", "some", "none");
console.log(
  `${recordings.length} recordings, ${packets} packets and ${values} values in them, ${failures} otherwise than expected`);
process.exitCode = failures === 0 ? 0 : 1;
