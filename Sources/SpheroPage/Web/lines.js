// Carries bytes between the host's half and a robot: over Web Serial, or to the simulated one.

const serialPortProfile = "00001101-0000-1000-8000-00805f9b34fb";
const longestTimer = 2 ** 31 - 1;
const noBytes = new Uint8Array(0);

const sleep = (milliseconds) => new Promise((wake) => setTimeout(wake, milliseconds));

/** A robot behind Web Serial: a paired Bluetooth robot, or any serial port. */
export class SerialLine {
  #port;
  #handlers;
  #writer = null;
  #reader = null;
  #reading = Promise.resolve();
  #isOpen = false;
  #isClosed = false;
  #wake = () => {};

  /** Takes a port, and what to call: `receive(bytes)`, and `lose()` when the robot has gone. */
  constructor(port, handlers) {
    this.#port = port;
    this.#handlers = handlers;
    port.addEventListener?.("disconnect", () => this.#lose());
    port.addEventListener?.("connect", () => this.#wake());
  }

  static get isSupported() {
    return typeof navigator !== "undefined" && "serial" in navigator;
  }

  /** Lets the user choose among the paired robots, or among all ports. */
  static choose(isAnyPort = false) {
    const allowedBluetoothServiceClassIds = [serialPortProfile];
    return navigator.serial.requestPort(
      isAnyPort
        ? { allowedBluetoothServiceClassIds }
        : { allowedBluetoothServiceClassIds, filters: [{ bluetoothServiceClassId: serialPortProfile }] });
  }

  /** The ports that the user has chosen before. */
  static async known() {
    return SerialLine.isSupported ? navigator.serial.getPorts() : [];
  }

  async open() {
    // What the browser has taken can no longer be overtaken by a stop, so it shall not take much.
    await this.#port.open({ baudRate: 115200, bufferSize: 1024 });
    this.#isOpen = true;
    this.#writer = this.#port.writable.getWriter();
    this.#reading = this.#read();
  }

  /** Writes; settles when the browser has taken the bytes and would take more. */
  async write(bytes) {
    const writer = this.#writer;
    try {
      await writer.write(bytes);
      await writer.ready;
    } catch {
      if (writer === this.#writer) this.#lose();
    }
  }

  /** Tries again and again for a minute; returns whether the line is open. */
  async reopen() {
    const end = performance.now() + 60_000;
    for (let pause = 500; !this.#isClosed && performance.now() < end; pause = Math.min(2 * pause, 5000)) {
      await Promise.race([sleep(pause), new Promise((wake) => (this.#wake = wake))]);
      if (this.#isClosed) break;
      try {
        await this.#port.close();
      } catch {
        // It was closed when it was lost.
      }
      try {
        await this.open();
        if (!this.#isClosed) return true;
        await this.#shut();
      } catch {
        // It is not back yet.
      }
    }
    return false;
  }

  /** Lets what was written leave, then closes. */
  async close() {
    this.#isClosed = true;
    this.#wake();
    if (this.#isOpen) await this.#shut();
  }

  async #shut() {
    this.#isOpen = false;
    const writer = this.#writer;
    this.#writer = null;
    try {
      // Closing the port without this throws away what was written last.
      const isWritten = await Promise.race([writer.close().then(() => true), sleep(2000)]);
      if (!isWritten) await Promise.race([writer.abort(), sleep(500)]);
    } catch {
      // The robot has gone.
    }
    writer.releaseLock();
    try {
      await this.#reader?.cancel();
    } catch {
      // The robot has gone.
    }
    await this.#reading;
    try {
      await this.#port.close();
    } catch {
      // It was closed when the robot went.
    }
  }

  async #read() {
    while (this.#isOpen && this.#port.readable) {
      const reader = this.#port.readable.getReader();
      this.#reader = reader;
      let isOver = false;
      try {
        for (;;) {
          const { value, done } = await reader.read();
          if (done) {
            isOver = true;
            break;
          }
          // What goes wrong with the bytes is no fault of the line.
          queueMicrotask(() => this.#handlers.receive(value));
        }
      } catch {
        // After an overrun the port has a new stream; after a loss, none.
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

/** The simulated robot: the other half of the same module. */
export class SimulatedLine {
  #sphero;
  #handlers;
  #timer = 0;
  #isOpen = false;

  constructor(sphero, handlers) {
    this.#sphero = sphero;
    this.#handlers = handlers;
  }

  async open() {
    this.#sphero.say("simulate");
    this.#isOpen = true;
    this.#step(noBytes);
  }

  async write(bytes) {
    // As on a real line, the answer comes later, never within the call.
    await null;
    if (this.#isOpen) this.#step(bytes);
  }

  async reopen() {
    return false;
  }

  async close() {
    this.#isOpen = false;
    clearTimeout(this.#timer);
  }

  #step(bytes) {
    this.#sphero.receive(1, bytes);
    for (let piece; this.#isOpen && (piece = this.#sphero.take(1)).length > 0; ) this.#handlers.receive(piece);
    clearTimeout(this.#timer);
    if (!this.#isOpen) return;
    const wait = this.#sphero.deadline(1) - performance.now();
    if (wait < longestTimer) this.#timer = setTimeout(() => this.#step(noBytes), Math.max(0, wait));
  }
}

/** Keeps the host's half going: writes what it sends, hands it what comes, and lets its time pass. */
export class Pump {
  #sphero;
  #stepped;
  #line = null;
  #isWriting = false;
  #timer = 0;

  /** Takes the module, and what to call after each step. */
  constructor(sphero, stepped = () => {}) {
    this.#sphero = sphero;
    this.#stepped = stepped;
  }

  /** Carries over this line from now on; over none where it is null. */
  attach(line) {
    this.#line = line;
    this.#isWriting = false;
    this.#run();
  }

  /** Says words, and sends what follows. */
  tell(words) {
    const answer = this.#sphero.say(words);
    this.#run();
    return answer;
  }

  /** Hands over what came in; with nothing, lets time pass. */
  receive(bytes = noBytes) {
    this.#sphero.receive(0, bytes);
    this.#run();
  }

  #run() {
    this.#write();
    clearTimeout(this.#timer);
    const wait = this.#sphero.deadline(0) - performance.now();
    if (wait < longestTimer) this.#timer = setTimeout(() => this.receive(), Math.max(0, wait));
    this.#stepped();
  }

  // One write at a time: what is still in the module can be overtaken by a stop.
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
