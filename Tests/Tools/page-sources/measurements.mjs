// Tests the panel of sensors: the motion screen, filters beside raw values, offsets at rest, and the balance game.
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { check } from "./checks.mjs";
import { hasEnded, now, text } from "./expressions.mjs";

const set = (tab, id, value) => tab.value(`(() => { const field = document.getElementById("${id}"); field.value = ${JSON.stringify(value)}; field.dispatchEvent(new Event("change")); })()`);

/** Opens a section with the keyboard. */
async function unfold(tab, id) {
  await tab.reveal(id);
  await tab.value(`document.querySelector("#${id} > summary").focus()`);
  await tab.press("Enter");
  await tab.until("the section is open", `document.getElementById("${id}").open`);
}

/** The numbers of the motion screen by group. */
const screen = (tab) => tab.value(`Object.fromEntries([...document.querySelectorAll("#motion-groups .reading-group")].map((group) => [group.querySelector("h3").textContent,
  [...group.querySelectorAll("dd")].map((figure) => Number(figure.textContent.replace("−", "-")))]))`);

/** Six groups of numbers with bars, in degrees or radians. */
export async function motionScreen(tab) {
  await unfold(tab, "motion");
  await tab.until("the screen has numbers", "document.querySelectorAll('#motion-groups dd').length === 18 && [...document.querySelectorAll('#motion-groups dd')].every(({ textContent }) => /\\d/.test(textContent))");
  await tab.until("the ball is at rest", `${now}.motion.speed < 1`);
  await tab.value("window.sphero.say('turn 60')");
  await tab.until("the ball has turned", `${now}.guidance === null`);
  await new Promise((wake) => setTimeout(wake, 400));
  const degrees = await screen(tab);
  check("the groups", ["Raw accelerometer g", "Raw gyroscope °/s", "Attitude °", "Gravity g", "User acceleration g", "Rotation rate °/s"], Object.keys(degrees));
  check("a ball at rest reads 1 g upward, and gravity points down", [1, -1], [degrees["Raw accelerometer g"][2], degrees["Gravity g"][2]],
    Math.abs(degrees["Raw accelerometer g"][2] - 1) < 0.05 && Math.abs(degrees["Gravity g"][2] + 1) < 0.05);
  await tab.value("document.querySelector('[name=angle-unit]:checked').focus()");
  await tab.press("ArrowRight");
  await tab.until("the arrow key chooses radians", "/Attitude rad/.test(document.getElementById('motion-groups').textContent)");
  await tab.until("the numbers follow", async () => Number.isFinite((await screen(tab))["Attitude rad"]?.[2]));
  const radians = await screen(tab);
  check("the yaw is the same in radians", (degrees["Attitude °"][2] * Math.PI) / 180, radians["Attitude rad"][2], Math.abs(radians["Attitude rad"][2] - (degrees["Attitude °"][2] * Math.PI) / 180) < 0.02);
  const bars = await tab.value("[...document.querySelectorAll('#motion-groups .bar i')].map((bar) => Number(bar.style.transform.match(/-?[\\d.]+/)[0]))");
  check("each number has a bar of its part of the limit", "half of z at 1 of 2 g is 0.25", bars[2], bars.length === 18 && Math.abs(bars[2] - 0.25) < 0.02);
  await tab.press("ArrowLeft");
  await unfoldAgain(tab, "motion");
  await tab.until("a closed screen is not computed", `${now}.screen === null`);
}

async function unfoldAgain(tab, id) {
  await tab.value(`document.querySelector("#${id} > summary").focus()`);
  await tab.press("Enter");
}

/** The column with the filtered values of a column; null without a filter. */
const filtered = (name) => `JSON.parse(window.sphero.say('lanes').text).flatMap(({ columns }) => columns).find((column) => column.name === '${name}').filtered`;
const isFiltered = `${filtered("accel_x")} === 'accel_x_filtered'`;

/** A filter draws filtered over raw values; an invalid value is reported. */
export async function filters(tab) {
  await tab.reveal("filter-pass");
  await set(tab, "filter-pass", "low");
  await set(tab, "filter-value", "0.05");
  await tab.until("filtered samples arrive", isFiltered);
  await tab.value("window.sphero.say('go 60 0')");
  await tab.until("the ball has rolled", `${now}.guidance === null`);
  check("raw and filtered values are drawn", "accel_y_filtered", await tab.value(filtered("accel_y")));
  check("angles are not filtered", null, await tab.value(filtered("yaw")));
  check("each lane has the numbers of its own fields", ["Acceleration 3", "Turning rate 3", "Angles 3", "Velocity 2"],
    await tab.value("[...document.querySelectorAll('#traces .lane')].map((lane) => `${lane.querySelector('h3').firstChild.data.trim()} ${lane.querySelectorAll('dd').length}`)"));
  await set(tab, "filter-value", "5");
  await tab.until("an invalid factor is reported", "/not a number in 0/.test(document.getElementById('notice-text').textContent)");
  await set(tab, "filter-value", "0.5");
  check("a valid factor removes the report", true, await tab.value("document.getElementById('notice').hidden"));
  await set(tab, "filter-unit", "hertz");
  check("a frequency begins at 2 Hz", "2", await tab.value("document.getElementById('filter-value').value"));
  await set(tab, "filter-pass", "high");
  await tab.until("a high-pass removes gravity", "Math.abs(Number([...document.querySelectorAll('#traces .lane')].find((lane) => lane.textContent.startsWith('Acceleration')).querySelectorAll('dd')[2].textContent.replace('−', '-'))) < 0.1");
  await set(tab, "filter-pass", "off");
  check("without a filter, only raw values", null, await tab.value(filtered("accel_x")));
  // A filter that is chosen without a robot applies to the next one.
  await tab.click("disconnect");
  await hasEnded(tab);
  await set(tab, "filter-pass", "low");
  await tab.click("simulate");
  await tab.until("a robot is live again", "window.sphero.view().link === 'live'");
  await tab.until("its samples are filtered", isFiltered);
  await set(tab, "filter-pass", "off");
}

/** Offsets at rest are measured, stored under the ball's name, applied to it again, saved and opened. */
export async function offsets(tab, folder) {
  await unfold(tab, "offsets");
  await tab.value("document.getElementById('calibrate').focus()");
  await tab.press("Enter");
  await tab.until("the measurement shows its progress", "/^(Measuring|Lay)/.test(document.getElementById('calibration-text').textContent)");
  await tab.until("the offsets are subtracted", "/^Subtracted: /.test(document.getElementById('calibration-text').textContent)");
  const shown = await text(tab, "calibration-text");
  const stored = JSON.parse(await tab.value("localStorage.getItem(`sphero.calibration.${window.sphero.view().name}`)"));
  check("they are stored in the form of RestCalibration", ["rotationRateOffset", "accelerationOffset", "sampleCount"], Object.keys(stored ?? {}));
  const files = () => readdirSync(folder).filter((name) => name.endsWith(".calibration.json"));
  const before = files();
  await tab.click("calibration-save");
  await tab.until("they are downloaded", () => files().length > before.length);
  check("the file has them", stored, JSON.parse(readFileSync(join(folder, files().find((name) => !before.includes(name))), "utf8")));
  await tab.click("disconnect");
  await hasEnded(tab);
  await tab.setFiles("calibration-open", join(folder, files().at(-1)));
  await tab.until("a file is refused without a ball", "/connect it first/.test(document.getElementById('notice-text').textContent)");
  await tab.click("simulate");
  await tab.until("the offsets of the ball apply again", `window.sphero.view().link === 'live' && document.getElementById('calibration-text').textContent === ${JSON.stringify(shown)}`);
  await tab.click("calibration-clear");
  await tab.until("they can be removed", "document.getElementById('calibration-text').textContent === 'No offsets' && !localStorage.getItem(`sphero.calibration.${window.sphero.view().name}`)");
  const path = join(folder, "own.json");
  writeFileSync(path, JSON.stringify({ rotationRateOffset: { x: 0, y: 0, z: 0.0872664626 }, accelerationOffset: { x: 0, y: 0, z: 0.02 }, sampleCount: 100 }));
  await tab.setFiles("calibration-open", path);
  await tab.until("a file is opened", "document.getElementById('calibration-text').textContent === 'Subtracted: 0.0000, 0.0000, 0.0200 g · 0.00, 0.00, 5.00 °/s'");
  for (const content of ["{", "[]", "null", JSON.stringify({ rotationRateOffset: { x: "1" } })]) {
    writeFileSync(path, content);
    await tab.setFiles("calibration-open", path);
    await tab.until("another file is refused", "/not a calibration|line 1, column 2/i.test(document.getElementById('notice-text').textContent) && !document.getElementById('notice').hidden");
    await tab.value("document.getElementById('notice-close').click()");
  }
  await tab.click("calibration-clear");
}

/** The phone and the robot tilt the game; a turned screen, Escape, a hidden page and the end of the session. */
export async function balance(tab) {
  const orientation = (beta, gamma) => tab.call("DeviceOrientation.setDeviceOrientationOverride", { alpha: 0, beta, gamma });
  const place = async () => (await tab.view()).game?.position;
  await unfold(tab, "balance");
  await orientation(0, 0);
  await tab.value("document.getElementById('balance-phone').focus()");
  await tab.press("Enter");
  await tab.until("the game has begun", `${now}.game?.player === "phone"`);
  const [startX, startY] = await place();
  // Each override is one event, and an equal one is none.
  let nudge = 0;
  const hold = (beta, gamma, event, condition) => tab.until(event, async () => {
    await orientation(beta, gamma + (nudge = 0.2 - nudge));
    return condition(await place());
  });
  await hold(0, 40, "a lowered right edge rolls the ball to the right", ([x]) => x > startX + 20);
  await hold(60, 0, "a lowered bottom edge rolls it down", ([, y]) => y > startY + 20);
  const [width, height] = (await tab.view()).game.size;
  await hold(60, 40, "the walls hold it", ([x, y]) => x > width * 0.6 && y > height * 0.6);
  check("it is inside", "at most the size less the ball", await place(), (await place())[0] <= width && (await place())[1] <= height);
  await tab.press("Escape");
  check("Escape ends the game", null, (await tab.view()).game);
  await tab.until("the button is disabled", "document.getElementById('balance-end').disabled");

  await tab.click("balance-robot");
  await tab.until("the robot plays", `${now}.game?.player === "robot" && /in your hand/.test(document.getElementById("balance-text").textContent)`);
  await tab.click("balance-end");
  check("the button ends the game", null, (await tab.view()).game);
  await tab.click("balance-robot");
  await tab.until("the robot plays again", `${now}.game?.player === "robot"`);
  await tab.click("disconnect");
  await tab.until("the end of the session ends the game", `document.body.dataset.link === 'closed' && ${now}.game === null`);
  check("the game with the robot cannot begin without one", true, await tab.value("document.getElementById('balance-robot').disabled"));
  await tab.click("balance-phone");
  await hold(0, 40, "the phone plays without a robot", (position) => position?.[0] > startX + 10);
  await tab.click("balance-end");
  await tab.call("DeviceOrientation.clearDeviceOrientationOverride");
  await tab.click("simulate");
  await tab.until("a robot is live again", "window.sphero.view().link === 'live'");
  await tab.click("balance-phone");
  await tab.until("the phone plays", `${now}.game?.player === "phone"`);
  await tab.click("balance-robot");
  await new Promise((wake) => setTimeout(wake, 1200));
  check("a phone without a sensor does not end the game with the robot that followed", "robot", (await tab.view()).game?.player);
  await tab.click("balance-end");
}
