// Connects one robot with its own instance of the module, and ends the conversation before it closes the line.

import { Pump, SerialLine, SimulatedLine } from "./lines.js";

/** How long the module has to leave, in milliseconds; it leaves within a second. */
const leaveTimeout = 1500;

/** The connection to one robot: the module, the line, and the transitions between its states. */
export class Connection {
  #sphero;
  #pump;
  #halt;
  #page;
  #name = null;
  #line = null;
  #isBusy = false;
  #isOpening = false;
  #hasFailed = false;
  #leaving = null;
  /** When the events of the module were read last. */
  eventsReadAt = 0;
  /** The timer of the next reading while the robot is not shown. */
  timer = 0;

  /**
   * The functions of `page` are called with the connection: `execute(connection, words)`, `stepped(connection)` after
   * each step of the module, `failed(connection, failure)`, `choose(connection)` before a line is chosen,
   * `start(connection, line)`, `changed(connection)`, `lose(connection)` when the line is lost or left,
   * `leave(connection)` before and `finish(connection)` after the end of the conversation, `ended(connection)`,
   * `vanished(connection)` if a lost robot stays away, and `refused(connection, error)`.
   */
  constructor(sphero, page) {
    [this.#sphero, this.#page] = [sphero, page];
    this.#pump = new Pump(sphero, () => page.stepped(this));
    this.#halt = this.#pump.ask("halt").bytes;
    sphero.onFailure = (failure) => page.failed(this, failure);
  }

  /** Moves the bytes and the time of the module. */
  get pump() {
    return this.#pump;
  }

  /** The name that the robot has reported; null before. */
  get name() {
    return this.#name;
  }

  set name(name) {
    this.#name = name;
    if (this.#line instanceof SerialLine) this.#line.name = name;
  }

  /** Returns the view of the module. */
  readView() {
    return JSON.parse(this.#pump.ask("view").text);
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

  /** Connects a simulated robot. */
  simulate() {
    return this.connect(() => new SimulatedLine(this.#sphero));
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

  /** Opens the line that a function returns. */
  async connect(makeLine) {
    if (this.#isBusy || this.#hasFailed || this.#line !== null) return;
    this.#isBusy = true;
    this.#page.choose(this);
    try {
      const line = await makeLine();
      if (!line) return;
      this.#isOpening = true;
      this.#page.changed(this);
      await line.open();
      if (this.#hasFailed) return line.close();
      this.#line = line;
      this.#page.start(this, line);
      this.#pump.attach(line);
    } catch (error) {
      this.#page.refused(this, error);
    } finally {
      this.#isBusy = this.#isOpening = false;
      this.#page.changed(this);
    }
  }

  /** Ends the conversation, then closes the line. */
  async leave() {
    if (this.#line === null) return;
    const line = this.#line;
    this.#page.lose(this);
    this.#page.leave(this);
    if (this.#leaving === null) {
      const isOver = new Promise((settle) => (this.#leaving = settle));
      this.#page.execute(this, "leave");
      // A failed module must not keep the port open.
      await Promise.race([isOver, new Promise((wake) => setTimeout(wake, leaveTimeout))]);
    }
    if (this.#hasFailed) return;
    this.#page.finish(this);
    await line.close();
    if (this.#hasFailed) return;
    this.#pump.attach(null);
    this.#line = this.#leaving = this.#name = null;
    this.#page.ended(this);
    this.#page.changed(this);
  }

  /** Continues to leave when the module has left. */
  settle() {
    this.#leaving?.();
  }

  /** Closes the line after a failure of the module, which is not called again; the robot gets a last packet. */
  fail() {
    const line = this.#line;
    this.#hasFailed = true;
    this.settle();
    this.#line = this.#leaving = null;
    this.#pump.stop();
    line?.close(this.#halt);
  }

  async #lose(line) {
    if (line !== this.#line) return;
    this.#page.lose(this);
    this.#pump.attach(null);
    if (this.#leaving !== null) return;
    this.#page.execute(this, "lost");
    if (await line.reopen()) {
      if (line !== this.#line) return;
      this.#pump.attach(line);
      this.#page.execute(this, "back");
    } else if (line === this.#line && this.#leaving === null) {
      this.#page.vanished(this);
      await this.leave();
    }
  }
}
