// Runs the host and the simulated robot of one module on a virtual clock.
import { readFileSync } from "node:fs";
import { commandsIn } from "./packets.mjs";

const [wasmPath, loaderPath] = [process.env.SPHERO_WASM, new URL("../../../Sources/Lab/SpheroPage/Web/sphero.js", import.meta.url)];
// The page's loader, imported as a data URL because node does not treat it as a module by its name.
const { instantiate: makeSphero } = await import(`data:text/javascript;base64,${readFileSync(loaderPath).toString("base64")}`);
const noBytes = new Uint8Array(0);

/** A page with or without a robot; all times are in milliseconds. */
export class World {
  now = 1000;
  /** The commands that the host sent, each with its time. */
  sent = [];
  /** The items of the module's news. */
  news = [];
  /** Whether the line transmits bytes in both directions. */
  isLineUp = true;
  /** Whether a robot is connected to the line. */
  hasRobot = true;

  static async make() {
    const world = new World();
    // Intercepts the instantiation to read the module's memory.
    const instantiate = WebAssembly.instantiate;
    WebAssembly.instantiate = async (...words) => {
      const instance = await instantiate.apply(WebAssembly, words);
      world.exports = instance.exports;
      return instance;
    };
    world.sphero = await makeSphero(await WebAssembly.compile(readFileSync(wasmPath)), () => world.now);
    WebAssembly.instantiate = instantiate;
    // Without this, a call of a module that has trapped returns nothing, and the test goes on.
    world.sphero.onFailure = (failure) => {
      throw failure;
    };
    return world;
  }

  get view() {
    return JSON.parse(this.say("view"));
  }

  get memorySize() {
    return this.exports.memory.buffer.byteLength;
  }

  /** Sends a command to the module and transmits the resulting bytes; returns the answer as text. */
  say(words) {
    const answer = this.sphero.say(words).text;
    this.transmit();
    return answer;
  }

  /** Transmits bytes between host and robot until neither has more. */
  transmit() {
    for (let isBusy = true; isBusy; ) {
      isBusy = false;
      for (let bytes; (bytes = this.sphero.take(0)).length > 0; isBusy = true) {
        for (const command of commandsIn(bytes)) this.sent.push({ at: this.now, ...command });
        if (this.isLineUp && this.hasRobot) this.sphero.receive(1, bytes);
      }
      for (let bytes; this.hasRobot && (bytes = this.sphero.take(1)).length > 0; isBusy = true)
        if (this.isLineUp) this.sphero.receive(0, bytes);
    }
  }

  /** Advances the clock; `tick` limits the rate of the host's timers, but bytes still arrive at once. */
  run(milliseconds, { tick = 0, each = () => {} } = {}) {
    const end = this.now + milliseconds;
    let repetitions = 0;
    while (this.now < end) {
      let due = this.sphero.deadline(0);
      if (tick > 0 && Number.isFinite(due)) due = Math.ceil(Math.max(due, this.now + 1) / tick) * tick;
      const next = Math.min(end, due, this.hasRobot ? this.sphero.deadline(1) : Infinity);
      repetitions = next > this.now ? 0 : repetitions + 1;
      if (repetitions > 1000) throw new Error(`a deadline does not advance at ${this.now} ms: ${this.sphero.deadline(0)}, ${this.sphero.deadline(1)}`);
      this.now = Math.max(this.now, next);
      if (this.hasRobot && this.sphero.deadline(1) <= this.now) this.sphero.receive(1, noBytes);
      if (due <= this.now) this.sphero.receive(0, noBytes);
      this.transmit();
      this.readNews();
      each(this);
    }
  }

  /** Advances the clock until a condition is met; throws after a timeout. */
  runUntil(event, condition, milliseconds = 10_000) {
    const end = this.now + milliseconds;
    while (!condition(this)) {
      if (this.now >= end) throw new Error(`timeout: ${event}: not within ${milliseconds} ms; the view is ${JSON.stringify(this.view)}`);
      this.run(10);
    }
  }

  /** Appends the module's news to `news`. */
  readNews() {
    const text = this.sphero.say("news").text;
    if (text !== "") for (const line of text.trimEnd().split("\n")) this.news.push(JSON.parse(line));
  }

  /** Connects to a simulated robot, and waits for samples. */
  connect(sensors = "accel,gyro,imu,velocity", hertz = 20) {
    this.say("simulate");
    this.say(`sensors ${sensors} ${hertz}`);
    this.say("connect 1800000000000");
    this.runUntil("samples arrive", () => this.view.link === "live");
  }

  /** Returns the commands with an identifier that were sent after the first `since` commands. */
  commands(id, since = 0) {
    return this.sent.slice(since).filter((command) => command.id === id);
  }
}
