// Offers the robots that the user can connect: allowed ports and devices, by name, and the buttons.

import { BluetoothLine } from "./bluetooth.js";
import { element, make, write } from "./elements.js";
import { SerialLine } from "./lines.js";

/** Numbers the names that are equal. */
const distinct = (names) =>
  names.map((name, index) =>
    names.indexOf(name) === names.lastIndexOf(name) ? name : `${name} ${names.slice(0, index + 1).filter((other) => other === name).length}`);

/** The label of a serial port or of a Bluetooth LE device. */
const nameOf = (port) => ("gatt" in port ? (port.name ?? "the Bluetooth robot") : SerialLine.nameOf(port));

/** The buttons that connect, select and disconnect. */
export class Robots {
  #sphero;
  #connectPort;
  #simulate;
  #select;
  /** The port or the device of the previous connection. */
  #port = null;
  /** The devices that the user has chosen since the page was loaded. */
  #devices = new Set();
  /** Counts the calls of `offer`, because the ports of an earlier one may arrive later. */
  #offers = 0;

  /**
   * `sphero` is a module, which names what the chooser lists; `connectPort` connects the port that a function returns, `simulate` a simulated robot; `select` drives
   * another one of the connected robots.
   */
  constructor({ sphero, connectPort, simulate, select }) {
    [this.#sphero, this.#connectPort, this.#simulate, this.#select] = [sphero, connectPort, simulate, select];
    const click = (id, choosePort) => element(id).addEventListener("click", () => this.#choose(choosePort));
    click("connect", () => SerialLine.choose());
    click("any-port", () => SerialLine.choose(true));
    click("bluetooth", () => this.#chooseDevice());
    click("again", () => this.#port);
    element("simulate").addEventListener("click", () => simulate());
  }

  #choose(choosePort) {
    return this.#connectPort(async () => (this.#port = await choosePort()));
  }

  async #chooseDevice() {
    const device = await BluetoothLine.choose(this.#sphero);
    this.#devices.add(device);
    return device;
  }

  /** Shows what can be connected and selected; `active` is the connection that is driven. */
  async offer({ connections, active, hasFailed }) {
    const offer = ++this.#offers;
    const ports = [...(await SerialLine.known().catch(() => [])), ...this.#devices];
    if (offer !== this.#offers) return;
    const isConnected = active.line !== null;
    this.#list(ports, connections, active, hasFailed);
    const inSession = document.body.dataset.stage === "session";
    for (const [id, place] of [["choices", inSession ? "bar-actions" : "hero-actions"], ["pairing", inSession ? "pairing-aside" : "pairing-place"]])
      // A button that is inserted again loses its focus, and a press that has begun.
      if (element(id).parentElement.id !== place) element(place).append(element(id));
    element("pairing").hidden = isConnected;
    element("choices").hidden = isConnected || hasFailed;
    element("disconnect").hidden = !isConnected;
    element("connect").hidden = element("any-port").hidden = !SerialLine.isSupported;
    element("bluetooth").hidden = !BluetoothLine.isSupported;
    element("bluetooth").classList.toggle("primary", !SerialLine.isSupported);
    const isSupported = SerialLine.isSupported || BluetoothLine.isSupported;
    element("unsupported").hidden = isSupported;
    element("simulate").classList.toggle("primary", !isSupported);
    if (isConnected) return;
    // The previous port, or the only one; several ports are ambiguous.
    if (!ports.includes(this.#port)) this.#port = ports.length === 1 ? ports[0] : null;
    element("again").hidden = this.#port === null;
    if (this.#port) write("again", `Connect ${nameOf(this.#port)} again`);
  }

  // Lists the ports that the user has allowed, and the simulated robots.
  #list(ports, connections, active, hasFailed) {
    const connected = connections.filter(({ line }) => line !== null);
    const all = new Set([...ports, ...connected.map(({ line }) => line.port).filter(Boolean)]);
    const robots = [
      ...[...all].map((port) => ({ port, name: nameOf(port), connection: connected.find(({ line }) => line.port === port) ?? null })),
      ...connected.filter(({ line }) => !line.port).map((connection) => ({ name: connection.name ?? "Simulated robot", connection })),
    ];
    const names = distinct(robots.map(({ name }) => name));
    const buttons = robots.map(({ port, connection }, index) => {
      const isActive = connection !== null && connection === active;
      const button = make("button", { type: "button", "aria-pressed": String(isActive), title: connection ? "Connected" : "Not connected" }, names[index]);
      button.classList.toggle("is-connected", connection !== null);
      button.onclick = () => (connection ? this.#select(connection) : this.#choose(() => port));
      return button;
    });
    const add = (isSupported, text, onclick) => isSupported && buttons.push(make("button", { type: "button", onclick }, text));
    add(SerialLine.isSupported, "Another robot…", () => this.#choose(() => SerialLine.choose()));
    add(BluetoothLine.isSupported, "Another robot by Bluetooth LE…", () => this.#choose(() => this.#chooseDevice()));
    add(true, "Another simulated robot", () => this.#simulate());
    const list = element("balls");
    const focused = [...list.children].indexOf(document.activeElement);
    const { textContent: text } = document.activeElement ?? {};
    list.replaceChildren(...buttons);
    // The button of the same name keeps the focus, or that of the same robot with another name.
    if (focused >= 0) ([...list.children].find(({ textContent }) => textContent === text) ?? list.children[focused])?.focus({ preventScroll: true });
    list.hidden = robots.length === 0 || hasFailed;
  }
}
