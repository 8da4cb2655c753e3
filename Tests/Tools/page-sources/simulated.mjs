// The page with its simulated robot: what a pointer, a keyboard and an eye can do.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { check } from "./checks.mjs";

const circular = (degrees) => Math.abs(((degrees + 540) % 360) - 180);
const isLive = "window.sphero.view().link === 'live'";
const text = (tab, id) => tab.value(`document.getElementById(${JSON.stringify(id)}).textContent`);

/** Begins with a robot at rest. */
async function simulate(tab) {
  await tab.click("simulate");
  await tab.until("the simulated robot is live", isLive);
}

const rests = (tab) => tab.until("the ball rests", "window.sphero.view().motion.speed < 1");

export async function pointers(tab) {
  await simulate(tab);
  check("the simulated robot connects", { stage: "session", status: "Connected" }, { stage: await tab.value("document.body.dataset.stage"), status: await text(tab, "status") });
  await tab.until("it is at rest where it began", "window.sphero.view().motion?.speed === 0");
  const { x, y, along } = await tab.place("stick");
  await tab.mouse("mousePressed", x, y);
  await tab.mouse("mouseMoved", x, y - along * 0.5);
  await tab.until("the stick is held", "window.sphero.view().stick.is_held");
  await tab.until("the ball rolls ahead by a pointer", "window.sphero.view().motion.y > 15");
  const { motion, stick } = await tab.view();
  check("it rolls ahead, where the pointer is", "up", { motion, stick }, Math.abs(motion.x) < 5 && circular(motion.heading) < 10 && stick.y > 0.5);
  check("the joystick has words for what it does", "degrees", await tab.value("document.getElementById('stick').getAttribute('aria-valuetext')"),
    /^\d+ degrees, \d+ percent/.test(await tab.value("document.getElementById('stick').getAttribute('aria-valuetext')")));
  await tab.mouse("mouseReleased", x, y - along * 0.5);
  check("the release lets go", false, (await tab.view()).stick.is_held);
  await rests(tab);
  check("and the ball stops", "less than 1 cm/s", (await tab.view()).motion.speed, (await tab.view()).motion.speed < 1);

  // A hand that holds longer than the stick's own half second.
  await tab.mouse("mousePressed", x + along * 0.3, y);
  const begun = await tab.value("performance.now()");
  await tab.until("a second and a half is over", `performance.now() > ${begun + 1500}`);
  check("a pointer that does not move goes on to hold", true, (await tab.view()).stick.is_held);
  // The button to stop is pressed by another finger.
  await tab.value("document.getElementById('stop').dispatchEvent(new PointerEvent('pointerdown', { pointerId: 77, bubbles: true }))");
  check("the button Stop lets go of it", false, (await tab.view()).stick.is_held);
  await rests(tab);
  await tab.mouse("mouseMoved", x + along * 0.5, y);
  check("after a stop, the pointer that was held moves nothing", false, (await tab.view()).stick.is_held);
  await tab.mouse("mouseReleased", x, y);
}

export async function keys(tab) {
  await tab.value("document.activeElement.blur(), scrollTo(0, 0)");
  let steps = 0;
  const focused = () => tab.value("document.activeElement.id");
  for (; steps < 60 && (await focused()) !== "stick"; steps++) await tab.press("Tab");
  check("the joystick is reached by the key Tab", "stick", await focused());
  const from = (await tab.view()).motion;
  await tab.key("down", "ArrowRight");
  await tab.until("the ball rolls to the right by a key", `window.sphero.view().motion.x > ${from.x + 15}`);
  check("it rolls to the right", "heading 90", (await tab.view()).motion, circular((await tab.view()).motion.heading - 90) < 10);
  await tab.press(" ");
  check("Space lets go, though the arrow is still held", false, (await tab.view()).stick.is_held);
  await rests(tab);
  await tab.key("up", "ArrowRight");
  await tab.key("down", "ArrowLeft");
  await tab.until("the other arrow drives back", "window.sphero.view().stick.x < -0.9");
  await tab.key("up", "ArrowLeft");
  check("a key that is let go stops", false, (await tab.view()).stick.is_held);
  await rests(tab);
}

export async function colors(tab) {
  await tab.click("wheel", 0.5, 0);
  await tab.until("the wheel picks", "window.sphero.view().color.x > 0.45");
  const { color } = await tab.view();
  check("halfway to the right of the colour wheel is half of red", "#ff, and half of the rest", color, /^#ff([78])[0-9a-f]\1[0-9a-f]$/.test(color.text) && Math.abs(color.y) < 0.05);
  check("the colour is written", color.text, await text(tab, "color-text"));
  await tab.value("document.querySelector('#swatches [aria-label=blue]').click()");
  check("a swatch shows its colour", "#0000ff", (await tab.view()).color.text);
  await tab.value("document.getElementById('color').focus()");
  await tab.call("Input.insertText", { text: "#ff8800" });
  await tab.press("Enter");
  check("a colour that is typed is shown", "#ff8800", (await tab.view()).color.text);
  await tab.value("document.getElementById('brightness').focus()");
  await tab.press("ArrowLeft");
  check("the brightness follows its slider", 0.99, (await tab.view()).color.brightness);
}

export async function ring(tab) {
  // Not at heading 0, so that turning back is not the same as calling this direction 0.
  const stick = await tab.place("stick");
  await tab.mouse("mousePressed", stick.x + stick.across * 0.5, stick.y);
  await tab.until("the ball looks to the right", async () => circular((await tab.view()).motion.heading - 90) < 3);
  await tab.mouse("mouseReleased", stick.x, stick.y);
  await rests(tab);
  const { heading } = (await tab.view()).motion;
  check("the ring is there only while its dialog is open", 0, await tab.value("document.getElementById('ring').clientWidth"));
  await tab.click("aim");
  await tab.until("a button opens it", "document.getElementById('aiming').open && window.sphero.view().aim.is_active");
  const { x, y, across } = await tab.place("ring");
  // From below, where the tail light is, to the left: a quarter of a turn, clockwise.
  const at = (degrees) => [x + 0.8 * across * Math.sin((degrees * Math.PI) / 180), y - 0.8 * across * Math.cos((degrees * Math.PI) / 180)];
  await tab.mouse("mousePressed", ...at(180));
  for (let degrees = 190; degrees <= 270; degrees += 10) await tab.mouse("mouseMoved", ...at(degrees));
  await tab.mouse("mouseReleased", ...at(270));
  check("dragging the ring aims", { is_active: true, text: "90°" }, { is_active: (await tab.view()).aim.is_active, text: await text(tab, "aim-text") });
  await tab.until("the ball turns by a quarter", async () => circular((await tab.view()).motion.heading - heading - 90) < 3);
  check("behind the dialog, the joystick cannot be touched", false,
    await tab.value("(() => { const { x, y, width, height } = document.getElementById('stick').getBoundingClientRect(); return document.elementFromPoint(x + width / 2, y + height / 2)?.id === 'stick'; })()"));
  await tab.click("ring-done");
  await tab.until("this is heading 0", async () => circular((await tab.view()).motion.heading) < 2);
  check("'Done' ends it and makes this direction heading 0", { is_active: false, isOpen: false },
    { is_active: (await tab.view()).aim.is_active, isOpen: await tab.value("document.getElementById('aiming').open") });
  for (const [title, end] of [["Escape", () => tab.press("Escape")], ["'Cancel'", () => tab.click("ring-cancel")], ["'Stop'", () => tab.click("ring-stop")]]) {
    await tab.click("aim");
    await tab.until("the dialog is open again", "document.getElementById('aiming').open");
    await tab.press("ArrowRight");
    await end();
    await tab.until(`${title} closes it`, "!document.getElementById('aiming').open && !JSON.parse(window.sphero.say('view').text).aim.is_active");
  }
  await tab.key("down", "w");
  await tab.until("then the joystick drives", "JSON.parse(window.sphero.say('view').text).stick.is_held");
  await tab.key("up", "w");
  await rests(tab);
}

/** How many colours a canvas shows; one is blank. */
const shades = (element) =>
  `(() => { const canvas = ${element}; const copy = new OffscreenCanvas(canvas.width, canvas.height).getContext("2d", { willReadFrequently: true });
    copy.drawImage(canvas, 0, 0);
    const { data } = copy.getImageData(0, 0, canvas.width, canvas.height);
    return new Set(new Uint32Array(data.buffer)).size; })()`;

export async function sensors(tab) {
  const lanes = await tab.value("document.querySelectorAll('#traces canvas').length");
  check("four measurements are traced", 4, lanes);
  await tab.place("sensing");
  for (const id of ["stick", "floor", "wheel", "ring", "attitude"])
    check(`the canvas '${id}' shows something`, "more than 3 colours", await tab.value(shades(`document.getElementById("${id}")`)), (await tab.value(shades(`document.getElementById("${id}")`))) > 3);
  for (let lane = 0; lane < lanes; lane++) {
    const name = await tab.value(`document.querySelectorAll('#traces canvas')[${lane}].getAttribute("aria-label")`);
    const count = await tab.value(shades(`document.querySelectorAll('#traces canvas')[${lane}]`));
    check(`${name}: drawn`, "more than 3 colours", count, count > 3);
  }
  await tab.value("document.querySelector('#groups input[value=odometer]').click()");
  await tab.until("a fifth is streamed", "[...document.querySelectorAll('#traces .lane')].some((lane) => lane.textContent.startsWith('Place') && /\\d/.test(lane.querySelector('dd').textContent))");
  const hertz = (count) => tab.value(`(() => { const list = document.getElementById("hertz"); list.value = "${count}"; list.dispatchEvent(new Event("change")); })()`);
  await hertz(0);
  await tab.until("'Off' ends the stream", "window.sphero.view().stream.hertz === null && !(window.sphero.view().stream.rate > 0)");
  await hertz(50);
  await tab.until("50 a second come", "window.sphero.view().stream.hertz === 50 && window.sphero.view().stream.rate > 25");
  check("none is lost", 0, (await tab.view()).stream.lost);
}

export async function recordings(tab, browser, folder) {
  await browser.call("Browser.setDownloadBehavior", { behavior: "allow", downloadPath: folder });
  await tab.click("record");
  await tab.until("30 samples are recorded", "window.sphero.view().recording.samples > 30");
  await tab.value("document.getElementById('raw').value = 'Core.Ping', document.getElementById('raw-form').requestSubmit()");
  await tab.until("the log has the answer", "/Core.Ping.* ok/.test(document.getElementById('log').textContent)");
  await tab.click("record");
  await tab.until("it can be saved", "!document.getElementById('download-capture').disabled && !window.sphero.view().recording.is_on");
  const { samples } = (await tab.view()).recording;
  const files = () => readdirSync(folder).filter((name) => !name.endsWith(".crdownload"));
  await tab.click("download-capture");
  await tab.until("the capture is on the disk", () => files().some((name) => name.endsWith(".capture")));
  await tab.click("download-csv");
  await tab.until("the samples are on the disk", () => files().some((name) => name.endsWith(".csv")));
  const path = join(folder, files().find((name) => name.endsWith(".capture")));
  const rows = readFileSync(join(folder, files().find((name) => name.endsWith(".csv"))), "utf8").trimEnd().split("\n");
  check("the saved table has a row for each sample", samples + 1, rows.length);
  const lines = readFileSync(path, "utf8").trimEnd().split("\n");
  check("the saved capture begins with its header", "#: capture", lines[0].slice(0, 10));
  check("its packets are those that crossed the line", `more than ${samples}`, lines.length, lines.length > samples);

  await tab.openFiles(path);
  await tab.until("the capture is opened again", "/packets and marks/.test(document.getElementById('found').textContent)");
  const found = Number((await text(tab, "found")).match(/[\d,]+/)[0].replace(",", ""));
  check("the list has its packets", `more than ${samples}`, found, found > samples);
  check("a packet is shown with its fields", "a table", await text(tab, "packet"), /kind.*bytes/.test(await text(tab, "packet")));
  await tab.until("its picture is drawn", "document.getElementById('picture-image').naturalWidth > 0");
  check("the picture has a text of its own", true, (await tab.value("document.getElementById('picture-image').alt")).length > 10);
  await tab.value("(() => { const filter = document.getElementById('filter'); filter.value = 'core.ping'; filter.dispatchEvent(new Event('input')); })()");
  await tab.until("the filter finds the command and its answer", "document.getElementById('found').textContent.startsWith('2 of')");
  await tab.click("packets", 0, 0.97);
  await tab.value("document.getElementById('packets').focus()");
  await tab.press("End");
  check("keys choose in the list", "Core.Ping", await tab.value("document.querySelector('#packet h3').textContent"));
}

export async function collisions(tab) {
  await tab.value("(() => { const speed = document.getElementById('speed'); speed.value = 90; speed.dispatchEvent(new Event('input')); })()");
  const { count } = (await tab.view()).collisions;
  const { x, y, along } = await tab.place("stick");
  await tab.mouse("mousePressed", x, y - along * 0.7);
  await tab.until("the ball meets the wall", `window.sphero.view().collisions.count > ${count}`);
  await tab.mouse("mouseReleased", x, y - along * 0.7);
  await tab.until("the collision is written", "/^\\d+ collisions?$/.test(document.getElementById('collision-text').textContent)");
  await tab.until("and in the log", "/Collision/.test(document.getElementById('log').textContent)");
  check("it flashes on the floor and around the ball", "the colour of an alarm", await tab.value("[...window.strokes]"),
    await tab.value("(() => { const [seen, pen] = [new Set(window.strokes), new OffscreenCanvas(1, 1).getContext('2d')]; pen.strokeStyle = getComputedStyle(document.documentElement).getPropertyValue('--alarm'); return seen.has(pen.strokeStyle); })()"));
  await rests(tab);
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
  check("hiding the page lets go of the stick", false, await hide(true));
  await tab.until("and stops the ball", "JSON.parse(window.sphero.say('view').text).motion.speed < 1");
  const { samples } = await tab.value("JSON.parse(window.sphero.say('view').text).stream");
  await tab.until("samples come all the same", `JSON.parse(window.sphero.say('view').text).stream.samples > ${samples + 20}`);
  await hide(false);
  await tab.mouse("mouseReleased", x, y);
  await tab.until("the page goes on when it is seen again", `window.sphero.view().stream.samples > ${samples + 40}`);
}

export async function disconnects(tab) {
  await tab.click("disconnect");
  await tab.until("the conversation has ended", "['left', 'closed'].includes(window.sphero.view().link)");
  await tab.until("another can be begun", "!document.getElementById('choices').hidden && !document.getElementById('simulate').disabled");
  check("the end is no failure", true, await tab.value("document.getElementById('notice').hidden"));
  await tab.until("a robot can be simulated again", async () => {
    await tab.click("simulate");
    return true;
  });
  await tab.until("and is live", isLive);
  await tab.click("disconnect");
  await tab.until("until it is left", "['left', 'closed'].includes(window.sphero.view().link)");
}
