// What the user has to hear: one notice over the page, and a log of everything.

import { element, make, write } from "./elements.js";

const mostLogLines = 500;
/** How long a notice stays that is not an alarm, in milliseconds; the log keeps it. */
const lifetime = 15_000;

/** A sentence with a capital and a full stop. */
const sentence = (text) => {
  const whole = text.charAt(0).toUpperCase() + text.slice(1);
  return /[.!?]$/.test(whole) ? whole : `${whole}.`;
};

/** The notice and the log. A notice has a topic, and goes when its topic is settled. */
export class Notices {
  #topic = null;
  #timer = 0;

  constructor() {
    element("notice-close").addEventListener("click", () => this.clear());
    element("notice-reload").addEventListener("click", () => location.reload());
  }

  /** Shows a notice in place of the one before; an alarm stays until it is settled, others go by themselves. */
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

  /** Takes the notice away, where it is about one of these topics; without any, whatever it is about. */
  clear(...topics) {
    if (topics.length > 0 && !topics.includes(this.#topic)) return;
    clearTimeout(this.#timer);
    this.#topic = null;
    element("notice").hidden = true;
    write("notice-text", "");
  }

  /** Adds a line to the log. */
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
