// The dialog with the calibration ring, which turns the robot in place until its tail light points at the user.

import { followPointer, placeOn } from "./controls.js";
import { drawRing, Picture } from "./drawing.js";
import { element } from "./elements.js";

/** The calibration ring: opening its dialog begins aiming, closing ends it. A rotation gesture shows it without the dialog. */
export class Ring {
  #execute;
  #dialog = element("aiming");
  #pad = element("ring");
  #picture = new Picture(this.#pad, drawRing);
  #overlay = element("twisting");
  #overlayPicture = new Picture(element("twist-ring"), drawRing);
  #dropPointer;
  #degrees = 0;
  #text = "";

  /** `execute` executes a command; the other function stops the robot. */
  constructor(execute, stop) {
    this.#execute = execute;
    let last = 0;
    const angleOf = ([x, y]) => (Math.atan2(x, y) * 180) / Math.PI;
    this.#dropPointer = followPointer(this.#pad, {
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

  /** Begins to aim; the view opens the dialog. */
  open() {
    if (!this.isOpen && this.#execute("ring begin")) this.#reveal(0);
  }

  /** Ends the turn by one pointer, because a second one begins a rotation. */
  dropPointer() {
    this.#dropPointer();
  }

  cancel() {
    this.#end("ring cancel");
  }

  /** Closes the dialog without a command. */
  drop() {
    if (this.isOpen) this.#dialog.close();
    this.#overlay.hidden = true;
  }

  /** Updates dialog and overlay from the view, in which aiming begins and ends. */
  show({ is_active: isActive, is_twisted: isTwisted, turn }) {
    if (!isActive) return this.drop();
    if (!isTwisted || this.isOpen) return this.#reveal(turn);
    this.#overlay.hidden = false;
    this.#overlayPicture.show({ degrees: turn, isActive: true }, `${turn}`);
  }

  #reveal(degrees) {
    this.#degrees = degrees;
    this.#overlay.hidden = true;
    if (!this.isOpen) {
      this.#dialog.showModal();
      this.#pad.focus({ preventScroll: true });
    }
    this.#show();
  }

  #turn(step) {
    if (!this.isOpen || step === 0) return;
    this.#degrees += step;
    this.#execute(`ring by ${step.toFixed(4)}`);
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
