// Loads the package's Swift as WebAssembly, and carries words and bytes over its shelf.

/** The IEEE 754 remainder: exact, and where two multiples are equally near, of the even one. */
export function remainder(x, y) {
  if (Number.isNaN(y) || y === 0 || !Number.isFinite(x)) return NaN;
  const whole = Math.abs(y);
  let rest = Math.abs(x) % (2 * whole);
  if (whole < 2 ** -1021) {
    // Half of so small a number may not exist; twice the rest does.
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

/** The mathematics that the module may import. */
const mathematics = {
  ...Object.fromEntries(functionsOfMath.map((name) => [name, Math[name]])),
  exp2: (x) => 2 ** x,
  fmod: (x, y) => x % y,
  remainder,
};

/** What a word leaves on the shelf. */
class Answer {
  constructor(bytes) {
    this.bytes = bytes;
  }

  get text() {
    return new TextDecoder().decode(this.bytes);
  }
}

/** The module has failed: its state is lost, and the page does not call it again. */
export class ModuleFailure extends Error {}

/** The module: words in, answers out, and the bytes of three halves of conversations. */
export class Sphero {
  /** What to call, once, with the `ModuleFailure` when the module fails. */
  onFailure = () => {};
  #exports;
  #clock;
  #failure = null;
  #encoder = new TextEncoder();

  /** Takes the exports of an instance, and a clock in milliseconds that never runs backwards. */
  constructor(exports, clock) {
    this.#exports = exports;
    this.#clock = clock;
  }

  /** Says words, and returns the answer; throws an `Error` with the sentence that says what is wrong. */
  say(words, now = this.#clock()) {
    const bytes = this.#encoder.encode(words);
    this.#put(bytes);
    const count = this.#call("say", null, bytes.length, now);
    if (count === null) throw this.#failure;
    const answer = new Answer(this.#copy(Math.abs(count)));
    if (count < 0) throw new Error(answer.text);
    return answer;
  }

  /** Hands over bytes that came in for a half; with none, lets time pass. */
  receive(half, bytes, now = this.#clock()) {
    this.#put(bytes);
    this.#call("receive", null, half, bytes.length, now);
  }

  /** Takes the bytes that a half sends next; none where it sends nothing now. */
  take(half, now = this.#clock()) {
    return this.#copy(this.#call("take", 0, half, now));
  }

  /** Returns when ``receive`` is to be called at the latest; `Infinity` where the half waits for bytes alone. */
  deadline(half) {
    return this.#call("deadline", Infinity, half);
  }

  // Calls a function of the module; once one has trapped, all return what stands for nothing.
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

  // The address is asked for first: asking may grow the memory, and growth detaches its buffer.
  #place(count) {
    const address = this.#call("shelf", 0) >>> 0;
    return new Uint8Array(this.#exports.memory.buffer, address, count);
  }

  #put(bytes) {
    if (bytes.length > 4 << 20) throw new RangeError("the shelf holds 4 MiB");
    this.#place(bytes.length).set(bytes);
  }

  #copy(count) {
    return this.#place(count).slice();
  }
}

/** Makes the module of its bytes; `clock` returns milliseconds and never runs backwards. */
export async function load(bytes, clock = () => performance.now()) {
  const module = await WebAssembly.compile(bytes);
  let memory;
  const environment = {
    ...mathematics,
    // The value of a decimal number in the memory.
    number: (address, count) => Number(new TextDecoder().decode(new Uint8Array(memory.buffer, address >>> 0, count))),
  };
  const unknown = WebAssembly.Module.imports(module)
    .filter((item) => item.module !== "env" || item.kind !== "function" || !Object.hasOwn(environment, item.name))
    .map((item) => `${item.module}.${item.name}`);
  if (unknown.length > 0) throw new Error(`sphero.wasm imports what nobody gives: ${unknown.join(", ")}`);
  const instance = await WebAssembly.instantiate(module, { env: environment });
  memory = instance.exports.memory;
  instance.exports._initialize?.();
  return new Sphero(instance.exports, clock);
}
