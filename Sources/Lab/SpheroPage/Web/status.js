// Shows the state of the connection, and disables the controls that need a robot.

import { element, write } from "./elements.js";

/** The states of the connection: their labels, and why the controls are disabled in them. */
const states = {
  closed: { text: "Not connected", reason: "Connect a robot first." },
  opening: { text: "Opening the port…", reason: "The port is being opened." },
  connecting: { text: "Waiting for the robot…", reason: "The robot has not answered yet." },
  live: { text: "Connected" },
  silent: { text: "No samples" },
  lost: { text: "Connection lost", reason: "The connection is lost; the page is trying again." },
  leaving: { text: "Disconnecting…", reason: "The page is disconnecting." },
  failed: { text: "The page has failed", reason: "The page has failed. Reload it." },
};

/** Returns a sentence about the absence of samples in a view; null while they arrive. */
export function silenceOf({ link, stream }) {
  if (link !== "silent") return null;
  const { sample_age: sampleAge, answer_age: answerAge } = stream;
  if (answerAge >= 2) return `No answer for ${Math.floor(answerAge)} s`;
  return sampleAge === null ? "No samples yet" : `No samples for ${Math.floor(sampleAge)} s`;
}

/** The state of a connection. */
function stateOf({ line, hasFailed, isOpening, isLeaving }, { link }) {
  if (hasFailed) return "failed";
  if (line === null) return isOpening ? "opening" : "closed";
  return isLeaving || ["left", "closed"].includes(link) ? "leaving" : link;
}

/** The line below the name of the robot, and the controls. */
export class Status {
  #state = null;

  /** Shows a connection and the view of its module; returns whether the controls have just been disabled. */
  show(connection, view) {
    const [state, silence] = [stateOf(connection, view), connection.line && silenceOf(view)];
    const { text, reason } = states[state];
    const name = (connection.line && view.name) || "Sphero";
    write("name", name);
    if (document.title !== name) document.title = name;
    // Screen readers must not announce the seconds of silence.
    write("status-text", silence ? silence.replace(/ for .*/, "") : text);
    write("status-age", silence?.match(/ for .*/)?.[0] ?? "");
    if (state === this.#state) return false;
    this.#state = state;
    document.body.dataset.link = state;
    for (const node of document.querySelectorAll("[data-robot]")) {
      if (node.matches("canvas")) node.setAttribute("aria-disabled", String(!!reason));
      else node.disabled = !!reason;
      node.title = reason ?? node.dataset.title ?? "";
    }
    element("record").disabled = !["connecting", "live", "silent", "lost", "leaving"].includes(state);
    const caution = state === "silent" ? "No feedback: where the robot is and how fast it moves is unknown." : "";
    for (const node of document.querySelectorAll(".reason")) node.textContent = reason ?? (node.id === "drive-reason" ? caution : "");
    return !!reason;
  }
}
