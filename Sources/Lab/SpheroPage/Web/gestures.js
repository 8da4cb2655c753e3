// Passes the touches of a rotation gesture and the orientation of the phone to the module.

import { element } from "./elements.js";

const position = ({ clientX, clientY }) => `${clientX.toFixed(1)} ${(-clientY).toFixed(1)}`;

/** Returns the rotation of the screen from the natural orientation of the device: 0, 90, 180 or 270 degrees. */
const screenAngle = () => (((screen.orientation?.angle ?? window.orientation ?? 0) % 360) + 360) % 360;

/** Asks for the permission to read the orientation of the device, as Safari on iOS requires once per page. */
export async function mayReadOrientation() {
  const ask = window.DeviceOrientationEvent?.requestPermission;
  return !ask || (await ask.call(window.DeviceOrientationEvent).catch(() => "denied")) === "granted";
}

/** Executes a command with the angles of an event of the orientation; does nothing if the device reports none. */
export function passOrientation({ beta, gamma }, execute, command) {
  if (beta !== null && gamma !== null) execute(`${command} ${beta.toFixed(2)} ${gamma.toFixed(2)} ${screenAngle()}`);
}

/** Two touches that turn about each other on one element. */
export class Twist {
  /** `execute` executes a command; the other function is called when a second touch begins. */
  constructor(areas, execute, began = () => {}) {
    for (const area of areas) {
      const touches = new Map();
      const send = () => execute(`twist ${[...touches.values()].map(position).join(" ")}`);
      area.addEventListener("pointerdown", (event) => {
        if (event.pointerType !== "touch" || touches.size === 2) return;
        touches.set(event.pointerId, event);
        if (touches.size < 2) return;
        began();
        send();
      });
      area.addEventListener("pointermove", (event) => {
        if (!touches.has(event.pointerId)) return;
        touches.set(event.pointerId, event);
        if (touches.size === 2) send();
      });
      for (const name of ["pointerup", "pointercancel"])
        area.addEventListener(name, (event) => {
          if (touches.delete(event.pointerId) && touches.size === 1) execute(name === "pointerup" ? "twist end" : "twist cancel");
        });
    }
  }
}

/** Tilt control: the events of the phone's orientation, from the button until the module ends it. */
export class Tilt {
  #execute;
  #report;
  #button = element("tilt");
  #isOn = false;
  #listener = (event) => passOrientation(event, this.#execute, "tilt");

  /** `execute` executes a command; the other function reports an error with an advice. */
  constructor(execute, report) {
    this.#execute = execute;
    this.#report = report;
    this.#button.hidden = !("DeviceOrientationEvent" in window);
    this.#button.addEventListener("click", () => (this.#isOn ? execute("tilt end") : this.#begin()));
  }

  /** Updates the button from the view. */
  show({ is_on: isOn }) {
    if (isOn === this.#isOn) return;
    this.#isOn = isOn;
    this.#button.setAttribute("aria-pressed", String(isOn));
    if (isOn) addEventListener("deviceorientation", this.#listener);
    else removeEventListener("deviceorientation", this.#listener);
  }

  async #begin() {
    if (await mayReadOrientation()) this.#execute("tilt begin");
    else this.#report("the browser does not allow the page to read the orientation of this device", "Allow motion and orientation for this page in the settings of the browser.");
  }
}
