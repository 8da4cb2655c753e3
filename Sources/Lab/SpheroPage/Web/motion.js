// The motion screen: bars with numbers for both sensors and for the computed motion, in degrees or radians.

import { element } from "./elements.js";
import { makeFigures, writeFigures } from "./sensors.js";

/** The motion screen, which the module fills while it is open. */
export class Motion {
  #execute;
  #groups = [];
  #key = "";
  #writtenAt = 0;

  constructor(execute) {
    this.#execute = execute;
    element("motion").addEventListener("toggle", () => this.choose());
    for (const box of document.getElementsByName("angle-unit")) box.addEventListener("change", () => this.choose());
  }

  /** Requests the motion in the selected unit, or nothing while the screen is closed. */
  choose() {
    const unit = document.querySelector("[name=angle-unit]:checked").value;
    this.#execute(element("motion").open ? `motion ${unit}` : "motion off");
  }

  /** Shows the groups of bars a few times per second; null while the screen is closed. */
  show(groups, now) {
    if (groups == null || now - this.#writtenAt < 80) return;
    this.#writtenAt = now;
    const key = groups.map(({ name, unit }) => `${name} ${unit}`).join();
    if (key !== this.#key) this.#layOut(groups);
    this.#key = key;
    groups.forEach(({ values, limit }, which) => writeFigures(this.#groups[which], limit, (index) => values[index] ?? NaN));
  }

  #layOut(groups) {
    this.#groups = groups.map(({ name, unit, names, digits }) =>
      makeFigures("reading-group", name, unit, names.map((label) => ({ label, digits })), true));
    element("motion-groups").replaceChildren(...this.#groups.map(({ node }) => node));
  }
}
