// The offsets of a ball at rest: measured, stored under the ball's name, saved to a file and opened from one.

import { element, fileName, numberText, save, write } from "./elements.js";

const storageName = (ball) => `sphero.calibration.${ball}`;
const axes = ["x", "y", "z"];

/** Returns the form of Docs/Storing.md for the offsets of the module. */
const stored = (offsets) => ({
  rotationRateOffset: offsets.rotation_rate_offset,
  accelerationOffset: offsets.acceleration_offset,
  sampleCount: offsets.sample_count,
});

/** The calibration of the connected ball. */
export class Calibration {
  #execute;
  #report;
  #ball = null;
  #offsets = null;
  #isMeasuring = false;

  /** `execute` executes a command of the module and returns whether it succeeded; `report` reports an error. */
  constructor(execute, report) {
    [this.#execute, this.#report] = [execute, report];
    element("calibrate").addEventListener("click", () => execute(this.#isMeasuring ? "calibrate cancel" : "calibrate start"));
    element("calibration-clear").addEventListener("click", () => {
      if (execute("calibrate clear")) this.#keep(null);
    });
    element("calibration-save").addEventListener("click", () => {
      if (this.#offsets) save(fileName("calibration.json"), [`${JSON.stringify(stored(this.#offsets), null, 2)}\n`], "application/json");
    });
    element("calibration-open").addEventListener("change", () => this.#open());
  }

  /** Handles the result of a measurement. */
  handle({ offsets }) {
    this.#keep(stored(offsets));
  }

  /** Shows the state of the module, and applies the stored offsets of a ball when its name is known. */
  show({ progress, is_at_rest: isAtRest, offsets }, name) {
    this.#offsets = offsets;
    this.#isMeasuring = progress !== null;
    write("calibrate", this.#isMeasuring ? "Cancel" : "Measure offsets");
    const numbers = offsets === null ? "" : `${axes.map((axis) => numberText(offsets.acceleration_offset[axis], 4)).join(", ")} g · ${axes.map((axis) => numberText((offsets.rotation_rate_offset[axis] * 180) / Math.PI, 2)).join(", ")} °/s`;
    write("calibration-text", this.#isMeasuring ? (isAtRest ? `Measuring, ${Math.round(progress * 100)} %` : "Lay the ball still") : offsets === null ? "No offsets" : `Subtracted: ${numbers}`);
    element("calibration-clear").disabled = element("calibration-save").disabled = offsets === null;
    if (name === this.#ball) return;
    this.#ball = name;
    const text = name === null ? null : this.#read(name);
    if (text !== null) this.#apply(text);
  }

  #read(name) {
    // Storage may be disabled.
    try {
      return localStorage.getItem(storageName(name));
    } catch {
      return null;
    }
  }

  #keep(offsets) {
    if (this.#ball === null) return;
    try {
      if (offsets === null) localStorage.removeItem(storageName(this.#ball));
      else localStorage.setItem(storageName(this.#ball), JSON.stringify(offsets));
    } catch {
      // The offsets apply until the page is closed.
    }
  }

  async #open() {
    const [file] = element("calibration-open").files;
    element("calibration-open").value = "";
    if (!file) return;
    if (file.size > 100_000) return this.#report(`${file.name} is too large for a calibration`);
    const text = await file.text();
    if (!this.#apply(text)) this.#report(`${file.name} is not a calibration: it needs rotationRateOffset, accelerationOffset and sampleCount`);
    else this.#keep(JSON.parse(text));
  }

  // The module checks the numbers; a text of another form is refused here.
  #apply(text) {
    try {
      const { rotationRateOffset: rate, accelerationOffset: force, sampleCount } = JSON.parse(text);
      const numbers = [...axes.map((axis) => rate[axis]), ...axes.map((axis) => force[axis]), sampleCount];
      return numbers.every((number) => typeof number === "number") && this.#execute(`calibrate set ${numbers.map((number) => number.toFixed(9)).join(" ")}`);
    } catch {
      return false;
    }
  }
}
