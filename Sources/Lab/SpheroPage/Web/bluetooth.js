// Transfers bytes between the host and a robot over Web Bluetooth; the module determines each operation.

import { noBytes, reopen, sleep } from "./lines.js";

const linkChannel = 3;
const packetChannel = 4;
const operations = { discover: 0, writeUnconfirmed: 1, writeConfirmed: 2, subscribe: 3 };
/** How long closing waits for the current operation, in milliseconds. */
const closeTimeout = 1000;

/** An error of the link, with the next step. */
export class LinkFailure extends Error {
  constructor({ message, advice }) {
    super(message);
    this.advice = advice;
  }
}

/** A robot over Bluetooth LE: an Ollie, BB-8 or SPRK+. */
export class BluetoothLine {
  /** The device, which is listed beside the serial ports. */
  port;
  #sphero;
  #handlers;
  #characteristics = new Map();
  /** Counts the links, because an operation of a former one may end later. */
  #number = 0;
  #operation = Promise.resolve();
  #timer = 0;
  #fail = () => {};
  #isOpen = false;
  #isClosed = false;

  /** The handlers are `receive()` after input for the host, and `lose(failure)` when the connection is lost. */
  constructor(device, sphero, handlers) {
    [this.port, this.#sphero, this.#handlers] = [device, sphero, handlers];
    // After closing, the module may have failed and must not be called.
    device.addEventListener("gattserverdisconnected", () => this.#isClosed || this.#report("lost"));
  }

  static get isSupported() {
    return typeof navigator !== "undefined" && "bluetooth" in navigator;
  }

  /** Lets the user select a robot nearby. */
  static choose(sphero) {
    const { services, names } = JSON.parse(sphero.say("bluetooth profile").text);
    return navigator.bluetooth.requestDevice({
      filters: [...names.map((namePrefix) => ({ namePrefix })), { services: services.slice(0, 1) }],
      optionalServices: services,
    });
  }

  /** Connects and performs the handshake; throws a `LinkFailure`. */
  async open() {
    this.#number += 1;
    this.#sphero.say("bluetooth open");
    try {
      await this.#operate();
    } catch (error) {
      this.port.gatt.disconnect();
      throw error;
    }
    this.#isOpen = true;
  }

  /** Sends a packet; resolves when the robot has confirmed it. */
  async write(bytes) {
    if (!this.#isOpen) return;
    this.#sphero.receive(packetChannel, bytes);
    try {
      await this.#operate();
    } catch (failure) {
      this.#lose(failure);
    }
  }

  /** Tries to reconnect for a minute; returns whether the line is open. */
  reopen() {
    return reopen({ isClosed: () => this.#isClosed, open: () => this.open(), shut: () => this.#shut() });
  }

  /** Closes the line after the current operation and some last bytes. */
  async close(last = noBytes) {
    this.#isClosed = true;
    // While the page tries to reconnect, the robot receives no bytes.
    if (!this.#isOpen) return this.#shut();
    await Promise.race([this.#operation.catch(() => {}), sleep(closeTimeout)]);
    const [commands] = this.#characteristics.values();
    // The module may have failed, so the page writes the bytes itself.
    if (last.length > 0) await Promise.race([commands.writeValueWithResponse(last).catch(() => {}), sleep(closeTimeout)]);
    this.#shut();
  }

  #shut() {
    this.#isOpen = false;
    this.#number += 1;
    clearTimeout(this.#timer);
    this.port.gatt.disconnect();
  }

  /** Performs all operations that are due. */
  async #operate() {
    const number = this.#number;
    const failure = new Promise((fulfil) => (this.#fail = fulfil));
    for (;;) {
      // The module may have begun the link of another line.
      if (number !== this.#number) throw new Error("the link is closed");
      const operation = this.#sphero.take(linkChannel);
      const ended = this.#failure;
      if (ended !== null) throw ended;
      if (operation.length === 0) return;
      this.#operation = this.#perform(operation).then(
        () => this.#report("done", number),
        (error) => this.#report(error.report ?? "refused", number));
      this.#watch();
      await Promise.race([this.#operation, failure]);
    }
  }

  async #perform([code, high, low, ...value]) {
    if (code === operations.discover) return this.#discover();
    const characteristic = this.#characteristics.get((high << 8) | low);
    const bytes = Uint8Array.from(value);
    if (code === operations.writeConfirmed) return characteristic.writeValueWithResponse(bytes);
    if (code === operations.writeUnconfirmed) return characteristic.writeValueWithoutResponse(bytes);
    characteristic.addEventListener("characteristicvaluechanged", this.#receive);
    try {
      await characteristic.startNotifications();
    } catch (error) {
      throw Object.assign(error, error.name === "NotSupportedError" ? { report: "mute" } : {});
    }
  }

  async #discover() {
    const { services, characteristics } = JSON.parse(this.#sphero.say("bluetooth profile").text);
    const server = await this.port.gatt.connect();
    const found = new Map();
    for (const service of services) {
      const list = await server.getPrimaryService(service).then((one) => one.getCharacteristics()).catch((error) => {
        if (error.name === "NotFoundError") return [];
        throw error;
      });
      for (const characteristic of list) found.set(characteristic.uuid, characteristic);
    }
    this.#characteristics.clear();
    for (const { number, uuid } of characteristics) {
      if (!found.has(uuid)) throw Object.assign(new Error(uuid), { report: `missing ${number}` });
      this.#characteristics.set(number, found.get(uuid));
    }
  }

  #receive = ({ target: { value } }) => {
    if (!this.port.gatt.connected) return;
    this.#sphero.receive(linkChannel, new Uint8Array(value.buffer, value.byteOffset, value.byteLength));
    this.#handlers.receive();
  };

  // Passes the end of an operation, or the loss of the connection, to the module.
  #report(words, number = this.#number) {
    if (number !== this.#number || number === 0) return;
    this.#sphero.say(`bluetooth ${words}`);
    if (words === "done") return;
    this.#fail();
    if (words === "lost") this.#lose(this.#failure);
  }

  // Ends the link at its deadline.
  #watch() {
    clearTimeout(this.#timer);
    const wait = this.#sphero.deadline(linkChannel) - performance.now();
    if (!Number.isFinite(wait)) return;
    this.#timer = setTimeout(() => {
      this.#sphero.receive(linkChannel, noBytes);
      const failure = this.#failure;
      if (failure === null) return this.#watch();
      this.#fail();
      this.#lose(failure);
    }, Math.max(0, wait));
  }

  get #failure() {
    const status = JSON.parse(this.#sphero.say("bluetooth status").text);
    return status.message === null ? null : new LinkFailure(status);
  }

  #lose(failure) {
    // `close` sends its last bytes before it disconnects.
    if (!this.#isOpen || this.#isClosed) return;
    this.#shut();
    this.#handlers.lose(failure);
  }
}
