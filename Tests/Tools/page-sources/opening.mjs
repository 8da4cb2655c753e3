// Measures how fast the module reads a capture of a simulated robot, and its table, in processor time.
import { World } from "./world.mjs";

const size = 4_000_000;
const pieceSize = 1 << 15;
const runCount = 3;

/** Records a simulated robot at 100 Hz until the capture has `size` bytes; returns the capture and its table. */
async function record() {
  const world = await World.make();
  world.connect(undefined, 100);
  world.say("record start");
  const [capture, rows] = [[], []];
  const takeResults = () => {
    for (let bytes; (bytes = world.sphero.say("capture").bytes).length > 0; ) capture.push(bytes);
    rows.push(world.sphero.say("rows").bytes);
  };
  const isComplete = () => capture.reduce((sum, { length }) => sum + length, 0) >= size;
  while (!isComplete()) {
    world.run(1000);
    world.news.length = 0;
    takeResults();
  }
  world.say("record stop");
  takeResults();
  return [["capture", Buffer.concat(capture)], ["table", Buffer.concat(rows)]];
}

/** Opens a file like the page; returns the processor time in seconds and the number of bytes of results. */
async function open(name, bytes) {
  const { sphero } = await World.make();
  const start = process.cpuUsage();
  let resultSize = 0;
  const takeResults = () => {
    resultSize += sphero.say("packets").bytes.length;
    for (let part; (part = sphero.say("table").bytes).length > 0; ) resultSize += part.length;
  };
  sphero.say(`open ${name}`);
  for (let at = 0; at < bytes.length; at += pieceSize) {
    sphero.receive(2, bytes.subarray(at, at + pieceSize));
    takeResults();
  }
  sphero.say("end");
  takeResults();
  const { user, system } = process.cpuUsage(start);
  return { seconds: (user + system) / 1e6, resultSize };
}

for (const [name, bytes] of await record()) {
  const runs = [];
  for (let run = 0; run < runCount; run++) runs.push(await open(name, bytes));
  const seconds = Math.min(...runs.map((run) => run.seconds));
  const megabytes = bytes.length / 1e6;
  console.log(
    `${name}, ${megabytes.toFixed(1)} MB: ${(megabytes / seconds).toFixed(1)} MB/s of processor time, best of ${runCount}; ` +
      `${(runs[0].resultSize / bytes.length).toFixed(1)} bytes of results per byte`);
}
