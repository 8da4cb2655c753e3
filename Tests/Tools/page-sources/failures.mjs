// What goes wrong is said once and truly: a robot that falls silent, a module that traps, files that are no recordings.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { check } from "./checks.mjs";
import { roll } from "./packets.mjs";
import { choose, heard, leave, log, notice } from "./ports.mjs";

const isLive = "window.sphero.view().link === 'live'";
const status = (tab) => tab.value("document.getElementById('status').textContent");

/** A robot that is out of reach for longer than its stream lives, and comes back; the next part finds none, however this one ends. */
export const fallsSilent = (tab, wasm) => isSilentForAWhile(tab, wasm).finally(() => leave(tab));

async function isSilentForAWhile(tab, wasm) {
  await choose(tab, "good", wasm);
  await tab.until("the robot is live", isLive);
  const { x, y, along } = await tab.place("stick");
  await tab.mouse("mousePressed", x, y - along * 0.3);
  await tab.until("the ball rolls", "window.sphero.view().motion.speed > 5");
  await tab.value("fakeSerial.chosen.isMute = true");
  await tab.until("the page counts the seconds without an answer", "/^No answer for [4-9] s$/.test(document.getElementById('status').textContent)");
  const { link, stick, stream } = await tab.view();
  check("it is shown as silent, not as connected", { link: "silent", state: "silent" }, { link, state: await tab.value("document.body.dataset.link") });
  check("the view has the ages of sample and answer", "4 s or more", stream, stream.sample_age >= 4 && stream.answer_age >= 4);
  check("driving goes on, and the page says that it is without feedback", { is_held: true, reason: true },
    { is_held: stick.is_held, reason: /No feedback/.test(await tab.value("document.getElementById('drive-reason').textContent")) });
  check("the figures that are old are not shown as if they were new", ["No answer", "No answer"],
    await tab.value("['place-text', 'attitude-text'].map((id) => document.getElementById(id).textContent.slice(0, 9))"));
  const told = `${await notice(tab)} ${await tab.value("document.getElementById('log').textContent")}`;
  check("nothing blames the firmware", "no word of it", told, !/firmware/i.test(told));
  await tab.mouse("mouseReleased", x, y);
  const { samples } = stream;
  await tab.value("fakeSerial.chosen.isMute = false");
  await tab.until("samples come again by themselves", `window.sphero.view().stream.samples > ${samples + 40}`, 20_000);
  check("and the page says so", { status: "Connected", reason: "", notice: "" },
    { status: await status(tab), reason: await tab.value("document.getElementById('drive-reason').textContent"), notice: await notice(tab) });
}

/** The robot that was connected is connected again, though another port is known, and the button says which. */
export async function connectsAgain(tab, wasm) {
  await tab.value("fakeSerial.known = [new fakeSerial.Port('good'), new fakeSerial.Port('good')], navigator.serial.dispatchEvent(new Event('connect'))");
  await choose(tab, "good", wasm);
  await tab.until("the robot is live and has said its name", "window.sphero.view().link === 'live' && window.sphero.view().name !== null");
  await leave(tab);
  await tab.until("the button names the robot", "document.getElementById('again').textContent === 'Connect Sphero-SIM again'");
  await tab.click("again");
  await tab.until("it is live again", isLive);
  check("it is the port of before", [2, 0, 0], await tab.value("[fakeSerial.chosen, ...fakeSerial.known.slice(0, 2)].map((port) => port.opened)"));
  await leave(tab);
  // The port goes, and several are left: none of them can be named.
  await tab.value("fakeSerial.known.pop(), navigator.serial.dispatchEvent(new Event('disconnect'))");
  await tab.until("a port that is gone is not offered", "document.getElementById('again').hidden");
  await tab.value("fakeSerial.known.pop(), navigator.serial.dispatchEvent(new Event('disconnect'))");
  await tab.until("a single one is, by its kind", "!document.getElementById('again').hidden && document.getElementById('again').textContent === 'Connect the Bluetooth robot again'");
  await tab.value("fakeSerial.known.length = 0");
}

/** A notice goes when its matter is settled, and others go by themselves. */
export async function noticesEnd(tab, wasm) {
  await choose(tab, "refuses");
  await tab.until("a refusal is told", async () => (await notice(tab)).includes("does not accept"));
  await choose(tab, "good", wasm);
  await tab.until("the next robot is live", isLive);
  check("the refusal is gone", "", await notice(tab));
  const send = (words) => tab.value(`document.getElementById('raw').value = '${words}', document.getElementById('raw-form').requestSubmit()`);
  await send("Motion.Fly");
  await tab.until("a wrong command is told", async () => (await notice(tab)).includes("Unknown command"));
  await send("Core.Ping");
  check("with the next command that is gone", "", await notice(tab));
  await leave(tab);
  await tab.value("fakeSerial.chosen = null");
  await tab.click("connect");
  await tab.until("an empty choice is told", async () => (await notice(tab)).includes("No robot was chosen"));
  await tab.until("what is no alarm goes by itself", async () => (await notice(tab)) === "");
}

/** Runs before the page: its module traps when the test says so; notices that go by themselves go fast. */
export const trap = `(() => {
  const instantiate = WebAssembly.instantiate;
  let isFirst = true;
  WebAssembly.instantiate = async (...words) => {
    const instance = await instantiate.apply(WebAssembly, words);
    if (!isFirst) return instance;
    isFirst = false;
    const exports = {};
    for (const [name, item] of Object.entries(instance.exports))
      exports[name] = typeof item !== "function" ? item : (...words) => {
        if (window.mustTrap) throw new WebAssembly.RuntimeError("unreachable");
        return item(...words);
      };
    return { exports };
  };
  const later = window.setTimeout;
  window.setTimeout = (body, wait, ...words) => later(body, wait === 15_000 ? 400 : wait, ...words);
})()`;

/** After a trap: a stop to the robot, the port closed, one report, a reload that is offered, and nothing else. */
export async function moduleTraps(tab, wasm) {
  await choose(tab, "good", wasm);
  await tab.until("the robot is live", isLive);
  const { x, y, along } = await tab.place("stick");
  await tab.mouse("mousePressed", x, y - along * 0.5);
  await tab.until("it rolls", "window.sphero.view().motion.y > 10");
  await tab.value("window.mustTrap = true");
  await tab.until("the port is closed", "fakeSerial.log.includes('port closed')");
  const last = (await heard(tab)).at(-1);
  check("the last command that the robot heard stops it", { id: "02:30", speed: 0, state: 0 }, { id: last.id, speed: roll(last).speed, state: roll(last).state });
  await tab.until("the page says that it has failed", "document.getElementById('status').textContent === 'The page has failed'");
  check("the reason is told", "a sentence", await notice(tab), /The page has failed: unreachable\. .*Reload/.test(await notice(tab)));
  const lines = "document.querySelectorAll('#log li').length";
  const [count, bytes] = [await tab.value(lines), (await heard(tab)).length];
  const failures = await tab.value("[...document.querySelectorAll('#log li')].filter((line) => line.textContent.includes('unreachable')).length");
  check("it is logged once", 1, failures);
  for (const key of ["w", " ", "Escape"]) await tab.press(key);
  await tab.mouse("mouseMoved", x, y);
  await tab.mouse("mouseReleased", x, y);
  const begun = await tab.value("performance.now()");
  await tab.until("a second passes", `performance.now() > ${begun + 1000}`);
  check("nothing follows: no line in the log, no byte to the robot", [count, bytes], [await tab.value(lines), (await heard(tab)).length]);
  check("nothing else can be done but to reload", { disconnect: true, choices: true, reload: false, dismiss: true, enabled: 0 }, await tab.value(`({
    disconnect: document.getElementById("disconnect").hidden, choices: document.getElementById("choices").hidden,
    reload: document.getElementById("notice-reload").hidden, dismiss: document.getElementById("notice-close").hidden,
    enabled: [...document.querySelectorAll("[data-robot]")].filter((node) => !(node.disabled || node.ariaDisabled === "true")).length })`));
  await tab.value("window.isFormer = true, document.getElementById('notice-reload').click()").catch(() => {});
  await tab.until("the button reloads the page", () => tab.value("window.isFormer === undefined && typeof window.sphero === 'object'").catch(() => false));
}

/** Leaving asks while there is a recording that was not saved. */
export async function asksBeforeLeaving(tab) {
  const asks = () => tab.value("!dispatchEvent(new Event('beforeunload', { cancelable: true }))");
  await tab.click("simulate");
  await tab.until("a robot is simulated", isLive);
  check("without a recording the page may go", false, await asks());
  await tab.click("record");
  await tab.until("samples are recorded", "window.sphero.view().recording.samples > 5");
  check("during a recording it asks", true, await asks());
  await tab.click("record");
  await tab.until("the recording has ended", "!document.getElementById('download-capture').disabled && !window.sphero.view().recording.is_on");
  check("with a recording that was not saved it asks", true, await asks());
  await tab.click("download-capture");
  check("once it was saved the page may go", false, await asks());
  await tab.click("record");
  await tab.until("another is recorded", "window.sphero.view().recording.is_on");
  await tab.click("disconnect");
  await tab.until("the page has left", "document.body.dataset.link === 'closed'");
  check("leaving the robot ends the recording, which can be saved", { pressed: "false", asks: true, disabled: false },
    { pressed: await tab.value("document.getElementById('record').getAttribute('aria-pressed')"), asks: await asks(), disabled: await tab.value("document.getElementById('download-capture').disabled") });
  await tab.click("download-csv");
}

/** Files that are no recordings are rejected at once, whatever their size. */
export async function rejectsFiles(tab, folder) {
  mkdirSync(folder, { recursive: true });
  const file = (name, content) => {
    writeFileSync(join(folder, name), content);
    return join(folder, name);
  };
  const files = [
    file("letter.txt", "Dear robot,\nhow are you?\n"), file("empty.capture", ""), file("short.txt", "x\n".repeat(6_000_000)),
    file("digits.txt", Array.from({ length: 3_200_000 }, (_, index) => index % 1000).join("\n")), file("zeros.bin", Buffer.alloc(12_000_000)),
  ];
  for (const path of files) {
    const name = path.split("/").at(-1);
    const { usedSize: before } = await tab.call("Runtime.getHeapUsage");
    const begun = performance.now();
    await tab.openFiles(path);
    await tab.until(`${name} is rejected`, async () => (await notice(tab)).includes("is not a recording"));
    const seconds = (performance.now() - begun) / 1000;
    const { usedSize: after } = await tab.call("Runtime.getHeapUsage");
    check(`${name}: within 3 seconds and 20 MB`, "less", `${seconds.toFixed(2)} s, ${((after - before) / 1e6).toFixed(1)} MB`, seconds < 3 && after - before < 20e6);
    check(`${name}: nothing is opened`, { hidden: true, text: `${name} was not opened` },
      await tab.value("({ hidden: document.getElementById('viewer').hidden, text: document.getElementById('open-text').textContent })"));
  }
  const good = file("good.capture", "0.5 < FF FF 00 01 01 FD\n");
  await tab.openFiles(good);
  await tab.until("a recording is opened after them", "/1 packet or mark/.test(document.getElementById('found').textContent) && !document.getElementById('viewer').hidden");
  check("and the notice is gone", "", await notice(tab));
}

/** A log has no list in its role: the list is in it. */
export async function logHasAList(tab) {
  check("the role 'log' is not that of a list", "DIV, with OL of LI",
    await tab.value("(({ tagName, firstElementChild: list }) => `${tagName}, with ${list.tagName} of ${[...new Set([...list.children].map((item) => item.tagName))]}`)(document.querySelector('[role=log]'))"));
}
