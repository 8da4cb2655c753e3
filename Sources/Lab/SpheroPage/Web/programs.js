// Programs inside the robot: the editor with its errors, run and stop, and the output of the program.

import { element, make, write } from "./elements.js";

/** The delay of the check after the last key, in milliseconds. */
const checkDelay = 200;
const mostOutputLines = 500;

const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);

/** The editor of programs. */
export class Programs {
  #ask;
  #execute;
  #stop;
  #text = element("program-text");
  #examples = [];
  #timer = 0;
  #errors = [];
  #isRunning = false;

  /**
   * `ask` executes a command and returns its result, or null if it fails; `execute` executes a command for a robot and
   * returns whether it succeeded; `stop` stops everything.
   */
  constructor({ ask, execute, stop }) {
    [this.#ask, this.#execute, this.#stop] = [ask, execute, stop];
    this.#examples = JSON.parse(ask("examples").text);
    for (const [index, { title, language }] of this.#examples.entries())
      element("program-example").append(make("option", { value: index }, `${title} (${language === "macro" ? "macro" : "orbBasic"})`));
    element("program-example").addEventListener("change", () => this.#choose());
    for (const box of document.getElementsByName("language")) box.addEventListener("change", () => this.#check());
    this.#text.addEventListener("input", () => {
      element("program-example").value = "";
      this.#number();
      clearTimeout(this.#timer);
      this.#timer = setTimeout(() => this.#check(), checkDelay);
    });
    this.#text.addEventListener("scroll", () => (element("program-lines").scrollTop = this.#text.scrollTop));
    element("program-error").addEventListener("click", () => this.#reveal());
    element("program-run").addEventListener("click", () => this.#run());
    element("program-stop").addEventListener("click", () => this.#stop());
    element("program-example").value = "0";
    this.#choose();
  }

  /** Handles an event of a program; returns whether it was one. */
  handle(item) {
    switch (item.kind) {
      case "print":
        this.#print(item.text.replace(/\n$/, ""));
        return true;
      case "marker":
        this.#print(`Marker ${item.marker} at step ${item.step}`);
        return true;
      case "program":
        this.#print(`${capital(item.message)}${item.seconds == null ? "" : ` (${item.seconds.toFixed(1)} s)`}`, item.weight);
        if (item.line != null) this.#show([{ line: item.line, column: 1, message: item.message, advice: item.advice }], "");
        return true;
      default:
        return false;
    }
  }

  /** Shows whether a program runs. */
  show(program) {
    const isRunning = program != null;
    const text = isRunning ? `${program.state === "sending" ? "Sending" : "Running"}, ${program.seconds.toFixed(0)} s` : "";
    write("program-state", text);
    if (isRunning === this.#isRunning) return;
    this.#isRunning = isRunning;
    element("program-stop").disabled = !isRunning;
  }

  get #language() {
    return document.querySelector("[name=language]:checked").value;
  }

  #choose() {
    const example = this.#examples[Number(element("program-example").value)];
    if (!example || element("program-example").value === "") return;
    document.querySelector(`[name=language][value=${example.language}]`).checked = true;
    this.#text.value = example.text;
    this.#number();
    this.#check();
  }

  #check() {
    clearTimeout(this.#timer);
    const answer = this.#ask(`check ${this.#language} ${this.#text.value}`);
    if (answer === null) return;
    const { errors, summary } = JSON.parse(answer.text);
    this.#show(errors, summary);
  }

  #show(errors, summary) {
    this.#errors = errors;
    const [error] = errors;
    const place = error?.line == null ? "" : `Line ${error.line}${error.column > 1 ? `, character ${error.column}` : ""}: `;
    write("program-error", error ? `${place}${place ? error.message : capital(error.message)}. ${error.advice ?? ""}` : "");
    element("program-error").hidden = !error;
    write("program-summary", error ? "" : (summary ?? ""));
    this.#text.setAttribute("aria-invalid", String(!!error));
    this.#number();
  }

  // The numbers of the lines beside the text; those with errors are marked.
  #number() {
    const count = this.#text.value.split("\n").length;
    const lines = element("program-lines");
    const wrong = new Set(this.#errors.map(({ line }) => line));
    const nodes = [];
    for (let line = 1; line <= Math.min(count, 2000); line++)
      nodes.push(make("span", { className: wrong.has(line) ? "is-wrong" : "" }, String(line)));
    lines.replaceChildren(...nodes);
    lines.scrollTop = this.#text.scrollTop;
  }

  // Puts the caret at the first error.
  #reveal() {
    const [error] = this.#errors;
    if (error?.line == null) return;
    const lines = this.#text.value.split("\n");
    const start = lines.slice(0, error.line - 1).reduce((sum, line) => sum + line.length + 1, 0);
    const caret = start + Math.min((error.column ?? 1) - 1, lines[error.line - 1]?.length ?? 0);
    this.#text.focus();
    this.#text.setSelectionRange(caret, start + (lines[error.line - 1]?.length ?? 0));
  }

  #run() {
    this.#check();
    if (this.#errors.length > 0) return this.#reveal();
    element("program-output").replaceChildren();
    this.#execute(`run ${this.#language} ${this.#text.value}`);
  }

  #print(text, weight) {
    const output = element("program-output");
    const line = make("li", {}, text);
    if (weight && weight !== "note") line.dataset.weight = weight;
    output.append(line);
    while (output.childElementCount > mostOutputLines) output.firstElementChild.remove();
    output.parentElement.scrollTop = output.parentElement.scrollHeight;
  }
}
