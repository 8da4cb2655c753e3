// Tests the page in headless Chromium, with its simulated robot and with a mock of Web Serial.
//
//   node browser.mjs CHROMIUM sphero.html
import { mkdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { check, conclude, part } from "./checks.mjs";
import { Browser } from "./chromium.mjs";
import * as failures from "./failures.mjs";
import * as inputs from "./inputs.mjs";
import * as interruptions from "./interruptions.mjs";
import { keyboardOnly } from "./keyboard.mjs";
import { aimingFits, fits, names, quiet, schemes, showsControls, showsSteps, tabKeys } from "./appearance.mjs";
import * as ports from "./ports.mjs";
import * as safety from "./safety.mjs";
import * as simulated from "./simulated.mjs";

const [program, path] = process.argv.slice(2);
const [url, wasm] = [`file://${path}`, join(dirname(path), "sphero.wasm")];
const began = Date.now();
// Records the stroke colours with their canvases, because a flash is too short for the test to observe.
const spy = `(() => {
  const { get, set } = Object.getOwnPropertyDescriptor(CanvasRenderingContext2D.prototype, "strokeStyle");
  window.strokes = new Set();
  Object.defineProperty(CanvasRenderingContext2D.prototype, "strokeStyle", { get, set(style) { set.call(this, style); window.strokes.add(this.canvas.id + ' ' + get.call(this)); } });
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
    await showsSteps(tab);
    for (const [title, body] of [
      ["a pointer on the joystick", () => simulated.pointers(tab)],
      ["keys", () => simulated.keys(tab)],
      ["joystick and floor beside tabs", () => showsControls(tab)],
      ["the keys of the tabs", () => tabKeys(tab)],
      ["keys with any focused element", () => safety.keysWithAnyFocus(tab)],
      ["notices over the page", () => safety.noticesMoveNothing(tab)],
      ["touch scrolling", () => safety.touchScrolls(tab)],
      ["colours", () => simulated.colors(tab)],
      ["previews and numbers of a colour", () => inputs.previews(tab)],
      ["a rotation gesture", () => inputs.twoFingers(tab)],
      ["tilt", () => inputs.tilts(tab)],
      ["a gamepad", () => inputs.gamepad(tab)],
      ["settings", () => inputs.settings(browser, url)],
      ["the calibration ring", () => simulated.ring(tab)],
      ["the size of the aiming dialog", () => aimingFits(tab)],
      ["sensors", () => simulated.sensors(tab)],
      ["recordings", () => simulated.recordings(tab, browser, downloads)],
      ["collisions", () => simulated.collisions(tab)],
      ["another robot", () => simulated.selects(tab)],
      ["a hidden page", () => simulated.hides(tab)],
      ["accessible names", () => names(tab, "session")],
      ["the width of a phone", () => fits(tab, "session")],
      ["light and dark", () => schemes(tab)],
      ["zoom", () => safety.zooms(tab)],
      ["forced colours", () => safety.forcedColors(tab)],
      ["disconnecting", () => simulated.disconnects(tab)],
      ["disabled controls", () => safety.disabledControlsHaveReasons(tab)],
    ])
      await part(title, () => body().finally(() => tab.releaseMouse()));
    quiet(tab, url);
    await tab.close();
  });
  await part("the keyboard alone", async () => {
    const tab = await browser.open(url);
    await keyboardOnly(tab);
    quiet(tab, url);
    await tab.close();
  });
  await part("the mock of Web Serial", async () => {
    const tab = await browser.open(url, { scripts: [failures.trap, readFileSync(new URL("fake-serial.js", import.meta.url), "utf8")] });
    for (const [title, body] of [
      ["no selected port", () => ports.emptyChoice(tab)],
      ["a port that refuses to open", () => ports.refuses(tab)],
      ["a robot that never answers", () => ports.staysSilent(tab)],
      ["a working robot", () => ports.works(tab, wasm)],
      ["a robot that disconnects", () => ports.disconnects(tab, wasm)],
      ["several robots", () => ports.severalRobots(tab, wasm)],
      ["a robot that stops answering", () => failures.fallsSilent(tab, wasm)],
      ["a program whose link is lost", () => interruptions.losesProgram(tab, wasm)],
      ["a path whose link is lost", () => interruptions.losesPath(tab, wasm)],
      ["a path of a robot that stops answering", () => interruptions.silencesPath(tab, wasm)],
      ["the previous robot", () => failures.connectsAgain(tab, wasm)],
      ["the end of notices", () => failures.noticesEnd(tab, wasm)],
      ["an unsaved recording", () => failures.asksBeforeLeaving(tab)],
      ["files that are not recordings", () => failures.rejectsFiles(tab, join(browser.home, "files"))],
      ["the log", () => failures.logHasAList(tab)],
      ["a module that traps", () => failures.moduleTraps(tab, wasm)],
    ])
      await part(title, () => body().finally(() => tab.releaseMouse()));
    quiet(tab, url);
    await tab.close();
  });
} finally {
  await browser.close();
}
console.log(`${((Date.now() - began) / 1000).toFixed(1)} s`);
conclude("the page in Chromium");
