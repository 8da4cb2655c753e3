// The host's half and the simulated robot of one module, on a clock that only the test moves.
import { readFileSync } from "node:fs";
import { commandsIn } from "./packets.mjs";

const [wasmPath, loaderPath] = [process.env.SPHERO_WASM, new URL("../../../Sources/Lab/SpheroPage/Web/sphero.js", import.meta.url)];
// The page's own loader; a package without package.json makes it no module by its name.
const { load } = await import(`data:text/javascript;base64,${readFileSync(loaderPath).toString("base64")}`);
const noBytes = new Uint8Array(0);

/** A page with or without a robot; times are milliseconds. */
export class World {
  now = 1000;
  /** What the host sent: commands, each with its time. */
  sent = [];
  /** What was told in the news. */
  news = [];
  /** The highest count of bytes that the module's memory had. */
  memory = 0;
  /** Whether bytes get through, both ways. */
  isLineUp = true;
  /** Whether a robot is at the other end. */
  hasRobot = true;

  static async make() {
    const world = new World();
    // The memory is looked at from outside, by what the loader hands to the module.
    const instantiate = WebAssembly.instantiate;
    WebAssembly.instantiate = async (...words) => {
      const instance = await instantiate.apply(WebAssembly, words);
      world.exports = instance.exports;
      return instance;
    };
    world.sphero = await load(readFileSync(wasmPath), () => world.now);
    WebAssembly.instantiate = instantiate;
    return world;
  }

  get view() {
    return JSON.parse(this.say("view"));
  }

  get memorySize() {
    return this.exports.memory.buffer.byteLength;
  }

  /** Says words and carries what follows; returns the answer as text. */
  say(words) {
    const answer = this.sphero.say(words).text;
    this.carry();
    return answer;
  }

  /** Carries bytes until neither half has any now. */
  carry() {
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

  /** Lets time pass; with `tick`, the host's timers are called only so often, while bytes still come at once. */
  run(milliseconds, { tick = 0, each = () => {} } = {}) {
    const end = this.now + milliseconds;
    let still = 0;
    while (this.now < end) {
      let due = this.sphero.deadline(0);
      if (tick > 0 && Number.isFinite(due)) due = Math.ceil(Math.max(due, this.now + 1) / tick) * tick;
      const next = Math.min(end, due, this.hasRobot ? this.sphero.deadline(1) : Infinity);
      still = next > this.now ? 0 : still + 1;
      if (still > 1000) throw new Error(`a deadline stands still at ${this.now} ms: ${this.sphero.deadline(0)}, ${this.sphero.deadline(1)}`);
      this.now = Math.max(this.now, next);
      if (this.hasRobot && this.sphero.deadline(1) <= this.now) this.sphero.receive(1, noBytes);
      if (due <= this.now) this.sphero.receive(0, noBytes);
      this.carry();
      this.hear();
      each(this);
    }
  }

  /** Runs until something holds; fails loudly where it does not within a time. */
  runUntil(what, holds, milliseconds = 10_000) {
    const end = this.now + milliseconds;
    while (!holds(this)) {
      if (this.now >= end) throw new Error(`${what}: not within ${milliseconds} ms; the view is ${JSON.stringify(this.view)}`);
      this.run(10);
    }
  }

  /** Takes the news. */
  hear() {
    const text = this.sphero.say("news").text;
    if (text !== "") for (const line of text.trimEnd().split("\n")) this.news.push(JSON.parse(line));
  }

  /** A line to a simulated robot, and samples that come. */
  connect(sensors = "accel,gyro,imu,velocity", hertz = 20) {
    this.say("simulate");
    this.say(`sensors ${sensors} ${hertz}`);
    this.say("connect 1800000000000");
    this.runUntil("samples come", () => this.view.link === "live");
  }

  /** The commands with an identifier that were sent since there were so many. */
  commands(id, since = 0) {
    return this.sent.slice(since).filter((command) => command.id === id);
  }
}
