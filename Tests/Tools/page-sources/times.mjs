// Measures the page in headless Chromium: its size, its start, and what the page reads from the module while a ball drives.
//
//   node times.mjs CHROMIUM sphero.html
import { readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { Browser } from "./chromium.mjs";

const [program, path] = process.argv.slice(2);
const starts = 11;
const seconds = 20;
// Notes when the page is ready, and counts the characters that the page reads from the module.
const spy = `(() => {
  let sphero;
  Object.defineProperty(window, "sphero", { get: () => sphero, set: (value) => { window.readyAt = performance.now(); sphero = value; } });
  const decode = TextDecoder.prototype.decode;
  window.characters = 0;
  TextDecoder.prototype.decode = function (...words) {
    const text = decode.apply(this, words);
    window.characters += text.length;
    return text;
  };
})()`;
const round = (value, digits) => Number(value.toFixed(digits));

const bytes = readFileSync(path);
console.log(`size: ${round(bytes.length / 1e6, 2)} MB, compressed with gzip ${round(gzipSync(bytes).length / 1e6, 2)} MB`);
const browser = await Browser.start(program);
try {
  const times = [];
  for (let start = 0; start < starts; start++) {
    const tab = await browser.open(`file://${path}`, { scripts: [spy] });
    times.push(await tab.value("window.readyAt"));
    await tab.close();
  }
  times.sort((one, other) => one - other);
  const middle = times[(starts - 1) / 2];
  console.log(`start: ${round(middle / 1000, 3)} s, the median of ${starts} (${round(times[0] / 1000, 3)} to ${round(times.at(-1) / 1000, 3)} s)`);

  for (const hertz of [20, 200]) {
    const tab = await browser.open(`file://${path}`, { scripts: [spy] });
    await tab.call("Performance.enable");
    await tab.value(`document.getElementById("hertz").value = "${hertz}"`);
    await tab.click("simulate");
    await tab.until("samples arrive", "window.sphero.view().link === 'live'");
    await tab.value(`setInterval(() => window.sphero.say("stick " + Math.sin(performance.now() / 2000) + " " + Math.cos(performance.now() / 2000)), 100); true`);
    await tab.value("new Promise((wake) => setTimeout(() => wake(true), 3000))");
    const read = async () => {
      const { metrics } = await tab.call("Performance.getMetrics");
      const metric = (name) => metrics.find((item) => item.name === name).value;
      return { characters: await tab.value("window.characters"), script: metric("ScriptDuration"), task: metric("TaskDuration"), at: metric("Timestamp") };
    };
    const before = await read();
    await tab.value(`new Promise((wake) => setTimeout(() => wake(true), ${seconds * 1000}))`);
    const after = await read();
    const span = after.at - before.at;
    const part = (name) => round((100 * (after[name] - before[name])) / span, 1);
    console.log(`${hertz} samples a second, ${seconds} s: ${round((after.characters - before.characters) / span / 1000, 1)} KB of text a second, ` +
      `scripts ${part("script")} %, all tasks of the page ${part("task")} % of a core`);
    await tab.close();
  }
} finally {
  await browser.close();
}
