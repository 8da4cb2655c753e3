// Measures the time in which a module decodes packets of 26 bytes, and compares the sum of all values with the native program's.
//
//   node speed.mjs MODULE "NATIVE LINE"
import { readFileSync } from "node:fs";

const [path, native] = process.argv.slice(2);
const { exports } = new WebAssembly.Instance(new WebAssembly.Module(readFileSync(path)), { env: { number: Number } });
const times = [];
let sum = 0;
for (let run = 0; run < 50; run++) {
  const start = process.hrtime.bigint();
  sum = exports.decode_stream();
  times.push(Number(process.hrtime.bigint() - start) / 20_000);
}
const median = times.sort((one, other) => one - other)[times.length / 2];
const expected = Number(native.match(/sum (.*)$/)[1]);
console.log(`wasm in node: ${median.toFixed(1)} ns a packet, ${((26 * 1000) / median).toFixed(0)} MB/s`);
console.log(`this machine: ${Number(native.match(/[0-9.]+/)[0]).toFixed(1)} ns a packet`);
if (Math.abs(sum - expected) > 1e-6 * Math.abs(expected)) {
  console.error(`the sum is ${sum}, but ${expected} natively`);
  process.exitCode = 1;
}
