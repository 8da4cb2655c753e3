// The balance game: tilting the robot or the phone rolls a ball on the page.

import { drawGame, Picture } from "./drawing.js";
import { element, write } from "./elements.js";
import { mayReadOrientation, passOrientation } from "./gestures.js";

export class Balance {
  #execute;
  #report;
  #picture = new Picture(element("game"), drawGame);
  #isOn = false;
  #frame = 0;
  #timer = 0;
  #readView;
  #listener = (event) => passOrientation(event, (words) => this.#tilt(words), "balance tilt");

  /**
   * `execute` executes a command of the module and returns whether it succeeded; `report` reports an error;
   * `readView` returns the game of the module.
   */
  constructor(execute, report, readView) {
    [this.#execute, this.#report, this.#readView] = [execute, report, readView];
    element("balance-robot").addEventListener("click", () => this.#begin("robot"));
    element("balance-phone").hidden = !("DeviceOrientationEvent" in window);
    element("balance-phone").addEventListener("click", () => this.#beginPhone());
    element("balance-end").addEventListener("click", () => this.end());
  }

  end() {
    if (this.#isOn) this.#execute("balance end");
    this.#show(null);
  }

  #begin(player) {
    const box = element("game").getBoundingClientRect();
    if (!this.#execute(`balance start ${Math.max(50, box.width).toFixed(0)} ${Math.max(50, box.height).toFixed(0)} ${player}${element("balance-walls").checked ? "" : " open"}`)) return;
    this.#isOn = true;
    clearTimeout(this.#timer);
    element("balance-end").disabled = false;
    cancelAnimationFrame(this.#frame);
    const frame = () => {
      if (!this.#isOn) return;
      this.#show(this.#readView());
      this.#frame = requestAnimationFrame(frame);
    };
    frame();
  }

  async #beginPhone() {
    if (!(await mayReadOrientation())) return this.#report("the browser does not allow the page to read the orientation of this device");
    this.#begin("phone");
    addEventListener("deviceorientation", this.#listener);
    this.#timer = setTimeout(() => {
      if (!this.#isOn) return;
      this.end();
      this.#report("this device does not report its orientation");
    }, 1000);
  }

  #tilt(words) {
    clearTimeout(this.#timer);
    this.#execute(words);
  }

  // The module also ends the game, as when the joystick is pushed.
  #show(game) {
    this.#picture.show({ game }, JSON.stringify(game));
    write("balance-text", game === null ? "Tilt the robot or this device: the ball rolls to the lower edge."
      : game.player === "phone" ? "Tilt this device."
      : game.is_unusable ? "Turn the robot until its tail light points at you." : "Tilt the robot in your hand, with its tail light towards you.");
    if (game !== null) return;
    this.#isOn = false;
    removeEventListener("deviceorientation", this.#listener);
    element("balance-end").disabled = true;
  }
}
