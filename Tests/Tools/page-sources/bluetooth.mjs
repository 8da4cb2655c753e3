// Tests the page's Web Bluetooth in headless Chromium: the DevTools protocol emulates the radio and a BB-8, and the
// simulated robot of a second instance of the module answers.
//
//   node bluetooth.mjs CHROMIUM sphero.html
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { dirname, join } from "node:path";
import { instantiate } from "../../../Sources/Lab/SpheroPage/Web/sphero.js";
import { check, conclude, part } from "./checks.mjs";
import { Browser } from "./chromium.mjs";
import { isLive } from "./expressions.mjs";
import { trap } from "./failures.mjs";
import { commandsIn, roll } from "./packets.mjs";
import { notice } from "./ports.mjs";

const [program, path] = process.argv.slice(2);
const module = await WebAssembly.compile(readFileSync(join(dirname(path), "sphero.wasm")));
const sleep = (milliseconds) => new Promise((wake) => setTimeout(wake, milliseconds));
const uuid = (number) => `22bb746f-${number}-7554-2d6f-726568705327`;
const address = "C1:6E:04:5E:D9:11";
/** The services of a BB-8 with their characteristics (attribute table printed by mcgrews3/bb8-driver). */
const services = {
  "2bb0": { "2bbd": { write: true, writeWithoutResponse: true }, "2bb2": { write: true }, "2bbf": { read: true, write: true, writeWithoutResponse: true } },
  "2ba0": { "2ba1": { write: true, writeWithoutResponse: true }, "2ba6": { notify: true, read: true } },
};
// The protocol has no notifications. A read value fires the same event, so the page reads as long as it is subscribed.
const notifications = `(() => {
  const start = BluetoothRemoteGATTCharacteristic.prototype.startNotifications;
  BluetoothRemoteGATTCharacteristic.prototype.startNotifications = async function () {
    const result = await start.call(this);
    (async () => { while (this.service.device.gatt.connected) await this.readValue(); })().catch(() => {});
    return result;
  };
})()`;

/** An emulated device in front of a simulated robot. */
class Device {
  /** All operations, in order: `2bbd write 30 31`. */
  operations = [];
  /** The bytes that the robot received. */
  received = [];
  /** The sizes of the writes to the commands. */
  sizes = [];
  #isMute = false;
  /** How long the device waits before it confirms a write, in milliseconds. */
  delay = 0;
  #browser;
  #ids = {};
  #names = {};
  #robot;
  #pending = [];
  #mustAnswer = false;
  #without = [];
  #isConfigurable = true;
  #hasServices = true;
  #isLeaving = false;
  #timer = 0;

  constructor(browser) {
    this.#browser = browser;
    browser.listen(({ method, params }) => {
      if (method === "BluetoothEmulation.gattOperationReceived") this.#connect(params);
      if (method === "BluetoothEmulation.characteristicOperationReceived") this.#operate(params);
    });
  }

  /** Adds the device to the radio, without some characteristics or its configuration. */
  async appear({ name = "BB-D911", without = [], isConfigurable = true, isMute = false }) {
    this.#isMute = isMute;
    this.#robot = await instantiate(module);
    this.#robot.say("simulate");
    await this.#browser.call("BluetoothEmulation.enable", { state: "powered-on", leSupported: true });
    await this.#browser.call("BluetoothEmulation.simulatePreconnectedPeripheral", { address, name, manufacturerData: [{ key: 0x3033, data: "" }], knownServiceUuids: [] });
    [this.#without, this.#isConfigurable] = [without, isConfigurable];
    await this.#addServices();
  }

  // The emulation removes the services at the end of a connection.
  async #addServices() {
    for (const [service, characteristics] of Object.entries(services)) {
      const { serviceId } = await this.#browser.call("BluetoothEmulation.addService", { address, serviceUuid: uuid(service) });
      for (const [number, properties] of Object.entries(characteristics)) {
        if (this.#without.includes(number)) continue;
        const { characteristicId } = await this.#browser.call("BluetoothEmulation.addCharacteristic", { serviceId, characteristicUuid: uuid(number), properties });
        [this.#ids[number], this.#names[characteristicId]] = [characteristicId, number];
        if (properties.notify && this.#isConfigurable)
          await this.#browser.call("BluetoothEmulation.addDescriptor", { characteristicId, descriptorUuid: "00002902-0000-1000-8000-00805f9b34fb" });
      }
    }
  }

  stop() {
    clearTimeout(this.#timer);
  }

  /** Ends the connection, as out of range. */
  async disconnect() {
    // A read that waits at the disconnection blocks the emulation, so the last one fails first.
    this.#isLeaving = true;
    if (this.#mustAnswer) await this.#answer("2ba6", "read", 1);
    [this.#pending, this.#mustAnswer, this.#hasServices] = [[], false, false];
    await sleep(200);
    await this.#browser.call("BluetoothEmulation.simulateGATTDisconnection", { address });
  }

  get commands() {
    return commandsIn(Uint8Array.from(this.received));
  }

  async #connect({ address, type }) {
    this.operations.push(type);
    if (type === "disconnection") [this.#pending, this.#mustAnswer, this.#hasServices] = [[], false, false];
    if (type === "discovery" && !this.#hasServices) await this.#addServices();
    if (type === "discovery") [this.#hasServices, this.#isLeaving] = [true, false];
    await this.#browser.call("BluetoothEmulation.simulateGATTOperationResponse", { address, type, code: 0 }).catch(() => {});
  }

  async #operate({ characteristicId, type, data, writeType }) {
    const name = this.#names[characteristicId];
    if (type === "read") {
      if (this.#isLeaving) return this.#answer(name, type, 1);
      this.#mustAnswer = true;
      return this.#notify();
    }
    const bytes = Buffer.from(data ?? "", "base64");
    this.operations.push(`${name} ${type}${bytes.length ? ` ${bytes.toString("hex")}` : ""}`);
    if (this.delay > 0) await sleep(this.delay);
    if (writeType !== "write-without-response") await this.#answer(name, type);
    if (name !== "2ba1" || type !== "write") return;
    this.sizes.push(bytes.length);
    this.received.push(...bytes);
    if (!this.#isMute) this.#robot.receive(1, bytes);
    this.#advance();
  }

  #answer(name, type, code = 0, data = undefined) {
    return this.#browser.call("BluetoothEmulation.simulateCharacteristicOperationResponse", { characteristicId: this.#ids[name], type, code, data }).catch(() => {});
  }

  /** Collects the output of the robot, and sets a timer for the next one. */
  #advance() {
    clearTimeout(this.#timer);
    for (let bytes; (bytes = this.#robot.take(1)).length > 0; )
      for (let at = 0; at < bytes.length; at += 20) this.#pending.push(bytes.slice(at, at + 20));
    this.#notify();
    const wait = this.#robot.deadline(1) - performance.now();
    if (wait < 1e6) this.#timer = setTimeout(() => { this.#robot.receive(1, new Uint8Array(0)); this.#advance(); }, Math.max(0, wait));
  }

  #notify() {
    if (!this.#mustAnswer || this.#pending.length === 0) return;
    this.#mustAnswer = false;
    return this.#answer("2ba6", "read", 0, Buffer.from(this.#pending.shift()).toString("base64"));
  }
}

const began = Date.now();
const server = createServer((_, response) => response.setHeader("Content-Type", "text/html; charset=utf-8").end(readFileSync(path)));
await new Promise((ready) => server.listen(0, "127.0.0.1", ready));
const url = `http://127.0.0.1:${server.address().port}/`;
let browser;
let device;

/** Answers the chooser with its first device when the list has been stable for 200 ms. */
const choose = async (tab) => {
  let timer;
  browser.listen(({ method, params }) => {
    if (method !== "DeviceAccess.deviceRequestPrompted") return;
    clearTimeout(timer);
    const { id, devices } = params;
    if (devices.length > 0) timer = setTimeout(() => tab.call("DeviceAccess.selectPrompt", { id, deviceId: devices[0].id }).catch(() => {}), 200);
  });
  await tab.call("DeviceAccess.enable");
};
const connect = async () => {
  const tab = await browser.open(url, { scripts: [trap, notifications] });
  await choose(tab);
  await tab.until("the button is visible", "document.getElementById('bluetooth').checkVisibility()");
  await tab.click("bluetooth");
  return tab;
};
const finishAim = async (tab) => {
  await tab.until("the aiming dialog opens", "document.getElementById('aiming').open");
  await tab.until("the tail light is on", () => device.commands.some(({ id }) => id === "02:21"));
  await tab.click("ring-done");
  await tab.until("the aiming dialog closes", "!document.getElementById('aiming').open");
};

/** Runs a part with a browser of its own and a device with these properties. */
const withDevice = (title, options, body) =>
  part(title, async () => {
    browser = await Browser.start(program, ["--enable-features=WebBluetooth,WebBluetoothNewPermissionsBackend"]);
    device = new Device(browser);
    try {
      await device.appear(options);
      await body();
    } finally {
      await browser.close();
      // The browser may write until it has exited, which starts the timer again.
      device.stop();
    }
  });

try {
  await withDevice("a robot over Bluetooth LE", {}, async () => {
    const tab = await connect();
    await tab.until("the robot is live", isLive);
    check("the handshake unlocks, wakes and subscribes, and writes no power", ["connection", "discovery", "2bbd write 3031316933", "2bbf write 01", "2ba6 subscribe-to-notifications"].join(),
      device.operations.filter((text) => !text.startsWith("2ba1") && text !== "2ba6 read").slice(0, 5).join());
    await finishAim(tab);
    check("the writes have at most 20 bytes", true, Math.max(...device.sizes) <= 20);
    check("the page shows the robot's name", "Sphero-SIM", await tab.value("document.getElementById('name').textContent"));
    await tab.key("down", "w");
    await tab.until("the robot rolls", () => device.commands.some((command) => command.id === "02:30" && roll(command).speed > 0));
    await tab.key("up", "w");
    await tab.until("the robot stops", () => { const last = device.commands.findLast(({ id }) => id === "02:30"); return roll(last).speed === 0; });
    check("samples arrive", "live", (await tab.view()).link);

    await tab.key("down", "w");
    await tab.until("the robot rolls again", () => roll(device.commands.findLast(({ id }) => id === "02:30")).speed > 0);
    const former = device.received.length;
    await device.disconnect();
    await tab.until("the page reports the loss", "window.sphero.view().link === 'lost'", 10_000);
    await tab.key("up", "w");
    await tab.until("the page reconnects", isLive);
    const rolls = () => commandsIn(Uint8Array.from(device.received.slice(former))).filter(({ id }) => id === "02:30").map((command) => roll(command).speed);
    await tab.until("the page stops the robot", () => rolls().includes(0));
    check("after a lost link the robot is only stopped", [], rolls().filter((speed) => speed > 0));
    // On a loss the robot stops by itself (stop on disconnect, bit 0 of its temporary options or bit 2 of the permanent ones).
    check("the robot is set to stop on a loss", true, device.commands.some(({ id }) => ["02:37", "02:35"].includes(id)));
    check("the handshake is repeated", 2, device.operations.filter((text) => text === "2bbd write 3031316933").length);
    await tab.click("disconnect");
    await tab.until("the session has ended", "window.sphero.view().link === 'closed'");
    check("the connection is closed", false, await tab.value("document.getElementById('again').hidden"));
    check("the device is offered again", "Connect BB-D911 again", await tab.value("document.getElementById('again').textContent"));
    await tab.click("again");
    await tab.until("the robot is live again", isLive);
    if (await tab.value("document.getElementById('aiming').open")) await tab.press("Escape");
    check("no problems", [], tab.problems);
    check("no requests", [url], [...new Set(tab.requests)].filter((request) => !request.endsWith("favicon.ico")));
  });
  for (const [title, options, expected] of [
    ["a device without the commands", { without: ["2ba1"] }, /no characteristic .*2ba1.*begins with 2B-/],
    ["a device without notifications", { isConfigurable: false }, /offers no notifications.*charger/],
  ])
    await withDevice(title, options, async () => {
      const tab = await connect();
      await tab.until("the page reports it", async () => (await notice(tab)).length > 20);
      check("the notice names the cause and the next step", String(expected), await notice(tab), expected.test(await notice(tab)));
      check("no session begins", "closed", (await tab.view()).link);
    });
  await withDevice("a robot that never answers", { isMute: true }, async () => {
    const tab = await connect();
    await tab.until("the page reports it", async () => (await notice(tab)).length > 20);
    await tab.until("the connection ends", "['lost', 'closed'].includes(window.sphero.view().link)");
    check("the notice is about the missing answer", "a sentence", await notice(tab), /answer|no responses/i.test(await notice(tab)));
  });
  await withDevice("a module that traps while the ball rolls", {}, async () => {
    const tab = await connect();
    await tab.until("the robot is live", isLive);
    await finishAim(tab);
    await tab.key("down", "w");
    await tab.until("the robot rolls", () => device.commands.some((command) => command.id === "02:30" && roll(command).speed > 0));
    // The module fails while the robot has not confirmed a write.
    device.delay = 500;
    const count = device.operations.length;
    await tab.until("a write is not confirmed", () => device.operations.slice(count).some((text) => text.startsWith("2ba1 write")));
    await tab.value("window.mustTrap = true");
    await tab.until("the page reports its failure", "document.getElementById('status').textContent === 'The page has failed'", 20_000);
    await tab.until("the last command stops the ball", () => { const last = device.commands.at(-1); return last.id === "02:30" && roll(last).speed === 0; }, 20_000);
    check("no problems", [], tab.problems);
  });
} finally {
  server.close();
}
console.log(`${((Date.now() - began) / 1000).toFixed(1)} s`);
conclude("the page over Web Bluetooth");
