// Dissects recordings and vectors in WebAssembly, and compares what is seen with what is expected.
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

/** What a fresh instance says of lines like `< FF FF 00 ...` from the robot and `> ...` from the host. */
function dissect(text, isJSON) {
  const { memory, shelf, start, append, finish } = new WebAssembly.Instance(module).exports;
  const place = shelf();
  const said = (count) => new TextDecoder().decode(new Uint8Array(memory.buffer, place, count));
  let result = "";
  start(isJSON ? 1 : 0);
  for (const line of text.split("\n")) {
    const [, mark, digits] = line.split("#")[0].match(/^([<>]) *(.*)$/) ?? [];
    if (!mark) continue;
    const bytes = Buffer.from(digits.replaceAll(" ", ""), "hex");
    new Uint8Array(memory.buffer, place).set(bytes);
    result += said(append(bytes.length, mark === ">" ? 1 : 0));
  }
  return result + said(finish());
}

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

let [packets, numbers] = [0, 0];
for (const { id, kind, fields, hex } of JSON.parse(readFileSync(vectors, "utf8"))) {
  const values = fields.args ?? fields.values;
  if (!values || (kind === "response" && fields.did === undefined)) continue;
  const text = (kind === "response" ? command(fields) : "") + (kind === "command" ? "> " : "< ") + hex;
  const seen = JSON.parse(dissect(text, true).trim().split("\n").at(-1)).fields;
  packets++;
  for (const [name, value] of Object.entries(values)) {
    // Some fields have other names in the vectors; the tests of the protocol know which.
    if (typeof value !== "number" || !(name in seen)) continue;
    if (Number(seen[name]) !== value) fail(`${id}: ${name}`, value, seen[name]);
    numbers++;
  }
}

if (recordings.length === 0 || numbers === 0) fail("fixtures", "some", "none");
console.log(`${recordings.length} recordings and ${numbers} numbers in ${packets} packets, ${failures} otherwise than expected`);
process.exitCode = failures === 0 ? 0 : 1;
