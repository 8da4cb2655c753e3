// Records the line, and shows recordings packet by packet.

import { element, fileName, make, onFile, save, write } from "./elements.js";
import { sleep } from "./lines.js";
import { ModuleFailure } from "./sphero.js";

const rowHeight = 28;
/** Browsers limit the height of elements, so more rows share this height. */
const tallest = 8_000_000;
const pieceSize = 1 << 15;
/** The number of packets that are read from the module together, and the number of such chunks that are kept. */
const chunkSize = 128;
const keptChunks = 32;

const sizeText = (bytes) => (bytes < 1000 ? `${bytes} bytes` : bytes < 1e6 ? `${(bytes / 1e3).toFixed(1)} KB` : `${(bytes / 1e6).toFixed(1)} MB`);
const countText = (count, one, many) => `${count.toLocaleString("en")} ${count === 1 ? one : many}`;

/** Records the conversation for a file. */
export class Recorder {
  #ask;
  #warn;
  #isOn = false;
  #isSaved = true;
  /** Whether the user knows that the next recording discards the unsaved one. */
  #isWarned = false;
  #capture = [];
  #rows = [];
  #drainedAt = 0;

  /** `ask` executes a command and returns null if it fails; `warn` shows a message and an advice. */
  constructor(ask, warn) {
    [this.#ask, this.#warn] = [ask, warn];
    element("record").addEventListener("click", () => this.#switch());
    element("download-capture").addEventListener("click", () => this.#save(this.#capture, "capture", "text/plain"));
    element("download-csv").addEventListener("click", () => this.#save(this.#rows, "csv", "text/csv"));
  }

  /** Whether there is a recording that is not saved. */
  get isUnsaved() {
    return this.#isOn || !this.#isSaved;
  }

  /** Ends the current recording; the user learns the reason, if there is one. */
  end(reason) {
    if (!this.#isOn) return;
    this.#switch();
    if (reason) this.#warn(`The recording has ended: ${reason}`, "It can be saved on the tab Recordings.");
  }

  /** Periodically removes the recorded text from the module. */
  show(recording, now) {
    const isOn = recording?.is_on === true;
    if (this.#isOn && now - this.#drainedAt > 1000) this.#drain(now);
    if (isOn !== this.#isOn) this.#set(isOn);
    if (isOn)
      write("record-text", `${recording.seconds.toFixed(0)} s · ${sizeText(recording.bytes)} · ${countText(recording.samples, "sample", "samples")}`);
  }

  #switch() {
    if (this.#isOn) {
      if (this.#ask("record stop") !== null) this.#set(false);
    } else {
      if (!this.#isSaved && this.#capture.length > 0 && !this.#isWarned) {
        this.#isWarned = true;
        return this.#warn("The last recording is not saved", "Save it, or press Record again to discard it.");
      }
      if (this.#ask(`record start ${Date.now()}`) === null) return;
      [this.#capture, this.#rows, this.#isSaved, this.#isWarned] = [[], [], false, false];
      this.#set(true);
    }
  }

  #set(isOn) {
    if (this.#isOn && !isOn) this.#drain();
    this.#isOn = isOn;
    element("record").setAttribute("aria-pressed", String(isOn));
    write("record-label", isOn ? "End recording" : "Record");
    this.#enable();
  }

  #drain(now = performance.now()) {
    this.#drainedAt = now;
    for (const [words, parts] of [["capture", this.#capture], ["rows", this.#rows]]) {
      // An answer has about a megabyte at most. Browsers may store a blob on disk, but keep text in memory.
      for (let bytes; (bytes = this.#ask(words)?.bytes)?.length > 0; ) parts.push(new Blob([bytes]));
    }
    this.#enable();
  }

  #enable() {
    element("download-capture").disabled = this.#capture.length === 0;
    element("download-csv").disabled = this.#rows.length === 0;
  }

  #save(parts, ending, type) {
    if (this.#isOn) this.#drain();
    save(fileName(ending), parts, type);
    this.#isSaved = !this.#isOn;
  }
}

const senders = { host: "→", robot: "←" };
const rowWords = (text) => text.split("_").join(" ");

/** Creates a row of the list for a packet or a mark of the capture. */
function summary(packet) {
  const isMark = packet.from == null;
  const name = packet.name ?? (packet.kind === "response" ? (packet.status ?? "response") : packet.kind);
  const values = packet.samples?.[0] ?? (isMark ? packet : packet.fields) ?? {};
  const parts = packet.kind === "response" && packet.name && packet.status !== "ok" ? [packet.status] : [];
  for (const [key, value] of Object.entries(values)) {
    if (key.endsWith("_code") || (isMark && ["kind", "time", "offset", "bytes", "name"].includes(key))) continue;
    const text = typeof value === "object" ? JSON.stringify(value) : String(value);
    parts.push(`${rowWords(key)} ${text.length > 60 ? `${text.slice(0, 60)}…` : text}`);
    if (parts.length >= 6) break;
  }
  return [packet.time == null ? "" : packet.time.toFixed(3), senders[packet.from] ?? "", name ?? "", parts.join(" · ").replaceAll("\n", " ")];
}

/** Separates the bytes of hexadecimal text. */
const hexText = (text) => text.toUpperCase().match(/../g)?.join(" ") ?? "";

/** Creates a table of the members of a packet. */
function detailTable(packet) {
  const body = make("tbody");
  const add = (key, value, depth) => {
    const head = make("th", { scope: "row" }, rowWords(key));
    head.style.paddingLeft = `${depth}em`;
    const isList = Array.isArray(value);
    if (value !== null && typeof value === "object" && !(isList && value.every((item) => typeof item !== "object"))) {
      body.append(make("tr", {}, head, make("td")));
      for (const [name, item] of Object.entries(value)) add(isList ? String(Number(name) + 1) : name, item, depth + 1);
      return;
    }
    const isHex = ["bytes", "payload", "frames"].includes(key) && typeof value === "string";
    const text = value === null ? "–" : isHex ? hexText(value) : isList ? value.join(", ") || "–" : String(value);
    body.append(make("tr", {}, head, make("td", { className: isHex ? "hex" : "" }, text)));
  };
  for (const [key, value] of Object.entries(packet)) add(key, value, 0);
  return make("table", {}, body);
}

/** Shows a recording. */
export class Viewer {
  #pump;
  #report;
  #opened;
  #playback;
  #list = element("packets");
  #rows = element("packets-rows");
  #count = 0;
  #chunks = new Map();
  /** The packets that match the filter, as pairs of index and line; null without a filter. */
  #matches = null;
  #filterRun = 0;
  #chosen = -1;
  #table = [];
  #picture = null;
  #generation = 0;
  #filterTimer = 0;
  #isFrameAsked = false;
  #name = "";

  /** The second argument reports why a file cannot be read; it is called with null to remove the report.
   * The third argument is called when a file has content; the fourth plays the samples of the file. */
  constructor(pump, report, opened, playback) {
    [this.#pump, this.#report, this.#opened, this.#playback] = [pump, report, opened, playback];
    element("browse").addEventListener("click", () => element("open").click());
    onFile("open", (file) => this.open(file));
    const whole = document.body;
    const hasFile = (event) => event.dataTransfer?.types.includes("Files");
    addEventListener("dragover", (event) => {
      if (!hasFile(event)) return;
      event.preventDefault();
      whole.classList.add("is-dropping");
    });
    addEventListener("dragleave", (event) => {
      if (event.relatedTarget === null) whole.classList.remove("is-dropping");
    });
    addEventListener("drop", (event) => {
      if (!hasFile(event)) return;
      event.preventDefault();
      whole.classList.remove("is-dropping");
      if (event.dataTransfer.files[0]) this.open(event.dataTransfer.files[0]);
    });
    element("filter").addEventListener("input", () => {
      clearTimeout(this.#filterTimer);
      this.#filterTimer = setTimeout(() => this.#filter(), 120);
    });
    this.#list.addEventListener("scroll", () => this.#ask());
    new ResizeObserver(() => this.#ask()).observe(this.#list);
    this.#list.addEventListener("click", (event) => {
      const row = event.target.closest(".row");
      if (row) this.#choose(Number(row.dataset.index));
    });
    this.#list.addEventListener("keydown", (event) => {
      const page = Math.max(1, Math.floor(this.#list.clientHeight / rowHeight) - 1);
      const last = this.#shownCount - 1;
      const to = {
        ArrowDown: this.#chosen + 1, ArrowUp: this.#chosen - 1, PageDown: this.#chosen + page, PageUp: this.#chosen - page, Home: 0, End: last,
      }[event.key];
      if (to === undefined || last < 0) return;
      event.preventDefault();
      this.#choose(Math.max(0, Math.min(last, to)));
      this.#reveal();
    });
    element("save-table").addEventListener("click", () => save(`${this.#name}.csv`, this.#table, "text/csv"));
    element("save-picture").addEventListener("click", () => save(`${this.#name}.svg`, [this.#picture], "image/svg+xml"));
  }

  /** Reads a file piece by piece, so that the robot can still be driven. */
  async open(file) {
    const generation = ++this.#generation;
    this.#report(null);
    this.#playback.close();
    this.#name = file.name.replace(/\.[^.]*$/, "") || "recording";
    this.#clear();
    [this.#chosen, this.#picture] = [-1, null];
    element("filter").value = "";
    element("viewer").hidden = element("picture").hidden = true;
    element("save-table").disabled = element("save-picture").disabled = true;
    element("packet").replaceChildren(make("p", { className: "help" }, "Choose a packet to see its fields."));
    try {
      this.#pump.ask(`open ${file.name}`);
      for (let offset = 0; offset < file.size; offset += pieceSize) {
        const bytes = new Uint8Array(await file.slice(offset, offset + pieceSize).arrayBuffer());
        if (generation !== this.#generation) return;
        this.#pump.look(bytes);
        this.#drain();
        if (this.#count + this.#table.length > 0) this.#unfold();
        write("open-text", `Reading ${file.name}: ${Math.round((100 * offset) / file.size)} %`);
        this.#ask();
        await sleep(0);
        if (generation !== this.#generation) return;
      }
      this.#pump.ask("end");
      this.#drain();
      this.#unfold();
      write("open-text", `${file.name}, ${sizeText(file.size)}`);
      element("save-table").disabled = this.#table.length === 0;
      this.#filter();
      if (this.#shownCount > 0) this.#choose(0);
      this.#showPicture(file.name);
      this.#playback.open();
    } catch (error) {
      if (generation !== this.#generation) return;
      this.#generation++;
      this.#clear();
      element("viewer").hidden = true;
      write("open-text", `${file.name} was not opened`);
      this.#report(error);
    }
  }

  // Only after the first content, because a file that is not a recording shows nothing.
  #unfold() {
    if (!element("viewer").hidden) return;
    element("viewer").hidden = false;
    this.#list.scrollTop = 0;
    this.#opened();
  }

  #clear() {
    this.#filterRun++;
    [this.#count, this.#matches, this.#table] = [0, null, []];
    this.#chunks.clear();
  }

  get #shownCount() {
    return this.#matches?.length ?? this.#count;
  }

  /** The line of a row of the list; undefined if the module has failed. */
  #line(row) {
    if (this.#matches) return this.#matches[row][1];
    const first = row - (row % chunkSize);
    let lines = this.#chunks.get(first);
    // While the file is read, the last chunk grows.
    if (lines === undefined || first + lines.length <= row) {
      lines = this.#read(first);
      if (this.#chunks.size >= keptChunks) this.#chunks.delete(this.#chunks.keys().next().value);
      this.#chunks.set(first, lines);
    }
    return lines[row - first];
  }

  /** Reads the lines of a chunk. */
  #read(first) {
    const lines = [];
    try {
      for (let rest; (rest = Math.min(chunkSize, this.#count - first) - lines.length) > 0; )
        lines.push(...this.#pump.ask(`packets ${first + lines.length} ${rest}`).text.trimEnd().split("\n"));
    } catch (error) {
      // The page has reported the failure, and shows the rows that it has read.
      if (!(error instanceof ModuleFailure)) throw error;
    }
    return lines;
  }

  #drain() {
    this.#count = Number(this.#pump.ask("packets").text);
    for (let bytes; (bytes = this.#pump.ask("table").bytes).length > 0; ) this.#table.push(new Blob([bytes]));
  }

  #showPicture(name) {
    const picture = this.#pump.ask("picture").text;
    // A recording without samples has no picture.
    if (!picture) return;
    this.#picture = picture;
    const image = element("picture-image");
    // An image cannot run scripts or load resources.
    image.src = URL.createObjectURL(new Blob([picture], { type: "image/svg+xml" }));
    image.onload = () => URL.revokeObjectURL(image.src);
    image.alt = `Samples of ${name} over time, with the way over the floor`;
    element("picture").hidden = false;
    element("save-picture").disabled = false;
  }

  /** Searches all packets, in parts so that the robot can still be driven. */
  async #filter() {
    const run = ++this.#filterRun;
    const words = element("filter").value.trim().split(/\s+/).filter(Boolean);
    const tests = words.map((word) => new RegExp(word.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"), "i"));
    const matches = [];
    let pauseAt = performance.now() + 20;
    for (let first = 0; tests.length > 0 && first < this.#count; first += chunkSize) {
      this.#read(first).forEach((line, place) => {
        if (tests.every((test) => test.test(line))) matches.push([first + place, line]);
      });
      if (performance.now() < pauseAt) continue;
      await sleep(0);
      if (run !== this.#filterRun) return;
      pauseAt = performance.now() + 20;
    }
    const before = this.#matches?.[this.#chosen]?.[0] ?? this.#chosen;
    this.#matches = tests.length === 0 ? null : matches;
    this.#chosen = this.#matches ? matches.findIndex(([index]) => index === before) : before;
    const all = countText(this.#count, "packet or mark", "packets and marks");
    write("found", this.#matches ? `${matches.length.toLocaleString("en")} of ${all}` : all);
    if (this.#matches) this.#list.scrollTop = 0;
    this.#ask();
  }

  #choose(index) {
    const line = this.#line(index);
    if (line === undefined) return;
    this.#chosen = index;
    const packet = JSON.parse(line);
    const title = packet.name ?? packet.kind;
    element("packet").replaceChildren(make("h3", {}, title), detailTable(packet));
    element("packet").scrollTop = 0;
    this.#draw();
  }

  // If the rows exceed the maximum height, the scroll position is proportional to the row index.
  get #heights() {
    const whole = this.#shownCount * rowHeight;
    const shown = Math.min(whole, tallest);
    const seen = this.#list.clientHeight;
    const factor = shown > seen ? (whole - seen) / (shown - seen) : 1;
    return { shown, seen, factor };
  }

  #reveal() {
    const { seen, factor } = this.#heights;
    const top = this.#chosen * rowHeight;
    const now = this.#list.scrollTop * factor;
    if (top < now) this.#list.scrollTop = top / factor;
    else if (top + rowHeight > now + seen) this.#list.scrollTop = Math.ceil((top + rowHeight - seen) / factor);
    this.#draw();
  }

  #ask() {
    if (this.#isFrameAsked) return;
    this.#isFrameAsked = true;
    requestAnimationFrame(() => {
      this.#isFrameAsked = false;
      this.#draw();
    });
  }

  #draw() {
    const { shown, seen, factor } = this.#heights;
    this.#rows.style.height = `${shown}px`;
    const top = this.#list.scrollTop;
    const first = Math.max(0, Math.floor((top * factor) / rowHeight) - 4);
    const end = Math.min(this.#shownCount, first + Math.ceil(seen / rowHeight) + 9);
    const rows = [];
    for (let index = first; index < end; index++) {
      const line = this.#line(index);
      if (line === undefined) break;
      const packet = JSON.parse(line);
      const row = make("div", {
        className: "row", role: "option", id: `packet-${index}`, "aria-selected": String(index === this.#chosen),
        "aria-setsize": this.#shownCount, "aria-posinset": index + 1,
      }, ...summary(packet).map((text) => make("span", {}, text)));
      row.dataset.index = index;
      row.dataset.kind = packet.from == null ? "mark" : packet.kind;
      // Relative to the scroll position, because its scale differs from the height of rows.
      row.style.top = `${index * rowHeight - top * factor + top}px`;
      rows.push(row);
    }
    this.#rows.replaceChildren(...rows);
    if (this.#chosen >= first && this.#chosen < end) this.#list.setAttribute("aria-activedescendant", `packet-${this.#chosen}`);
    else this.#list.removeAttribute("aria-activedescendant");
  }
}
