// Mocks Web Serial in the page, with ports that work, disconnect, refuse to open or stay silent; runs before the page's scripts.
(() => {
  const log = [];
  /** The state that the tests read and set. */
  const fake = (window.fakeSerial = { log, ports: [], known: [], chosen: null, options: [], robot: null });

  class Port extends EventTarget {
    /** The bytes that the robot received until the port was closed. */
    received = [];
    connected = true;
    /** The robot of this port; `fake.robot` by default. */
    robot = null;
    /** Whether the robot is out of range: bytes are lost in both directions. */
    isMute = false;
    readable = null;
    writable = null;
    opened = 0;
    #controller = null;
    #writing = null;

    constructor(kind) {
      super();
      this.kind = kind;
      fake.ports.push(this);
    }

    getInfo() {
      return { bluetoothServiceClassId: "00001101-0000-1000-8000-00805f9b34fb" };
    }

    async open(options) {
      log.push(`open ${JSON.stringify(options)}`);
      if (this.kind === "refuses" || !this.connected) throw new DOMException("Failed to open serial port.", "NetworkError");
      if (this.readable || this.writable) throw new DOMException("The port is already open.", "InvalidStateError");
      this.opened++;
      this.readable = new ReadableStream({
        start: (controller) => (this.#controller = controller),
        cancel: () => {
          log.push("reader cancelled");
          this.#controller = null;
        },
      });
      this.writable = new WritableStream({
        write: async (bytes) => {
          // A serial line transmits bytes with a delay.
          await new Promise((wake) => setTimeout(wake, 5));
          if (!this.writable) return log.push("bytes discarded");
          this.received.push(...bytes);
          if (this.kind !== "silent" && !this.isMute) (this.robot ?? fake.robot)?.receive(this, bytes);
        },
        close: () => void log.push("writer closed"),
        abort: () => void log.push("writer aborted"),
      });
      this.#writing = this.writable;
    }

    async close() {
      log.push("port closed");
      if (!this.readable && !this.writable) throw new DOMException("The port is already closed.", "InvalidStateError");
      if (this.readable?.locked || this.#writing?.locked) throw new TypeError("Cannot cancel a locked stream");
      [this.readable, this.writable, this.#controller] = [null, null, null];
    }

    /** Delivers bytes from the robot. */
    deliver(bytes) {
      if (this.connected && !this.isMute) this.#controller?.enqueue(bytes);
    }

    /** Simulates a buffer overrun: the readable stream fails, and the port provides another one. */
    overrun() {
      const controller = this.#controller;
      this.readable = new ReadableStream({ start: (next) => (this.#controller = next), cancel: () => void log.push("reader cancelled") });
      controller.error(new DOMException("Buffer overrun", "BufferOverrunError"));
    }

    /** Simulates a lost connection: reading and writing fail, and the browser dispatches `disconnect`. */
    disconnect() {
      log.push("disconnected");
      const controller = this.#controller;
      [this.connected, this.readable, this.writable, this.#controller] = [false, null, null, null];
      controller?.error(new DOMException("The device has been lost.", "NetworkError"));
      const event = new Event("disconnect", { bubbles: true });
      this.dispatchEvent(event);
      navigator.serial.dispatchEvent(new Event("disconnect"));
    }

    /** Restores the connection; the browser dispatches `connect`. */
    reconnect() {
      log.push("reconnected");
      this.connected = true;
      this.dispatchEvent(new Event("connect", { bubbles: true }));
      navigator.serial.dispatchEvent(new Event("connect"));
    }
  }

  class Serial extends EventTarget {
    async getPorts() {
      return [...fake.known];
    }

    async requestPort(options) {
      fake.options.push(options ?? null);
      if (!fake.chosen) throw new DOMException("No port selected by the user.", "NotFoundError");
      if (!fake.known.includes(fake.chosen)) fake.known.push(fake.chosen);
      return fake.chosen;
    }
  }

  Object.defineProperty(Navigator.prototype, "serial", { configurable: true, get: () => serial });
  const serial = new Serial();
  fake.Port = Port;

  /** Creates a robot for a port: the simulated robot of a second instance of the page's module. */
  fake.makeRobot = async (base64) => {
    const module = await WebAssembly.compile(Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0)));
    let exports;
    const environment = {
      ...Object.fromEntries(Object.getOwnPropertyNames(Math).filter((name) => typeof Math[name] === "function").map((name) => [name, Math[name]])),
      exp2: (x) => 2 ** x, fmod: (x, y) => x % y,
      remainder: (x, y) => x - y * Math.round(x / y),
      number: (address, count) => Number(new TextDecoder().decode(new Uint8Array(exports.memory.buffer, address >>> 0, count))),
    };
    exports = (await WebAssembly.instantiate(module, { env: environment })).exports;
    // Reads the address first, because the call may grow the memory and thereby detach its buffer.
    const buffer = (count) => {
      const address = exports.buffer() >>> 0;
      return new Uint8Array(exports.memory.buffer, address, count);
    };
    let [port, timer] = [null, 0];
    const step = () => {
      for (let count; (count = exports.take(1, performance.now())) > 0; ) port?.deliver(buffer(count).slice());
      clearTimeout(timer);
      timer = setTimeout(() => {
        exports.receive(1, 0, performance.now());
        step();
      }, Math.min(1000, Math.max(1, exports.deadline(1) - performance.now())));
    };
    return {
      start() {
        const words = new TextEncoder().encode("simulate");
        buffer(words.length).set(words);
        exports.say(words.length, performance.now());
      },
      receive(from, bytes) {
        port = from;
        buffer(bytes.length).set(bytes);
        exports.receive(1, bytes.length, performance.now());
        step();
      },
    };
  };
})();
