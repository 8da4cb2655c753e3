// Loads the WebAssembly module and transfers commands and bytes through its shared buffer.

/** The exact IEEE 754 remainder, relative to the nearest multiple; ties to even. */
export function remainder(x, y) {
  if (Number.isNaN(y) || y === 0 || !Number.isFinite(x)) return NaN;
  const whole = Math.abs(y);
  let rest = Math.abs(x) % (2 * whole);
  if (whole < 2 ** -1021) {
    // Half of a subnormal number may not be representable, but twice the rest is.
    if (2 * rest > whole) {
      rest -= whole;
      if (2 * rest >= whole) rest -= whole;
    }
  } else if (rest > whole / 2) {
    rest -= whole;
    if (rest >= whole / 2) rest -= whole;
  }
  return x < 0 || Object.is(x, -0) ? -rest : rest;
}

const functionsOfMath = ["acos", "asin", "atan", "atan2", "cbrt", "cos", "exp", "expm1", "hypot", "log", "log10", "log1p", "log2", "pow", "sin", "tan"];

/** The mathematical functions that the module may import. */
const mathematics = {
  ...Object.fromEntries(functionsOfMath.map((name) => [name, Math[name]])),
  exp2: (x) => 2 ** x,
  fmod: (x, y) => x % y,
  remainder,
};

/** The results of commands. */
class Answer {
  constructor(bytes) {
    this.bytes = bytes;
  }

  get text() {
    return new TextDecoder().decode(this.bytes);
  }
}

/** A failure of the module, after which it is not called again. */
export class ModuleFailure extends Error {}

/** The module: executes commands, and transfers bytes of the host, the simulated robot and an opened recording. */
export class Sphero {
  /** Called once with a `ModuleFailure` when the module fails. */
  onFailure = () => {};
  #exports;
  #clock;
  #failure = null;
  #encoder = new TextEncoder();

  /** Wraps the exports of an instance, with a monotonic clock in milliseconds. */
  constructor(exports, clock) {
    this.#exports = exports;
    this.#clock = clock;
  }

  /** Executes a command and returns its result; throws an `Error` with a message. */
  say(words, now = this.#clock()) {
    const bytes = this.#encoder.encode(words);
    this.#put(bytes);
    const count = this.#call("say", null, bytes.length, now);
    if (count === null) throw this.#failure;
    const answer = new Answer(this.#copy(Math.abs(count)));
    if (count < 0) throw new Error(answer.text);
    return answer;
  }

  /** Passes input to a channel; without bytes, only advances its time. */
  receive(channel, bytes, now = this.#clock()) {
    this.#put(bytes);
    this.#call("receive", null, channel, bytes.length, now);
  }

  /** Removes and returns the next output of a channel; empty if there is none now. */
  take(channel, now = this.#clock()) {
    return this.#copy(this.#call("take", 0, channel, now));
  }

  /** Returns when ``receive`` must be called; `Infinity` if the channel only awaits bytes. */
  deadline(channel) {
    return this.#call("deadline", Infinity, channel);
  }

  // Calls a function of the module; after a trap, all calls return a default value.
  #call(name, nothing, ...parameters) {
    if (this.#failure !== null) return nothing;
    try {
      return this.#exports[name](...parameters);
    } catch (error) {
      this.#failure = new ModuleFailure(error.message, { cause: error });
      this.onFailure(this.#failure);
      return nothing;
    }
  }

  // The address is requested first, because the call may grow the memory, which detaches its buffer.
  #place(count) {
    const address = this.#call("buffer", 0) >>> 0;
    return new Uint8Array(this.#exports.memory.buffer, address, count);
  }

  #put(bytes) {
    if (bytes.length > 4 << 20) throw new RangeError("the buffer holds 4 MiB");
    this.#place(bytes.length).set(bytes);
  }

  #copy(count) {
    return this.#place(count).slice();
  }
}

/** Compiles the module from a stream of its bytes, while they arrive. */
export const compile = (stream) =>
  WebAssembly.compileStreaming(new Response(stream, { headers: { "Content-Type": "application/wasm" } }));

/** Creates an instance of a compiled module; `clock` returns monotonic milliseconds. */
export async function instantiate(module, clock = () => performance.now()) {
  let memory;
  const environment = {
    ...mathematics,
    // Parses a decimal number in the memory.
    number: (address, count) => Number(new TextDecoder().decode(new Uint8Array(memory.buffer, address >>> 0, count))),
  };
  const unknown = WebAssembly.Module.imports(module)
    .filter((item) => item.module !== "env" || item.kind !== "function" || !Object.hasOwn(environment, item.name))
    .map((item) => `${item.module}.${item.name}`);
  if (unknown.length > 0) throw new Error(`sphero.wasm imports unknown functions: ${unknown.join(", ")}`);
  const instance = await WebAssembly.instantiate(module, { env: environment });
  memory = instance.exports.memory;
  instance.exports._initialize?.();
  return new Sphero(instance.exports, clock);
}
