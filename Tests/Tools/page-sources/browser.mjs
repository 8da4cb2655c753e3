// Holds the page in a headless Chromium against what is expected: with its simulated robot, and with a Web Serial of the test.
//
//   node browser.mjs CHROMIUM sphero.html
import { mkdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { check, conclude, part } from "./checks.mjs";
import { Browser } from "./chromium.mjs";
import * as failures from "./failures.mjs";
import { fits, names, quiet, schemes } from "./looks.mjs";
import * as ports from "./ports.mjs";
import * as safety from "./safety.mjs";
import * as simulated from "./simulated.mjs";

const [program, path] = process.argv.slice(2);
const [url, wasm] = [`file://${path}`, join(dirname(path), "sphero.wasm")];
const began = Date.now();
// Notes with which colours is drawn: a flash is over before anybody looks.
const spy = `(() => {
  const { get, set } = Object.getOwnPropertyDescriptor(CanvasRenderingContext2D.prototype, "strokeStyle");
  window.strokes = new Set();
  Object.defineProperty(CanvasRenderingContext2D.prototype, "strokeStyle", { get, set(style) { set.call(this, style); window.strokes.add(get.call(this)); } });
})()`;

const browser = await Browser.start(program);
const downloads = join(browser.home, "downloads");
mkdirSync(downloads);
try {
  await part("the simulated robot", async () => {
    const tab = await browser.open(url, { scripts: [spy] });
    check("the page is ready", "Not connected", await tab.value("document.getElementById('status').textContent"));
    await names(tab, "welcome");
    await fits(tab, "welcome");
    for (const [title, body] of [
      ["a pointer on the joystick", () => simulated.pointers(tab)],
      ["keys", () => simulated.keys(tab)],
      ["keys, whatever has the focus", () => safety.keysWhateverHasFocus(tab)],
      ["notices over the page", () => safety.noticesMoveNothing(tab)],
      ["fingers that scroll", () => safety.fingersScroll(tab)],
      ["colours", () => simulated.colors(tab)],
      ["the calibration ring", () => simulated.ring(tab)],
      ["sensors", () => simulated.sensors(tab)],
      ["recordings", () => simulated.recordings(tab, browser, downloads)],
      ["collisions", () => simulated.collisions(tab)],
      ["a hidden page", () => simulated.hides(tab)],
      ["names", () => names(tab, "session")],
      ["a phone's width", () => fits(tab, "session")],
      ["light and dark", () => schemes(tab)],
      ["a screen that is zoomed in", () => safety.zooms(tab)],
      ["forced colours", () => safety.forcedColors(tab)],
      ["the end", () => simulated.disconnects(tab)],
      ["what is disabled", () => safety.disabledSaysWhy(tab)],
    ])
      await part(title, () => body().finally(() => tab.letGo()));
    quiet(tab, url);
    await tab.close();
  });
  await part("a Web Serial of the test", async () => {
    const tab = await browser.open(url, { scripts: [failures.trap, readFileSync(new URL("fake-serial.js", import.meta.url), "utf8")] });
    for (const [title, body] of [
      ["an empty choice", () => ports.emptyChoice(tab)],
      ["a robot that refuses", () => ports.refuses(tab)],
      ["a robot that stays silent", () => ports.staysSilent(tab)],
      ["a good robot", () => ports.works(tab, wasm)],
      ["a robot that vanishes", () => ports.vanishes(tab, wasm)],
      ["a robot that falls silent", () => failures.fallsSilent(tab, wasm)],
      ["the robot of before", () => failures.connectsAgain(tab, wasm)],
      ["notices that are settled", () => failures.noticesEnd(tab, wasm)],
      ["a recording that was not saved", () => failures.asksBeforeLeaving(tab)],
      ["files that are no recordings", () => failures.rejectsFiles(tab, join(browser.home, "files"))],
      ["the log", () => failures.logHasAList(tab)],
      ["a module that traps", () => failures.moduleTraps(tab, wasm)],
    ])
      await part(title, () => body().finally(() => tab.letGo()));
    quiet(tab, url);
    await tab.close();
  });
} finally {
  await browser.close();
}
console.log(`${((Date.now() - began) / 1000).toFixed(1)} s`);
conclude("the page in Chromium");
