// Transfers bytes between the host and a robot over Web Serial, or the simulated robot.

const serialPortProfile = "00001101-0000-1000-8000-00805f9b34fb";
const longestTimer = 2 ** 31 - 1;
const longestCatchUp = 600_000;
const reconnectTimeout = 60_000;
export const noBytes = new Uint8Array(0);

export const sleep = (milliseconds) => new Promise((wake) => setTimeout(wake, milliseconds));

/**
 * Tries to open a lost line for a minute; returns whether it is open.
 *
 * `isClosed` returns whether the user has closed the line meanwhile, `pause` waits before an attempt.
 */
export async function reopen({ isClosed, open, shut, pause = sleep }) {
  const end = performance.now() + reconnectTimeout;
  for (let time = 500; !isClosed() && performance.now() < end; time = Math.min(2 * time, 5000)) {
    await pause(time);
    if (isClosed()) break;
    try {
      await open();
      if (!isClosed()) return true;
      await shut();
    } catch {
      // The robot is not available yet.
    }
  }
  return false;
}

const describe = (port) => {
  const { bluetoothServiceClassId, usbVendorId, usbProductId } = port.getInfo();
  const digits = (number) => (number ?? 0).toString(16).padStart(4, "0");
  return bluetoothServiceClassId ? "the Bluetooth robot" : usbVendorId ? `USB ${digits(usbVendorId)}:${digits(usbProductId)}` : "the serial port";
};

/** A robot behind Web Serial: a paired Bluetooth robot, or any serial port. */
export class SerialLine {
  /** The names that the robots of the ports have reported. */
  static #names = new WeakMap();
  port;
  #handlers;
  #writer = null;
  #reader = null;
  #reading = Promise.resolve();
  #isOpen = false;
  #isClosed = false;
  #wake = () => {};
  #events = new AbortController();

  /** The handlers are `receive(bytes)`, and `lose()` when the connection is lost. */
  constructor(port, handlers) {
    this.port = port;
    this.#handlers = handlers;
    // The port outlives the line.
    const { signal } = this.#events;
    port.addEventListener?.("disconnect", () => this.#lose(), { signal });
    port.addEventListener?.("connect", () => this.#wake(), { signal });
  }

  static get isSupported() {
    return typeof navigator !== "undefined" && "serial" in navigator;
  }

  /** The label of a port: the name of its robot, or its kind. */
  static nameOf(port) {
    return SerialLine.#names.get(port) ?? describe(port);
  }

  /** Stores the name that the robot reports. */
  set name(name) {
    SerialLine.#names.set(this.port, name);
  }

  /** Lets the user select a paired robot, or any port; Firefox does not filter by Bluetooth. */
  static choose(isAnyPort = navigator.userAgent.includes("Firefox/")) {
    const allowedBluetoothServiceClassIds = [serialPortProfile];
    return navigator.serial.requestPort(
      isAnyPort
        ? { allowedBluetoothServiceClassIds }
        : { allowedBluetoothServiceClassIds, filters: [{ bluetoothServiceClassId: serialPortProfile }] });
  }

  /** The ports that the user has allowed before. */
  static async known() {
    return SerialLine.isSupported ? navigator.serial.getPorts() : [];
  }

  async open() {
    // A small buffer, because a stop cannot overtake bytes that the browser has buffered.
    await this.port.open({ baudRate: 115200, bufferSize: 1024 });
    this.#isOpen = true;
    this.#writer = this.port.writable.getWriter();
    this.#reading = this.#read();
  }

  /** Writes bytes; resolves when the browser has accepted them and is ready for more. */
  async write(bytes) {
    const writer = this.#writer;
    try {
      await writer.write(bytes);
      await writer.ready;
    } catch {
      if (writer === this.#writer) this.#lose();
    }
  }

  /** Tries to reconnect for a minute; returns whether the line is open. */
  reopen() {
    const open = async () => {
      // The port was closed when the connection was lost, unless the browser kept it open.
      await this.port.close().catch(() => {});
      await this.open();
    };
    const pause = (time) => Promise.race([sleep(time), new Promise((wake) => (this.#wake = wake))]);
    return reopen({ isClosed: () => this.#isClosed, open, shut: () => this.#shut(), pause });
  }

  /** Closes the line after pending bytes and some last ones have been sent. */
  async close(last = noBytes) {
    this.#isClosed = true;
    this.#events.abort();
    this.#wake();
    if (this.#isOpen && last.length > 0) this.#writer.write(last).catch(() => {});
    if (this.#isOpen) await this.#shut();
  }

  async #shut() {
    this.#isOpen = false;
    const writer = this.#writer;
    this.#writer = null;
    try {
      // Otherwise closing the port discards the last bytes.
      const isWritten = await Promise.race([writer.close().then(() => true), sleep(2000)]);
      if (!isWritten) await Promise.race([writer.abort(), sleep(500)]);
    } catch {
      // The connection is lost.
    }
    writer.releaseLock();
    // Both fail if the connection is lost.
    await this.#reader?.cancel().catch(() => {});
    await this.#reading;
    await this.port.close().catch(() => {});
  }

  async #read() {
    while (this.#isOpen && this.port.readable) {
      const reader = this.port.readable.getReader();
      this.#reader = reader;
      let isOver = false;
      try {
        for (;;) {
          const { value, done } = await reader.read();
          if (done) {
            isOver = true;
            break;
          }
          // An error in the handler is not an error of the line.
          queueMicrotask(() => this.#handlers.receive(value));
        }
      } catch {
        // After an overrun the port has a new stream; after a lost connection it has none.
      }
      reader.releaseLock();
      this.#reader = null;
      if (isOver) break;
    }
    if (this.#isOpen) this.#lose();
  }

  #lose() {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    const writer = this.#writer;
    this.#writer = null;
    writer.abort().catch(() => {});
    writer.releaseLock();
    this.#reader?.cancel().catch(() => {});
    this.#handlers.lose();
  }
}

/** The simulated robot in the same module; the pump advances its time. */
export class SimulatedLine {
  #sphero;
  #isOpen = false;
  #reached = 0;

  constructor(sphero) {
    this.#sphero = sphero;
  }

  async open() {
    this.#sphero.say("simulate");
    this.#reached = performance.now();
    this.#isOpen = true;
  }

  /** The time of the next event of the robot. */
  get deadline() {
    return this.#isOpen ? this.#sphero.deadline(1) : Infinity;
  }

  /** Performs the past events of both halves at their times, since timers of background tabs are delayed. */
  catchUp(now) {
    // After a longer suspension both halves detect the gap themselves.
    if (!this.#isOpen || now - this.#reached > longestCatchUp) this.#reached = now;
    if (!this.#isOpen) return;
    for (;;) {
      const due = Math.max(Math.min(this.#sphero.deadline(0), this.#sphero.deadline(1)), this.#reached + 0.05);
      if (!(due < now)) break;
      this.#reached = due;
      this.#sphero.receive(1, noBytes, this.#reached);
      this.#exchange(this.#reached);
      this.#sphero.receive(0, noBytes, this.#reached);
      this.#exchange(this.#reached);
    }
    this.#reached = now;
    this.#sphero.receive(1, noBytes, now);
    this.#exchange(now);
  }

  async write(bytes) {
    if (!this.#isOpen) return;
    const now = performance.now();
    this.#sphero.receive(1, bytes, now);
    this.#exchange(now);
  }

  async reopen() {
    return false;
  }

  async close() {
    this.#isOpen = false;
  }

  #exchange(now) {
    for (let isMoving = true; isMoving; ) {
      isMoving = false;
      for (const [from, to] of [[0, 1], [1, 0]]) {
        const bytes = this.#sphero.take(from, now);
        if (bytes.length === 0) continue;
        this.#sphero.receive(to, bytes, now);
        isMoving = true;
      }
    }
  }
}

/** Operates the host: writes its output, passes input to it, and advances its time. */
export class Pump {
  #sphero;
  #stepped;
  #line = null;
  #isWriting = false;
  #timer = 0;

  /** The second argument is called after each step. */
  constructor(sphero, stepped = () => {}) {
    this.#sphero = sphero;
    this.#stepped = stepped;
  }

  /** Cancels all calls and timers. */
  stop() {
    this.#line = null;
    clearTimeout(this.#timer);
  }

  /** Sets the line; null for none. */
  attach(line) {
    this.#line = line;
    this.#isWriting = false;
    this.#run();
  }

  /** Executes a command without output and returns its result. */
  ask(words) {
    this.#line?.catchUp?.(performance.now());
    return this.#sphero.say(words);
  }

  /** Executes a command and sends the output that it causes. */
  execute(words) {
    const answer = this.ask(words);
    this.#run();
    return answer;
  }

  /** Passes input to the host; without bytes, only advances time. */
  receive(bytes = noBytes) {
    this.#line?.catchUp?.(performance.now());
    this.#sphero.receive(0, bytes);
    this.#run();
  }

  /** Passes a piece of the opened recording to the module. */
  look(bytes) {
    this.#sphero.receive(2, bytes);
  }

  #run() {
    this.#write();
    clearTimeout(this.#timer);
    const wait = Math.min(this.#sphero.deadline(0), this.#line?.deadline ?? Infinity) - performance.now();
    if (wait < longestTimer) this.#timer = setTimeout(() => this.receive(), Math.max(0, wait));
    this.#stepped();
  }

  // One write at a time, because a stop can only overtake bytes that are still in the module.
  async #write() {
    const line = this.#line;
    if (!line || this.#isWriting) return;
    const bytes = this.#sphero.take(0);
    if (bytes.length === 0) return;
    this.#isWriting = true;
    await line.write(bytes);
    if (line !== this.#line) return;
    this.#isWriting = false;
    this.#run();
  }
}
