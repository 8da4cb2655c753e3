// Programs inside the robot: the editor with its errors, run and stop, and the output of the program.

import { element, fileName, make, onFile, save, store, stored, write } from "./elements.js";

/** The storage of the user's own programs. */
const programStorage = "sphero.program";
/** The number of own programs that are stored; the oldest is dropped. */
const mostPrograms = 20;
const endings = { macro: "macro", basic: "bas" };
const languages = { macro: "macro", basic: "orbBasic" };
/** The number of characters of a program's first line that its title has. */
const titleLength = 32;
/** The number of errors that are listed. */
const mostErrors = 20;
/** The largest file that is opened, in bytes; the module checks the size of the program. */
const largestFile = 1_000_000;
/** The delay of the check after the last key, in milliseconds. */
const checkDelay = 200;
const mostOutputLines = 500;

/** Returns the stored programs of the user; storage may hold anything. */
function readOwn() {
  const isProgram = (item) => Object.hasOwn(endings, item?.language) && typeof item.text === "string";
  // Earlier pages stored one program.
  const programs = [stored(programStorage, JSON.parse)].flat().filter(isProgram);
  return programs.slice(-mostPrograms).map(({ language, text }) => ({ language, text }));
}

const titleOf = ({ language, text }) => {
  const [line] = text.trim().split("\n", 1);
  return `${line.length > titleLength ? `${line.slice(0, titleLength)}…` : line || "Empty"} (${languages[language]})`;
};
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
  /** The user's own programs, each with its language and text, the newest last. */
  #own = readOwn();
  /** The own program that is shown; null for an example. */
  #shown = null;

  /**
   * `ask` executes a command and returns its result, or null if it fails; `execute` executes a command for a robot and
   * returns whether it succeeded; `stop` stops everything; `report` reports an error.
   */
  constructor({ ask, execute, stop, report }) {
    [this.#ask, this.#execute, this.#stop, this.#report] = [ask, execute, stop, report];
    this.#examples = JSON.parse(ask("examples").text);
    for (const [index, { title, language }] of this.#examples.entries())
      element("program-examples").append(make("option", { value: index }, `${title} (${languages[language]})`));
    element("program-example").addEventListener("change", () => this.#choose());
    for (const box of document.getElementsByName("language"))
      box.addEventListener("change", () => {
        if (this.#shown !== null) this.#keep();
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
    onFile("program-open", (file) => this.#open(file));
    addEventListener("storage", ({ key }) => key === programStorage && this.#reload());
    this.#list(this.#own.at(-1) ?? null);
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
    this.#shown = value.startsWith("own") ? (this.#own[Number(value.slice(3))] ?? null) : null;
    // A program whose text was deleted is not listed any more.
    if (this.#own.some((program) => program !== this.#shown && program.text.trim() === "")) {
      this.#own = this.#own.filter((program) => program === this.#shown || program.text.trim() !== "");
      this.#list(this.#shown ?? value);
      this.#store();
    }
    const program = this.#shown ?? this.#examples[Number(value)];
    if (!program) return;
    document.querySelector(`[name=language][value=${program.language}]`).checked = true;
    this.#text.value = program.text;
    this.#number();
    this.#check();
  }

  // Lists the user's programs, and selects one of them, or an example by its value.
  #list(selected) {
    const group = element("program-own");
    group.replaceChildren(...this.#own.map((program, index) => make("option", { value: `own${index}` }, titleOf(program))));
    group.hidden = this.#own.length === 0;
    const index = this.#own.indexOf(selected);
    element("program-example").value = index >= 0 ? `own${index}` : (selected ?? "0");
  }

  // Keeps the text in the user's program that is shown, or in a new one if an example or a file is shown.
  #keep() {
    if (this.#shown === null) {
      this.#shown = {};
      this.#own = [...this.#own, this.#shown].slice(-mostPrograms);
    }
    Object.assign(this.#shown, { language: this.#language, text: this.#text.value });
    this.#list(this.#shown);
    this.#store();
  }

  // Lists what another tab has stored, so that this one does not overwrite it; the program that is shown stays.
  #reload() {
    const shown = this.#shown;
    const isShown = ({ language, text }) => language === shown?.language && text === shown.text;
    this.#own = readOwn().filter((program) => !isShown(program));
    if (shown !== null) this.#own = [...this.#own, shown].slice(-mostPrograms);
    this.#list(shown ?? element("program-example").value);
  }

  #store() {
    store(programStorage, JSON.stringify(this.#own));
  }

  async #open(file) {
    if (file.size > largestFile) return this.#report(`${file.name} is too large for a program`);
    const text = await file.text();
    const language = Object.keys(endings).find((name) => file.name.endsWith(`.${endings[name]}`));
    if (language) document.querySelector(`[name=language][value=${language}]`).checked = true;
    this.#text.value = text;
    this.#shown = null;
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
    if (JSON.stringify(errors) !== JSON.stringify(this.#errors)) this.#listErrors(errors);
    this.#errors = errors;
    write("program-summary", errors.length > 0 ? "" : (summary ?? ""));
    this.#text.setAttribute("aria-invalid", String(errors.length > 0));
    this.#number();
  }

  #listErrors(errors) {
    const shown = errors.slice(0, mostErrors).map((error, index) => {
      const place = error.line == null ? "" : `Line ${error.line}${error.column > 1 ? `, character ${error.column}` : ""}: `;
      const text = `${place}${place ? error.message : capital(error.message)}. ${error.advice ?? ""}`;
      return make("li", {}, make("button", { id: `program-error-${index + 1}`, type: "button", className: "plain error", onclick: () => this.#reveal(error) }, text));
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
