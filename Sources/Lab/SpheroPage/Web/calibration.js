// The offsets of a ball at rest: measured, stored under the ball's name, saved to a file and opened from one.

import { element, fileName, numberText, onFile, save, store, stored, write } from "./elements.js";

const storageName = (ball) => `sphero.calibration.${ball}`;
const axes = ["x", "y", "z"];

/** The offsets as text, in g and degrees per second. */
function offsetsText({ rotationRateOffset: rate, accelerationOffset: force }) {
  const text = (vector, digits) => axes.map((axis) => numberText(vector[axis], digits)).join(", ");
  const degrees = Object.fromEntries(axes.map((axis) => [axis, (rate[axis] * 180) / Math.PI]));
  return `${text(force, 4)} g · ${text(degrees, 2)} °/s`;
}

/** The calibration of the connected ball, in the form of Docs/Storing.md. */
export class Calibration {
  #execute;
  #report;
  #isConnected;
  #ball = null;
  #offsets = null;
  #isMeasuring = false;

  /** `execute` executes a command of the module and returns whether it succeeded; `report` reports an error. */
  constructor(execute, report, isConnected) {
    [this.#execute, this.#report, this.#isConnected] = [execute, report, isConnected];
    element("calibrate").addEventListener("click", () => execute(this.#isMeasuring ? "calibrate cancel" : "calibrate start"));
    element("calibration-clear").addEventListener("click", () => {
      if (execute("calibrate clear")) this.#keep(null);
    });
    element("calibration-save").addEventListener("click", () => {
      if (this.#offsets) save(fileName("calibration.json"), [`${this.#offsets}\n`], "application/json");
    });
    onFile("calibration-open", (file) => this.#open(file));
  }

  /** Handles the result of a measurement. */
  handle({ offsets }) {
    this.#keep(offsets);
  }

  /** Shows the state of the module, and applies the stored offsets of a ball when its name is known. */
  show({ progress, is_at_rest: isAtRest, offsets }, name) {
    this.#offsets = offsets;
    this.#isMeasuring = progress !== null;
    write("calibrate", this.#isMeasuring ? "Cancel" : "Measure offsets");
    const numbers = offsets === null ? "" : offsetsText(JSON.parse(offsets));
    write("calibration-text", this.#isMeasuring ? (isAtRest ? `Measuring, ${Math.round(progress * 100)} %` : "Lay the ball still") : offsets === null ? "No offsets" : `Subtracted: ${numbers}`);
    element("calibration-clear").disabled = element("calibration-save").disabled = offsets === null;
    if (name === this.#ball) return;
    this.#ball = name;
    const text = name === null ? null : stored(storageName(name));
    if (text !== null) this.#execute(`calibrate set ${text}`);
  }

  /** Applies the stored offsets again when the name is known: a new conversation has none. */
  forget() {
    this.#ball = null;
  }

  #keep(offsets) {
    if (this.#ball !== null) store(storageName(this.#ball), offsets);
  }

  async #open(file) {
    if (!this.#isConnected()) return this.#report("the offsets are those of one ball: connect it first");
    if (file.size > 100_000) return this.#report(`${file.name} is too large for a calibration`);
    const text = await file.text();
    // The module reports the error of another text.
    if (this.#execute(`calibrate set ${text}`)) this.#keep(text);
  }
}
