// Connects one robot at a time with the module, and ends the conversation before it closes the line.

import { SerialLine } from "./lines.js";

/** How long the module has to leave, in milliseconds; it leaves within a second. */
const leaveTimeout = 1500;

/** The line to the robot, and the transitions between its states. */
export class Connection {
  #pump;
  #execute;
  #page;
  #line = null;
  #isBusy = false;
  #isOpening = false;
  #hasFailed = false;
  #leaving = null;

  /**
   * `execute` executes a command. The functions of `page` are called at transitions:
   * `choose()` before a line is chosen, `start(line)`, `changed()`, `release()` of the joystick, `leave()` before and
   * `finish()` after the end of the conversation, `ended()`, `vanished()` if a lost robot stays away, `refused(error)`.
   */
  constructor(pump, execute, page) {
    [this.#pump, this.#execute, this.#page] = [pump, execute, page];
  }

  /** The line of the robot; null without one. */
  get line() {
    return this.#line;
  }

  /** Whether there is a conversation that is not being left. */
  get isOn() {
    return this.#line !== null && this.#leaving === null;
  }

  get isOpening() {
    return this.#isOpening;
  }

  get isLeaving() {
    return this.#leaving !== null;
  }

  /** Whether the module has failed, which is final. */
  get hasFailed() {
    return this.#hasFailed;
  }

  /** Connects the port that a function returns. */
  connectPort(choosePort) {
    return this.connect(async () => {
      const line = new SerialLine(await choosePort(), {
        receive: (bytes) => {
          if (line === this.#line) this.#pump.receive(bytes);
        },
        lose: () => this.#lose(line),
      });
      return line;
    });
  }

  /** Leaves the former robot, and opens the line that a function returns. */
  async connect(makeLine) {
    if (this.#isBusy || this.#hasFailed) return;
    this.#isBusy = true;
    this.#page.choose();
    try {
      const line = await makeLine();
      if (!line) return;
      await this.leave();
      this.#isOpening = true;
      this.#page.changed();
      await line.open();
      if (this.#hasFailed) return line.close();
      this.#line = line;
      this.#page.start(line);
      this.#pump.attach(line);
    } catch (error) {
      this.#page.refused(error);
    } finally {
      this.#isBusy = this.#isOpening = false;
      this.#page.changed();
    }
  }

  /** Ends the conversation, then closes the line. */
  async leave() {
    if (this.#line === null) return;
    const line = this.#line;
    this.#page.release();
    this.#page.leave();
    if (this.#leaving === null) {
      const isOver = new Promise((settle) => (this.#leaving = settle));
      this.#execute("leave");
      // A failed module must not keep the port open.
      await Promise.race([isOver, new Promise((wake) => setTimeout(wake, leaveTimeout))]);
    }
    if (this.#hasFailed) return;
    this.#page.finish();
    await line.close();
    if (this.#hasFailed) return;
    this.#pump.attach(null);
    this.#line = this.#leaving = null;
    this.#page.ended();
    this.#page.changed();
  }

  /** Continues to leave when the module has left. */
  settle() {
    this.#leaving?.();
  }

  /** Closes the line after a failure of the module, which is not called again; the robot gets a last packet. */
  fail(halt) {
    const line = this.#line;
    this.#hasFailed = true;
    this.settle();
    this.#line = this.#leaving = null;
    this.#pump.stop();
    line?.close(halt);
  }

  async #lose(line) {
    if (line !== this.#line) return;
    this.#page.release();
    this.#pump.attach(null);
    if (this.#leaving !== null) return;
    this.#execute("lost");
    if (await line.reopen()) {
      if (line !== this.#line) return;
      this.#pump.attach(line);
      this.#execute("back");
    } else if (line === this.#line && this.#leaving === null) {
      this.#page.vanished();
      await this.leave();
    }
  }
}
