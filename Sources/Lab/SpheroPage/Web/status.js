// Shows the state of the connection, and disables the controls that need a robot.

import { element, write } from "./elements.js";

/** Returns a sentence about the absence of samples; null while they arrive. */
export const silenceOf = ({ link, text, age }) => (link === "silent" ? text + age : null);

/** The line below the name of the robot, and the controls. */
export class Status {
  #link = null;

  /** Shows the status of a connection and the name of its robot; returns whether the controls have just been disabled. */
  show({ link, text, age, reason, caution, has_line: hasLine, can_record: canRecord }, robot) {
    const name = robot ?? "Sphero";
    write("name", name);
    if (document.title !== name) document.title = name;
    write("status-text", text);
    // Screen readers do not announce the seconds of silence.
    write("status-age", age);
    if (link === this.#link) return false;
    this.#link = link;
    document.body.dataset.link = link;
    document.body.toggleAttribute("data-connected", hasLine);
    const isDisabled = reason !== null;
    for (const node of document.querySelectorAll("[data-robot]")) {
      if (node.matches("canvas")) node.setAttribute("aria-disabled", String(isDisabled));
      else node.disabled = isDisabled;
      node.title = reason ?? node.dataset.title ?? "";
    }
    element("record").disabled = !canRecord;
    for (const node of document.querySelectorAll(".reason")) node.textContent = reason ?? (node.id === "drive-reason" ? (caution ?? "") : "");
    return isDisabled;
  }
}
