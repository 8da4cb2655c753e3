// Programs inside the robot: the editor with its errors, run and stop, and the output of the program.

import { element, fileName, make, save, write } from "./elements.js";

/** The storage of the user's own program. */
const programStorage = "sphero.program";
const endings = { macro: "macro", basic: "bas" };
/** The number of errors that are listed. */
const mostErrors = 20;
/** The largest file that is opened, in bytes; the module checks the size of the program. */
const largestFile = 1_000_000;
/** The delay of the check after the last key, in milliseconds. */
const checkDelay = 200;
const mostOutputLines = 500;

/** Returns the stored program of the user; storage may be disabled or hold anything. */
function readOwn() {
  try {
    const { language, text } = JSON.parse(localStorage.getItem(programStorage));
    return Object.hasOwn(endings, language) && typeof text === "string" ? { language, text } : null;
  } catch {
    return null;
  }
}

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
  /** The lines of output that no frame has shown yet. */
  #printed = [];
  #report;
  /** The user's own program: its language and text; null before there is one. */
  #own = readOwn();

  /**
   * `ask` executes a command and returns its result, or null if it fails; `execute` executes a command for a robot and
   * returns whether it succeeded; `stop` stops everything; `report` reports an error.
   */
  constructor({ ask, execute, stop, report }) {
    [this.#ask, this.#execute, this.#stop, this.#report] = [ask, execute, stop, report];
    this.#examples = JSON.parse(ask("examples").text);
    for (const [index, { title, language }] of this.#examples.entries())
      element("program-example").append(make("option", { value: index }, `${title} (${language === "macro" ? "macro" : "orbBasic"})`));
    element("program-example").addEventListener("change", () => this.#choose());
    for (const box of document.getElementsByName("language"))
      box.addEventListener("change", () => {
        if (element("program-example").value === "") this.#keep();
        this.#check();
      });
    this.#text.addEventListener("input", () => {
      this.#keep();
      this.#number();
      clearTimeout(this.#timer);
      this.#timer = setTimeout(() => this.#check(), checkDelay);
    });
    this.#text.addEventListener("scroll", () => (element("program-lines").scrollTop = this.#text.scrollTop));
    element("program-run").addEventListener("click", () => this.#run());
    element("program-stop").addEventListener("click", () => this.#stop());
    element("program-save").addEventListener("click", () =>
      save(fileName(endings[this.#language]), [this.#text.value], "text/plain"));
    element("program-open").addEventListener("change", () => this.#open());
    element("program-own").hidden = this.#own === null;
    element("program-example").value = this.#own === null ? "0" : "";
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
    const { value } = element("program-example");
    const program = value === "" ? this.#own : this.#examples[Number(value)];
    if (!program) return;
    document.querySelector(`[name=language][value=${program.language}]`).checked = true;
    this.#text.value = program.text;
    this.#number();
    this.#check();
  }

  // Keeps the text as the user's own program, which the choice of an example does not lose.
  #keep() {
    this.#own = { language: this.#language, text: this.#text.value };
    element("program-own").hidden = false;
    element("program-example").value = "";
    try {
      localStorage.setItem(programStorage, JSON.stringify(this.#own));
    } catch {
      // Without storage the program lasts until the page is closed.
    }
  }

  async #open() {
    const [file] = element("program-open").files;
    element("program-open").value = "";
    if (!file) return;
    if (file.size > largestFile) return this.#report(`${file.name} is too large for a program`);
    const text = await file.text();
    const language = Object.keys(endings).find((name) => file.name.endsWith(`.${endings[name]}`));
    if (language) document.querySelector(`[name=language][value=${language}]`).checked = true;
    this.#text.value = text;
    this.#keep();
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
    // Screen readers announce a list only when it has changed.
    if (JSON.stringify(errors) !== JSON.stringify(this.#errors)) this.#list(errors);
    this.#errors = errors;
    write("program-summary", errors.length > 0 ? "" : (summary ?? ""));
    this.#text.setAttribute("aria-invalid", String(errors.length > 0));
    this.#number();
  }

  #list(errors) {
    const shown = errors.slice(0, mostErrors).map((error, index) => {
      const place = error.line == null ? "" : `Line ${error.line}${error.column > 1 ? `, character ${error.column}` : ""}: `;
      const text = `${place}${place ? error.message : capital(error.message)}. ${error.advice ?? ""}`;
      const button = make("button", { id: `program-error-${index + 1}`, type: "button", className: "plain error" }, text);
      button.addEventListener("click", () => this.#reveal(error));
      return make("li", {}, button);
    });
    const more = errors.length - shown.length;
    if (more > 0) shown.push(make("li", { className: "reading" }, `${more} more ${more === 1 ? "line has an error" : "lines have errors"}.`));
    element("program-errors").replaceChildren(...shown);
    element("program-errors").hidden = errors.length === 0;
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

  // Puts the caret at an error.
  #reveal(error) {
    if (error?.line == null) return;
    const lines = this.#text.value.split("\n");
    const start = lines.slice(0, error.line - 1).reduce((sum, line) => sum + line.length + 1, 0);
    const caret = start + Math.min((error.column ?? 1) - 1, lines[error.line - 1]?.length ?? 0);
    this.#text.focus();
    this.#text.setSelectionRange(caret, start + (lines[error.line - 1]?.length ?? 0));
  }

  #run() {
    this.#check();
    if (this.#errors.length > 0) return this.#reveal(this.#errors[0]);
    this.#printed = [];
    element("program-output").replaceChildren();
    this.#execute(`run ${this.#language} ${this.#text.value}`);
  }

  // Output is shown once in each frame: a layout for each line is too slow for a program that prints without a pause.
  #print(text, weight) {
    if (this.#printed.length === 0) requestAnimationFrame(() => this.#showPrinted());
    this.#printed.push({ text, weight });
    // A hidden page draws no frames.
    if (this.#printed.length > 2 * mostOutputLines) this.#printed.splice(0, mostOutputLines);
  }

  #showPrinted() {
    const output = element("program-output");
    const lines = this.#printed.splice(0).slice(-mostOutputLines);
    for (const { text, weight } of lines) {
      const line = make("li", {}, text);
      if (weight && weight !== "note") line.dataset.weight = weight;
      output.append(line);
    }
    while (output.childElementCount > mostOutputLines) output.firstElementChild.remove();
    output.parentElement.scrollTop = output.parentElement.scrollHeight;
  }
}
