// Tests the floor: a tap that makes the ball go or turn, a drawn path, the walls, the marks of collisions, and the stored path.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { check } from "./checks.mjs";
import { now } from "./expressions.mjs";

const circular = (degrees) => Math.abs(((degrees + 540) % 360) - 180);
const rests = (tab) => tab.until("the ball is at rest", `${now}.motion?.speed < 1 && ${now}.guidance === null`);
const isNear = ({ x, y }, [toX, toY], limit) => Math.hypot(x - toX, y - toY) < limit;
const isMode = (tab, mode) => tab.value(`document.getElementById("floor-${mode}").getAttribute("aria-pressed")`);

/** The number of pixels of a canvas in a colour of the style sheet. */
const pixels = (tab, id, color) => tab.value(`(() => {
  const canvas = document.getElementById("${id}");
  const pen = new OffscreenCanvas(1, 1).getContext("2d");
  pen.fillStyle = getComputedStyle(document.documentElement).getPropertyValue("--${color}");
  pen.fillRect(0, 0, 1, 1);
  const [red, green, blue] = pen.getImageData(0, 0, 1, 1).data;
  const copy = new OffscreenCanvas(canvas.width, canvas.height).getContext("2d", { willReadFrequently: true });
  copy.drawImage(canvas, 0, 0);
  const { data } = copy.getImageData(0, 0, canvas.width, canvas.height);
  let count = 0;
  for (let at = 0; at < data.length; at += 4) if (data[at] === red && data[at + 1] === green && data[at + 2] === blue && data[at + 3] === 255) count++;
  return count;
})()`);

/** Taps the floor at an offset in pixels from its centre. */
async function tap(tab, right, up) {
  const { x, y } = await tab.place("floor");
  await tab.mouse("mousePressed", x + right, y - up);
  await tab.mouse("mouseReleased", x + right, y - up);
}

/** The ball goes to a tapped place, and turns towards another one; with the keyboard alone, it returns. */
export async function goesAndTurns(tab) {
  await rests(tab);
  await tab.frame();
  // A floor without a trail shows 160 cm in its shorter direction, centred.
  const { across, along } = await tab.place("floor");
  const scale = (2 * Math.min(across, along)) / 160;
  await tab.click("floor-go");
  check("the tool is selected", "true", await isMode(tab, "go"));
  await tap(tab, 40 * scale, 30 * scale);
  await tab.until("the ball goes to the place", `${now}.guidance?.goal === "path"`);
  await tab.until("the rest of the way is shown", "/cm left/.test(document.getElementById('guidance-text').textContent)");
  check("the goal is drawn", "pixels of the accent", await pixels(tab, "floor", "accent"), (await pixels(tab, "floor", "accent")) > 20);
  await rests(tab);
  const there = (await tab.view()).motion;
  check("it arrives at the tapped place", [40, 30], there, isNear(there, [40, 30], 5));
  await tab.until("the goal disappears", "document.getElementById('guidance-text').textContent === ''");
  await tab.click("floor-turn");
  check("another tool replaces the first", ["false", "true"], [await isMode(tab, "go"), await isMode(tab, "turn")]);
  // The left side of the floor lies to the left of the ball, up to the small difference in y.
  const { y } = (await tab.view()).motion;
  await tap(tab, -60 * scale, y * scale);
  await tab.until("the ball turns", `${now}.guidance?.goal === "turn"`);
  await rests(tab);
  const { heading } = (await tab.view()).motion;
  check("it points to the left", "about 270", heading, circular(heading - 270) < 20);
  await tab.click("floor-turn");
  check("a second press leaves the tool", "false", await isMode(tab, "turn"));

  // The selected program is the first example, which sets colours and does not move the ball.
  await tab.click("floor-turn");
  await tab.reveal("program-run");
  await tab.value("document.getElementById('program-run').click()");
  check("a program releases the tool", "false", await isMode(tab, "turn"));
  await tab.press("Escape");
  await rests(tab);
  await tab.click("floor-turn");
  await tab.reveal("go-form");
  await tab.value("document.getElementById('go-x').focus(), document.getElementById('go-x').select()");
  await tab.call("Input.insertText", { text: "0" });
  await tab.press("Tab");
  await tab.call("Input.insertText", { text: "0" });
  await tab.press("Enter");
  await tab.until("the form makes the ball go", `${now}.guidance?.goal === "path"`);
  check("the form releases the tool", "false", await isMode(tab, "turn"));
  await rests(tab);
  check("it arrives there", [0, 0], (await tab.view()).motion, isNear((await tab.view()).motion, [0, 0], 5));
}

/** The ball follows a drawn path; Escape ends the motion and a drawing. */
export async function follows(tab) {
  // The centre of a floor without a trail is that between the ball and the origin.
  await tab.click("path-clear");
  const start = await tab.value("performance.now()");
  await tab.until("the floor has its centre", `performance.now() > ${start + 2000}`);
  await tab.click("floor-follow");
  const { x, y, across, along } = await tab.place("floor");
  const size = Math.min(across, along);
  const draw = async (points) => {
    await tab.mouse("mousePressed", ...points[0]);
    for (const point of points.slice(1)) await tab.mouse("mouseMoved", ...point);
  };
  const corner = [[0, 0], [0, 0.15], [0, 0.3], [0, 0.5], [0.15, 0.5], [0.3, 0.5], [0.5, 0.5]].map(([right, up]) => [x + right * size, y - up * size]);
  await draw(corner);
  await tab.frame();
  check("the path is drawn", "pixels of the accent", await pixels(tab, "floor", "accent"), (await pixels(tab, "floor", "accent")) > 60);
  await tab.mouse("mouseReleased", ...corner.at(-1));
  await tab.until("the ball follows it", `${now}.guidance?.goal === "path" && ${now}.motion.speed > 5`);
  await rests(tab);
  const { x: endX, y: endY } = (await tab.view()).motion;
  check("it ends to the right and ahead", "equal, more than 10 cm", [endX, endY], endX > 10 && endY > 10 && Math.abs(endX - endY) < 10);
  const path = JSON.parse(await tab.value("window.sphero.say('path').text"));
  // The corner is as far from the end as the line is wide.
  const side = (0.5 * size * 160) / (2 * size);
  const nearest = Math.min(...path.map(([px, py]) => Math.hypot(px - (endX - side), py - endY)));
  check("it passes the corner", "less than 12 cm", nearest, nearest < 12);

  await draw([...corner].reverse());
  await tab.mouse("mouseReleased", ...corner[0]);
  await tab.until("the ball follows it back", `${now}.motion.speed > 10`);
  await tab.press("Escape");
  check("Escape ends the motion and leaves the tool", { guidance: null, mode: "false" }, { guidance: (await tab.view()).guidance, mode: await isMode(tab, "follow") });
  await rests(tab);
  await tab.click("floor-follow");
  await draw(corner);
  await tab.press("Escape");
  await tab.mouse("mouseReleased", ...corner.at(-1));
  check("a drawing that Escape has ended moves nothing", null, (await tab.view()).guidance);
}

/** Collisions are marked, the walls of the room are drawn, and the path is saved and cleared. */
export async function marksAndPath(tab, folder) {
  await tab.value("window.sphero.say('speed 0.8')");
  const { x, y, along } = await tab.place("stick");
  await tab.mouse("mousePressed", x, y - along * 0.7);
  await tab.until("the ball hits the wall", `${now}.collisions.marks.length > 0`);
  await tab.mouse("mouseReleased", x, y - along * 0.7);
  await rests(tab);
  await tab.value("window.sphero.say('speed 0.4'), window.sphero.say('go 0 0')");
  await tab.until("the ball leaves the mark", `${now}.motion.y < 60`);
  await tab.press("Escape");
  await rests(tab);
  await tab.until("the flash has ended, and the mark is drawn", async () => (await pixels(tab, "floor", "alarm")) > 5);
  const [[, markY]] = (await tab.view()).collisions.marks;
  check("the collision is at the wall, 1 m ahead", "about 96 cm", markY, Math.abs(markY - 96) < 20);
  check("the wall is drawn", "pixels of its colour", await pixels(tab, "floor", "note"), (await pixels(tab, "floor", "note")) > 700);
  const files = () => readdirSync(folder).filter((name) => name.endsWith(".path"));
  const before = files();
  await tab.click("path-save");
  await tab.until("the path is downloaded", () => files().length > before.length);
  const lines = readFileSync(join(folder, files().find((name) => !before.includes(name))), "utf8").trimEnd().split("\n");
  check("it has a place in each line", "a comment, then two numbers", lines.slice(0, 2), lines[0].startsWith("# centimetres") && lines.slice(1).every((line) => /^-?\d+\.\d -?\d+\.\d$/.test(line)));
  await tab.click("path-clear");
  const { x: ballX, y: ballY } = (await tab.view()).motion;
  const rest = JSON.parse(await tab.value("window.sphero.say('path').text"));
  // The next sample begins another trail.
  check("the trail is cleared", "at most the place of the ball", rest, rest.every(([px, py]) => Math.hypot(px - ballX, py - ballY) < 2));
  check("the marks are cleared", [], (await tab.view()).collisions.marks);
  await tab.until("the mark is not drawn any more", async () => (await pixels(tab, "floor", "alarm")) === 0);
  await tab.value("window.sphero.say('speed 0.6')");
}
