// Tests the playback of recordings: the slider, play and pause, two robots, and recordings that are broken, empty or large.
import { createWriteStream, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { once } from "node:events";
import { join } from "node:path";
import { check } from "./checks.mjs";
import { hasEnded, now, text } from "./expressions.mjs";

const rests = (tab) => tab.until("the ball is at rest", `${now}.motion?.speed < 1 && ${now}.guidance === null`);
const isOpen = "!document.getElementById('playback').hidden";
const time = (tab) => tab.value("document.getElementById('play-time').valueAsNumber");

/** The pictures of the player: floor, attitude and each lane. */
const pictures = (tab) => tab.value("[...document.querySelectorAll('#playback canvas')].map((canvas) => canvas.toDataURL())");
const figures = (tab) => tab.value("[...document.querySelectorAll('#play-lanes dd')].map((figure) => figure.textContent)");

/** Records a drive of the simulated robot, and returns the path of the capture. */
async function record(tab, folder) {
  await tab.click("record");
  await tab.until("the recording has begun", "window.sphero.view().recording.is_on");
  await tab.value("window.sphero.say('go 40 40')");
  await tab.until("the ball has arrived", `${now}.guidance === null && ${now}.motion.x > 30`);
  await tab.value("window.sphero.say('turn 90')");
  await rests(tab);
  await tab.click("record");
  await tab.until("the recording has ended", "!window.sphero.view().recording.is_on && !document.getElementById('download-capture').disabled");
  const files = () => readdirSync(folder).filter((name) => name.endsWith(".capture"));
  const before = files();
  await tab.click("download-capture");
  await tab.until("the capture is downloaded", () => files().length > before.length);
  return join(folder, files().find((name) => !before.includes(name)));
}

/** The slider moves floor, attitude and lanes, by pointer and with the keyboard alone. */
export async function movesInTime(tab, folder) {
  const path = await record(tab, folder);
  await tab.openFiles(path);
  await tab.until("the recording is opened", isOpen);
  await tab.reveal("playback");
  check("it begins at its start", "0:00.0 of", (await text(tab, "play-text")).slice(0, 9));
  await tab.value("document.getElementById('play-time').focus()");
  await tab.frame();
  const [first, firstFigures] = [await pictures(tab), await figures(tab)];
  check("floor, attitude and lanes are drawn", "6 or more", first.length, first.length >= 6 && first.every((data) => data.length > 500));
  await tab.press("End");
  await tab.frame();
  const [last, lastFigures] = [await pictures(tab), await figures(tab)];
  check("at the end, each of them differs", [], first.flatMap((data, index) => (data === last[index] ? [index] : [])));
  check("and so do numbers", "other numbers", [firstFigures, lastFigures], firstFigures.join() !== lastFigures.join());
  check("the ball is where it was at the end", "about 40, 40 cm and 90°", await text(tab, "play-place"), /^(3[6-9]|4[0-4]), (3[6-9]|4[0-4]) cm · \d+ cm\/s · /.test(await text(tab, "play-place")));
  await tab.press("Home");
  check("Home returns to the start", "0:00.0", (await text(tab, "play-text")).slice(0, 6));
  for (const key of ["ArrowRight", "ArrowRight", "ArrowLeft"]) await tab.press(key);
  check("arrow keys move by a second", "0:01.0", (await text(tab, "play-text")).slice(0, 6));
  await tab.press("ArrowRight", 8);
  check("with Shift by a tenth", "0:01.1", (await text(tab, "play-text")).slice(0, 6));
  check("the slider has its time as text", "0:01.1 of", (await tab.value("document.getElementById('play-time').getAttribute('aria-valuetext')")).slice(0, 9));
  check("no key has driven the ball", false, (await tab.view()).stick.is_held);
  await tab.click("play-time", 0.5);
  const [middle, end] = await tab.value("[document.getElementById('play-time').valueAsNumber, Number(document.getElementById('play-time').max)]");
  check("a press on the slider moves to its place", "about three quarters", middle / end, Math.abs(middle / end - 0.75) < 0.1);
  return path;
}

const playAt = (tab, speed) => tab.value(`(() => { const list = document.getElementById("play-speed"); list.value = "${speed}"; list.dispatchEvent(new Event("change")); })()`);

/** Play and pause, the speed, Escape, and the end. */
export async function plays(tab) {
  await tab.value("document.getElementById('play-time').focus()");
  await tab.press("Home");
  await tab.value("document.getElementById('play').focus()");
  const start = await time(tab);
  await tab.press("Enter");
  await tab.until("Enter on the button plays", async () => (await time(tab)) > start + 0.5);
  check("the button pauses now", "Pause", await tab.value("document.getElementById('play').getAttribute('aria-label')"));
  await tab.press("Enter");
  const paused = await time(tab);
  await tab.frame();
  check("it pauses", paused, await time(tab));
  await tab.press("Enter");
  await tab.press("Escape");
  check("Escape pauses, too", "Play", await tab.value("document.getElementById('play').getAttribute('aria-label')"));
  await playAt(tab, 20);
  await tab.press("Enter");
  await tab.until("at 20 times the speed it reaches the end and pauses", `document.getElementById('play-time').value === document.getElementById('play-time').max && document.getElementById('play').getAttribute('aria-label') === 'Play'`);
  await playAt(tab, 0.25);
  await tab.press("Enter");
  const again = await time(tab);
  check("from the end, it plays from the start", "less than half", again, again < (await tab.value("Number(document.getElementById('play-time').max)")) / 2);
  await tab.press("Enter");
  await playAt(tab, 1);
}

/** A recording still plays when its robot has gone; the robot returns afterwards. */
export async function playsWithoutRobot(tab) {
  await tab.value("document.getElementById('play-time').focus()");
  await tab.press("Home");
  // The recording is longer than the disconnection on a slow machine.
  await playAt(tab, 0.25);
  await tab.click("play");
  await tab.click("disconnect");
  await hasEnded(tab);
  const then = await time(tab);
  await tab.until("the recording plays on", async () => (await time(tab)) > then + 0.3);
  await tab.click("play");
  await playAt(tab, 1);
  await tab.click("simulate");
  await tab.until("a robot is live again", "window.sphero.view().link === 'live'");
}

const row = (tick) => `${(tick / 10).toFixed(1)},${tick / 10},0,${Math.sin(tick / 20).toFixed(3)}\n`;
const header = "time_s,odometer_x_cm,odometer_y_cm,accel_x_g\n";

/** A table of two robots has a list of them; broken and empty files show what they have, or why they have nothing. */
export async function otherFiles(tab, folder, capture) {
  mkdirSync(folder, { recursive: true });
  const file = (name, content) => {
    writeFileSync(join(folder, name), content);
    return join(folder, name);
  };
  const rows = Array.from({ length: 200 }, (_, tick) => `Sphero-RGB,${row(tick)}Sphero-YBR,${row(tick).replace(",0,", ",77,")}`).join("");
  await tab.openFiles(file("two.csv", `robot,${header}${rows}`));
  await tab.until("two robots are listed", `${isOpen} && document.getElementById('play-robot').options.length === 2 && !document.getElementById('play-robot').hidden`);
  await tab.value("document.getElementById('play-time').focus()");
  await tab.press("End");
  check("the first robot is shown", "20, 0 cm", (await text(tab, "play-place")).split(" ·")[0]);
  await tab.value("(() => { const list = document.getElementById('play-robot'); list.value = 'Sphero-YBR'; list.dispatchEvent(new Event('change')); document.getElementById('play-time').focus(); })()");
  await tab.press("End");
  check("the second robot can be chosen", "20, 77 cm", (await text(tab, "play-place")).split(" ·")[0]);

  await tab.value("document.getElementById('tab-drive').click()");
  await tab.openFiles(file("broken.csv", `${header}${Array.from({ length: 50 }, (_, tick) => row(tick)).join("")}5.0,red,0,0\n5.1,0,0,0\n`));
  await tab.until("a broken table is played up to its error", `${isOpen} && document.getElementById('play-text').textContent.endsWith('0:04.9')`);
  check("the tab of recordings is selected for each file", "recordings", await tab.value("document.getElementById('session').dataset.tab"));
  check("the error is listed with its line", "line 52", await text(tab, "packets"), /line 52/.test(await text(tab, "packets")));
  const lines = readFileSync(capture, "utf8").split("\n");
  const middle = Math.floor(lines.length / 2);
  await tab.openFiles(file("broken.capture", [...lines.slice(0, middle), "nonsense", "1.0 < FF", ...lines.slice(middle, -20), lines.at(-20).slice(0, 9)].join("\n")));
  await tab.until("a broken capture is played", `${isOpen} && document.getElementById('open-text').textContent.startsWith('broken.capture,')`);
  await tab.value("(() => { const filter = document.getElementById('filter'); filter.value = 'remark'; filter.dispatchEvent(new Event('input')); })()");
  await tab.until("its errors are listed", "/^[1-9]\\d* of/.test(document.getElementById('found').textContent)");
  for (const [name, content] of [["empty.csv", ""], ["header.csv", header]]) {
    await tab.openFiles(file(name, content));
    await tab.until(`${name} has no playback`, "document.getElementById('playback').hidden && /is not a recording|0 packets|empty|no /.test(document.getElementById('notice-text').textContent + document.getElementById('found').textContent)");
  }
  await tab.value("document.getElementById('notice-close').click()");
  check("no errors in the console", [], tab.problems);
}

/** The size of the large recording. */
export const megabytes = Number(process.env.MEGABYTES ?? 20);

/** A large recording: the page stays responsive while it is read, and plays. */
export async function large(tab, folder) {
  mkdirSync(folder, { recursive: true });
  const path = join(folder, "large.csv");
  const stream = createWriteStream(path);
  stream.write(header);
  let tick = 0;
  for (let bytes = 0; bytes < megabytes * 1e6; ) {
    let piece = "";
    for (let count = 0; count < 20_000; count++) piece += row(tick++);
    bytes += piece.length;
    if (!stream.write(piece)) await once(stream, "drain");
  }
  stream.end();
  await once(stream, "finish");
  await tab.value(`(() => { window.longest = 0; let last = performance.now(); window.watch = setInterval(() => { const time = performance.now(); window.longest = Math.max(window.longest, time - last); last = time; }, 10); })()`);
  const start = performance.now();
  await tab.openFiles(path);
  await tab.until("the table is opened", `${isOpen} && document.getElementById('open-text').textContent.startsWith('large.csv,')`, 240_000);
  const seconds = (performance.now() - start) / 1000;
  await tab.value("document.getElementById('play-time').focus()");
  await tab.press("End");
  check("its end can be shown", `${((tick - 1) / 100).toFixed(0)} cm`, await text(tab, "play-place"), Math.abs(Number((await text(tab, "play-place")).split(",")[0]) - tick / 10) < 100);
  const longest = await tab.value("clearInterval(window.watch), window.longest");
  check(`${megabytes} MB in ${seconds.toFixed(1)} s: the page never blocks for a second`, "less than 1000 ms", longest, longest < 1000);
}
