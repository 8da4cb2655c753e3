// The tabs beside the joystick and the floor.

import { element } from "./elements.js";

/** The tabs, after the pattern of the ARIA Authoring Practices: arrow keys, Home and End select. */
export class Tabs {
  #tabs = [...element("tabs").children];
  #changed;

  /** The argument is called with the name of each selected tab. */
  constructor(changed) {
    this.#changed = changed;
    for (const tab of this.#tabs) {
      tab.addEventListener("click", () => this.select(this.#name(tab)));
      tab.addEventListener("keydown", (event) => this.#press(event, this.#tabs.indexOf(tab)));
    }
  }

  /** Selects a tab by its name, such as `light`; ignores unknown names. */
  select(name) {
    if (!this.#tabs.some((tab) => this.#name(tab) === name)) return;
    for (const tab of this.#tabs) {
      const isSelected = this.#name(tab) === name;
      tab.setAttribute("aria-selected", String(isSelected));
      tab.tabIndex = isSelected ? 0 : -1;
      element(tab.getAttribute("aria-controls")).hidden = !isSelected;
    }
    element("session").dataset.tab = name;
    element("panels").scrollTop = 0;
    this.#changed(name);
  }

  #name(tab) {
    return tab.id.replace("tab-", "");
  }

  #press(event, index) {
    const last = this.#tabs.length - 1;
    const next = {
      ArrowLeft: index === 0 ? last : index - 1, ArrowRight: index === last ? 0 : index + 1, Home: 0, End: last,
    }[event.key];
    if (next === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    this.#tabs[next].focus();
    this.select(this.#name(this.#tabs[next]));
  }
}
