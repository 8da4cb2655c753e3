// Turns user input into commands: joystick by pointer and keys; wheel, sliders and swatches.

import { drawStick, drawWheel, Picture, wheelMargin } from "./drawing.js";
import { element, make, write } from "./elements.js";
import { driveKeys } from "./keys.js";

const number = (value) => value.toFixed(4);
const percent = (part) => `${Math.round(part * 100)} %`;

/** The position of a pointer on a round pad: -1...1, right and up; the rim is the unit circle. */
export function placeOn(box, event, reach = 1) {
  return [
    (event.clientX - box.left - box.width / 2) / ((box.width / 2) * reach),
    -(event.clientY - box.top - box.height / 2) / ((box.height / 2) * reach),
  ];
}

/** Tracks one pointer from its press to its release or cancellation, relative to the box of the pad at the press. */
export function followPointer(pad, { press, move, release, cancel = release }) {
  let [pointer, box] = [null, null];
  const end = (event) => {
    if (event.pointerId !== pointer) return;
    pointer = null;
    (event.type === "pointerup" ? release : cancel)?.(event, box);
  };
  pad.addEventListener("pointerdown", (event) => {
    if (pointer !== null || event.button !== 0 || pad.getAttribute("aria-disabled") === "true") return;
    [pointer, box] = [event.pointerId, pad.getBoundingClientRect()];
    pad.setPointerCapture(pointer);
    pad.focus({ preventScroll: true, focusVisible: false });
    event.preventDefault();
    press(event, box);
  });
  pad.addEventListener("pointermove", (event) => {
    if (event.pointerId === pointer) move(event, box);
  });
  for (const name of ["pointerup", "pointercancel", "lostpointercapture"]) pad.addEventListener(name, end);
  pad.addEventListener("contextmenu", (event) => event.preventDefault());
  return () => (pointer = null);
}

/** The joystick. It repeats its position while it is held, because the module releases it after a timeout. */
export class Stick {
  #execute;
  #pad = element("stick");
  #picture = new Picture(this.#pad, drawStick);
  #pointer = null;
  #dropPointer;
  #keys = new Set();
  #isSlow = false;
  #isHeld = false;
  #timer = 0;
  #text = "";

  constructor(execute) {
    this.#execute = execute;
    const set = (event, box) => {
      this.#pointer = placeOn(box, event, 0.72);
      this.#push();
    };
    this.#dropPointer = followPointer(this.#pad, {
      press: set,
      move: set,
      release: () => {
        this.#pointer = null;
        this.#push();
      },
    });
    addEventListener("blur", () => this.drop());
  }

  /** Releases the joystick; sends no command if it is not held. */
  drop() {
    this.#dropPointer();
    this.#pointer = null;
    this.#keys.clear();
    this.#push();
  }

  /** Whether a pointer or a key holds the joystick. */
  get isHeld() {
    return this.#isHeld;
  }

  /** Whether keys hold the joystick. */
  get isKeyed() {
    return this.#keys.size > 0;
  }

  /** Pushes the joystick in the direction of a key. */
  press(key, isSlow) {
    this.#isSlow = isSlow;
    this.#keys.add(key);
    this.#push();
  }

  /** Releases a key, or all keys without an argument. */
  release(key) {
    if (key === undefined) this.#keys.clear();
    else if (!this.#keys.delete(key)) return;
    this.#push();
  }

  /** Sets whether keys drive at half of the speed. */
  setSlow(isSlow) {
    if (isSlow === this.#isSlow) return;
    this.#isSlow = isSlow;
    if (this.isKeyed) this.#push();
  }

  show({ x, y, speed, is_held: isHeld }) {
    this.#picture.show({ x, y, isHeld }, `${x} ${y} ${isHeld}`);
    const part = Math.min(1, Math.hypot(x, y));
    const heading = (Math.round((Math.atan2(x, y) * 180) / Math.PI) + 360) % 360;
    const text = part < 0.005 ? "at rest" : `${heading} degrees, ${Math.round(part * speed * 100)} percent of full speed`;
    if (text === this.#text) return;
    this.#text = text;
    this.#pad.setAttribute("aria-valuenow", Math.round(part * 100));
    this.#pad.setAttribute("aria-valuetext", text);
  }

  #place() {
    if (this.#pointer) return this.#pointer;
    let [x, y] = [0, 0];
    for (const key of this.#keys) [x, y] = [x + driveKeys[key][0], y + driveKeys[key][1]];
    [x, y] = [Math.sign(x), Math.sign(y)];
    const length = Math.hypot(x, y);
    return length > 0 ? [x, y].map((part) => (part / length) * (this.#isSlow ? 0.5 : 1)) : null;
  }

  #push() {
    const place = this.#place();
    if (place) {
      this.#isHeld = true;
      this.#execute(`stick ${number(place[0])} ${number(place[1])}`);
      clearInterval(this.#timer);
      this.#timer = setInterval(() => this.#push(), 150);
    } else if (this.#isHeld) {
      this.#isHeld = false;
      clearInterval(this.#timer);
      this.#execute("stick");
    }
  }
}

/** The colour wheel with its sliders, swatches, previews and numbers. */
export class Wheel {
  #execute;
  #pad = element("wheel");
  #picture = new Picture(this.#pad, drawWheel);
  #brightness = element("brightness");
  #tail = element("tail");
  #fields = ["red", "green", "blue"].map(element);
  #previews = "";
  #disc = null;
  #place = [0, 0];
  #text = "";

  /** `execute` executes a command; `paint` returns the pixels of a colour wheel with a number of pixels per side. */
  constructor(execute, paint) {
    this.#execute = execute;
    const side = Math.min(640, Math.round(280 * (window.devicePixelRatio || 1)));
    this.#disc = document.createElement("canvas");
    this.#disc.width = this.#disc.height = side;
    const pixels = new Uint8ClampedArray(paint(side));
    this.#disc.getContext("2d").putImageData(new ImageData(pixels, side, side), 0, 0);
    const pick = (event, box) => this.#pick(...placeOn(box, event, 1 - (2 * wheelMargin) / this.#pad.clientWidth));
    // A finger may begin to scroll: only a horizontal movement or a tap picks a colour.
    let start = null;
    followPointer(this.#pad, {
      press: (event, box) => {
        start = event.pointerType === "touch" ? [event.clientX, event.clientY] : null;
        if (start === null) pick(event, box);
      },
      move: (event, box) => {
        if (start && Math.abs(event.clientX - start[0]) <= Math.abs(event.clientY - start[1])) return;
        start = null;
        pick(event, box);
      },
      release: (event, box) => {
        if (start) pick(event, box);
        execute("picked");
      },
      cancel: () => execute("picked"),
    });
    this.#pad.addEventListener("keydown", (event) => {
      const step = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] }[event.key];
      if (!step || this.#pad.getAttribute("aria-disabled") === "true") return;
      event.preventDefault();
      const fine = event.shiftKey ? 0.2 : 1;
      const angle = Math.atan2(this.#place[1], this.#place[0]) + (step[0] * fine * Math.PI) / 36;
      const length = Math.min(1, Math.max(0.001, Math.hypot(...this.#place) + step[1] * fine * 0.05));
      this.#pick(length * Math.cos(angle), length * Math.sin(angle));
    });
    this.#pad.addEventListener("keyup", (event) => event.key.startsWith("Arrow") && execute("picked"));
    slide("brightness", (part) => execute(`brightness ${number(part)}`));
    element("brightness").addEventListener("change", () => execute("picked"));
    for (const which of ["previous", "current"]) element(`preview-${which}`).addEventListener("click", () => execute(`preview ${which}`));
    for (const field of this.#fields)
      field.addEventListener("change", () => {
        field.value = Math.round(Math.min(255, Math.max(0, field.valueAsNumber || 0)));
        execute(`color #${this.#fields.map(({ valueAsNumber: part }) => part.toString(16).padStart(2, "0")).join("")}`);
      });
    slide("tail", (part) => execute(`tail ${number(part)}`));
    for (const name of ["red", "orange", "yellow", "lime", "cyan", "blue", "magenta", "white", "black"]) {
      const title = name === "black" ? "off" : name;
      const button = make("button", { type: "button", title, "aria-label": title, "data-robot": "", "data-title": title, onclick: () => execute(`color ${name}`) });
      button.style.background = name;
      element("swatches").append(button);
    }
    element("color-form").addEventListener("submit", (event) => {
      event.preventDefault();
      const text = element("color").value.trim();
      if (text && execute(`color ${text}`)) element("color").select();
    });
  }

  show({ x, y, text, brightness, red, green, blue, previous, current, tail }) {
    this.#place = [x, y];
    this.#picture.show({ disc: this.#disc, x, y, text, brightness }, `${x} ${y} ${text} ${brightness}`);
    if (document.activeElement !== this.#brightness) setSlider("brightness", brightness);
    if (document.activeElement !== this.#tail) setSlider("tail", tail);
    const previews = `${previous} ${current} ${text}`;
    if (previews !== this.#previews) {
      this.#previews = previews;
      showPreview("previous", previous, text);
      showPreview("current", current, text);
    }
    if (text === this.#text) return;
    this.#text = text;
    // A number that is being typed stays.
    [red, green, blue].forEach((part, index) => {
      if (document.activeElement !== this.#fields[index]) this.#fields[index].value = part;
    });
    element("color-text").textContent = text;
    const hue = (Math.round((Math.atan2(y, x) * 180) / Math.PI) + 360) % 360;
    this.#pad.setAttribute("aria-valuenow", hue);
    this.#pad.setAttribute("aria-valuetext", `${text}, saturation ${Math.round(Math.hypot(x, y) * 100)} percent`);
  }

  #pick(x, y) {
    this.#place = [x, y];
    this.#execute(`wheel ${number(x)} ${number(y)}`);
  }
}

/** Shows a colour in a preview window, and whether the robot has it. */
function showPreview(which, color, shown) {
  const button = element(`preview-${which}`);
  button.style.setProperty("--color", color ?? "transparent");
  button.classList.toggle("is-unknown", color == null);
  button.setAttribute("aria-pressed", String(color != null && color === shown));
  button.setAttribute("aria-label", `${which === "previous" ? "Previous" : "Current"} colour, ${color ?? "unknown"}`);
}

/** Calls a function with the value 0...1 of a slider when it moves, and updates its label. */
export function slide(id, changed) {
  element(id).addEventListener("input", () => {
    const part = element(id).valueAsNumber / 100;
    element(`${id}-value`).textContent = percent(part);
    changed(part);
  });
}

/** Sets a slider to the value of the module. */
export function setSlider(id, part) {
  const value = Math.round(part * 100);
  if (element(id).valueAsNumber !== value) element(id).value = value;
  write(`${id}-value`, percent(part));
}
