// The page with a Web Serial that the test plays: robots that are good, vanish, refuse, stay silent; and an empty choice.
import { readFileSync } from "node:fs";
import { check } from "./checks.mjs";
import { commandsIn, roll, stream } from "./packets.mjs";

const isLive = "window.sphero.view().link === 'live'";
export const notice = (tab) => tab.value("document.getElementById('notice').hidden ? '' : document.getElementById('notice-text').textContent");

/** Brings a robot of this kind to a port, and chooses it in the page. */
export async function choose(tab, kind, wasm = null) {
  if (wasm) {
    const base64 = readFileSync(wasm).toString("base64");
    await tab.value(`fakeSerial.makeRobot("${base64}").then((robot) => { fakeSerial.robot = robot; robot.start(); })`);
  }
  await tab.value(`fakeSerial.chosen = new fakeSerial.Port(${JSON.stringify(kind)}), fakeSerial.log.length = 0, null`);
  await tab.click("connect");
}

export const heard = async (tab) => commandsIn(Uint8Array.from(await tab.value("fakeSerial.chosen.heard")));
export const log = (tab) => tab.value("fakeSerial.log");
export const leave = async (tab) => {
  await tab.click("disconnect");
  await tab.until("the page has left", "['left', 'closed'].includes(window.sphero.view().link) && fakeSerial.log.includes('port closed')");
  await tab.until("a robot can be chosen again", "!document.getElementById('choices').hidden");
};

export async function emptyChoice(tab) {
  await tab.value("fakeSerial.chosen = null");
  await tab.click("connect");
  await tab.until("the page says that no robot was chosen", async () => (await notice(tab)).includes("No robot was chosen"));
  check("an empty choice opens the steps of pairing", true, await tab.value("document.getElementById('pairing').open"));
  const [options] = await tab.value("fakeSerial.options");
  const profile = "00001101-0000-1000-8000-00805f9b34fb";
  check("robots are asked for by the serial port profile", { filter: profile, allowed: [profile] },
    { filter: options?.filters?.[0]?.bluetoothServiceClassId, allowed: options?.allowedBluetoothServiceClassIds });
}

export async function refuses(tab) {
  await choose(tab, "refuses");
  await tab.until("a robot that refuses is told", async () => (await notice(tab)).length > 20);
  check("the sentence says what to do", "a sentence", await notice(tab), /does not accept the connection.*Shake it awake/.test(await notice(tab)));
  check("there is no conversation", "closed", (await tab.view()).link);
}

export async function staysSilent(tab) {
  await choose(tab, "silent");
  await tab.until("at first it is waited for", "window.sphero.view().link === 'connecting'");
  await tab.until("the page gives up and says so", async () => (await notice(tab)).length > 20);
  await tab.until("the port is closed", "fakeSerial.log.includes('port closed')");
  const text = await notice(tab);
  check("the sentence is about a robot that does not answer", "a sentence", text, /answer/i.test(text));
  check("the port is free for others", [null, null], await tab.value("[fakeSerial.chosen.readable, fakeSerial.chosen.writable]"));
  await tab.until("another can be chosen", "!document.getElementById('choices').hidden");
}

export async function works(tab, wasm) {
  await choose(tab, "good", wasm);
  await tab.until("a good robot is live", isLive);
  check("its name is that of the robot", "Sphero-SIM", await tab.value("document.getElementById('name').textContent"));
  check("the notice of before is gone", "", await notice(tab));
  check("the line is opened with 115200 baud", 115200, JSON.parse((await log(tab))[0].slice(5)).baudRate);
  const { x, y, along } = await tab.place("stick");
  await tab.mouse("mousePressed", x, y - along * 0.5);
  await tab.until("the ball rolls over Web Serial", "window.sphero.view().motion.y > 15");

  await tab.value("fakeSerial.chosen.overrun()");
  const { samples } = (await tab.view()).stream;
  await tab.until("an overrun ends nothing", `window.sphero.view().stream.samples > ${samples + 20}`);
  check("it is the same conversation", { link: "live", reconnections: 0 }, (({ link, stream: { reconnections } }) => ({ link, reconnections }))(await tab.view()));

  // The hand still holds: the page leaves while the ball rolls.
  await tab.until("the stick is held", "window.sphero.view().stick.is_held");
  await tab.value("document.getElementById('disconnect').click()");
  await tab.until("the port is closed", "fakeSerial.log.includes('port closed')");
  await tab.mouse("mouseReleased", x, y);
  const order = (await log(tab)).filter((line) => /closed|cancelled|thrown/.test(line));
  check("what was written leaves, then the writer closes, then the port", ["writer closed", "reader cancelled", "port closed"], order);
  const commands = await heard(tab);
  const first = commands.findIndex(({ id }) => id === "02:30");
  check("stop on disconnect was armed before the first roll", true, commands.slice(0, first).some(({ id, payload }) => id === "02:37" && payload[3] === 1));
  const last = commands.filter(({ id }) => id === "02:30").at(-1);
  check("the last roll that the robot heard stops it", { speed: 0, state: 0 }, { speed: roll(last).speed, state: roll(last).state });
  const off = commands.filter(({ id }) => id === "02:11").at(-1);
  check("the last stream that it heard is none", { mask: 0, mask2: 0 }, { mask: stream(off).mask, mask2: stream(off).mask2 });
  await tab.until("a robot can be chosen again", "!document.getElementById('choices').hidden");
  check("the robot of before can be connected without the list", false, await tab.value("document.getElementById('again').hidden"));
}

export async function vanishes(tab, wasm) {
  await choose(tab, "good", wasm);
  await tab.until("the robot is live", isLive);
  const { x, y, along } = await tab.place("stick");
  await tab.mouse("mousePressed", x, y - along * 0.5);
  await tab.until("it rolls", "window.sphero.view().motion.y > 10");
  await tab.value("fakeSerial.chosen.vanish()");
  await tab.until("a robot that vanishes is shown as lost", "window.sphero.view().link === 'lost'");
  check("the stick is let go", false, (await tab.view()).stick.is_held);
  await tab.mouse("mouseReleased", x, y);
  check("the page says so", "a sentence", await notice(tab), (await notice(tab)).length > 10);
  const before = (await tab.value("fakeSerial.chosen.heard")).length;
  await tab.value("fakeSerial.robot.start(), fakeSerial.chosen.return()");
  await tab.until("it is live again", isLive);
  await tab.until("samples come", "window.sphero.view().stream.rate > 5");
  check("a reconnection is counted", 1, (await tab.view()).stream.reconnections);
  const commands = commandsIn(Uint8Array.from(await tab.value(`fakeSerial.chosen.heard.slice(${before})`)));
  const first = commands.find(({ id }) => id === "02:30");
  check("the first roll that it hears then is a stop", { speed: 0, state: 0 }, first && { speed: roll(first).speed, state: roll(first).state });
  check("the notice that the link was lost is gone", "", await notice(tab));
  await leave(tab);

  // It goes for good, and the user does not wait.
  await choose(tab, "good", wasm);
  await tab.until("another robot is live", isLive);
  await tab.value("fakeSerial.chosen.vanish()");
  await tab.until("it is lost", "window.sphero.view().link === 'lost'");
  await tab.click("disconnect");
  await tab.until("a lost robot can be left", "['left', 'closed'].includes(window.sphero.view().link)");
  await tab.until("another can be chosen", "!document.getElementById('choices').hidden");
}
