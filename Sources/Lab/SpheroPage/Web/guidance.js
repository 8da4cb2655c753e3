// Guided motion: a place, a direction or a path on the floor, by pointer or by numbers.

import { element, write } from "./elements.js";

/** The distance between points of a drawn path, in centimetres. */
const pointDistance = 4;
/** The largest number of points of a drawn path. */
const mostPoints = 2000;
const floorModes = ["go", "turn", "follow"];
const centimetres = (value) => value.toFixed(1);

/** Turns input on the floor into guided motion. */
export class Guidance {
  #execute;
  #scene;
  #mode = null;
  #points = [];
  #pointer = null;
  #isGuided = false;

  /** `execute` executes a command for a robot and returns whether it succeeded; `scene` converts positions. */
  constructor(execute, scene) {
    [this.#execute, this.#scene] = [execute, scene];
    for (const mode of floorModes) element(`floor-${mode}`).addEventListener("click", () => this.#choose(mode));
    const floor = element("floor");
    floor.addEventListener("pointerdown", (event) => this.#press(event));
    floor.addEventListener("pointermove", (event) => this.#move(event));
    floor.addEventListener("pointerup", (event) => this.#release(event));
    for (const name of ["pointercancel", "lostpointercapture"]) floor.addEventListener(name, (event) => this.#cancel(event));
    // Another motion releases the tool, so that the next press of its button selects it again.
    element("program-run").addEventListener("click", () => this.#select(null));
    element("go-form").addEventListener("submit", (event) => {
      event.preventDefault();
      this.#select(null);
      this.#go([element("go-x").valueAsNumber || 0, element("go-y").valueAsNumber || 0]);
    });
    element("turn-form").addEventListener("submit", (event) => {
      event.preventDefault();
      this.#select(null);
      if (this.#execute(`turn ${centimetres(element("turn-angle").valueAsNumber || 0)}`)) this.#scene.plan(null);
    });
  }

  /** Shows the goal of the motion in progress. */
  show(guidance) {
    const text = guidance == null ? "" : guidance.remaining == null ? "Waiting for the ball" : `${guidance.remaining} ${guidance.unit === "degrees" ? "°" : guidance.unit} left`;
    write("guidance-text", text);
    const isGuided = guidance != null;
    if (this.#isGuided && !isGuided && this.#pointer === null) this.#scene.plan(null);
    this.#isGuided = isGuided;
  }

  /** Leaves the mode, such as without a robot. */
  drop() {
    this.#select(null);
    this.#cancel();
  }

  #choose(mode) {
    this.#select(this.#mode === mode ? null : mode);
  }

  #select(mode) {
    this.#mode = mode;
    for (const each of floorModes) element(`floor-${each}`).setAttribute("aria-pressed", String(each === mode));
    element("place").dataset.mode = mode ?? "";
  }

  #press(event) {
    // A second finger turns the ring instead.
    if (this.#pointer !== null) return this.#cancel();
    if (this.#mode === null || event.button !== 0) return;
    event.preventDefault();
    const place = this.#scene.placeOf(event);
    if (place === null) return;
    this.#pointer = event.pointerId;
    element("floor").setPointerCapture(event.pointerId);
    this.#scene.freeze(true);
    this.#points = [place];
    this.#scene.plan(this.#points);
  }

  #move(event) {
    if (event.pointerId !== this.#pointer) return;
    const place = this.#scene.placeOf(event);
    if (place === null) return;
    if (this.#mode !== "follow") {
      this.#points = [place];
    } else {
      const [x, y] = this.#points.at(-1);
      if (Math.hypot(place[0] - x, place[1] - y) < pointDistance || this.#points.length >= mostPoints) return;
      this.#points.push(place);
    }
    this.#scene.plan(this.#points);
  }

  #release(event) {
    if (event.pointerId !== this.#pointer) return;
    this.#pointer = null;
    this.#scene.freeze(false);
    const points = this.#points;
    const [last] = points.slice(-1);
    if (this.#mode === "turn") {
      if (!this.#execute(`turn towards ${last.map(centimetres).join(" ")}`)) this.#scene.plan(null);
    } else if (this.#mode === "follow" && points.length > 1) {
      if (!this.#execute(`follow ${points.flat().map(centimetres).join(" ")}`)) this.#scene.plan(null);
    } else {
      this.#go(last);
    }
  }

  #cancel(event) {
    if (this.#pointer === null || (event && event.pointerId !== this.#pointer)) return;
    this.#pointer = null;
    this.#scene.freeze(false);
    this.#scene.plan(null);
  }

  #go(place) {
    this.#scene.plan(this.#execute(`go ${place.map(centimetres).join(" ")}`) ? [place] : null);
  }
}
