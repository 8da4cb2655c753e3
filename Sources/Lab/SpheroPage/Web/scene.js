// Shows the reports of the robot: floor, attitude, collisions and numbers; and the planned motion.

import { drawAttitude, Picture } from "./drawing.js";
import { drawFloor, floorScale, Viewport } from "./drawing-floor.js";
import { element, motionText, write } from "./elements.js";

const calm = matchMedia("(prefers-reduced-motion: reduce)");
const degrees = (value) => `${Math.round(value).toString().replace("-", "−")}°`;

/** The drawings and numbers of a robot. */
export class Scene {
  #ask;
  #way = [];
  #wayAskedAt = 0;
  #viewport = new Viewport();
  #flashedAt = -Infinity;
  #collisions = 0;
  #walls = null;
  #plan = null;
  #planChanges = 0;
  #seen = null;
  #isFrozen = false;
  #figuresAt = 0;
  #floor = new Picture(element("floor"), drawFloor);
  #attitude = new Picture(element("attitude"), drawAttitude);

  /** The argument executes a command and returns its result as an object; null without a robot. */
  constructor(ask) {
    this.#ask = ask;
  }

  /** Resets the drawings for another robot, whose earlier collisions do not flash. */
  clear() {
    [this.#plan, this.#isFrozen] = [null, false];
    [this.#way, this.#collisions, this.#flashedAt] = [[], Infinity, -Infinity];
    this.#viewport.forget();
  }

  /** Reads the trail at the next drawing. */
  refresh() {
    this.#wayAskedAt = -Infinity;
  }

  /** Shows a planned motion as a list of places; null for none. */
  plan(places) {
    this.#plan = places;
    this.#planChanges++;
  }

  /** Sets whether the visible part of the floor stays as it is, while a pointer draws on it. */
  freeze(isFrozen) {
    this.#isFrozen = isFrozen;
  }

  /** Returns the place on the floor below a pointer, in centimetres; null before the first drawing. */
  placeOf(event) {
    if (this.#seen === null) return null;
    const box = element("floor").getBoundingClientRect();
    const scale = floorScale(box.width, box.height, this.#seen);
    return [
      this.#seen.x + (event.clientX - box.left - box.width / 2) / scale,
      this.#seen.y - (event.clientY - box.top - box.height / 2) / scale,
    ];
  }

  /** Draws a view; `silence` is a sentence if no samples arrive, so that the view is outdated. */
  show(view, silence, now) {
    const { count } = view.collisions;
    if (count > this.#collisions) this.#flashedAt = now;
    this.#collisions = count;
    // The flash fades, or with reduced motion is shown for the same time.
    const age = (now - this.#flashedAt) / 900;
    const flash = age >= 1 ? 0 : calm.matches ? 1 : Math.round((1 - age) * 50) / 50;
    this.#showFloor(view, flash, now);
    const { attitude } = view;
    const color = view.color.visible;
    this.#attitude.show({ attitude, color, flash }, `${attitude?.pitch} ${attitude?.roll} ${attitude?.yaw} ${JSON.stringify(attitude?.nose)} ${color} ${flash}`);
    if (now - this.#figuresAt > 200) {
      this.#figuresAt = now;
      this.#writeFigures(view, silence);
    }
  }

  #showFloor({ motion, color, collisions: { marks }, walls }, flash, now) {
    // An aim moves the walls and begins another trail.
    if (now - this.#wayAskedAt > 250 || walls !== this.#walls) {
      [this.#wayAskedAt, this.#walls] = [now, walls];
      const changes = this.#ask(`path after ${this.#way.length}`);
      // Only the points that follow those of the last answer.
      if (changes !== null) this.#way = [...this.#way.slice(0, changes.kept), ...changes.points];
    }
    const robot = motion && { x: motion.x, y: motion.y, heading: motion.heading, color: color.visible };
    const places = robot ? [...this.#way, [robot.x, robot.y]] : this.#way;
    const viewport = this.#isFrozen && this.#seen ? this.#seen : this.#viewport.follow(places, !calm.matches);
    this.#seen = { ...viewport };
    const key = `${JSON.stringify(robot)} ${this.#way.length} ${marks} ${walls} ${this.#planChanges} ${viewport.x} ${viewport.y} ${viewport.across} ${viewport.along} ${flash}`;
    this.#floor.show({ way: this.#way, robot, viewport, flash, walls: walls ?? [], marks, plan: this.#plan }, key);
  }

  #writeFigures({ battery, stream, motion, attitude, collisions }, silence) {
    write("battery", battery?.text ?? "–");
    element("charge").dataset.level = battery?.state ?? "unknown";
    element("charge").setAttribute("aria-label", `Battery ${battery?.text ?? "unknown"}`);
    element("battery").dataset.weight = battery?.weight ?? "note";
    write("rate", stream.rate === null ? "–" : `${stream.rate.toFixed(stream.rate < 10 ? 1 : 0)} a second`);
    write("losses", String(stream.lost));
    write("delay", stream.round_trip === null ? "–" : stream.round_trip < 0.001 ? "< 1 ms" : `${Math.round(stream.round_trip * 1000)} ms`);
    write("place-text", silence ?? (motion ? motionText(motion) : "–"));
    write("attitude-text", silence ?? (attitude === null
      ? "–" : `Pitch ${degrees(attitude.pitch)} · Roll ${degrees(attitude.roll)} · Yaw ${degrees(attitude.yaw)}`));
    write("collision-text", collisions.count === 0 ? "No collisions" : collisions.count === 1 ? "1 collision" : `${collisions.count} collisions`);
  }
}
