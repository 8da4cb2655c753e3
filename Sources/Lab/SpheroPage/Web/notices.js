// Messages to the user: one notice over the page, and a log of all of them.

import { element, make, write } from "./elements.js";

const mostLogLines = 500;
/** How long a notice that is not an alarm is shown, in milliseconds. */
const lifetime = 15_000;

/** Returns a sentence with a capital letter and a full stop. */
const sentence = (text) => {
  const whole = text.charAt(0).toUpperCase() + text.slice(1);
  return /[.!?]$/.test(whole) ? whole : `${whole}.`;
};

/** Returns the notice about a port that was not chosen or not opened. */
export function refusalOf(error) {
  const alarm = { weight: "alarm", topic: "link" };
  switch (error.name) {
    case "NotFoundError":
      return { message: "No robot was chosen.", advice: "The steps of pairing help if the list is empty." };
    case "InvalidStateError":
      return { ...alarm, message: "This port is open already, here or in another tab." };
    case "NetworkError":
      return { ...alarm, message: "The robot does not accept the connection.", advice: "It may be asleep, out of reach, or held by another program. Shake it awake, and try again." };
    default:
      return { ...alarm, message: error.message, advice: error.advice };
  }
}

/** The notice and the log. A notice has a topic and disappears when its topic is resolved. */
export class Notices {
  #topic = null;
  #timer = 0;

  constructor() {
    element("notice-close").addEventListener("click", () => this.clear());
    element("notice-reload").addEventListener("click", () => location.reload());
  }

  /** Replaces the notice; an alarm stays until it is resolved, others disappear after a timeout. */
  show({ message, advice, weight = "note", topic = "page", canReload = false }) {
    const text = [message, advice].filter(Boolean).map(sentence).join(" ");
    this.log(text, weight);
    this.clear();
    this.#topic = topic;
    element("notice").hidden = false;
    element("notice").dataset.weight = weight;
    element("notice-reload").hidden = !canReload;
    element("notice-close").hidden = canReload;
    write("notice-text", text);
    if (weight !== "alarm") this.#timer = setTimeout(() => this.clear(topic), lifetime);
  }

  /** Removes the notice if it has one of these topics; without topics, removes any notice. */
  clear(...topics) {
    if (topics.length > 0 && !topics.includes(this.#topic)) return;
    clearTimeout(this.#timer);
    this.#topic = null;
    element("notice").hidden = true;
    write("notice-text", "");
  }

  log(text, weight) {
    const [box, lines] = [element("log"), element("log-lines")];
    const isAtEnd = box.scrollTop + box.clientHeight > box.scrollHeight - 8;
    const entry = make("span", {}, text);
    if (weight) entry.dataset.weight = weight;
    lines.append(make("li", {}, make("time", {}, new Date().toLocaleTimeString("en-GB")), entry));
    while (lines.childElementCount > mostLogLines) lines.firstElementChild.remove();
    if (isAtEnd) box.scrollTop = box.scrollHeight;
  }
}
