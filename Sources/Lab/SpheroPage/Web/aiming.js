// The dialog with the calibration ring, which turns the robot in place until its tail light points at the user.

import { followPointer, placeOn } from "./controls.js";
import { drawRing, Picture } from "./drawing.js";
import { element } from "./elements.js";

/** The calibration ring: opening its dialog begins aiming, closing ends it. */
export class Ring {
  #execute;
  #dialog = element("aiming");
  #pad = element("ring");
  #picture = new Picture(this.#pad, drawRing);
  #degrees = 0;
  #text = "";

  /** `execute` executes a command; the other function stops the robot. */
  constructor(execute, stop) {
    this.#execute = execute;
    let last = 0;
    const angleOf = ([x, y]) => (Math.atan2(x, y) * 180) / Math.PI;
    followPointer(this.#pad, {
      press: (event, box) => (last = angleOf(placeOn(box, event))),
      move: (event, box) => {
        const now = angleOf(placeOn(box, event));
        // The shorter direction of the turn, including the wrap at 360 degrees.
        const step = ((((now - last) % 360) + 540) % 360) - 180;
        last = now;
        this.#turn(step);
      },
    });
    this.#pad.addEventListener("keydown", (event) => {
      const step = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1 }[event.key];
      if (step) this.#turn(step * (event.shiftKey ? 1 : 5));
      else if (event.key === "Enter") this.#end("ring end");
      else if (event.key === " ") stop();
      else return;
      event.preventDefault();
    });
    element("aim").addEventListener("click", () => this.open());
    element("ring-done").addEventListener("click", () => this.#end("ring end"));
    element("ring-cancel").addEventListener("click", () => this.cancel());
    element("ring-stop").addEventListener("click", () => stop());
    // The browser may close it by other means, such as a gesture.
    this.#dialog.addEventListener("cancel", (event) => {
      event.preventDefault();
      this.cancel();
    });
  }

  get isOpen() {
    return this.#dialog.open;
  }

  open() {
    if (this.isOpen || !this.#execute("ring begin")) return;
    this.#degrees = 0;
    this.#dialog.showModal();
    this.#pad.focus({ preventScroll: true });
    this.#show();
  }

  cancel() {
    this.#end("ring cancel");
  }

  /** Closes the dialog without a command. */
  drop() {
    if (this.isOpen) this.#dialog.close();
  }

  /** Updates the dialog from the view, in which aiming may have ended. */
  show({ is_active: isActive }) {
    if (!isActive) this.drop();
    else this.#show();
  }

  #turn(step) {
    if (!this.isOpen || step === 0) return;
    this.#degrees += step;
    this.#execute(`ring turn ${this.#degrees.toFixed(4)}`);
    this.#show();
  }

  #end(words) {
    if (!this.isOpen) return;
    this.#execute(words);
    this.drop();
  }

  #show() {
    const whole = Math.round(this.#degrees);
    this.#picture.show({ degrees: this.#degrees, isActive: true }, `${this.#degrees}`);
    const text = `${whole}°`.replace("-", "−");
    if (this.#text === text) return;
    element("aim-text").textContent = this.#text = text;
    this.#pad.setAttribute("aria-valuenow", ((((whole + 180) % 360) + 360) % 360) - 180);
    this.#pad.setAttribute("aria-valuetext", `${whole} degrees`);
  }
}
