// Tests the bytes that the robot receives from the controls: joystick, stop, calibration ring and colours.
import { check } from "./checks.mjs";
import { commandsIn, hex, roll } from "./packets.mjs";
import { World } from "./world.mjs";

const distance = ({ x, y }) => Math.hypot(x, y);

export async function drives() {
  const world = await World.make();
  world.connect();
  const before = world.sent.length;
  // Repeats the command while the stick is held, like the page.
  for (let step = 0; step < 6; step++) {
    world.say("stick 0 1");
    world.run(150);
  }
  const { motion, stick } = world.view;
  const sent = world.sent.slice(before);
  const firstMotion = sent.findIndex(({ id }) => id === "02:30");
  const options = sent.findIndex(({ id }) => id === "02:37");
  check("02:37 with stop on disconnect is sent before the first roll", "00 00 00 01, before it",
    `${hex(sent[options]?.payload ?? [])}, ${options < firstMotion ? "before it" : "after it"}`,
    options >= 0 && options < firstMotion && sent[options].payload[3] === 1);
  check("ahead at 0.6 of full speed is a roll with speed 153 and heading 0", { speed: 153, heading: 0, state: 1 }, roll(sent[firstMotion]));
  check("the stick is held", true, stick.is_held);
  check("the ball rolls ahead, along y", "more than 20 cm, none to the side", motion, motion.y > 20 && Math.abs(motion.x) < 2 && motion.speed > 10);

  // Browsers report up to 32 buttons, whose mask does not fit a signed word of 32 bits.
  world.say(`gamepad 0 0 0 0 ${2 ** 32 - 1}`);
  world.say("gamepad 0 0 0 0 0");
  world.say("stick 0.5 0");
  const right = roll(world.commands("02:30").at(-1));
  check("half deflection to the right is heading 90, slower", { heading: 90, slower: true }, { heading: right.heading, slower: right.speed > 0 && right.speed < 153 });
  world.say("speed 1");
  // The rate of rolls is limited.
  world.run(200);
  check("a new maximum speed applies to the held stick", "more than before", roll(world.commands("02:30").at(-1)), roll(world.commands("02:30").at(-1)).speed > right.speed);
  world.say("speed 0.6");

  const silence = world.now;
  world.say("stick 1 0");
  world.run(3000);
  const stop = world.commands("02:30").at(-1);
  check("after 0.5 s without a stick command the ball is stopped", { speed: 0, state: 0, after: 500 }, { speed: roll(stop).speed, state: roll(stop).state, after: Math.round(stop.at - silence) });
  check("the stick is centred again", { x: 0, y: 0, speed: 0.6, is_held: false }, world.view.stick);
  const rest = world.view.motion;
  world.run(1000);
  check("the ball is at rest", "within 0.5 cm a second later", [rest, world.view.motion], Math.abs(distance(world.view.motion) - distance(rest)) < 0.5 && world.view.motion.speed < 1);

  world.say("stick -1 0");
  world.run(200);
  world.say("stick");
  check("releasing the stick stops the ball immediately", { speed: 0, at: world.now }, { speed: roll(world.commands("02:30").at(-1)).speed, at: world.commands("02:30").at(-1).at });
}

export async function stopsFirst() {
  const world = await World.make();
  world.connect();
  world.say("stick 0 1");
  world.run(300);
  // Queues many commands before the line accepts bytes.
  for (let count = 0; count < 60; count++) world.sphero.say("raw Core.Ping");
  for (let count = 0; count < 5; count++) world.sphero.say(`color #0000${(count + 16).toString(16)}`);
  const first = world.sphero.take(0);
  world.sphero.say("stop");
  const next = world.sphero.take(0);
  world.sphero.receive(1, first);
  world.sphero.receive(1, next);
  const [packet, ...others] = commandsIn(next);
  check("the packet after 'stop' is the roll that stops, with 60 commands before it in the queue", { id: "02:30", speed: 0, state: 0, others: 0 },
    { id: packet.id, speed: roll(packet).speed, state: roll(packet).state, others: others.length });
  check("the packet taken before the stop is the first queued command", "00:01", commandsIn(first)[0].id);
  world.run(5000);
  const answers = world.news.filter(({ kind }) => kind === "answer");
  check("all queued commands are sent after the stop", 60, answers.length);
  check("only the last colour is sent", "00 00 14 00", hex(world.commands("02:20").at(-1).payload));
}

export async function aims() {
  const world = await World.make();
  world.connect();
  let before = world.sent.length;
  const since = () => world.sent.slice(before).map(({ id, payload }) => `${id} ${hex(payload)}`);
  world.say("ring begin");
  world.run(200);
  check("aiming turns the tail light on", ["02:21 ff"], since());
  check("the view reports aiming", true, world.view.aim.is_active);
  before = world.sent.length;
  world.say("ring turn 90");
  world.run(1500);
  check("a turn is a roll with speed 0 and that heading", { speed: 0, heading: 90 }, (({ speed, heading }) => ({ speed, heading }))(roll(world.commands("02:30", before)[0])));
  check("the ball turns on the spot", "heading 90, not moved", world.view.motion, Math.abs(world.view.motion.heading - 90) < 2 && distance(world.view.motion) < 1);
  before = world.sent.length;
  world.say("ring turn -30");
  check("turning by -30 degrees is heading 330", 330, roll(world.commands("02:30", before)[0]).heading);
  world.say("stick 0 1");
  check("the joystick does not drive while aiming", true, world.commands("02:30", before).every((packet) => roll(packet).speed === 0));
  world.run(1500);
  before = world.sent.length;
  world.say("ring end");
  world.run(500);
  check("ending sets heading 0, aligns the locator and turns the tail light off", ["02:01 00 00", "02:13 01 00 00 00 00 00 00", "02:21 00"], since().filter((text) => !text.startsWith("02:11")).sort());
  check("the robot reports the new heading", "heading 0", world.view.motion.heading, Math.min(world.view.motion.heading, 360 - world.view.motion.heading) < 2);

  before = world.sent.length;
  world.say("ring begin");
  world.say("ring turn 45");
  world.run(300);
  world.say("ring cancel");
  world.run(500);
  const turns = world.commands("02:30", before).map((packet) => roll(packet).heading);
  check("cancelling turns back and does not set the heading", { last: 0, headings: 0, tail: "00" },
    { last: turns.at(-1) % 360, headings: world.commands("02:01", before).length, tail: hex(world.commands("02:21", before).at(-1).payload) });

  world.say("tail 0.2");
  for (const end of ["ring end", "stop"]) {
    world.say("ring begin");
    world.run(300);
    world.say(end);
    world.run(300);
    check(`after '${end}' the tail light has its former brightness`, ["33", 0.2], [hex(world.commands("02:21").at(-1).payload), world.view.color.tail]);
  }
  world.say("twist 0 0 9 0");
  world.say("leave");
  world.runUntil("the session has ended", () => world.view.link === "left");
  world.say("port closed");
  world.connect();
  check("the tail light of another robot is off", 0, world.view.color.tail);
  for (const words of ["twist 0 0 9 0", "twist 0 0 6 6", "twist 0 0 0 9"]) world.say(words);
  check("a gesture that the end of the session interrupted does not block the next one", true, world.view.aim.is_active);
}

/** The sensors are off: the page shows no place, speed and attitude, which the robot does not report any more. */
export async function forgetsPlace() {
  const world = await World.make();
  world.connect();
  world.say("stick 1 0");
  world.run(400);
  check("a rolling ball has a speed", "more than 10 cm/s", world.view.motion, world.view.motion.speed > 10);
  world.say("sensors off");
  world.run(2000);
  const { motion, attitude, stream } = world.view;
  check("without sensors, place, attitude and rate are unknown", { motion: null, attitude: null, rate: null }, { motion, attitude, rate: stream.rate });
  const before = world.sent.length;
  world.say("ring begin");
  world.say("ring turn 5");
  world.run(300);
  check("an aim begins at the heading that was sent last", 95, roll(world.commands("02:30", before)[0]).heading);
}

/** Whatever moves the ball ends the game with the robot, which is not stabilized meanwhile. */
export async function endsGame() {
  for (const words of ["stick 0 1", "go 10 10", "ring begin", "run macro rgb 1 2 3"]) {
    const world = await World.make();
    world.connect();
    world.say("balance start 300 300 robot");
    world.run(300);
    world.say(words);
    world.run(300);
    check(`'${words}' ends the game and stabilizes the robot`, { game: null, modes: ["00", "02"] },
      { game: world.view.game, modes: world.commands("02:02").slice(0, 2).map(({ payload }) => hex(payload)) });
  }
}

export async function colors() {
  const world = await World.make();
  world.connect();
  const sends = (words) => {
    const before = world.sent.length;
    world.say(words);
    world.run(200);
    return world.commands(words.startsWith("tail") ? "02:21" : "02:20", before).map(({ payload }) => hex(payload)).at(-1);
  };
  for (const [words, bytes] of [
    ["color #ff8800", "ff 88 00 00"], ["color #0f0", "00 ff 00 00"], ["color red", "ff 00 00 00"],
    // On the wheel, hue 0 is to the right and the centre is white.
    ["wheel 1 0", "ff 00 00 00"], ["wheel -1 0", "00 ff ff 00"], ["wheel 0 0", "ff ff ff 00"],
    ["brightness 0.2", "33 33 33 00"], ["brightness 0", "00 00 00 00"], ["tail 1", "ff"], ["tail 0.2", "33"],
  ])
    check(`'${words}' sends ${bytes}`, bytes, sends(words));
  world.say("brightness 1");
  world.say("color #336699");
  check("the view contains the colour", "#336699", world.view.color.text);
  for (const words of ["color mauve-ish", "color", "wheel 1", "speed 2", "ring", "stick 1", "sensors nothing 20", "raw Core.JumpToBootloader", "hum", ""]) {
    let sentence = "";
    try {
      world.say(words);
    } catch (error) {
      sentence = error.message;
    }
    check(`'${words}' fails with a message`, "a message", sentence, sentence.length > 10);
  }
}
