// Offers the robots that the user can connect: the ports that the browser has allowed, by name, and the buttons.

import { element, make, write } from "./elements.js";
import { SerialLine } from "./lines.js";

/** Numbers the names that are equal. */
const distinct = (names) =>
  names.map((name, index) =>
    names.indexOf(name) === names.lastIndexOf(name) ? name : `${name} ${names.slice(0, index + 1).filter((other) => other === name).length}`);

/** The buttons that connect, select and disconnect. */
export class Robots {
  #connectPort;
  #simulate;
  #select;
  /** The port of the previous connection. */
  #port = null;
  /** Counts the calls of `offer`, because the ports of an earlier one may arrive later. */
  #offers = 0;

  /**
   * `connectPort` connects the port that a function returns, `simulate` a simulated robot; `select` drives
   * another one of the connected robots.
   */
  constructor({ connectPort, simulate, select }) {
    [this.#connectPort, this.#simulate, this.#select] = [connectPort, simulate, select];
    const click = (id, choosePort) => element(id).addEventListener("click", () => this.#choose(choosePort));
    click("connect", () => SerialLine.choose());
    click("any-port", () => SerialLine.choose(true));
    click("again", () => this.#port);
    element("simulate").addEventListener("click", () => simulate());
  }

  #choose(choosePort) {
    return this.#connectPort(async () => (this.#port = await choosePort()));
  }

  /** Shows what can be connected and selected; `active` is the connection that is driven. */
  async offer({ connections, active, hasFailed }) {
    const offer = ++this.#offers;
    const ports = await SerialLine.known().catch(() => []);
    if (offer !== this.#offers) return;
    const isConnected = active.line !== null;
    this.#list(ports, connections, active, hasFailed);
    const inSession = document.body.dataset.stage === "session";
    element(inSession ? "bar-actions" : "hero-actions").append(element("choices"));
    element(inSession ? "pairing-aside" : "pairing-place").append(element("pairing"));
    element("pairing").hidden = isConnected;
    element("choices").hidden = isConnected || hasFailed;
    element("disconnect").hidden = !isConnected;
    element("connect").hidden = element("any-port").hidden = !SerialLine.isSupported;
    element("unsupported").hidden = SerialLine.isSupported;
    element("simulate").classList.toggle("primary", !SerialLine.isSupported);
    if (isConnected) return;
    // The previous port, or the only one; several ports are ambiguous.
    if (!ports.includes(this.#port)) this.#port = ports.length === 1 ? ports[0] : null;
    element("again").hidden = this.#port === null;
    if (this.#port) write("again", `Connect ${SerialLine.nameOf(this.#port)} again`);
  }

  // Lists the ports that the user has allowed, and the simulated robots.
  #list(ports, connections, active, hasFailed) {
    const connected = connections.filter(({ line }) => line !== null);
    const all = new Set([...ports, ...connected.map(({ line }) => line.port).filter(Boolean)]);
    const robots = [
      ...[...all].map((port) => ({ port, name: SerialLine.nameOf(port), connection: connected.find(({ line }) => line.port === port) ?? null })),
      ...connected.filter(({ line }) => !line.port).map((connection) => ({ name: connection.name ?? "Simulated robot", connection })),
    ];
    const names = distinct(robots.map(({ name }) => name));
    const buttons = robots.map(({ port, connection }, index) => {
      const isActive = connection !== null && connection === active;
      const button = make("button", { type: "button", "aria-pressed": String(isActive), title: connection ? "Connected" : "Not connected" }, names[index]);
      button.classList.toggle("is-connected", connection !== null);
      button.addEventListener("click", () => (connection ? this.#select(connection) : this.#choose(() => port)));
      return button;
    });
    const another = make("button", { type: "button" }, "Another robot…");
    another.addEventListener("click", () => this.#choose(() => SerialLine.choose()));
    const simulated = make("button", { type: "button" }, "Another simulated robot");
    simulated.addEventListener("click", () => this.#simulate());
    element("balls").replaceChildren(...buttons, ...(SerialLine.isSupported ? [another] : []), simulated);
    element("balls").hidden = robots.length === 0 || hasFailed;
  }
}
