// The selection of sensors, and their values as bars, numbers and traces.

import { drawLane, Picture, seriesColor } from "./drawing.js";
import { element, make, numberText } from "./elements.js";

const secondsInSight = 10;
const samplesKept = 4096;

/** Creates an element with a heading, some parts, and a list with a bar and a figure for each series. */
export function makeFigures(className, title, unit, series, isSigned, ...parts) {
  const list = make("dl");
  const figures = series.map(({ name = "", label, digits }, which) => {
    const [bar, figure, term] = [make("i"), make("dd", {}, "–"), make("dt", { title: name }, label)];
    term.style.color = bar.style.color = seriesColor(which);
    list.append(make("div", {}, term, make("span", { className: isSigned ? "bar is-signed" : "bar", "aria-hidden": "true" }, bar), figure));
    return { bar, figure, digits };
  });
  const heading = make("h3", {}, title, " ", make("span", {}, unit));
  return { node: make("div", { className }, heading, ...parts, list), figures, isSigned };
}

/** Writes figures and bars; `valueOf` returns the value of a series, or NaN. */
export function writeFigures({ figures, isSigned }, limit, valueOf) {
  figures.forEach(({ figure, bar, digits }, which) => {
    const value = valueOf(which);
    const text = Number.isNaN(value) ? "–" : numberText(value, digits);
    if (figure.textContent !== text) figure.textContent = text;
    const part = Number.isNaN(value) ? 0 : Math.max(-1, Math.min(1, value / limit));
    bar.style.transform = `scaleX(${(isSigned ? part / 2 : part).toFixed(3)})`;
  });
}

/** Creates a lane of the module: its element, its picture, and a series for each column. */
export function makeLane({ title, unit, limit, is_signed: isSigned, is_circular: isCircular, columns }) {
  const canvas = make("canvas", { role: "img", "aria-label": `${title} over ${secondsInSight} seconds` });
  const series = columns.map(({ name, index, filtered }) => ({ name, index, filteredName: filtered }));
  return { ...makeFigures("lane", title, unit, columns, isSigned, canvas), series, limit, isCircular, picture: new Picture(canvas, drawLane) };
}

export class Sensors {
  #execute;
  #read;
  #layout = "";
  #lanes = [];
  #times = new Float64Array(samplesKept);
  #count = 0;
  #next = 0;
  #latest = 0;
  #changes = 0;
  #writtenAt = 0;

  /** `execute` executes a command; `read` returns the object in the answer of a command. */
  constructor(execute, read) {
    this.#execute = execute;
    this.#read = read;
    for (const { mask, title, is_on: isOn } of read("groups")) {
      const box = make("input", { type: "checkbox", value: mask, checked: isOn });
      box.addEventListener("change", () => this.choose());
      element("groups").append(make("label", {}, box, title));
    }
    element("hertz").addEventListener("change", () => this.choose());
    element("collisions").addEventListener("change", () => this.chooseCollisions());
    element("filter-pass").addEventListener("change", () => this.chooseFilter());
    element("filter-unit").addEventListener("change", () => this.#changeFilterUnit());
    element("filter-value").addEventListener("change", () => this.chooseFilter());
  }

  /** Requests the selected sensors. */
  choose() {
    const chosen = this.#chosen();
    const hertz = Number(element("hertz").value);
    // Attitude and trail are always streamed, so an empty selection has a stream, too.
    this.#execute(hertz === 0 ? "sensors off" : `sensors ${chosen.join(",") || "quat"} ${hertz}`);
    this.#clear();
  }

  chooseCollisions() {
    this.#execute(`collisions ${element("collisions").value}`);
  }

  /** Filters the lanes, with the raw values beside. */
  chooseFilter() {
    const [pass, unit, value] = [element("filter-pass").value, element("filter-unit").value, element("filter-value").value];
    const isOff = pass === "off";
    for (const id of ["filter-unit", "filter-value"]) element(id).disabled = isOff;
    element("filter-text").hidden = isOff;
    this.#execute(isOff ? "filter off" : `filter ${pass} ${unit} ${value || 0}`);
    this.#layOut();
  }

  #changeFilterUnit() {
    const isFactor = element("filter-unit").value === "factor";
    const input = element("filter-value");
    [input.max, input.step, input.value] = isFactor ? [1, 0.05, 0.1] : [200, 0.1, 2];
    this.chooseFilter();
  }

  // Removes the values of the former stream.
  #clear() {
    [this.#count, this.#next, this.#latest] = [0, 0, 0];
    this.#changes++;
    this.#layOut();
  }

  add(sample) {
    // Another stream begins when the time decreases.
    if (sample.time < this.#latest) [this.#count, this.#next] = [0, 0];
    if (!this.#lanes.some((lane) => lane.series.some(({ name }) => name in sample))) this.#layOut();
    this.#times[this.#next] = this.#latest = sample.time;
    for (const lane of this.#lanes)
      for (const { name, values, filteredName, filtered } of lane.series) {
        values[this.#next] = sample[name] ?? NaN;
        if (filtered) filtered[this.#next] = sample[filteredName] ?? NaN;
      }
    this.#next = (this.#next + 1) % samplesKept;
    this.#count = Math.min(this.#count + 1, samplesKept);
    this.#changes++;
  }

  /** Draws the traces, and updates the numbers a few times per second. */
  show(now) {
    const mayWrite = now - this.#writtenAt > 120;
    if (mayWrite) this.#writtenAt = now;
    const gap = Math.max(0.25, 3 / (Number(element("hertz").value) || 20));
    for (const lane of this.#lanes) {
      const first = (this.#next - this.#count + samplesKept) % samplesKept;
      const limit = this.#limit(lane, first);
      const value = {
        window: secondsInSight, latest: this.#latest, first, count: this.#count, times: this.#times,
        series: lane.series.map(({ values, filtered }) => filtered ?? values),
        // The raw values beside the filtered ones.
        faint: lane.series[0].filtered ? lane.series.map(({ values }) => values) : [], limit, isSigned: lane.isSigned, isCircular: lane.isCircular, gap,
      };
      lane.picture.show(value, `${this.#changes} ${limit}`);
      const last = (this.#next - 1 + samplesKept) % samplesKept;
      if (mayWrite) writeFigures(lane, limit, (which) => (this.#count > 0 ? (lane.series[which].filtered ?? lane.series[which].values)[last] : NaN));
    }
  }

  // The masks of the selected groups.
  #chosen() {
    return [...element("groups").querySelectorAll(":checked")].map((box) => box.value);
  }

  // The limit times the smallest power of two that covers the visible values, so that the scale does not flicker.
  #limit(lane, first) {
    let peak = 0;
    for (let step = 0; step < this.#count; step++) {
      const index = (first + step) % samplesKept;
      if (this.#times[index] < this.#latest - secondsInSight) continue;
      for (const { values } of lane.series) if (Math.abs(values[index]) > peak) peak = Math.abs(values[index]);
    }
    let limit = lane.limit;
    while (limit < peak) limit *= 2;
    return limit;
  }

  #layOut() {
    const chosen = this.#chosen();
    const lanes = this.#read("lanes").filter(({ mask }) => chosen.includes(mask));
    const layout = JSON.stringify(lanes);
    if (layout === this.#layout) return;
    this.#layout = layout;
    [this.#count, this.#next] = [0, 0];
    this.#lanes = lanes.map(makeLane);
    for (const { series } of this.#lanes)
      for (const one of series) {
        one.values = new Float32Array(samplesKept).fill(NaN);
        one.filtered = one.filteredName === null ? null : new Float32Array(samplesKept).fill(NaN);
      }
    element("traces").replaceChildren(...this.#lanes.map(({ node }) => node));
  }
}
