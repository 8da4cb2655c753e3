// Tests the page with its simulated robot: pointer and keyboard input, and what the page shows.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { check } from "./checks.mjs";
import { isLive, text } from "./expressions.mjs";

const circular = (degrees) => Math.abs(((degrees + 540) % 360) - 180);

/** Connects the simulated robot. */
async function simulate(tab) {
  await tab.click("simulate");
  await tab.until("the simulated robot is live", isLive);
}

const rests = (tab) => tab.until("the ball is at rest", "window.sphero.view().motion.speed < 1");

export async function pointers(tab) {
  await simulate(tab);
  check("the simulated robot connects", { stage: "session", status: "Connected" }, { stage: await tab.value("document.body.dataset.stage"), status: await text(tab, "status") });
  await tab.until("the ball is at rest", "window.sphero.view().motion?.speed === 0");
  const { x, y, along } = await tab.place("stick");
  await tab.mouse("mousePressed", x, y);
  await tab.mouse("mouseMoved", x, y - along * 0.5);
  await tab.until("the stick is held", "window.sphero.view().stick.is_held");
  await tab.until("the pointer drives the ball ahead", "window.sphero.view().motion.y > 15");
  const { motion, stick } = await tab.view();
  check("the ball rolls ahead, toward the pointer", "up", { motion, stick }, Math.abs(motion.x) < 5 && circular(motion.heading) < 10 && stick.y > 0.5);
  check("the joystick has an accessible value", "degrees", await tab.value("document.getElementById('stick').getAttribute('aria-valuetext')"),
    /^\d+ degrees, \d+ percent/.test(await tab.value("document.getElementById('stick').getAttribute('aria-valuetext')")));
  await tab.mouse("mouseReleased", x, y - along * 0.5);
  check("releasing the pointer releases the stick", false, (await tab.view()).stick.is_held);
  await rests(tab);
  check("and stops the ball", "less than 1 cm/s", (await tab.view()).motion.speed, (await tab.view()).motion.speed < 1);

  // Holds the pointer for longer than the stick's timeout of half a second.
  await tab.mouse("mousePressed", x + along * 0.3, y);
  const start = await tab.value("performance.now()");
  await tab.until("1.5 s have passed", `performance.now() > ${start + 1500}`);
  check("a stationary pointer still holds the stick", true, (await tab.view()).stick.is_held);
  // A second pointer presses Stop.
  await tab.value("document.getElementById('stop').dispatchEvent(new PointerEvent('pointerdown', { pointerId: 77, bubbles: true }))");
  check("the Stop button releases the stick", false, (await tab.view()).stick.is_held);
  await rests(tab);
  await tab.mouse("mouseMoved", x + along * 0.5, y);
  check("after a stop, a pointer that is still pressed does not drive", false, (await tab.view()).stick.is_held);
  await tab.mouse("mouseReleased", x, y);
}

export async function keys(tab) {
  await tab.value("document.activeElement.blur(), scrollTo(0, 0)");
  let steps = 0;
  const focused = () => tab.value("document.activeElement.id");
  for (; steps < 60 && (await focused()) !== "stick"; steps++) await tab.press("Tab");
  check("the Tab key reaches the joystick", "stick", await focused());
  const from = (await tab.view()).motion;
  await tab.key("down", "ArrowRight");
  await tab.until("a key drives the ball to the right", `window.sphero.view().motion.x > ${from.x + 15}`);
  check("the ball rolls to the right", "heading 90", (await tab.view()).motion, circular((await tab.view()).motion.heading - 90) < 10);
  await tab.press(" ");
  check("Space releases the stick while the arrow is held", false, (await tab.view()).stick.is_held);
  await rests(tab);
  await tab.key("up", "ArrowRight");
  await tab.key("down", "ArrowLeft");
  await tab.until("the left arrow drives to the left", "window.sphero.view().stick.x < -0.9");
  await tab.key("up", "ArrowLeft");
  check("releasing the key releases the stick", false, (await tab.view()).stick.is_held);
  await rests(tab);
}

export async function colors(tab) {
  await tab.click("wheel", 0.5, 0);
  await tab.until("the wheel selects a colour", "window.sphero.view().color.x > 0.45");
  const { color } = await tab.view();
  check("halfway to the right edge, the colour wheel is half-saturated red", "#ff, and half of the rest", color, /^#ff([678])[0-9a-f]\1[0-9a-f]$/.test(color.text) && Math.abs(color.y) < 0.05);
  check("the page shows the colour's text", color.text, await text(tab, "color-text"));
  await tab.value("document.querySelector('#swatches [aria-label=blue]').click()");
  check("a swatch selects its colour", "#0000ff", (await tab.view()).color.text);
  await tab.place("color");
  await tab.value("document.getElementById('color').focus()");
  await tab.call("Input.insertText", { text: "#ff8800" });
  await tab.press("Enter");
  check("a typed colour is selected", "#ff8800", (await tab.view()).color.text);
  await tab.value("document.getElementById('brightness').focus()");
  await tab.press("ArrowLeft");
  check("the brightness follows its slider", 0.99, (await tab.view()).color.brightness);
}

export async function ring(tab) {
  // Starts at a heading other than 0, to distinguish turning back from setting heading 0.
  const stick = await tab.place("stick");
  await tab.mouse("mousePressed", stick.x + stick.across * 0.5, stick.y);
  await tab.until("the ball faces right", async () => circular((await tab.view()).motion.heading - 90) < 3);
  await tab.mouse("mouseReleased", stick.x, stick.y);
  await rests(tab);
  const { heading } = (await tab.view()).motion;
  check("the ring is hidden while its dialog is closed", 0, await tab.value("document.getElementById('ring').clientWidth"));
  await tab.click("aim");
  await tab.until("the button opens the dialog", "document.getElementById('aiming').open && window.sphero.view().aim.is_active");
  const { x, y, across } = await tab.place("ring");
  // From the bottom, where the tail light is, to the left: a quarter turn clockwise.
  const at = (degrees) => [x + 0.8 * across * Math.sin((degrees * Math.PI) / 180), y - 0.8 * across * Math.cos((degrees * Math.PI) / 180)];
  await tab.mouse("mousePressed", ...at(180));
  for (let degrees = 190; degrees <= 270; degrees += 10) await tab.mouse("mouseMoved", ...at(degrees));
  await tab.mouse("mouseReleased", ...at(270));
  check("dragging the ring aims", { is_active: true, text: "90°" }, { is_active: (await tab.view()).aim.is_active, text: await text(tab, "aim-text") });
  await tab.until("the ball turns by 90 degrees", async () => circular((await tab.view()).motion.heading - heading - 90) < 3);
  check("the dialog covers the joystick", false,
    await tab.value("(() => { const { x, y, width, height } = document.getElementById('stick').getBoundingClientRect(); return document.elementFromPoint(x + width / 2, y + height / 2)?.id === 'stick'; })()"));
  await tab.click("ring-done");
  await tab.until("the heading is 0", async () => circular((await tab.view()).motion.heading) < 2);
  check("'Done' closes the dialog and sets heading 0", { is_active: false, isOpen: false },
    { is_active: (await tab.view()).aim.is_active, isOpen: await tab.value("document.getElementById('aiming').open") });
  for (const [title, end] of [["Escape", () => tab.press("Escape")], ["'Cancel'", () => tab.click("ring-cancel")], ["'Stop'", () => tab.click("ring-stop")]]) {
    await tab.click("aim");
    await tab.until("the dialog is open again", "document.getElementById('aiming').open");
    await tab.press("ArrowRight");
    await end();
    await tab.until(`${title} closes it`, "!document.getElementById('aiming').open && !JSON.parse(window.sphero.say('view').text).aim.is_active");
  }
  await tab.key("down", "w");
  await tab.until("the joystick drives again", "JSON.parse(window.sphero.say('view').text).stick.is_held");
  await tab.key("up", "w");
  await rests(tab);
}

/** An expression for the number of colours in a canvas; a blank canvas has one. */
const shades = (element) =>
  `(() => { const canvas = ${element}; const copy = new OffscreenCanvas(canvas.width, canvas.height).getContext("2d", { willReadFrequently: true });
    copy.drawImage(canvas, 0, 0);
    const { data } = copy.getImageData(0, 0, canvas.width, canvas.height);
    return new Set(new Uint32Array(data.buffer)).size; })()`;

export async function sensors(tab) {
  const lanes = await tab.value("document.querySelectorAll('#traces canvas').length");
  check("four measurements have traces", 4, lanes);
  await tab.place("sensing");
  for (const id of ["stick", "floor", "wheel", "ring", "attitude"])
    check(`the canvas '${id}' is not blank`, "more than 3 colours", await tab.value(shades(`document.getElementById("${id}")`)), (await tab.value(shades(`document.getElementById("${id}")`))) > 3);
  for (let lane = 0; lane < lanes; lane++) {
    const name = await tab.value(`document.querySelectorAll('#traces canvas')[${lane}].getAttribute("aria-label")`);
    const count = await tab.value(shades(`document.querySelectorAll('#traces canvas')[${lane}]`));
    check(`${name}: not blank`, "more than 3 colours", count, count > 3);
  }
  await tab.value("document.querySelector('#groups input[value=odometer]').click()");
  await tab.until("a fifth measurement is streamed", "[...document.querySelectorAll('#traces .lane')].some((lane) => lane.textContent.startsWith('Place') && /\\d/.test(lane.querySelector('dd').textContent))");
  const hertz = (count) => tab.value(`(() => { const list = document.getElementById("hertz"); list.value = "${count}"; list.dispatchEvent(new Event("change")); })()`);
  await hertz(0);
  await tab.until("'Off' ends the stream", "window.sphero.view().stream.hertz === null && !(window.sphero.view().stream.rate > 0)");
  await hertz(50);
  await tab.until("50 samples per second arrive", "window.sphero.view().stream.hertz === 50 && window.sphero.view().stream.rate > 25");
  check("no samples are lost", 0, (await tab.view()).stream.lost);
}

export async function recordings(tab, browser, folder) {
  await browser.call("Browser.setDownloadBehavior", { behavior: "allow", downloadPath: folder });
  await tab.click("record");
  await tab.until("30 samples are recorded", "window.sphero.view().recording.samples > 30");
  await tab.value("document.getElementById('raw').value = 'Core.Ping', document.getElementById('raw-form').requestSubmit()");
  await tab.until("the log contains the answer", "/Core.Ping.* ok/.test(document.getElementById('log').textContent)");
  await tab.click("record");
  await tab.until("the recording can be saved", "!document.getElementById('download-capture').disabled && !window.sphero.view().recording.is_on");
  const { samples } = (await tab.view()).recording;
  const files = () => readdirSync(folder).filter((name) => !name.endsWith(".crdownload"));
  await tab.click("download-capture");
  await tab.until("the capture is downloaded", () => files().some((name) => name.endsWith(".capture")));
  await tab.click("download-csv");
  await tab.until("the samples are downloaded", () => files().some((name) => name.endsWith(".csv")));
  const path = join(folder, files().find((name) => name.endsWith(".capture")));
  const rows = readFileSync(join(folder, files().find((name) => name.endsWith(".csv"))), "utf8").trimEnd().split("\n");
  check("the saved table has one row per sample", samples + 1, rows.length);
  const lines = readFileSync(path, "utf8").trimEnd().split("\n");
  check("the saved capture starts with its header", "#: capture", lines[0].slice(0, 10));
  check("it contains the transmitted packets", `more than ${samples}`, lines.length, lines.length > samples);

  await tab.openFiles(path);
  await tab.until("the capture is opened", "/packets and marks/.test(document.getElementById('found').textContent)");
  const found = Number((await text(tab, "found")).match(/[\d,]+/)[0].replace(",", ""));
  check("the list contains its packets", `more than ${samples}`, found, found > samples);
  check("a packet is shown with its fields", "a table", await text(tab, "packet"), /kind.*bytes/.test(await text(tab, "packet")));
  await tab.until("its plot is drawn", "document.getElementById('picture-image').naturalWidth > 0");
  check("the plot has an alternative text", true, (await tab.value("document.getElementById('picture-image').alt")).length > 10);
  await tab.value("(() => { const filter = document.getElementById('filter'); filter.value = 'core.ping'; filter.dispatchEvent(new Event('input')); })()");
  await tab.until("the filter finds the command and its answer", "document.getElementById('found').textContent.startsWith('2 of')");
  await tab.click("packets", 0, 0.97);
  await tab.value("document.getElementById('packets').focus()");
  await tab.press("End");
  check("keys select in the list", "Core.Ping", await tab.value("document.querySelector('#packet h3').textContent"));
}

/** Whether the attitude was drawn with the flash of a collision, as an expression; the floor has marks of the same colour. */
const isFlashing = "(() => { const pen = new OffscreenCanvas(1, 1).getContext('2d'); pen.strokeStyle = getComputedStyle(document.documentElement).getPropertyValue('--alarm'); return window.strokes.has(`attitude ${pen.strokeStyle}`); })()";

export async function collisions(tab) {
  await tab.value("(() => { const speed = document.getElementById('speed'); speed.value = 90; speed.dispatchEvent(new Event('input')); })()");
  const { count } = (await tab.view()).collisions;
  await tab.reveal("attitude");
  const { x, y, along } = await tab.place("stick");
  await tab.mouse("mousePressed", x, y - along * 0.7);
  await tab.until("the ball hits the wall", `window.sphero.view().collisions.count > ${count}`);
  await tab.mouse("mouseReleased", x, y - along * 0.7);
  await tab.until("the collision count is shown", "/^\\d+ collisions?$/.test(document.getElementById('collision-text').textContent)");
  await tab.until("the log contains the collision", "/Collision/.test(document.getElementById('log').textContent)");
  check("a flash is drawn around the ball", "the alarm colour", await tab.value("[...window.strokes]"),
    await tab.value(isFlashing));
  await rests(tab);
}

/** The collisions of a robot do not flash again when the robot is selected again. */
export async function selects(tab) {
  const press = (name) => tab.value(`[...document.querySelectorAll('#balls button')].find(({ textContent }) => textContent === ${JSON.stringify(name)}).click()`);
  const lists = (name) => tab.until(`${name} is selected`, `document.querySelector("#balls [aria-pressed=true]")?.textContent === ${JSON.stringify(name)}`);
  await press("Another simulated robot");
  await lists("Sphero-SIM 2");
  await tab.reveal("balls");
  await tab.value("document.querySelector('#balls button').focus()");
  await tab.press("Enter");
  await lists("Sphero-SIM 1");
  await tab.frame();
  check("the pressed button keeps the focus", "Sphero-SIM 1", await tab.value("document.activeElement.textContent"));
  await tab.reveal("attitude");
  check("the selected robot has collisions", "more than 0", (await tab.view()).collisions.count, (await tab.view()).collisions.count > 0);
  await tab.value("window.strokes.clear()");
  await tab.frame();
  check("none of them flashes", false, await tab.value(isFlashing));
  await press("Sphero-SIM 2");
  await lists("Sphero-SIM 2");
  await tab.click("disconnect");
  await lists("Sphero-SIM");
}

export async function hides(tab) {
  const { x, y, along } = await tab.place("stick");
  await tab.mouse("mousePressed", x, y + along * 0.5);
  await tab.until("the ball rolls", "window.sphero.view().motion.speed > 10");
  const hide = (isHidden) => tab.value(`(() => {
    Object.defineProperty(document, "hidden", { configurable: true, get: () => ${isHidden} });
    Object.defineProperty(document, "visibilityState", { configurable: true, get: () => ${isHidden} ? "hidden" : "visible" });
    document.dispatchEvent(new Event("visibilitychange"));
    return JSON.parse(new TextDecoder().decode(window.sphero.say("view").bytes)).stick.is_held; })()`);
  check("hiding the page releases the stick", false, await hide(true));
  await tab.until("and stops the ball", "JSON.parse(window.sphero.say('view').text).motion.speed < 1");
  const { samples } = await tab.value("JSON.parse(window.sphero.say('view').text).stream");
  await tab.until("samples still arrive", `JSON.parse(window.sphero.say('view').text).stream.samples > ${samples + 20}`);
  await hide(false);
  await tab.mouse("mouseReleased", x, y);
  await tab.until("the page continues when it is visible again", `window.sphero.view().stream.samples > ${samples + 40}`);
}

export async function disconnects(tab) {
  await tab.click("disconnect");
  await tab.until("the session has ended", "['left', 'closed'].includes(window.sphero.view().link)");
  await tab.until("another session can be started", "!document.getElementById('choices').hidden && !document.getElementById('simulate').disabled");
  check("disconnecting shows no notice", true, await tab.value("document.getElementById('notice').hidden"));
  await tab.until("a robot can be simulated again", async () => {
    await tab.click("simulate");
    return true;
  });
  await tab.until("the robot is live", isLive);
  await tab.click("disconnect");
  await tab.until("the session has ended again", "['left', 'closed'].includes(window.sphero.view().link)");
}
