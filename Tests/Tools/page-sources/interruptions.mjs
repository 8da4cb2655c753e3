// Tests a program and a guided motion whose link is lost, and a guided motion of a robot that stops answering.
import { check } from "./checks.mjs";
import { now, text } from "./expressions.mjs";
import { commandsIn, roll } from "./packets.mjs";
import { connect, disconnect, notice } from "./ports.mjs";

const commands = async (tab, since = 0) => commandsIn(Uint8Array.from(await tab.value(`fakeSerial.chosen.received.slice(${since})`)));
const isStop = (command) => roll(command).speed === 0;

/** Starts an action that rolls the ball, and loses the link. */
async function loseLink(tab, wasm, start, isOver) {
  await connect(tab, wasm);
  await tab.value(`window.sphero.say(${JSON.stringify(start)}), null`);
  await tab.until("the ball rolls", `${now}.motion.speed > 10`);
  await tab.value("fakeSerial.chosen.disconnect()");
  await tab.until("the link is lost", "window.sphero.view().link === 'lost'");
  check("the action is over", true, await tab.value(isOver));
  const { length } = await tab.value("fakeSerial.chosen.received");
  await tab.value("fakeSerial.chosen.reconnect()");
  await tab.until("the robot is live again", "window.sphero.view().link === 'live'");
  await tab.until("the ball is at rest", `${now}.motion.speed < 1`);
  return commands(tab, length);
}

/** A program of a lost link does not continue with the next one. */
export async function losesProgram(tab, wasm) {
  try {
    const sent = await loseLink(tab, wasm, "run macro rollLong 60 0 4000\nrollLong 60 90 4000\nrollLong 60 180 4000", `${now}.program === null`);
    const abort = sent.findIndex(({ id }) => id === "02:55");
    check("the program is aborted after the reconnection", "an abort, then a stop", sent.map(({ id }) => id), abort >= 0 && sent.slice(abort).some((command) => command.id === "02:30" && isStop(command)));
    await tab.until("its end is listed", "/link was lost/.test(document.getElementById('program-output').textContent)");
    check("it cannot be stopped any more", true, await tab.value("document.getElementById('program-stop').disabled"));
    const start = await tab.value("performance.now()");
    await tab.until("a second has passed", `performance.now() > ${start + 1000}`);
    check("the ball stays at rest", "less than 1 cm/s", (await tab.view()).motion.speed, (await tab.view()).motion.speed < 1);
  } finally {
    await disconnect(tab);
  }
}

/** A guided motion of a lost link does not continue with the next one. */
export async function losesPath(tab, wasm) {
  try {
    const sent = await loseLink(tab, wasm, "follow 0 80 80 80 80 0", `${now}.guidance === null`);
    check("after the reconnection, every roll is a stop", true, sent.filter(({ id }) => id === "02:30").every(isStop));
    check("the rest of the way is not shown any more", "", await text(tab, "guidance-text"));
  } finally {
    await disconnect(tab);
  }
}

/** A robot that stops answering on its way is stopped, and the page says so. */
export async function silencesPath(tab, wasm) {
  try {
    await connect(tab, wasm);
    await tab.value("window.sphero.say('go 0 150'), null");
    await tab.until("the ball rolls", `${now}.motion.speed > 10`);
    await tab.value("fakeSerial.chosen.isMute = true");
    await tab.until("the motion ends", `${now}.guidance === null`, 10_000);
    await tab.until("a notice has the reason", async () => /does not report its position/.test(await notice(tab)));
    await tab.value("fakeSerial.chosen.isMute = false");
    await tab.until("the robot answers again", "window.sphero.view().link === 'live'");
    await tab.until("the ball is at rest", `${now}.motion.speed < 1`);
    check("the last roll is a stop", true, isStop((await commands(tab)).filter(({ id }) => id === "02:30").at(-1)));
  } finally {
    await disconnect(tab);
  }
}
