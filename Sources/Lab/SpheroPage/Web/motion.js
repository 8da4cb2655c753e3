// The motion screen: bars with numbers for both sensors and for the computed motion, in degrees or radians.

import { seriesColor } from "./drawing.js";
import { element, make, numberText } from "./elements.js";

/** The motion screen, which the module fills while it is open. */
export class Motion {
  #execute;
  #groups = [];
  #key = "";
  #writtenAt = 0;

  /** `execute` executes a command of the module. */
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
    groups.forEach(({ values, limit, digits }, which) => {
      values.forEach((value, index) => {
        const { figure, bar } = this.#groups[which][index];
        const text = value === null ? "–" : numberText(value, digits);
        if (figure.textContent !== text) figure.textContent = text;
        const part = value === null ? 0 : Math.max(-1, Math.min(1, value / limit));
        bar.style.transform = `scaleX(${(part / 2).toFixed(3)})`;
      });
    });
  }

  #layOut(groups) {
    this.#groups = [];
    element("motion-groups").replaceChildren();
    for (const { name, unit, names } of groups) {
      const list = make("dl");
      const rows = names.map((term, which) => {
        const [bar, figure, title] = [make("i"), make("dd", {}, "–"), make("dt", {}, term)];
        title.style.color = bar.style.color = seriesColor(which);
        list.append(make("div", {}, title, make("span", { className: "bar is-signed", "aria-hidden": "true" }, bar), figure));
        return { figure, bar };
      });
      this.#groups.push(rows);
      element("motion-groups").append(make("div", { className: "reading-group" }, make("h3", {}, name, " ", make("span", {}, unit)), list));
    }
  }
}
