// Offers the robots that the user can connect: the ports that the browser has allowed, by name, and the buttons.

import { element, make, write } from "./elements.js";
import { SerialLine } from "./lines.js";

/** The buttons that connect and disconnect. */
export class Robots {
  #connect;
  /** The port of the previous connection. */
  #port = null;
  /** Counts the calls of `offer`, because the ports of an earlier one may arrive later. */
  #offers = 0;

  /** `connect` connects the port that a function returns. */
  constructor(connect) {
    this.#connect = connect;
    const click = (id, choosePort) => element(id).addEventListener("click", () => this.#choose(choosePort));
    click("connect", () => SerialLine.choose());
    click("any-port", () => SerialLine.choose(true));
    click("again", () => this.#port);
  }

  #choose(choosePort) {
    return this.#connect(async () => (this.#port = await choosePort()));
  }

  /** Shows what can be connected; `connected` is the line of the connected robot, or null. */
  async offer({ connected, hasFailed }) {
    const offer = ++this.#offers;
    const ports = await SerialLine.known().catch(() => []);
    if (offer !== this.#offers) return;
    const isConnected = connected !== null;
    this.#list(ports, connected, hasFailed);
    const inSession = document.body.dataset.stage === "session";
    element(inSession ? "bar-actions" : "hero-actions").append(element("choices"));
    element(inSession ? "pairing-aside" : "pairing-place").append(element("pairing"));
    element("pairing").hidden = isConnected;
    element("choices").hidden = isConnected || hasFailed;
    element("disconnect").hidden = !isConnected;
    element("connect").hidden = element("any-port").hidden = !SerialLine.isSupported;
    element("unsupported").hidden = SerialLine.isSupported;
    element("simulate").classList.toggle("primary", !SerialLine.isSupported);
    document.body.toggleAttribute("data-connected", isConnected);
    if (isConnected) return;
    // The previous port, or the only one; several ports are ambiguous.
    if (!ports.includes(this.#port)) this.#port = ports.length === 1 ? ports[0] : null;
    element("again").hidden = this.#port === null;
    if (this.#port) write("again", `Connect ${SerialLine.nameOf(this.#port)} again`);
  }

  // Lists the ports that the user has allowed; one of them at a time has a connection.
  #list(ports, connected, hasFailed) {
    const names = SerialLine.namesOf(ports);
    const buttons = ports.map((port, index) => {
      const isActive = connected !== null && connected.port === port;
      const button = make("button", { type: "button", "aria-pressed": String(isActive) }, names[index]);
      button.addEventListener("click", () => isActive || this.#choose(() => port));
      return button;
    });
    const another = make("button", { type: "button" }, "Another robot…");
    another.addEventListener("click", () => this.#choose(() => SerialLine.choose()));
    element("balls").replaceChildren(...buttons, another);
    element("balls").hidden = ports.length === 0 || hasFailed;
  }
}
