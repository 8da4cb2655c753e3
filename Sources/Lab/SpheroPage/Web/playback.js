// Plays an opened recording: a time slider moves the floor, the attitude and the sensor lanes.

import { drawAttitude, drawLane, Picture } from "./drawing.js";
import { drawFloor, Viewport } from "./drawing-floor.js";
import { element, make, motionText, write } from "./elements.js";
import { makeLane, writeFigures } from "./sensors.js";

/** The seconds that the lanes show, with the time of the slider in the middle. */
const laneSeconds = 10;
const timeSteps = { ArrowLeft: -1, ArrowRight: 1, PageDown: -10, PageUp: 10 };

const timeText = (seconds) => {
  const whole = Math.max(0, seconds);
  const minutes = Math.floor(whole / 60);
  return `${minutes}:${(whole % 60).toFixed(1).padStart(4, "0")}`;
};

/** The player of the recording that is open in the module. */
export class Playback {
  #ask;
  #overview = null;
  #time = 0;
  #isPlaying = false;
  #playedAt = 0;
  #lanes = [];
  #viewport = new Viewport();
  #floor = new Picture(element("play-floor"), drawFloor);
  #attitude = new Picture(element("play-attitude"), drawAttitude);
  #changes = 0;

  /** `ask` executes a command and returns its result, or null if it fails. */
  constructor(ask) {
    this.#ask = ask;
    const slider = element("play-time");
    slider.addEventListener("input", () => this.#seek(slider.valueAsNumber));
    slider.addEventListener("keydown", (event) => {
      if (!(event.key in timeSteps) || this.#overview === null) return;
      event.preventDefault();
      this.#seek(this.#time + timeSteps[event.key] * (event.shiftKey ? 0.1 : 1));
    });
    element("play").addEventListener("click", () => (this.#isPlaying ? this.pause() : this.#play()));
    element("play-robot").addEventListener("change", () => {
      if (this.#ask(`playback robot ${element("play-robot").value}`) !== null) this.open();
    });
    // A canvas that was hidden has its size only when it is shown.
    new ResizeObserver(() => requestAnimationFrame(() => this.#draw())).observe(element("playback"));
  }

  /** Hides the player while another file is read. */
  close() {
    this.pause();
    this.#overview = null;
    element("playback").hidden = true;
  }

  /** Shows the recording that was read, or nothing without samples. */
  open() {
    this.pause();
    const answer = this.#ask("playback");
    const overview = answer === null ? null : JSON.parse(answer.text);
    const hasSamples = overview !== null && overview.start !== null;
    element("playback").hidden = !hasSamples;
    this.#overview = hasSamples ? overview : null;
    if (!hasSamples) return;
    const { start, end, robots, robot } = overview;
    const slider = element("play-time");
    [slider.min, slider.max] = [start, Math.max(end, start + 0.001)];
    slider.step = "any";
    element("play-robot").hidden = robots.length < 2;
    element("play-robot").replaceChildren(...robots.map((name) => make("option", { value: name }, name)));
    if (robot !== null) element("play-robot").value = robot;
    this.#viewport.forget();
    this.#layOut();
    this.#seek(start);
  }

  #play() {
    if (this.#overview === null) return;
    if (this.#time >= this.#overview.end) this.#seek(this.#overview.start);
    this.#isPlaying = true;
    this.#playedAt = performance.now();
    this.#showState();
    const frame = (now) => {
      if (!this.#isPlaying) return;
      const elapsed = Math.min((now - this.#playedAt) / 1000, 0.5);
      this.#playedAt = now;
      this.#seek(this.#time + Math.max(0, elapsed) * Number(element("play-speed").value));
      if (this.#time >= this.#overview.end) this.pause();
      else requestAnimationFrame(frame);
    };
    requestAnimationFrame(frame);
  }

  pause() {
    this.#isPlaying = false;
    this.#showState();
  }

  #showState() {
    element("play").setAttribute("aria-label", this.#isPlaying ? "Pause" : "Play");
    element("play").dataset.state = this.#isPlaying ? "playing" : "paused";
  }

  #seek(time) {
    const { start, end } = this.#overview;
    this.#time = Math.min(Math.max(time, start), end);
    const slider = element("play-time");
    slider.value = this.#time;
    const text = `${timeText(this.#time - start)} of ${timeText(end - start)}`;
    slider.setAttribute("aria-valuetext", text);
    write("play-text", text);
    this.#changes++;
    this.#draw();
  }

  #draw() {
    if (this.#overview === null) return;
    const answer = this.#ask(`playback at ${this.#time.toFixed(4)}`);
    if (answer === null) return this.pause();
    const view = JSON.parse(answer.text);
    this.#drawFloor(view.motion);
    this.#attitude.show({ attitude: view.attitude, color: null, flash: 0 }, `${this.#changes}`);
    write("play-place", motionText(view.motion) || "No position in this recording");
    this.#drawLanes();
  }

  #drawFloor({ x, y, heading }) {
    const { path, marks } = this.#overview;
    const isKnown = x != null && y != null;
    const robot = isKnown ? { x, y, heading, color: null } : null;
    const viewport = this.#viewport.follow(path, false);
    const way = path.filter(([, , , time]) => time <= this.#time);
    const places = marks.filter(([time]) => time <= this.#time).map(([, mx, my]) => [mx, my]);
    this.#floor.show({ way, robot, viewport, flash: 0, rest: path, marks: places }, `${this.#changes}`);
  }

  #drawLanes() {
    const start = this.#time - laneSeconds / 2;
    const bytes = this.#ask(`playback lanes ${start.toFixed(4)} ${(start + laneSeconds).toFixed(4)}`)?.bytes;
    if (!bytes) return;
    // The slice begins at an offset of 0, as an array of numbers requires.
    const numbers = new Float32Array(bytes.buffer, 0, bytes.length >> 2);
    const count = numbers.length / (this.#overview.width + 1);
    const times = numbers.subarray(0, count);
    for (const lane of this.#lanes) {
      const series = lane.series.map(({ index }) => numbers.subarray((index + 1) * count, (index + 2) * count));
      let limit = lane.limit;
      for (const values of series) for (const value of values) while (Math.abs(value) > limit) limit *= 2;
      lane.picture.show({
        window: laneSeconds, latest: laneSeconds, first: 0, count, times, series, limit, cursor: laneSeconds / 2,
        isSigned: lane.isSigned, isCircular: lane.isCircular, gap: 0.5,
      }, `${this.#changes}`);
      let now = -1;
      while (now + 1 < count && times[now + 1] <= laneSeconds / 2 + 1e-3) now++;
      writeFigures(lane, limit, (which) => (now < 0 ? NaN : series[which][now]));
    }
  }

  #layOut() {
    this.#lanes = this.#overview.lanes.map(makeLane);
    element("play-lanes").replaceChildren(...this.#lanes.map(({ node }) => node));
  }
}
