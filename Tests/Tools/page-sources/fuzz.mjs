// Fuzzes the module with random bytes and commands and with invalid counts: it must not trap, and its memory must stay bounded.
import { check } from "./checks.mjs";
import { World } from "./world.mjs";

/** A seeded random number generator: mulberry32 with 32 bits of state. */
function generator(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

// Covers reading and reporting 4 MiB at once, doubled because lists grow geometrically; WebAssembly memory never shrinks.
const memoryLimit = 384 << 20;
const vocabulary = [
  "connect", "leave", "lost", "back", "abandon", "simulate", "stick", "stop", "speed", "ring", "begin", "turn", "end", "cancel", "wheel",
  "brightness", "color", "tail", "sensors", "collisions", "raw", "news", "view", "path", "disc", "record", "start", "capture",
  "port", "choosing", "opening", "refused", "closed", "status", "failed", "changes", "after", "groups", "lanes",
  "rows", "open", "packets", "table", "picture", "off", "soft", "accel,gyro", "all", "0x1:0x2", "red", "#f00", "#ff", "Core.Ping", "Motion.Roll",
  "speed=60", "heading=90", "heading=", "=", "speed=999999999999999999999", "Core.Sleep", "0", "1", "-1", "0.5", "1e9", "-1e308", "1e400", "nan", "inf",
  "-0", "20", "400", "1800000000000", "0.01", "999999999999999999999999", "", "ä", "🔴", "\u0000", "1e-320", "+1", "1,5", "0x10",
];

export async function survivesRandomInput() {
  const seed = Number(process.env.SEED ?? Math.floor(Date.now() / 1000)) >>> 0;
  console.log(`  --  SEED=${seed} repeats this run`);
  const random = generator(seed);
  const below = (count) => Math.floor(random() * count);
  const world = await World.make();
  const { exports, sphero } = world;
  const address = exports.buffer() >>> 0;
  const buffer = () => new Uint8Array(exports.memory.buffer, address, 4 << 20);
  // Some bytes resemble packets, to test more than resynchronisation.
  const frame = (length) => {
    const [isCommand, count] = [random() < 0.3, below(40)];
    const bytes = isCommand ? [0xff, 0xff, below(3), below(100), below(256), count + 1] : random() < 0.5 ? [0xff, 0xff, below(40), below(256), count + 1] : [0xff, 0xfe, below(24), 0, count + 1];
    for (let index = 0; index < count; index++) bytes.push(below(256));
    const sum = bytes.slice(2).reduce((sum, byte) => sum + byte, 0);
    bytes.push(random() < 0.9 ? ~sum & 0xff : below(256));
    return bytes.slice(0, length);
  };
  const randomBytes = (count) => {
    const bytes = [];
    while (bytes.length < count) bytes.push(...(random() < 0.6 ? frame(64) : Array.from({ length: below(30) }, () => below(256))));
    return Uint8Array.from(bytes);
  };
  const drain = (isAll) => {
    for (const channel of [0, 1]) for (let turns = 0; turns < 1000 && sphero.take(channel).length > 0; turns++);
    if (isAll) for (const words of ["news", "capture", "rows", "view", "view changes", "path"]) sphero.say(words);
  };

  // The results of a recording are queued until they are taken.
  const takeRecording = () => {
    for (const words of ["packets", "packets 0 1000", "table"]) {
      try {
        while (sphero.say(words).bytes.length > 0 && words === "table");
      } catch (error) {
        if (error.cause instanceof WebAssembly.RuntimeError) throw error;
      }
    }
  };

  let [bytes, words, refused] = [0, 0, 0];
  world.connect();
  sphero.say("record start");
  sphero.say("open nonsense");
  for (let round = 0; round < 600; round++) {
    world.now += random() * 50;
    const piece = randomBytes(1 + below(1500));
    for (const channel of [0, 1, 2]) sphero.receive(channel, piece);
    bytes += 3 * piece.length;
    // Half of the rounds leave the output in the queues.
    if (round % 100 < 50) drain(round % 10 === 0);
    if (round % 20 === 0) takeRecording();
  }
  check("host, robot and reader accept random bytes", "more than 300,000", bytes, bytes > 300_000);
  for (let round = 0; round < 30_000; round++) {
    world.now += random() * 20;
    const sentence = Array.from({ length: 1 + below(4) }, () => vocabulary[below(vocabulary.length)]).join(" ");
    try {
      sphero.say(sentence);
    } catch (error) {
      if (error.cause instanceof WebAssembly.RuntimeError) throw new Error(`'${sentence}' traps`, { cause: error });
      refused++;
    }
    if (round % 8 === 0) drain(round % 64 === 0);
    words++;
  }
  check("random commands are executed or rejected", `more than 1000 each of ${words}`, `${words - refused} executed, ${refused} rejected`, refused > 1000 && words - refused > 1000);

  // Counts and times that a page never passes.
  sphero.say("open nonsense");
  for (const count of [-1, -(2 ** 31), 2 ** 31 - 1, (4 << 20) + 1, 4 << 20]) {
    for (const channel of [0, 1, 2, 3, -1, 2 ** 31 - 1]) {
      exports.receive(channel, count, world.now);
      exports.take(channel, world.now);
      exports.deadline(channel);
      takeRecording();
    }
    buffer().fill(0x20);
    exports.say(count, world.now);
    buffer().fill(0xff);
    exports.say(count, world.now);
  }
  for (const now of [NaN, -1, -Infinity, 0, 1e-300]) {
    exports.receive(0, 0, now);
    exports.say(0, now);
    exports.take(1, now);
  }
  check("invalid counts and times are accepted", true, exports.deadline(0) > 0);
  check("the memory stays below 384 MiB", `less than ${memoryLimit}`, world.memorySize, world.memorySize < memoryLimit);
}

export async function boundsMemory() {
  const world = await World.make();
  world.connect();
  const { sphero } = world;
  const random = generator(7);
  const piece = new Uint8Array(1 << 20);
  // No start of packet, only starts, an incomplete packet, noise; and repeated sleep warnings whose news is never read.
  const fills = [
    [13, () => 0], [13, () => 0xff], [13, (at) => [0xff, 0xfe, 0x03, 0xff, 0xff][at % 5]], [13, () => Math.floor(random() * 256)],
    [3, (at) => [0xff, 0xfe, 0x05, 0x00, 0x01, 0xf9][at % 6]],
  ];
  const start = performance.now();
  let [count, sizes] = [0, []];
  for (const [megabytes, fill] of fills) {
    piece.forEach((_, at) => (piece[at] = fill(at)));
    for (let index = 0; index < megabytes; index++) {
      world.now += 1000;
      sphero.receive(0, piece);
      while (sphero.take(0).length > 0);
      count++;
    }
    sizes.push(world.memorySize);
  }
  const seconds = ((performance.now() - start) / 1000).toFixed(1);
  check(`after ${count} MiB of unread input (${seconds} s), the memory is below 64 MiB`, `less than ${64 << 20}`, sizes, world.memorySize < 64 << 20);
}

/** A large jump of the clock, as after the computer was suspended, takes little time to process. */
export async function wakesUp() {
  for (const hours of [9, 24 * 400]) {
    const world = await World.make();
    world.connect();
    const start = performance.now();
    world.now += hours * 3_600_000;
    world.sphero.receive(0, new Uint8Array(0));
    while (world.sphero.take(0).length > 0);
    const view = world.view;
    check(`after ${hours} hours of suspension the host continues immediately`, "within a second", { link: view.link, milliseconds: Math.round(performance.now() - start) }, performance.now() - start < 1000);
  }
}
