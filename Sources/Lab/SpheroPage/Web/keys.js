// Handles all keys that drive and stop; the window receives a key before any element of the page.

/** The directions of the drive keys: right and up. */
export const driveKeys = {
  KeyW: [0, 1], KeyS: [0, -1], KeyA: [-1, 0], KeyD: [1, 0],
  ArrowUp: [0, 1], ArrowDown: [0, -1], ArrowLeft: [-1, 0], ArrowRight: [1, 0],
};

const textFields = "textarea, [contenteditable], input:not([type=range], [type=checkbox], [type=radio], [type=file], [type=button])";
const sliders = "input[type=range], [role=tab], [role=slider]:not(#stick)";
const scrollers = "select, [role=listbox], [role=region], [role=log], [role=radio], [type=radio]";

/**
 * Routes keys as Docs/Page.md specifies.
 *
 * Needs the joystick, the ring, and functions that stop the robot and return whether it can be driven, is held, moves,
 * and runs a program or a guided motion, which may move it at any time.
 */
export class Keys {
  #stick;
  #ring;
  #stop;
  #canDrive;
  #isHeld;
  #isMoving;
  #isRunning;
  /** The pressed keys that the page handles until their release. */
  #captured = new Set();
  #isPressing = false;
  #isFocusedByPointer = false;

  constructor({ stick, ring, stop, canDrive, isHeld, isMoving, isRunning }) {
    [this.#stick, this.#ring, this.#stop, this.#canDrive] = [stick, ring, stop, canDrive];
    [this.#isHeld, this.#isMoving, this.#isRunning] = [isHeld, isMoving, isRunning];
    addEventListener("keydown", (event) => this.#down(event), true);
    addEventListener("keyup", (event) => this.#up(event), true);
    addEventListener("blur", () => this.#captured.clear());
    // A clicked slider has the focus without a visible outline.
    addEventListener("pointerdown", () => (this.#isPressing = true), true);
    for (const name of ["pointerup", "pointercancel"]) addEventListener(name, () => (this.#isPressing = false), true);
    addEventListener("focusin", () => (this.#isFocusedByPointer = this.#isPressing), true);
  }

  #down(event) {
    const { code, key, target } = event;
    if (key === "Shift") this.#stick.setSlow(true);
    if (this.#ring.isOpen) {
      if (key !== "Escape") return;
      this.#consume(event);
      if (!event.repeat) this.#ring.cancel();
      return;
    }
    if (key === "Escape") {
      if (this.#isHeld() || this.#isMoving()) this.#consume(event);
      return this.#stop();
    }
    // A key that drove or stopped the robot has no other effect until its release.
    if (this.#captured.has(code)) {
      if (code === "Space" && !event.repeat) this.#stop();
      return this.#consume(event);
    }
    const isText = target.closest?.(textFields) != null;
    if (code === "Space") {
      const isFree = target === document.body || target.id === "stick";
      const isKeyDown = [...this.#captured].some((captured) => captured in driveKeys);
      const isDriven = this.#isHeld() || isKeyDown || this.#isMoving() || (!isText && this.#isRunning());
      if (!this.#canDrive() || !(isDriven || isFree)) return;
      this.#consume(event);
      return this.#stop();
    }
    if (!(code in driveKeys) || event.repeat || event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
    if (isText || !this.#canDrive()) return;
    if (code.startsWith("Arrow") && !this.#stick.isKeyed && this.#usesArrows(target)) return;
    this.#consume(event);
    this.#stick.press(code, event.shiftKey);
  }

  #up(event) {
    const { code, key } = event;
    if (key === "Shift") this.#stick.setSlow(false);
    if (this.#captured.delete(code)) this.#swallow(event);
    // macOS does not report the release of keys while a command key is pressed.
    if (key === "Meta") {
      this.#captured.clear();
      this.#stick.release();
    } else if (code in driveKeys) {
      this.#stick.release(code);
    }
  }

  #consume(event) {
    this.#captured.add(event.code);
    this.#swallow(event);
  }

  #swallow(event) {
    event.preventDefault();
    event.stopImmediatePropagation();
  }

  #usesArrows(target) {
    return target.closest?.(scrollers) != null || (target.closest?.(sliders) != null && !this.#isFocusedByPointer);
  }
}
