// Tests the page with a mock of Web Serial: ports that work, disconnect, refuse to open or stay silent, and no selected port.
import { readFileSync } from "node:fs";
import { check } from "./checks.mjs";
import { isLive } from "./expressions.mjs";
import { commandsIn, hex, roll, stream } from "./packets.mjs";

export const notice = (tab) => tab.value("document.getElementById('notice').hidden ? '' : document.getElementById('notice-text').textContent");

/** Creates a port of a kind, with a robot if `wasm` is passed, and selects it in the page. */
export async function choose(tab, kind, wasm = null) {
  if (wasm) {
    const base64 = readFileSync(wasm).toString("base64");
    await tab.value(`fakeSerial.makeRobot("${base64}").then((robot) => { fakeSerial.robot = robot; robot.start(); })`);
  }
  await tab.value(`fakeSerial.chosen = new fakeSerial.Port(${JSON.stringify(kind)}), fakeSerial.log.length = 0, null`);
  await tab.click("connect");
}

/** Connects a robot and completes the aim that follows, which covers the controls. */
export async function connect(tab, wasm) {
  await choose(tab, "good", wasm);
  await tab.until("the robot is live", isLive);
  await completeAim(tab);
}

/** Completes the aim that follows a connection, when the tail light of the robot is on. */
export async function completeAim(tab) {
  await tab.until("the aiming dialog opens", "document.getElementById('aiming').open");
  await tab.until("the tail light is on", async () => (await receivedCommands(tab)).some(({ id }) => id === "02:21"));
  await tab.click("ring-done");
  await tab.until("the aiming dialog closes", "!document.getElementById('aiming').open");
}

export const receivedCommands = async (tab) => commandsIn(Uint8Array.from(await tab.value("fakeSerial.chosen.received")));
export const log = (tab) => tab.value("fakeSerial.log");
export const disconnect = async (tab) => {
  // The dialog of an aim covers the button.
  if (await tab.value("document.getElementById('aiming').open")) await tab.press("Escape");
  await tab.click("disconnect");
  await tab.until("the session has ended", "['left', 'closed'].includes(window.sphero.view().link) && fakeSerial.log.includes('port closed')");
  await tab.until("a robot can be selected again", "!document.getElementById('choices').hidden");
};

export async function emptyChoice(tab) {
  await tab.value("document.getElementById('connect').focus(), navigator.serial.dispatchEvent(new Event('connect'))");
  await tab.frame();
  check("a port that appears does not take the focus from a button", "connect", await tab.value("document.activeElement.id"));
  await tab.value("fakeSerial.chosen = null");
  await tab.click("connect");
  await tab.until("the page reports that no robot was selected", async () => (await notice(tab)).includes("No robot was chosen"));
  check("the pairing instructions are opened", true, await tab.value("document.getElementById('pairing').open"));
  const [options] = await tab.value("fakeSerial.options");
  const profile = "00001101-0000-1000-8000-00805f9b34fb";
  check("the page requests ports with the serial port profile", { filter: profile, allowed: [profile] },
    { filter: options?.filters?.[0]?.bluetoothServiceClassId, allowed: options?.allowedBluetoothServiceClassIds });
}

export async function refuses(tab) {
  await choose(tab, "refuses");
  await tab.until("the refusal is reported", async () => (await notice(tab)).length > 20);
  check("the notice has advice", "a sentence", await notice(tab), /does not accept the connection.*Shake it awake/.test(await notice(tab)));
  check("there is no session", "closed", (await tab.view()).link);
}

export async function staysSilent(tab) {
  await choose(tab, "silent");
  await tab.until("the page waits for an answer", "window.sphero.view().link === 'connecting'");
  await tab.until("the page times out and reports it", async () => (await notice(tab)).length > 20);
  await tab.until("the port is closed", "fakeSerial.log.includes('port closed')");
  const text = await notice(tab);
  check("the notice is about a robot that does not answer", "a sentence", text, /answer/i.test(text));
  check("the port is closed for reading and writing", [null, null], await tab.value("[fakeSerial.chosen.readable, fakeSerial.chosen.writable]"));
  await tab.until("another robot can be selected", "!document.getElementById('choices').hidden");
}

export async function works(tab, wasm) {
  await connect(tab, wasm);
  const aimed = async () => (await receivedCommands(tab)).filter(({ id }) => ["02:21", "02:01"].includes(id)).map(({ id, payload }) => `${id} ${hex(payload)}`);
  await tab.until("the robot has got the end of the aim", async () => (await aimed()).at(-1) === "02:21 00");
  check("an aim precedes driving: tail light on, heading 0, tail light off", ["02:21 ff", "02:01 00 00", "02:21 00"],
    // On a slow machine, commands are repeated.
    (await aimed()).filter((text, index, all) => text !== all[index - 1]));
  check("the page shows the robot's name", "Sphero-SIM", await tab.value("document.getElementById('name').textContent"));
  check("the previous notice is gone", "", await notice(tab));
  check("the port is opened with 115200 baud", 115200, JSON.parse((await log(tab))[0].slice(5)).baudRate);
  const { x, y, along } = await tab.place("stick");
  await tab.mouse("mousePressed", x, y - along * 0.5);
  await tab.until("the ball rolls over Web Serial", "window.sphero.view().motion.y > 15");

  await tab.value("fakeSerial.chosen.overrun()");
  const { samples } = (await tab.view()).stream;
  await tab.until("samples continue after an overrun", `window.sphero.view().stream.samples > ${samples + 20}`);
  check("the session continues", { link: "live", reconnections: 0 }, (({ link, stream: { reconnections } }) => ({ link, reconnections }))(await tab.view()));

  // Disconnects while the stick is held and the ball rolls.
  await tab.until("the stick is held", "window.sphero.view().stick.is_held");
  await tab.value("document.getElementById('disconnect').click()");
  await tab.until("the port is closed", "fakeSerial.log.includes('port closed')");
  await tab.mouse("mouseReleased", x, y);
  const order = (await log(tab)).filter((line) => /closed|cancelled|discarded/.test(line));
  check("pending bytes are sent, then the writer closes, then the port", ["writer closed", "reader cancelled", "port closed"], order);
  const commands = await receivedCommands(tab);
  const first = commands.findIndex(({ id }) => id === "02:30");
  check("stop on disconnect was enabled before the first roll", true, commands.slice(0, first).some(({ id, payload }) => id === "02:37" && payload[3] === 1));
  const last = commands.filter(({ id }) => id === "02:30").at(-1);
  check("the last roll that the robot received stops the ball", { speed: 0, state: 0 }, { speed: roll(last).speed, state: roll(last).state });
  const off = commands.filter(({ id }) => id === "02:11").at(-1);
  check("the last stream request ends the stream", { mask: 0, mask2: 0 }, { mask: stream(off).mask, mask2: stream(off).mask2 });
  await tab.until("a robot can be selected again", "!document.getElementById('choices').hidden");
  check("the previous robot can be connected without the port list", false, await tab.value("document.getElementById('again').hidden"));
}

export async function disconnects(tab, wasm) {
  await connect(tab, wasm);
  const { x, y, along } = await tab.place("stick");
  await tab.mouse("mousePressed", x, y - along * 0.5);
  await tab.until("the ball rolls", "window.sphero.view().motion.y > 10");
  await tab.value("fakeSerial.chosen.disconnect()");
  await tab.until("a disconnected robot is shown as lost", "window.sphero.view().link === 'lost'");
  check("the stick is released", false, (await tab.view()).stick.is_held);
  await tab.mouse("mouseReleased", x, y);
  check("the page reports the lost connection", "a sentence", await notice(tab), (await notice(tab)).length > 10);
  const before = (await tab.value("fakeSerial.chosen.received")).length;
  await tab.value("fakeSerial.robot.start(), fakeSerial.chosen.reconnect()");
  await tab.until("the robot is live again", isLive);
  await tab.until("samples arrive", "window.sphero.view().stream.rate > 5");
  check("one reconnection is counted", 1, (await tab.view()).stream.reconnections);
  const commands = commandsIn(Uint8Array.from(await tab.value(`fakeSerial.chosen.received.slice(${before})`)));
  const first = commands.find(({ id }) => id === "02:30");
  check("the first roll after the reconnection is a stop", { speed: 0, state: 0 }, first && { speed: roll(first).speed, state: roll(first).state });
  check("the notice of the lost connection is gone", "", await notice(tab));
  await disconnect(tab);

  // The robot does not reconnect, and the user disconnects.
  await connect(tab, wasm);
  await tab.value("fakeSerial.chosen.disconnect()");
  await tab.until("the connection is lost", "window.sphero.view().link === 'lost'");
  await tab.click("disconnect");
  await tab.until("the session of a lost robot can be ended", "['left', 'closed'].includes(window.sphero.view().link)");
  await tab.until("another robot can be selected", "!document.getElementById('choices').hidden");
}

/** Several robots are connected at once, listed by their names; one of them is driven, and Stop stops all. */
export async function severalRobots(tab, wasm) {
  const others = ["Another robot…", "Another simulated robot"];
  const list = () => tab.value("[...document.querySelectorAll('#balls button')].map((button) => `${button.textContent}${button.ariaPressed === 'true' ? ' *' : ''}`)");
  const lists = (event, ...names) => tab.until(event, async () => JSON.stringify(await list()) === JSON.stringify([...names, ...others]));
  const press = (name) => tab.value(`[...document.querySelectorAll('#balls button')].find((button) => button.textContent === ${JSON.stringify(name)}).click()`, true);
  const rolls = async (port) => commandsIn(Uint8Array.from(await tab.value(`fakeSerial.${port}.received`))).filter(({ id }) => id === "02:30").map(roll);
  const isOpen = () => tab.value("[fakeSerial.first, fakeSerial.second].map(({ readable }) => readable !== null)");
  const drive = async (event) => {
    const { x, y, along } = await tab.place("stick");
    await tab.mouse("mousePressed", x, y - along * 0.5);
    await tab.until(event, "window.sphero.view().motion.speed > 10");
    return () => tab.mouse("mouseReleased", x, y);
  };
  await tab.value("fakeSerial.known.length = 0");
  await connect(tab, wasm);
  await lists("the list has the name of the robot", "Sphero-SIM *");
  await (await drive("the first robot rolls"))();
  // No choice keeps the connection.
  await tab.value("fakeSerial.first = fakeSerial.chosen, fakeSerial.first.robot = fakeSerial.robot, fakeSerial.chosen = null");
  await press("Another robot…");
  await tab.until("the page reports that no robot was selected", async () => (await notice(tab)).includes("No robot was chosen"));
  check("the first robot stays connected", "live", (await tab.view()).link);
  await tab.value(`fakeSerial.makeRobot("${readFileSync(wasm).toString("base64")}").then((robot) => {
    fakeSerial.second = fakeSerial.chosen = new fakeSerial.Port("good"), fakeSerial.second.robot = robot, robot.start(); })`);
  await press("Another robot…");
  await completeAim(tab);
  await lists("robots with equal names are numbered", "Sphero-SIM 1", "Sphero-SIM 2 *");
  check("both are connected", [true, true], await isOpen());
  check("the first one rests", 0, (await rolls("first")).at(-1).speed);

  const [before, release] = [(await rolls("first")).length, await drive("the second robot rolls")];
  check("the first one does not move", [], (await rolls("first")).slice(before).filter(({ speed }) => speed > 0));
  const counts = [(await rolls("first")).length, (await rolls("second")).length];
  await tab.press("Escape");
  await tab.until("Escape stops both", async () => {
    const [first, second] = [await rolls("first"), await rolls("second")];
    return first.length > counts[0] && second.length > counts[1] && first.at(-1).speed === 0 && second.at(-1).speed === 0;
  });
  await release();

  await tab.value("document.getElementById('record').click(), true");
  await tab.until("the second one is recorded", "window.sphero.view().recording.samples > 2");
  await press("Sphero-SIM 1");
  await tab.until("the selection of another robot reports the end of the recording", async () => (await notice(tab)).startsWith("The recording has ended: another robot is shown."));
  check("which can be saved", false, await tab.value("document.getElementById('download-capture').disabled"));
  await tab.value("document.getElementById('download-capture').click(), true");
  await lists("the first one is selected", "Sphero-SIM 1 *", "Sphero-SIM 2");
  check("it is live at once, without another aim", { link: "live", isAiming: false }, { link: (await tab.view()).link, isAiming: await tab.value("document.getElementById('aiming').open") });
  const { samples, reconnections } = (await tab.view()).stream;
  await tab.until("its samples continue", `window.sphero.view().stream.samples > ${samples}`);
  check("it was never lost", 0, reconnections);
  const still = (await rolls("second")).length;
  await (await drive("it rolls again"))();
  check("and the second one does not", [], (await rolls("second")).slice(still).filter(({ speed }) => speed > 0));

  await tab.value("fakeSerial.second.disconnect()");
  await tab.until("the lost connection of the other robot is reported with its name", async () => (await notice(tab)).startsWith("Sphero-SIM: "));
  check("the selected robot stays live", "live", (await tab.view()).link);
  await tab.value("fakeSerial.second.robot.start(), fakeSerial.second.reconnect()");
  await tab.until("the port of the other robot is open again", async () => (await isOpen())[1]);
  await press("Sphero-SIM 2");
  await tab.until("it is live again", isLive);

  await press("Another simulated robot");
  await tab.until("a simulated robot is connected beside them", async () => (await list()).includes("Sphero-SIM 3 *") && (await tab.view()).link === "live");
  check("without an aim", false, await tab.value("document.getElementById('aiming').open"));
  await tab.click("disconnect");
  await lists("after its end the first robot is selected", "Sphero-SIM 1 *", "Sphero-SIM 2");
  check("both others are still connected", [true, true], await isOpen());
  await tab.click("disconnect");
  await lists("then the second one", "Sphero-SIM 1", "Sphero-SIM 2 *");
  check("the first port is closed", [false, true], await isOpen());
  check("the last roll of the first robot is a stop", 0, (await rolls("first")).at(-1).speed);
  await tab.value("fakeSerial.log.length = 0");
  await disconnect(tab);
}
