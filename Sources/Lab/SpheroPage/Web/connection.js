// Connects one robot with its own instance of the module, and ends the conversation before it closes the line.

import { BluetoothLine } from "./bluetooth.js";
import { Pump, SerialLine, SimulatedLine, sleep } from "./lines.js";

/** How long the module has to leave, in milliseconds; it leaves within a second. */
const leaveTimeout = 1500;

/** The connection to one robot: the module, which has the state of the connection, and the line. */
export class Connection {
  #sphero;
  /** Moves the bytes and the time of the module. */
  pump;
  #halt;
  #failure;
  #page;
  #view = {};
  #line = null;
  #hasFailed = false;
  /** Continues `leave` when the module has left; null while the connection is not left. */
  #settle = null;
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
    this.pump = new Pump(sphero, () => page.stepped(this));
    // A module that has failed is not called again.
    this.#halt = this.pump.ask("halt").bytes;
    this.#failure = this.#read("status failed");
    sphero.onFailure = (failure) => page.failed(this, failure);
  }

  /** The name that the robot has reported; null before. */
  get name() {
    return this.#line === null ? null : (this.#view.name ?? null);
  }

  /** Reads what has changed in the view of the module, and returns the view. */
  readView() {
    this.#view = { ...this.#view, ...this.#read("view changes") };
    if (this.#view.name && this.#line instanceof SerialLine) this.#line.name = this.#view.name;
    return this.#view;
  }

  /** The current status of the connection, as in the view. */
  get status() {
    return this.#hasFailed ? this.#failure : this.#read("status");
  }

  /** The line of the robot; null without one. */
  get line() {
    return this.#line;
  }

  /** Whether there is a conversation that is not being left. */
  get isOn() {
    return this.status.is_on;
  }

  get isLeaving() {
    return this.#settle !== null;
  }

  /** Whether the module of this connection or of another one has failed, which is final. */
  get hasFailed() {
    return this.#hasFailed;
  }

  simulate() {
    return this.connect(() => new SimulatedLine(this.#sphero));
  }

  /** Connects the serial port or the Bluetooth LE device that a function returns. */
  connectPort(choosePort) {
    return this.connect(async () => {
      const port = await choosePort();
      const handlers = {
        receive: (bytes) => {
          if (line === this.#line) this.pump.receive(bytes);
        },
        lose: (failure) => this.#lose(line, failure),
      };
      const line = "gatt" in port ? new BluetoothLine(port, this.#sphero, handlers) : new SerialLine(port, handlers);
      return line;
    });
  }

  /** Opens the line that a function returns. */
  async connect(makeLine) {
    if (this.status.link !== "closed") return;
    this.pump.ask("port choosing");
    this.#page.choose(this);
    try {
      const line = await makeLine();
      if (!line || this.#hasFailed) return;
      this.pump.ask("port opening");
      this.#page.changed(this);
      await line.open();
      if (this.#hasFailed) return line.close();
      this.#line = line;
      this.#page.start(this, line);
      // The former robot's name is not that of this one.
      this.readView();
      this.pump.attach(line);
    } catch (error) {
      this.#page.refused(this, error);
    } finally {
      if (this.#line === null && !this.#hasFailed) this.pump.ask("port refused");
      this.#page.changed(this);
    }
  }

  /** Ends the conversation, then closes the line; a second call does not wait for the robot. */
  async leave() {
    if (this.#line === null) return;
    if (this.#settle !== null) return this.#settle();
    const line = this.#line;
    this.#page.lose(this);
    this.#page.leave(this);
    const isOver = new Promise((settle) => (this.#settle = settle));
    this.#page.execute(this, "leave");
    this.settle();
    // A failed module must not keep the port open.
    await Promise.race([isOver, sleep(leaveTimeout)]);
    if (this.#hasFailed) return;
    this.#page.finish(this);
    await line.close();
    if (this.#hasFailed) return;
    this.pump.attach(null);
    this.#line = this.#settle = null;
    this.pump.ask("port closed");
    this.#page.ended(this);
    this.#page.changed(this);
  }

  /** Continues to leave if the conversation is over. */
  settle() {
    if (this.#settle !== null && this.status.is_over) this.#settle();
  }

  /** Closes the line after a failure of the module, which is not called again; the robot gets a last packet. */
  fail() {
    const line = this.#line;
    this.#hasFailed = true;
    this.#settle?.();
    this.#line = this.#settle = null;
    this.pump.stop();
    line?.close(this.#halt);
  }

  async #lose(line, failure = null) {
    if (line !== this.#line) return;
    this.#page.lose(this);
    this.pump.attach(null);
    if (this.isLeaving) return;
    this.#page.execute(this, "lost");
    if (failure !== null) this.#page.refused(this, failure);
    if (await line.reopen()) {
      if (line !== this.#line) return;
      this.pump.attach(line);
      this.#page.execute(this, "back");
    } else if (line === this.#line && !this.isLeaving) {
      this.#page.vanished(this);
      await this.leave();
    }
  }

  // Returns the object in the answer of a command.
  #read(words) {
    return JSON.parse(this.pump.ask(words).text);
  }
}
