// Tests against unintended motion (keys, notices, touch scrolling, zoom), and that disabled controls state the reason.
import { check } from "./checks.mjs";
import { isLive, now } from "./expressions.mjs";

/** An expression for the module's current view; the page's copy is updated once per frame. */
const rests = (tab) => tab.until("the ball is at rest", `${now}.motion.speed < 1`);
const box = (id) => `(({ x, y, width, height }) => ({ x, y, width, height }))(document.getElementById("${id}").getBoundingClientRect())`;
/** Focuses an element as the keyboard does. */
const focus = async (tab, id) => {
  await tab.reveal(id);
  await tab.value(`document.getElementById("${id}").focus()`);
};
/** An expression that causes a notice by dispatching an error. */
const scrolled = "document.getElementById('panels').scrollTop";
const warn = "void dispatchEvent(new ErrorEvent('error', { message: 'The test shows a notice that is long enough to take two lines on a narrow screen' }))";

export async function keysWithAnyFocus(tab) {
  const swatch = "document.querySelector('#swatches [aria-label=red]')";
  await tab.value(`${swatch}.id = "red-swatch"`);
  for (const [title, id, give] of [
    ["a swatch that was clicked", "red-swatch", () => tab.click("red-swatch")],
    ["a slider that was clicked", "speed", () => tab.click("speed", -0.2)],
    ["a slider focused by keyboard", "tail", () => focus(tab, "tail")],
    ["a list of choices", "hertz", () => focus(tab, "hertz")],
    ["a tab that was clicked", "tab-drive", () => tab.click("tab-drive")],
    ["the colour wheel that was clicked", "wheel", () => tab.click("wheel", 0.3, 0.3)],
    ["a button that was clicked", "stop", () => tab.click("stop")],
  ]) {
    await give();
    check(`${title} has the focus`, id, await tab.value("document.activeElement.id"));
    await tab.value("window.sphero.say('color #0000ff')");
    const { stick, color, motion } = await tab.view();
    await tab.key("down", "w");
    await tab.until(`W drives while ${title} has the focus`, `${now}.stick.y > 0.9 && ${now}.motion.speed > 10`);
    await tab.press(" ");
    check(`${title}: Space stops, though W is held`, false, (await tab.view()).stick.is_held);
    await tab.press(" ");
    check(`${title}: Space has no other effect, pressed once or twice`, { color: color.text, speed: stick.speed }, (({ color, stick }) => ({ color: color.text, speed: stick.speed }))(await tab.view()));
    await rests(tab);
    await tab.key("up", "w");
    await tab.key("down", "s");
    // Back to the start, because the ball would reach a wall of the room after several rounds.
    await tab.until("S drives back", `${now}.stick.y < -0.9 && ${now}.motion.y < ${motion.y + 1}`);
    await tab.key("down", "ArrowRight");
    check(`${title}: an arrow key steers while another key drives`, "to the right", (await tab.view()).stick, (await tab.view()).stick.x > 0.6);
    await tab.press("Escape");
    check(`${title}: Escape stops`, false, (await tab.view()).stick.is_held);
    await tab.key("up", "ArrowRight");
    await tab.key("up", "s");
    await rests(tab);
  }
  for (const id of ["red-swatch", "speed", "wheel", "tab-light"]) {
    await tab.click(id, -0.2);
    await tab.key("down", "ArrowUp");
    check(`after a click on '${id}' the arrow keys drive`, true, (await tab.view()).stick.y > 0.9);
    await tab.key("up", "ArrowUp");
    await rests(tab);
  }
  await tab.reveal("speed");
  await tab.value("document.getElementById('speed').focus(), document.activeElement.blur(), document.getElementById('speed').focus()");
  const { speed } = (await tab.view()).stick;
  await tab.press("ArrowRight");
  check("a slider focused by keyboard handles arrow keys while the ball is not driven", { faster: true, is_held: false }, (({ stick }) => ({ faster: stick.speed > speed, is_held: stick.is_held }))(await tab.view()));
  await tab.value("(document.getElementById('speed').value = 40, document.getElementById('speed').dispatchEvent(new Event('input')))");

  await tab.value("document.getElementById('color').value = ''");
  await focus(tab, "color");
  for (const key of ["w", " ", "a"]) await tab.press(key);
  check("a text field handles its keys", { text: "w a", is_held: false }, { text: await tab.value("document.getElementById('color').value"), is_held: (await tab.view()).stick.is_held });
  const { x, y, along } = await tab.place("stick");
  for (const key of [" ", "Escape"]) {
    await tab.mouse("mousePressed", x, y - along * 0.4);
    await tab.until("a pointer drives", `${now}.motion.speed > 5`);
    await focus(tab, "color");
    await tab.press(key);
    check(`'${key}' in a text field stops a ball that a pointer drives`, { is_held: false, text: "w a" }, { is_held: (await tab.view()).stick.is_held, text: await tab.value("document.getElementById('color').value") });
    await tab.mouse("mouseReleased", x, y);
    await rests(tab);
  }
  await tab.value("window.sphero.say('run macro roll 60 0 0\\nwait 5000')");
  // The page decides by its copy of the view.
  await tab.until("a program moves the ball", "window.sphero.view().motion.speed > 10");
  await focus(tab, "color");
  await tab.press(" ");
  check("Space in a text field stops a ball that a program moves", { program: null, text: "w a" }, { program: (await tab.view()).program, text: await tab.value("document.getElementById('color').value") });
  await rests(tab);
  await tab.value("document.getElementById('color').value = ''");
  await tab.value("window.sphero.say('run macro wait 60000')");
  await tab.until("a program runs that does not move the ball", "window.sphero.view().program !== null");
  await focus(tab, "color");
  await tab.press(" ");
  check("Space in a text field is typed while the ball is at rest", " ", await tab.value("document.getElementById('color').value"));
  await tab.value("document.getElementById('color').value = ''");
  await focus(tab, "program-run");
  await tab.press(" ");
  check("Space stops a program whose button has the focus", null, (await tab.view()).program);
  await focus(tab, "color");
  await tab.click("red-swatch");
  await tab.value("window.sphero.say('color #0000ff')");
  await tab.press(" ");
  check("Space activates a button again when the ball is at rest", "#ff0000", (await tab.view()).color.text);
}

export async function noticesMoveNothing(tab) {
  for (const [width, height] of [[1280, 900], [820, 900], [390, 844]]) {
    await tab.resize(width, height);
    await tab.until("the page has its new size", `innerWidth === ${width}`);
    await tab.value("document.getElementById('notice').hidden || document.getElementById('notice-close').click()");
    let { x, y } = await tab.place("stick");
    await tab.frame();
    await tab.reveal("wheel");
    await tab.frame();
    const before = await tab.value(`[${box("stick")}, ${box("wheel")}]`);
    ({ x, y } = await tab.place("stick"));
    await tab.mouse("mousePressed", x, y);
    await tab.value(warn);
    await tab.until("a notice is shown", "!document.getElementById('notice').hidden");
    await tab.frame();
    check(`${width} pixels: a notice does not cover the tools of the floor`, ["floor-go", "floor-turn", "floor-follow"],
      await tab.value(`[...document.querySelectorAll("#floor-modes button")].map((button) => { const box = button.getBoundingClientRect();
        return document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2)?.closest("#floor-modes button, #notice")?.id; })`));
    check(`${width} pixels: a notice does not move the joystick or the wheel`, before, await tab.value(`[${box("stick")}, ${box("wheel")}]`));
    await tab.mouse("mouseMoved", x + 1, y);
    const { stick } = await tab.view();
    check("one pixel of movement is about a hundredth of the range", "less than 0.03", stick, Math.hypot(stick.x, stick.y) < 0.03);
    // Scrolling, for example with a mouse wheel, moves the joystick under a stationary pointer.
    await tab.value("scrollBy(0, 72)");
    await tab.mouse("mouseMoved", x, y);
    check("scrolling under a stationary pointer does not drive", "less than 0.03", (await tab.view()).stick, Math.hypot((await tab.view()).stick.x, (await tab.view()).stick.y) < 0.03);
    await tab.mouse("mouseReleased", x, y);
    await tab.value("document.getElementById('notice-close').click()");
  }
  await tab.restoreSize();
}

export async function touchScrolls(tab) {
  await tab.resize(390, 844, 2);
  await tab.call("Emulation.setTouchEmulationEnabled", { enabled: true });
  try {
    const controlState = async () => (({ stick: { is_held }, aim: { is_active }, color: { text } }) => ({ is_held, is_active, color: text }))(await tab.view());
    for (const [title, id, right] of [["the edge beside the joystick", "stick", -1.25], ["the other edge", "stick", 1.25], ["the floor", "floor", 0], ["the colour wheel", "wheel", 0], ["the attitude", "attitude", 0]]) {
      await tab.value("document.getElementById('tab-drive').click()");
      const { x, y, across } = await tab.place(id);
      const isInPanel = ["wheel", "attitude"].includes(id);
      if (isInPanel) await tab.value("document.getElementById('panels').scrollTop = 0");
      await tab.frame();
      const fromX = x + right * across;
      const [before, top] = [await controlState(), await tab.value(scrolled)];
      const fromY = isInPanel ? (await tab.value(`document.getElementById("${id}").getBoundingClientRect().bottom`)) - 20 : y;
      check(`${title} is on the screen`, "0...390", fromX, fromX > 0 && fromX < 390);
      let during = null;
      const swipe = tab.swipe(fromX, fromY, fromX, fromY - 200, 20);
      const watch = (async () => {
        for (let count = 0; count < 6; count++) during = JSON.stringify(await controlState()) === JSON.stringify(before) ? during : await controlState();
      })();
      await Promise.all([swipe, watch]);
      if (isInPanel) {
        await tab.until("the panel scrolls", `Math.abs(${scrolled} - ${top}) > 100`, 5000).catch(() => {});
        check(`a swipe that starts at ${title} scrolls the panel`, "100 pixels or more", Math.round((await tab.value(scrolled)) - top), (await tab.value(scrolled)) - top > 100);
      }
      check(`a swipe that starts at ${title} does not drive, aim or select a colour`, { during: null, after: before }, { during, after: await controlState() });
    }
    check("the page itself does not scroll", 0, await tab.value("scrollY"));
    await tab.value("document.getElementById('tab-drive').click()");
    const { x, y, along } = await tab.place("stick");
    check("there is room for a finger next to the joystick", "60 pixels or more", (await tab.value(box("stick"))).x, (await tab.value(box("stick"))).x >= 60);
    const top = await tab.value(scrolled);
    const drive = tab.swipe(x, y, x, y - along * 0.6, 40);
    await tab.until("a finger on the joystick drives", `${now}.stick.is_held`);
    await drive;
    check("a finger on the joystick does not scroll", top, await tab.value(scrolled));
    await tab.until("lifting the finger releases the stick", `!${now}.stick.is_held`);
    const { x: wheelX, y: wheelY } = await tab.place("wheel");
    await tab.swipe(wheelX + 40, wheelY, wheelX + 40, wheelY, 1);
    await tab.until("a tap on the wheel selects a colour", `${now}.color.x > 0.2`);
  } finally {
    await tab.call("Emulation.setTouchEmulationEnabled", { enabled: false });
    await tab.restoreSize();
  }
  await rests(tab);
}

/** Without a session, the controls that require a robot look disabled, and the page shows the reason. */
export async function disabledControlsHaveReasons(tab) {
  await tab.until("the session is closed", "document.body.dataset.link === 'closed'");
  const open = await tab.value("[...document.querySelectorAll('[data-robot]')].filter((node) => !(node.disabled || node.getAttribute('aria-disabled') === 'true')).map((node) => node.id || node.textContent)");
  check("the controls that require a robot are disabled", [], open);
  check("disabled controls have a lower opacity", true, await tab.value("[...document.querySelectorAll('[data-robot]')].every((node) => getComputedStyle(node).opacity < 0.6)"));
  check("the reason is shown next to the joystick", "Connect a robot first.", await tab.value("document.getElementById('drive-reason').textContent"));
  check("the reason is shown next to the colours", "Connect a robot first.", await tab.value("document.getElementById('light-reason').textContent"));
  await tab.resize(390, 844);
  await tab.until("the page has its new size", "innerWidth === 390");
  // On a phone, the tab for driving has larger drawings than the others.
  for (const name of ["light", "drive"]) {
    await tab.value(`document.getElementById("tab-${name}").click()`);
    await tab.frame();
    const stretch = await tab.value("['stick', 'floor'].map((id) => (({ width, height, clientWidth, clientHeight }) => (width / height) / (clientWidth / clientHeight))(document.getElementById(id)))");
    check(`${name}: drawings are not stretched when their size changes without a robot`, "1 within 2 %", stretch, stretch.every((part) => Math.abs(part - 1) < 0.02));
  }
  await tab.restoreSize();
  await tab.place("wheel");
  check("the reason replaces the help text", ["visible", "hidden"], await tab.value("['light-reason', 'wheel-help'].map((id) => getComputedStyle(document.getElementById(id)).visibility)"));
}

/** On a zoomed page, the Stop button and the joystick are visible and do not overlap. */
export async function zooms(tab) {
  for (const [factor, width, height] of [[2, 640, 450], [4, 320, 225]]) {
    await tab.resize(width, height, factor);
    await tab.until("the page has its new size", `innerWidth === ${width}`);
    const overlap = `(() => { const [one, other] = ["stop", "stick"].map((id) => document.getElementById(id).getBoundingClientRect());
      return one.left < other.right && other.left < one.right && one.top < other.bottom && other.top < one.bottom; })()`;
    await tab.value("scrollTo(0, 0)");
    check(`${factor * 100} %: Stop does not cover the joystick at the top of the page`, false, await tab.value(overlap));
    await tab.place("stick");
    check("Stop does not cover the joystick after scrolling to it", false, await tab.value(overlap));
    const edges = await tab.value(`(() => { const { x, y, width, height } = document.getElementById("stick").getBoundingClientRect();
      return [[0.5, 0.02], [0.5, 0.98], [0.02, 0.5], [0.98, 0.5]].map(([right, down]) => document.elementFromPoint(x + right * width, y + down * height)?.id ?? null); })()`);
    check("the whole joystick is visible", ["stick", "stick", "stick", "stick"], edges);
    check("Stop is visible", "stop", await tab.value("(({ x, y, width, height }) => document.elementFromPoint(x + width / 2, y + height / 2)?.closest('button')?.id)(document.getElementById('stop').getBoundingClientRect())"));
    check("there is no horizontal scrolling", width, await tab.value("document.scrollingElement.scrollWidth"));
  }
  await tab.restoreSize();
}

/** With forced system colours, borders replace background colours. */
export async function forcedColors(tab) {
  await tab.call("Emulation.setEmulatedMedia", { features: [{ name: "forced-colors", value: "active" }] });
  await tab.until("colours are forced", "matchMedia('(forced-colors: active)').matches");
  const stop = await tab.value("(({ borderTopWidth, borderTopStyle, borderTopColor, backgroundColor }) => ({ borderTopWidth, borderTopStyle, isSeen: borderTopColor !== backgroundColor }))(getComputedStyle(document.getElementById('stop')))");
  check("Stop has a border", "2 or more visible pixels", stop, parseFloat(stop.borderTopWidth) >= 2 && stop.borderTopStyle !== "none" && stop.isSeen);
  const swatches = await tab.value("[...document.querySelectorAll('#swatches button')].map((node) => [getComputedStyle(node).backgroundColor, getComputedStyle(node).borderTopWidth])");
  check("each swatch shows its colour and has a border", "9 colours", swatches, new Set(swatches.map(([color]) => color)).size === 9 && swatches.every(([, width]) => parseFloat(width) >= 1));
  await tab.call("Emulation.setEmulatedMedia", { features: [] });
}
