// Tests how the page reports failures: a robot that stops answering, a module that traps, files that are not recordings.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { check } from "./checks.mjs";
import { isLive } from "./expressions.mjs";
import { roll } from "./packets.mjs";
import { choose, connect, disconnect, notice, receivedCommands } from "./ports.mjs";

const status = (tab) => tab.value("document.getElementById('status').textContent");

/** A robot is out of range for longer than its stream's packet count, and returns; the session always ends with the part. */
export const fallsSilent = (tab, wasm) => losesContact(tab, wasm).finally(() => disconnect(tab));

async function losesContact(tab, wasm) {
  await connect(tab, wasm);
  const { x, y, along } = await tab.place("stick");
  await tab.mouse("mousePressed", x, y - along * 0.3);
  await tab.until("the ball rolls", "window.sphero.view().motion.speed > 5");
  await tab.value("fakeSerial.chosen.isMute = true");
  await tab.until("the page counts the seconds without an answer", "/^No answer for [4-9] s$/.test(document.getElementById('status').textContent)");
  const { link, stick, stream } = await tab.view();
  check("the robot is shown as silent, not as connected", { link: "silent", state: "silent" }, { link, state: await tab.value("document.body.dataset.link") });
  check("the view has the ages of the last sample and answer", "4 s or more", stream, stream.sample_age >= 4 && stream.answer_age >= 4);
  check("driving continues, and the page states that there is no feedback", { is_held: true, reason: true },
    { is_held: stick.is_held, reason: /No feedback/.test(await tab.value("document.getElementById('drive-reason').textContent")) });
  check("outdated values are not shown as current", ["No answer", "No answer"],
    await tab.value("['place-text', 'attitude-text'].map((id) => document.getElementById(id).textContent.slice(0, 9))"));
  const messages = `${await notice(tab)} ${await tab.value("document.getElementById('log').textContent")}`;
  check("no message mentions the firmware", "no mention", messages, !/firmware/i.test(messages));
  await tab.mouse("mouseReleased", x, y);
  const { samples } = stream;
  await tab.value("fakeSerial.chosen.isMute = false");
  await tab.until("samples resume without user action", `window.sphero.view().stream.samples > ${samples + 40}`, 20_000);
  check("the page shows the connection", { status: "Connected", reason: "", notice: "" },
    { status: await status(tab), reason: await tab.value("document.getElementById('drive-reason').textContent"), notice: await notice(tab) });
}

/** The button names the previous robot and connects it, although other ports are known. */
export async function connectsAgain(tab, wasm) {
  await tab.value("fakeSerial.known = [new fakeSerial.Port('good'), new fakeSerial.Port('good')], navigator.serial.dispatchEvent(new Event('connect'))");
  await connect(tab, wasm);
  await tab.until("the robot has reported its name", "window.sphero.view().name !== null");
  await disconnect(tab);
  await tab.until("the button names the robot", "document.getElementById('again').textContent === 'Connect Sphero-SIM again'");
  await tab.click("again");
  await tab.until("the robot is live again", isLive);
  check("the previous port is open", [2, 0, 0], await tab.value("[fakeSerial.chosen, ...fakeSerial.known.slice(0, 2)].map((port) => port.opened)"));
  await disconnect(tab);
  // The port is removed and several others remain, so the button cannot name one.
  await tab.value("fakeSerial.known.pop(), navigator.serial.dispatchEvent(new Event('disconnect'))");
  await tab.until("a removed port is not offered", "document.getElementById('again').hidden");
  await tab.value("fakeSerial.known.pop(), navigator.serial.dispatchEvent(new Event('disconnect'))");
  await tab.until("a single remaining port is offered by its kind", "!document.getElementById('again').hidden && document.getElementById('again').textContent === 'Connect the Bluetooth robot again'");
  await tab.value("fakeSerial.known.length = 0");
}

/** A notice disappears when its cause is resolved; notices that are not alarms disappear after a timeout. */
export async function noticesEnd(tab, wasm) {
  await choose(tab, "refuses");
  await tab.until("a refusal is reported", async () => (await notice(tab)).includes("does not accept"));
  await connect(tab, wasm);
  check("the notice of the refusal is gone", "", await notice(tab));
  const send = (words) => tab.value(`document.getElementById('raw').value = '${words}', document.getElementById('raw-form').requestSubmit()`);
  await send("Motion.Fly");
  await tab.until("an unknown command is reported", async () => (await notice(tab)).includes("Unknown command"));
  await send("Core.Ping");
  check("the next command removes the notice", "", await notice(tab));
  await disconnect(tab);
  await tab.value("fakeSerial.chosen = null");
  await tab.click("connect");
  await tab.until("a missing selection is reported", async () => (await notice(tab)).includes("No robot was chosen"));
  await tab.until("the notice disappears after its timeout", async () => (await notice(tab)) === "");
}

/** A script that runs before the page: its module traps on demand, and temporary notices have a short timeout. */
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

/** After a trap, the page stops the robot, closes the port, reports the failure once, and only offers to reload. */
export async function moduleTraps(tab, wasm) {
  await connect(tab, wasm);
  const { x, y, along } = await tab.place("stick");
  await tab.mouse("mousePressed", x, y - along * 0.5);
  await tab.until("the ball rolls", "window.sphero.view().motion.y > 10");
  await tab.value("window.mustTrap = true");
  await tab.until("the port is closed", "fakeSerial.log.includes('port closed')");
  const last = (await receivedCommands(tab)).at(-1);
  check("the last command that the robot received stops the ball", { id: "02:30", speed: 0, state: 0 }, { id: last.id, speed: roll(last).speed, state: roll(last).state });
  await tab.until("the page reports its failure", "document.getElementById('status').textContent === 'The page has failed'");
  check("the notice has the reason", "a sentence", await notice(tab), /The page has failed: unreachable\. .*Reload/.test(await notice(tab)));
  const lines = "document.querySelectorAll('#log li').length";
  const [count, bytes] = [await tab.value(lines), (await receivedCommands(tab)).length];
  const failures = await tab.value("[...document.querySelectorAll('#log li')].filter((line) => line.textContent.includes('unreachable')).length");
  check("the failure is logged once", 1, failures);
  for (const key of ["w", " ", "Escape"]) await tab.press(key);
  await tab.mouse("mouseMoved", x, y);
  await tab.mouse("mouseReleased", x, y);
  const start = await tab.value("performance.now()");
  await tab.until("one second has passed", `performance.now() > ${start + 1000}`);
  check("no further log lines and no further bytes to the robot", [count, bytes], [await tab.value(lines), (await receivedCommands(tab)).length]);
  check("reloading is the only available action", { disconnect: true, choices: true, reload: false, dismiss: true, enabled: 0 }, await tab.value(`({
    disconnect: document.getElementById("disconnect").hidden, choices: document.getElementById("choices").hidden,
    reload: document.getElementById("notice-reload").hidden, dismiss: document.getElementById("notice-close").hidden,
    enabled: [...document.querySelectorAll("[data-robot]")].filter((node) => !(node.disabled || node.ariaDisabled === "true")).length })`));
  // The click follows the answer, and no evaluation runs during the navigation, which may leave it unanswered.
  const loaded = tab.event("Page.loadEventFired");
  await tab.value("window.isFormer = true, setTimeout(() => document.getElementById('notice-reload').click(), 50), true");
  await loaded;
  await tab.reattach();
  await tab.until("the button reloads the page", "window.isFormer === undefined && typeof window.sphero === 'object'");
}

/** Closing the page asks for confirmation while there is an unsaved recording. */
export async function asksBeforeLeaving(tab) {
  const asks = () => tab.value("!dispatchEvent(new Event('beforeunload', { cancelable: true }))");
  await tab.click("simulate");
  await tab.until("the simulated robot is live", isLive);
  check("without a recording, the page closes without a question", false, await asks());
  await tab.click("record");
  await tab.until("samples are recorded", "window.sphero.view().recording.samples > 5");
  check("during a recording, the page asks", true, await asks());
  await tab.click("record");
  await tab.until("the recording has ended", "!document.getElementById('download-capture').disabled && !window.sphero.view().recording.is_on");
  check("with an unsaved recording, the page asks", true, await asks());
  await tab.click("record");
  await tab.until("another recording is not started without a warning", "/last recording is not saved/.test(document.getElementById('notice-text').textContent)");
  check("the unsaved one is kept", { recording: false, disabled: false },
    { recording: (await tab.view()).recording.is_on, disabled: await tab.value("document.getElementById('download-capture').disabled") });
  await tab.click("record");
  await tab.until("a second press discards it", "window.sphero.view().recording.is_on && window.sphero.view().recording.samples > 5");
  await tab.click("record");
  await tab.until("it has ended as well", "!document.getElementById('download-capture').disabled && !window.sphero.view().recording.is_on");
  await tab.click("download-capture");
  check("after saving, the page closes without a question", false, await asks());
  await tab.click("record");
  await tab.until("another recording has started", "window.sphero.view().recording.is_on");
  // More than a megabyte waits after a suspension.
  const rest = await tab.value(`(() => { const now = performance.now.bind(performance);
    performance.now = () => now() + 500_000; document.getElementById("record").click();
    return window.sphero.say("capture").text.length; })()`);
  check("the end of a recording leaves nothing in the module", 0, rest);
  await tab.click("download-capture");
  await tab.click("record");
  await tab.until("yet another recording has started", "window.sphero.view().recording.is_on");
  await tab.click("disconnect");
  await tab.until("the session has ended", "document.body.dataset.link === 'closed'");
  check("disconnecting ends the recording, which can be saved", { pressed: "false", asks: true, disabled: false },
    { pressed: await tab.value("document.getElementById('record').getAttribute('aria-pressed')"), asks: await asks(), disabled: await tab.value("document.getElementById('download-capture').disabled") });
  // A short recording may have no samples, but it has packets.
  await tab.click("download-capture");
  check("after saving, the page closes without a question", false, await asks());
}

/** Files that are not recordings are rejected immediately, regardless of their size. */
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
    const start = performance.now();
    await tab.openFiles(path);
    await tab.until(`${name} is rejected`, async () => (await notice(tab)).includes("is not a recording"));
    const seconds = (performance.now() - start) / 1000;
    const { usedSize: after } = await tab.call("Runtime.getHeapUsage");
    check(`${name}: within 3 seconds and 20 MB`, "less", `${seconds.toFixed(2)} s, ${((after - before) / 1e6).toFixed(1)} MB`, seconds < 3 && after - before < 20e6);
    check(`${name}: no recording is opened`, { hidden: true, text: `${name} was not opened` },
      await tab.value("({ hidden: document.getElementById('viewer').hidden, text: document.getElementById('open-text').textContent })"));
  }
  await tab.value("document.getElementById('tab-drive').click()");
  check("the notice of a rejected file is gone in another tab", "", await notice(tab));
  const good = file("good.capture", "0.5 < FF FF 00 01 01 FD\n");
  await tab.openFiles(good);
  await tab.until("a valid recording is opened afterwards", "/1 packet or mark/.test(document.getElementById('found').textContent) && !document.getElementById('viewer').hidden");
  check("the notice is gone", "", await notice(tab));
}

/** The element with the role `log` contains the list, so that the list keeps its own role. */
export async function logHasAList(tab) {
  check("the element with the role 'log' is not the list", "DIV, with OL of LI",
    await tab.value("(({ tagName, firstElementChild: list }) => `${tagName}, with ${list.tagName} of ${[...new Set([...list.children].map((item) => item.tagName))]}`)(document.getElementById('log'))"));
}
