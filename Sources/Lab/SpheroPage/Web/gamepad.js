// Passes the state of a gamepad to the module.

/** The interval in milliseconds at which the state of a held stick is repeated, because the module releases it after a timeout. */
const period = 150;

/** The gamepad that is used, or the first one. */
export class Gamepad {
  #execute;
  #sent = null;
  #sentAt = 0;

  constructor(execute) {
    this.#execute = execute;
    addEventListener("blur", () => this.drop());
  }

  /** Releases the sticks, which must be centred before they drive again. */
  drop() {
    if (this.#sent === null) return;
    this.#sent = null;
    this.#execute("gamepad");
  }

  /** Reads the gamepads; passes their state on when it changes, and repeatedly while it is not at rest. */
  poll(now) {
    const pads = [...(navigator.getGamepads?.() ?? [])].filter((pad) => pad?.connected && pad.axes.length >= 2);
    if (pads.length === 0) return this.drop();
    const states = pads.map(state);
    const { words, isActive } = states.find((state) => state.isActive) ?? states[0];
    if (words === this.#sent && (!isActive || now - this.#sentAt < period)) return;
    [this.#sent, this.#sentAt] = [words, now];
    this.#execute(words);
  }
}

/** The state as a command. Only the standard mapping defines a right stick and the meaning of buttons. */
function state({ axes, buttons, mapping }) {
  const isStandard = mapping === "standard" && axes.length >= 4;
  const [x, y, aimX, aimY] = [axes[0], -axes[1], isStandard ? axes[2] : 0, isStandard ? -axes[3] : 0];
  const mask = isStandard ? buttons.reduce((sum, { pressed }, index) => sum + (pressed ? 2 ** index : 0), 0) : 0;
  return {
    words: `gamepad ${[x, y, aimX, aimY].map((part) => part.toFixed(2)).join(" ")} ${mask}`,
    isActive: Math.hypot(x, y) > 0.15 || Math.hypot(aimX, aimY) > 0.15 || mask !== 0,
  };
}
