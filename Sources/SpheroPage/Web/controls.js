// Turns what hands do into words: joystick by pointer, keys and gamepad; wheel, ring, sliders.

import { drawRing, drawStick, drawWheel, Picture, wheelMargin } from "./drawing.js";
import { element, make } from "./elements.js";

const number = (value) => value.toFixed(4);
const percent = (part) => `${Math.round(part * 100)} %`;

/** Where a pointer is on a round pad: -1...1, right and up; the rim is the circle of 1. */
function placeOn(pad, event, reach = 1) {
  const box = pad.getBoundingClientRect();
  return [
    (event.clientX - box.left - box.width / 2) / ((box.width / 2) * reach),
    -(event.clientY - box.top - box.height / 2) / ((box.height / 2) * reach),
  ];
}

/** Follows one pointer from its press to its end, however it ends. */
function followPointer(pad, { press, move, release }) {
  let pointer = null;
  const end = (event) => {
    if (event.pointerId !== pointer) return;
    pointer = null;
    release?.();
  };
  pad.addEventListener("pointerdown", (event) => {
    if (pointer !== null || event.button !== 0) return;
    pointer = event.pointerId;
    pad.setPointerCapture(pointer);
    pad.focus({ preventScroll: true, focusVisible: false });
    event.preventDefault();
    press(event);
  });
  pad.addEventListener("pointermove", (event) => {
    if (event.pointerId === pointer) move(event);
  });
  for (const name of ["pointerup", "pointercancel", "lostpointercapture"]) pad.addEventListener(name, end);
  pad.addEventListener("contextmenu", (event) => event.preventDefault());
  return () => (pointer = null);
}

/** Whether a key belongs to what has the focus, as letters belong to a text field. */
function isTaken(event) {
  return event.ctrlKey || event.metaKey || event.altKey || event.isComposing
    || event.target.closest?.("input:not([type=checkbox]), textarea, select, [contenteditable]") != null;
}

const driveKeys = {
  KeyW: [0, 1], KeyS: [0, -1], KeyA: [-1, 0], KeyD: [1, 0],
  ArrowUp: [0, 1], ArrowDown: [0, -1], ArrowLeft: [-1, 0], ArrowRight: [1, 0],
};

/** The joystick. It says where it is held again and again: a robot that hears nothing stops by itself. */
export class Stick {
  #tell;
  #pad = element("stick");
  #picture = new Picture(this.#pad, drawStick);
  #pointer = null;
  #dropPointer;
  #keys = new Set();
  #isSlow = false;
  #gamepad = null;
  #mustCentre = false;
  #isHeld = false;
  #timer = 0;
  #text = "";

  /** Takes what says words, and what stops everything. */
  constructor(tell, stop) {
    this.#tell = tell;
    const set = (event) => {
      this.#pointer = placeOn(this.#pad, event, 0.72);
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
    addEventListener("keydown", (event) => {
      if (event.key === "Shift") this.#slow(true);
      if (isTaken(event)) return;
      const isHere = event.target === this.#pad || event.target === document.body;
      if (event.code === "Space" && isHere) {
        event.preventDefault();
        stop();
      }
      if (!(event.code in driveKeys) || (event.code.startsWith("Arrow") && !isHere)) return;
      if (isHere) event.preventDefault();
      // After a stop a key must be pressed anew.
      if (event.repeat) return;
      this.#isSlow = event.shiftKey;
      this.#keys.add(event.code);
      this.#push();
    });
    addEventListener("keyup", (event) => {
      if (event.key === "Shift") this.#slow(false);
      // Where a command key was held, the ends of others are not reported.
      if (event.key === "Meta") this.#keys.clear();
      else if (!this.#keys.delete(event.code)) return;
      this.#push();
    });
    addEventListener("blur", () => this.drop());
    addEventListener("pagehide", () => this.drop());
  }

  /** Lets go, without a word where nothing is held. */
  drop() {
    this.#dropPointer();
    this.#pointer = null;
    this.#keys.clear();
    this.#gamepad = null;
    this.#mustCentre = true;
    this.#push();
  }

  get isHeld() {
    return this.#isHeld;
  }

  /** Looks where the left stick of a gamepad is. */
  pollGamepad() {
    let place = null;
    for (const pad of navigator.getGamepads?.() ?? []) {
      if (!pad?.connected || pad.axes.length < 2) continue;
      const [x, y] = [pad.axes[0], -pad.axes[1]];
      if (Math.hypot(x, y) > 0.15) place ??= [x, y];
    }
    if (place === null) this.#mustCentre = false;
    if (this.#mustCentre) place = null;
    if (place === null && this.#gamepad === null) return;
    const isSame = place && this.#gamepad && Math.hypot(place[0] - this.#gamepad[0], place[1] - this.#gamepad[1]) < 0.01;
    if (isSame) return;
    this.#gamepad = place;
    this.#push();
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

  #slow(isSlow) {
    if (isSlow === this.#isSlow) return;
    this.#isSlow = isSlow;
    if (this.#keys.size > 0) this.#push();
  }

  #place() {
    if (this.#pointer) return this.#pointer;
    let [x, y] = [0, 0];
    for (const key of this.#keys) [x, y] = [x + driveKeys[key][0], y + driveKeys[key][1]];
    [x, y] = [Math.sign(x), Math.sign(y)];
    const length = Math.hypot(x, y);
    if (length > 0) return [x, y].map((part) => (part / length) * (this.#isSlow ? 0.5 : 1));
    return this.#gamepad;
  }

  // A browser may stop to draw; what a gamepad said last is then no reason to go on.
  #repeat() {
    if (this.#gamepad) this.pollGamepad();
    this.#push();
  }

  #push() {
    const place = this.#place();
    if (place) {
      this.#isHeld = true;
      this.#tell(`stick ${number(place[0])} ${number(place[1])}`);
      clearInterval(this.#timer);
      this.#timer = setInterval(() => this.#repeat(), 150);
    } else if (this.#isHeld) {
      this.#isHeld = false;
      clearInterval(this.#timer);
      this.#tell("stick");
    }
  }
}

/** The colour wheel, its sliders and swatches. */
export class Wheel {
  #tell;
  #pad = element("wheel");
  #picture = new Picture(this.#pad, drawWheel);
  #brightness = element("brightness");
  #disc = null;
  #place = [0, 0];
  #text = "";

  /** Takes what says words, and what returns the pixels of a disc with so many a side. */
  constructor(tell, paint) {
    this.#tell = tell;
    const side = Math.min(640, Math.round(280 * (window.devicePixelRatio || 1)));
    this.#disc = document.createElement("canvas");
    this.#disc.width = this.#disc.height = side;
    const pixels = new Uint8ClampedArray(paint(side));
    this.#disc.getContext("2d").putImageData(new ImageData(pixels, side, side), 0, 0);
    const pick = (event) => this.#pick(...placeOn(this.#pad, event, 1 - (2 * wheelMargin) / this.#pad.clientWidth));
    followPointer(this.#pad, { press: pick, move: pick });
    this.#pad.addEventListener("keydown", (event) => {
      const step = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] }[event.key];
      if (!step) return;
      event.preventDefault();
      const fine = event.shiftKey ? 0.2 : 1;
      const angle = Math.atan2(this.#place[1], this.#place[0]) + (step[0] * fine * Math.PI) / 36;
      const length = Math.min(1, Math.max(0.001, Math.hypot(...this.#place) + step[1] * fine * 0.05));
      this.#pick(length * Math.cos(angle), length * Math.sin(angle));
    });
    slide("brightness", (part) => tell(`brightness ${number(part)}`));
    slide("tail", (part) => tell(`tail ${number(part)}`));
    for (const name of ["red", "orange", "yellow", "lime", "cyan", "blue", "magenta", "white", "black"]) {
      const title = name === "black" ? "off" : name;
      const button = make("button", { type: "button", title, "aria-label": title });
      button.style.background = name;
      button.addEventListener("click", () => tell(`color ${name}`));
      element("swatches").append(button);
    }
    element("color-form").addEventListener("submit", (event) => {
      event.preventDefault();
      const text = element("color").value.trim();
      if (text && tell(`color ${text}`)) element("color").select();
    });
  }

  show({ x, y, text, brightness }) {
    this.#place = [x ?? 0, y ?? 0];
    this.#picture.show({ disc: this.#disc, x, y, text, brightness }, `${x} ${y} ${text} ${brightness}`);
    if (brightness != null && document.activeElement !== this.#brightness) setSlider("brightness", brightness);
    if (text === this.#text) return;
    this.#text = text;
    element("color-text").textContent = text ?? "–";
    const hue = (Math.round((Math.atan2(y ?? 0, x ?? 0) * 180) / Math.PI) + 360) % 360;
    this.#pad.setAttribute("aria-valuenow", hue);
    this.#pad.setAttribute("aria-valuetext", `${text ?? "unknown"}, saturation ${Math.round(Math.hypot(x ?? 0, y ?? 0) * 100)} percent`);
  }

  #pick(x, y) {
    this.#place = [x, y];
    this.#tell(`wheel ${number(x)} ${number(y)}`);
  }
}

/** The calibration ring: turns the robot on the spot until its tail light points at the user. */
export class Ring {
  #tell;
  #pad = element("ring");
  #picture = new Picture(this.#pad, drawRing);
  #done = element("ring-done");
  #cancel = element("ring-cancel");
  #degrees = 0;
  #isActive = false;

  constructor(tell) {
    this.#tell = tell;
    let last = 0;
    const angleOf = (event) => {
      const [x, y] = placeOn(this.#pad, event);
      return (Math.atan2(x, y) * 180) / Math.PI;
    };
    followPointer(this.#pad, {
      press: (event) => {
        last = angleOf(event);
        this.#turn(0);
      },
      move: (event) => {
        const now = angleOf(event);
        // The short way around, also over the top.
        const step = ((((now - last) % 360) + 540) % 360) - 180;
        last = now;
        this.#turn(step);
      },
    });
    this.#pad.addEventListener("keydown", (event) => {
      const step = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1 }[event.key];
      if (step) this.#turn(step * (event.shiftKey ? 1 : 5));
      else if (event.key === "Enter") this.#end("ring end");
      else return;
      event.preventDefault();
    });
    this.#done.addEventListener("click", () => this.#end("ring end"));
    this.#cancel.addEventListener("click", () => this.#end("ring cancel"));
    this.#show();
  }

  get isActive() {
    return this.#isActive;
  }

  /** Whether the user is at the ring or its buttons. */
  get hasFocus() {
    return element("aim").contains(document.activeElement);
  }

  cancel() {
    this.#end("ring cancel");
  }

  /** Takes what the module says, which may have ended the aiming by itself. */
  show({ is_active: isActive }) {
    if (!isActive && this.#isActive) this.#finish();
    this.#show();
  }

  #turn(step) {
    if (!this.#isActive && !this.#tell("ring begin")) return;
    this.#isActive = true;
    this.#degrees += step;
    if (step !== 0) this.#tell(`ring turn ${number(this.#degrees)}`);
    this.#show();
  }

  #end(words) {
    if (!this.#isActive) return;
    this.#tell(words);
    this.#finish();
    this.#show();
  }

  #finish() {
    const hadFocus = this.#done === document.activeElement || this.#cancel === document.activeElement;
    [this.#isActive, this.#degrees] = [false, 0];
    if (hadFocus) this.#pad.focus({ preventScroll: true });
  }

  #show() {
    const degrees = this.#degrees;
    this.#picture.show({ degrees, isActive: this.#isActive }, `${degrees} ${this.#isActive}`);
    const whole = Math.round(degrees);
    const text = this.#isActive ? `${whole}°` : "Not aiming";
    if (element("aim-text").textContent === text) return;
    element("aim-text").textContent = text;
    this.#done.disabled = this.#cancel.disabled = !this.#isActive;
    this.#pad.setAttribute("aria-valuenow", ((((whole + 180) % 360) + 360) % 360) - 180);
    this.#pad.setAttribute("aria-valuetext", this.#isActive ? `${whole} degrees` : "not aiming");
  }
}

/** Calls with the part 0...1 whenever a slider moves, and writes it beside. */
export function slide(id, changed) {
  element(id).addEventListener("input", () => {
    const part = element(id).valueAsNumber / 100;
    element(`${id}-value`).textContent = percent(part);
    changed(part);
  });
}

/** Puts a slider where the module has it. */
export function setSlider(id, part) {
  const value = Math.round(part * 100);
  if (element(id).valueAsNumber === value) return;
  element(id).value = value;
  element(`${id}-value`).textContent = percent(part);
}
