// Carries bytes between the host's half and a robot: over Web Serial, or to the simulated one.

const serialPortProfile = "00001101-0000-1000-8000-00805f9b34fb";
const longestTimer = 2 ** 31 - 1;
const longestCatchUp = 600_000;
const noBytes = new Uint8Array(0);

const sleep = (milliseconds) => new Promise((wake) => setTimeout(wake, milliseconds));

const describe = (port) => {
  const { bluetoothServiceClassId, usbVendorId, usbProductId } = port.getInfo();
  const digits = (number) => (number ?? 0).toString(16).padStart(4, "0");
  return bluetoothServiceClassId ? "the Bluetooth robot" : usbVendorId ? `USB ${digits(usbVendorId)}:${digits(usbProductId)}` : "the serial port";
};

/** A robot behind Web Serial: a paired Bluetooth robot, or any serial port. */
export class SerialLine {
  /** What the robots behind the ports call themselves, as far as they have said. */
  static #names = new WeakMap();
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

  /** What to call a port: the name of its robot, or its kind. */
  static nameOf(port) {
    return SerialLine.#names.get(port) ?? describe(port);
  }

  get port() {
    return this.#port;
  }

  /** Remembers what the robot calls itself. */
  set name(name) {
    SerialLine.#names.set(this.#port, name);
  }

  /** Lets the user choose among the paired robots, or among all ports; Firefox knows no Bluetooth, only ports. */
  static choose(isAnyPort = navigator.userAgent.includes("Firefox/")) {
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

  /** Lets what was written leave, and these bytes after it, then closes. */
  async close(last = noBytes) {
    this.#isClosed = true;
    this.#wake();
    if (this.#isOpen && last.length > 0) this.#writer.write(last).catch(() => {});
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
          // What goes wrong with the bytes is not a fault of the line.
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

/** The simulated robot: the other half of the same module. It needs no time of its own; the pump lends it some. */
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

  /** When something happens next on this line by itself. */
  get deadline() {
    return this.#isOpen ? this.#sphero.deadline(1) : Infinity;
  }

  /** Lets both halves live through what was due before now, each thing at its time: a tab in the background wakes late. */
  catchUp(now) {
    // After a longer sleep both find out for themselves.
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

  /** Ends all calls and timers. */
  stop() {
    this.#line = null;
    clearTimeout(this.#timer);
  }

  /** Carries over this line from now on; over none where it is null. */
  attach(line) {
    this.#line = line;
    this.#isWriting = false;
    this.#run();
  }

  /** Asks with words that send nothing. */
  ask(words) {
    this.#line?.catchUp?.(performance.now());
    return this.#sphero.say(words);
  }

  /** Says words, and sends what follows. */
  tell(words) {
    const answer = this.ask(words);
    this.#run();
    return answer;
  }

  /** Hands over what came in; with nothing, lets time pass. */
  receive(bytes = noBytes) {
    this.#line?.catchUp?.(performance.now());
    this.#sphero.receive(0, bytes);
    this.#run();
  }

  /** Hands over a piece of the recording that is looked at. */
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
