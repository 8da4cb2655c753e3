// Tests lost and restored connections, robots that do not answer, and disconnecting.
import { BluetoothLine } from "../../../Sources/Lab/SpheroPage/Web/bluetooth.js";
import { check } from "./checks.mjs";
import { hex, roll, stream } from "./packets.mjs";
import { World } from "./world.mjs";

export async function reconnects() {
  for (const isSame of [true, false]) {
    const world = await World.make();
    world.connect();
    world.say("stick 0 1");
    world.run(300);
    world.isLineUp = false;
    world.say("lost");
    check("a lost link is shown as lost, and the stick is released", { link: "lost", is_held: false }, { link: world.view.link, is_held: world.view.stick.is_held });
    const count = world.sent.length;
    world.run(4000);
    check("nothing is sent on a lost link", 0, world.sent.length - count);
    // A restarted robot has lost its settings.
    if (!isSame) world.say("simulate");
    world.isLineUp = true;
    const before = world.sent.length;
    const samples = world.view.stream.samples;
    world.say("back");
    world.runUntil("samples arrive again", () => world.view.link === "live" && world.view.stream.samples > samples + 20);
    const sent = world.sent.slice(before);
    const first = sent.find(({ id }) => id === "02:30");
    check("after the reconnection, the first roll is a stop", { speed: 0, state: 0 }, first && { speed: roll(first).speed, state: roll(first).state });
    check("the settings of collision detection are restored", "01 64 64 64 64 19", hex(sent.find(({ id }) => id === "02:12")?.payload ?? []));
    check("the stream is requested again", true, sent.some((packet) => packet.id === "02:11" && stream(packet).packets > 0));
    check("one reconnection is counted", 1, world.view.stream.reconnections);
    world.say("stick 1 0");
    world.run(300);
    check("the ball can be driven again", "a roll", world.commands("02:30", before).at(-1), roll(world.commands("02:30", before).at(-1)).speed > 0);
  }
}

export async function neverAnswers() {
  const world = await World.make();
  world.hasRobot = false;
  world.say("connect 1800000000000");
  check("the host waits for an answer", "connecting", world.view.link);
  world.runUntil("the session ends", () => world.news.some(({ kind }) => kind === "end"), 60_000);
  const { message, advice } = world.news.find(({ kind }) => kind === "end");
  check("the session ends with a message and advice", "both", { message, advice }, message?.length > 10 && advice?.length > 10);
  check("the conversation is over", { link: "ended", isOver: true }, { link: world.view.link, isOver: world.view.status.is_over });
  check("there is no deadline", Infinity, world.sphero.deadline(0), world.sphero.deadline(0) === Infinity);
  world.hasRobot = true;
  world.connect();
  check("a new session can be started", "live", world.view.link);
}

export async function fallsSilent() {
  const world = await World.make();
  world.connect();
  world.run(2000);
  world.hasRobot = false;
  world.runUntil("the view shows the silence", () => world.view.link === "silent" || world.view.link === "ended", 60_000);
  check("the robot is shown as silent, or the session ends", true, ["silent", "ended"].includes(world.view.link));
  const start = world.now;
  world.say("leave");
  world.run(1000);
  check("disconnecting takes at most one second", "left", world.view.link, world.view.link === "left" && world.now - start <= 1001);
}

export async function disconnects() {
  const world = await World.make();
  world.connect();
  world.say("stick 0 1");
  world.run(400);
  const [before, start] = [world.sent.length, world.now];
  world.say("leave");
  world.runUntil("the session has ended", () => world.view.link === "left", 1100);
  check("disconnecting takes at most one second", "at most 1000 ms", world.now - start, world.now - start <= 1010);
  const sent = world.sent.slice(before);
  check("the host ends the stream", true, sent.some((packet) => packet.id === "02:11" && stream(packet).mask === 0 && stream(packet).mask2 === 0));
  const last = world.commands("02:30").at(-1);
  check("the host stops the ball", { speed: 0, state: 0 }, { speed: roll(last).speed, state: roll(last).state });
  check("the end is reported without a failure", { message: null, advice: null }, (({ message, advice }) => ({ message, advice }))(world.news.find(({ kind }) => kind === "end") ?? {}));
  const count = world.sent.length;
  world.run(5000);
  check("nothing is sent afterwards", 0, world.sent.length - count);

  world.connect();
  world.say(`calibrate set ${JSON.stringify({ rotationRateOffset: { x: 0, y: 0, z: 0.1 }, accelerationOffset: { x: 0, y: 0, z: 0 }, sampleCount: 100 })}`);
  world.say("calibrate start");
  world.run(300);
  world.say("leave");
  world.runUntil("the session has ended again", () => world.view.link === "left");
  world.say("port closed");
  check("offsets and their measurement end with the session", { progress: null, is_at_rest: false, offsets: null }, world.view.calibration);
}

/** A Bluetooth LE line that is closed while it reconnects leaves the module to the next line. */
export async function closesWhileReconnecting() {
  const [words, operations] = [[], [Uint8Array.of(0)]];
  const sphero = {
    say: (text) => (words.push(text), { text: JSON.stringify({ message: null, services: [], characteristics: [] }) }),
    take: () => operations.shift() ?? new Uint8Array(0), deadline: () => Infinity,
  };
  let reconnect;
  const device = new EventTarget();
  const reconnecting = new Promise((begin) => {
    device.gatt = { connected: false, connect: () => new Promise((fulfil) => ((reconnect = fulfil), begin())), disconnect: () => {} };
  });
  const line = new BluetoothLine(device, sphero, { receive: () => {}, lose: () => {} });
  const isOpen = line.reopen();
  await reconnecting;
  await line.close();
  words.length = 0;
  reconnect({});
  check("the line does not open", false, await isOpen);
  check("the module learns nothing about its link", [], words);
}
