// Robots that go, come back or never answer, and a page that leaves.
import { check } from "./checks.mjs";
import { hex, roll, stream } from "./packets.mjs";
import { World } from "./world.mjs";

export async function comesBack() {
  for (const isSame of [true, false]) {
    const world = await World.make();
    world.connect();
    world.say("stick 0 1");
    world.run(300);
    world.isLineUp = false;
    world.say("lost");
    check("a lost link is shown as lost, and the stick falls back", { link: "lost", is_held: false }, { link: world.view.link, is_held: world.view.stick.is_held });
    const silent = world.sent.length;
    world.run(4000);
    check("nothing is sent on a line that is not there", 0, world.sent.length - silent);
    // A robot that was switched off has forgotten everything.
    if (!isSame) world.say("simulate");
    world.isLineUp = true;
    const before = world.sent.length;
    const samples = world.view.stream.samples;
    world.say("back");
    world.runUntil("samples come again", () => world.view.link === "live" && world.view.stream.samples > samples + 20);
    const sent = world.sent.slice(before);
    const first = sent.find(({ id }) => id === "02:30");
    check("back again, the ball is told to stop before anything else moves it", { speed: 0, state: 0 }, first && { speed: roll(first).speed, state: roll(first).state });
    check("the settings come back: what counts as a collision", "01 64 64 64 64 19", hex(sent.find(({ id }) => id === "02:12")?.payload ?? []));
    check("the stream is asked for again", true, sent.some((packet) => packet.id === "02:11" && stream(packet).packets > 0));
    check("one reconnection is counted", 1, world.view.stream.reconnections);
    world.say("stick 1 0");
    world.run(300);
    check("it can be driven again", "a roll", world.commands("02:30", before).at(-1), roll(world.commands("02:30", before).at(-1)).speed > 0);
  }
}

export async function neverAnswers() {
  const world = await World.make();
  world.hasRobot = false;
  world.say("connect 1800000000000");
  check("at first it is waited for", "connecting", world.view.link);
  world.runUntil("the conversation ends", () => world.news.some(({ kind }) => kind === "end"), 60_000);
  const { message, advice } = world.news.find(({ kind }) => kind === "end");
  check("a silent robot ends the conversation with a sentence and an advice", "both", { message, advice }, message?.length > 10 && advice?.length > 10);
  check("then there is none", "closed", world.view.link);
  check("and nothing to wait for", Infinity, world.sphero.deadline(0), world.sphero.deadline(0) === Infinity);
  world.hasRobot = true;
  world.connect();
  check("another conversation begins anew", "live", world.view.link);
}

export async function fallsSilent() {
  const world = await World.make();
  world.connect();
  world.run(2000);
  world.hasRobot = false;
  world.runUntil("the view says so", () => world.view.link === "silent" || world.view.link === "closed", 60_000);
  check("a robot that falls silent is shown as silent, or the conversation ends", true, ["silent", "closed"].includes(world.view.link));
  const began = world.now;
  world.say("leave");
  world.run(1000);
  check("leaving it takes a second at most", "left or closed", world.view.link, ["left", "closed"].includes(world.view.link) && world.now - began <= 1001);
}

export async function leaves() {
  const world = await World.make();
  world.connect();
  world.say("stick 0 1");
  world.run(400);
  const [before, began] = [world.sent.length, world.now];
  world.say("leave");
  world.runUntil("it has left", () => world.view.link === "left", 1100);
  check("leaving is over within a second", "at most 1000 ms", world.now - began, world.now - began <= 1010);
  const sent = world.sent.slice(before);
  check("it turns the stream off", true, sent.some((packet) => packet.id === "02:11" && stream(packet).mask === 0 && stream(packet).mask2 === 0));
  const last = world.commands("02:30").at(-1);
  check("it has stopped the ball", { speed: 0, state: 0 }, { speed: roll(last).speed, state: roll(last).state });
  check("the end is told without a failure", { message: null, advice: null }, (({ message, advice }) => ({ message, advice }))(world.news.find(({ kind }) => kind === "end") ?? {}));
  const count = world.sent.length;
  world.run(5000);
  check("then nothing is sent any more", 0, world.sent.length - count);
}
