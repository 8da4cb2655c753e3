// Tests the other inputs of the page: two fingers, tilt, a gamepad, the numbers of a colour; and the stored settings.
import { check } from "./checks.mjs";
import { now } from "./expressions.mjs";

/** The width, height and scale of a phone. */
const phone = [390, 844, 2];
const circular = (degrees) => Math.abs(((degrees + 540) % 360) - 180);
const rests = (tab) => tab.until("the ball is at rest", `${now}.motion.speed < 1 && !${now}.stick.is_held`);
const pressed = (tab, id) => tab.value(`document.getElementById("${id}").getAttribute("aria-pressed")`);

/** Emulates a touch screen, such as that of a phone, while a body runs. */
async function onTouchScreen(tab, [width, height, scale], body) {
  await tab.resize(width, height, scale);
  await tab.call("Emulation.setTouchEmulationEnabled", { enabled: true, maxTouchPoints: 2 });
  try {
    await tab.until("the page has its new size", `innerWidth === ${width}`);
    await tab.value("document.getElementById('tab-drive').click()");
    await tab.frame();
    await body();
  } finally {
    await tab.call("Emulation.setTouchEmulationEnabled", { enabled: false });
    await tab.restoreSize();
  }
}

export async function previews(tab) {
  await tab.value("window.events = [], ['change', 'finish'].forEach((name) => addEventListener(`spherocolor${name}`, ({ detail }) => window.events.push(`${name} ${detail}`)))");
  await tab.reveal("wheel");
  await tab.value("document.querySelector('#swatches [aria-label=red]').click()");
  const { x, y, across } = await tab.place("wheel");
  await tab.mouse("mousePressed", x - across * 0.5, y);
  await tab.mouse("mouseMoved", x - across * 0.4, y + 2);
  await tab.mouse("mouseMoved", x - across * 0.6, y);
  await tab.mouse("mouseReleased", x - across * 0.6, y);
  const { color } = await tab.view();
  check("a drag has one previous colour", { previous: "#ff0000", current: color.text }, { previous: color.previous, current: color.current });
  await tab.until("the end of the drag is an event", "window.events.at(-1)?.startsWith('finish')");
  const events = await tab.value("window.events.slice(window.events.indexOf('finish #ff0000') + 1)");
  check("changes are events, and the last one is the finish", `…, change ${color.text}, finish ${color.text}`, events,
    events.length >= 3 && events.at(-1) === `finish ${color.text}` && events.slice(0, -1).every((event) => event.startsWith("change")));
  await tab.frame();
  check("the windows show both colours, and which one the robot has", ["#ff0000", "false", color.text, "true"],
    [...(await tab.value("[document.getElementById('preview-previous').style.getPropertyValue('--color')]")), await pressed(tab, "preview-previous"),
      ...(await tab.value("[document.getElementById('preview-current').style.getPropertyValue('--color')]")), await pressed(tab, "preview-current")]);
  await tab.click("preview-previous");
  check("the previous colour can be selected", "#ff0000", (await tab.view()).color.text);
  await tab.until("the numbers follow", "['red', 'green', 'blue'].map((id) => document.getElementById(id).value).join() === '255,0,0'");
  await tab.click("preview-current");
  check("and the current one again", color.text, (await tab.view()).color.text);
  for (const [id, value] of [["red", "16"], ["green", "300"], ["blue", "0"]])
    await tab.value(`(() => { const field = document.getElementById("${id}"); field.focus(); field.value = "${value}"; field.dispatchEvent(new Event("change")); })()`);
  check("the numbers set the colour, within 0...255", "#10ff00", (await tab.view()).color.text);
  await tab.value("document.getElementById('green').blur()");
  await tab.until("a corrected number is shown", "document.getElementById('green').value === '255'");
  await tab.value("document.getElementById('red').focus(), document.getElementById('red').select()");
  await tab.call("Input.insertText", { text: "300" });
  await tab.press("Enter");
  check("also in the field that is edited", ["255", "#ffff00"], [await tab.value("document.getElementById('red').value"), (await tab.view()).color.text]);
  await tab.value("document.getElementById('red').blur(), window.sphero.say('tail 0.2')");
  await tab.until("the tail light is shown", "document.getElementById('tail-value').textContent === '20 %' && document.getElementById('tail').valueAsNumber === 20");
}

/** Two fingers aim on a phone, and on a computer with a touch screen. */
export async function twoFingers(tab) {
  for (const screen of [phone, [1280, 900, 1]]) await twoFingersOn(tab, screen);
}

async function twoFingersOn(tab, screen) {
  await onTouchScreen(tab, screen, async () => {
    await rests(tab);
    const before = (await tab.view()).motion.heading;
    const { x, y } = await tab.place("floor");
    const finger = (degrees) => [x + 45 * Math.cos((degrees * Math.PI) / 180), y + 45 * Math.sin((degrees * Math.PI) / 180)];
    await tab.touch("touchStart", [x, y]);
    await tab.touch("touchStart", [x, y], finger(0));
    check("two resting fingers do not aim", false, (await tab.view()).aim.is_active);
    for (let degrees = 5; degrees <= 70; degrees += 5) {
      await tab.touch("touchMove", [x, y], finger(degrees));
      await tab.frame();
    }
    const { aim } = await tab.view();
    check(`${screen[0]} pixels: two turning fingers aim, less the threshold of 10 degrees`, 60, Math.round(aim.turn));
    check("the ring is shown without the dialog", { ring: true, dialog: false },
      await tab.value("({ ring: document.getElementById('twist-ring').clientWidth > 200, dialog: document.getElementById('aiming').open })"));
    await tab.until("the ball turns along", async () => circular((await tab.view()).motion.heading - before - 60) < 3);
    await tab.touch("touchEnd");
    check("the release ends the aim", false, (await tab.view()).aim.is_active);
    await tab.until("the direction becomes heading 0", async () => circular((await tab.view()).motion.heading) < 2);
    await tab.until("the ring is hidden", "document.getElementById('twisting').hidden");
    check("the page did not zoom or scroll", { scale: 1, top: 0 }, await tab.value("({ scale: visualViewport.scale, top: scrollY })"));
    // One finger on the joystick and another one on the floor drive.
    const stick = await tab.place("stick");
    await tab.touch("touchStart", [stick.x, stick.y]);
    await tab.touch("touchStart", [stick.x, stick.y], [x, y]);
    await tab.touch("touchMove", [stick.x, stick.y - stick.along * 0.6], [x + 60, y + 30]);
    check("a finger on each drives and does not aim", { is_held: true, is_active: false }, (({ stick, aim }) => ({ is_held: stick.is_held, is_active: aim.is_active }))(await tab.view()));
    await tab.touch("touchEnd");
    await rests(tab);
  });
}

export async function tilts(tab) {
  const orientation = (beta, gamma) => tab.call("DeviceOrientation.setDeviceOrientationOverride", { alpha: 0, beta, gamma });
  await onTouchScreen(tab, phone, async () => {
    await orientation(40, 0);
    await tab.click("tilt");
    await tab.until("tilt control is on", `${now}.tilt.is_on && document.getElementById('tilt').getAttribute('aria-pressed') === 'true'`);
    // Each override is one event, and an equal one is none.
    let nudge = 0;
    const hold = (beta, gamma, event, condition) => tab.until(event, async () => {
      await orientation(beta, gamma + (nudge = 0.2 - nudge));
      return tab.value(condition);
    });
    await hold(40, 0, "the attitude at the beginning is level", `${now}.stick.is_held && ${now}.stick.x === 0 && ${now}.stick.y === 0`);
    await hold(20, 0, "a lowered far edge drives ahead", `${now}.stick.y > 0.7 && Math.abs(${now}.stick.x) < 0.1 && ${now}.motion.speed > 10`);
    check("the puck follows the phone", "up", (await tab.view()).stick, (await tab.view()).stick.is_held);
    await tab.until("without events the ball stops", `!${now}.stick.is_held`);
    await rests(tab);
    check("tilt control stays on", "true", await pressed(tab, "tilt"));
    await hold(40, 0, "level again", `${now}.stick.is_held`);
    await hold(40, 25, "a lowered right edge drives to the right", `${now}.stick.x > 0.7`);
    await tab.value(`(() => { Object.defineProperty(document, "hidden", { configurable: true, get: () => true }); document.dispatchEvent(new Event("visibilitychange")); })()`);
    check("hiding the page ends tilt control", { is_on: false, is_held: false }, (({ tilt, stick }) => ({ is_on: tilt.is_on, is_held: stick.is_held }))(await tab.view()));
    await tab.value(`(() => { Object.defineProperty(document, "hidden", { configurable: true, get: () => false }); document.dispatchEvent(new Event("visibilitychange")); })()`);
    await tab.until("the button is released", "document.getElementById('tilt').getAttribute('aria-pressed') === 'false'");
    await rests(tab);
    // Safari asks for a permission.
    await tab.value("DeviceOrientationEvent.requestPermission = async () => 'denied'");
    await tab.click("tilt");
    await tab.until("a denied permission is reported", "/does not allow/.test(document.getElementById('notice-text').textContent)");
    check("and tilt control stays off", false, (await tab.view()).tilt.is_on);
    await tab.value("document.getElementById('notice-close').click(), delete DeviceOrientationEvent.requestPermission");
    await tab.call("DeviceOrientation.clearDeviceOrientationOverride");
  });
}

export async function gamepad(tab) {
  await tab.value(`(() => {
    window.pad = { connected: true, mapping: "standard", axes: [0, 0, 0, 0], buttons: Array.from({ length: 17 }, () => ({ pressed: false })) };
    Object.defineProperty(navigator, "getGamepads", { configurable: true, value: () => [null, window.pad] });
  })()`);
  const set = (axes, button = null) => tab.value(`window.pad.axes = ${JSON.stringify(axes)}, window.pad.buttons.forEach((item, index) => (item.pressed = index === ${button})), null`);
  await rests(tab);
  await tab.frame();
  await set([0, -1, 0, 0]);
  await tab.until("the left stick drives ahead", `${now}.stick.y > 0.9 && ${now}.motion.speed > 10`);
  const start = await tab.value("performance.now()");
  await tab.until("a second has passed", `performance.now() > ${start + 1000}`);
  check("a held stick keeps driving", true, (await tab.view()).stick.is_held);
  await set([0, -1, 0, 0], 1);
  await tab.until("B stops", `!${now}.stick.is_held`);
  await set([0, -1, 0, 0]);
  await tab.frame();
  check("the stick must be centred before it drives again", false, (await tab.view()).stick.is_held);
  await set([0, 0, 0, 0]);
  // The page reads the centred sticks in a frame.
  await tab.frame();
  await rests(tab);
  await set([0, 0, 0, 0], 15);
  await tab.until("the right arrow button drives to the right", `${now}.stick.x > 0.9`);
  await set([0, 0, 0, 0]);
  await tab.until("its release stops", `!${now}.stick.is_held`);
  await rests(tab);
  for (let degrees = 0; degrees <= 60; degrees += 10) {
    await set([0, 0, Math.sin((degrees * Math.PI) / 180), -Math.cos((degrees * Math.PI) / 180)]);
    await tab.frame();
  }
  check("turning the right stick aims", 50, Math.round((await tab.view()).aim.turn));
  await set([0, 0, 0, 0]);
  await tab.until("its release calibrates", async () => !(await tab.view()).aim.is_active && circular((await tab.view()).motion.heading) < 2);
  await tab.value("delete navigator.getGamepads");
}

/** Settings persist; a storage with invalid content, or without permission, does not matter. */
export async function settings(browser, url) {
  const read = (tab) => tab.value("['speed', 'hertz', 'collisions'].map((id) => document.getElementById(id).value).concat([...document.querySelectorAll('#groups :checked')].map((box) => box.value).join(), document.getElementById('journal').open)");
  const reload = async (tab) => {
    await tab.value("window.isFormer = true");
    await tab.call("Page.reload");
    await tab.until("the page is loaded again", () => tab.value("!window.isFormer && typeof window.sphero === 'object'").catch(() => false));
    await tab.frame();
  };
  const defaults = ["60", "20", "normal", "accel,gyro,imu,velocity", false];
  const tab = await browser.open(url);
  await tab.value("localStorage.clear()");
  await reload(tab);
  check("the defaults", defaults, await read(tab));
  await tab.value(`(() => {
    for (const [id, value] of [["speed", 25], ["hertz", "50"], ["collisions", "hard"]]) {
      document.getElementById(id).value = value;
      for (const name of ["input", "change"]) document.getElementById(id).dispatchEvent(new Event(name, { bubbles: true }));
    }
    document.querySelector("#groups [value=gyro]").click();
    document.getElementById("journal").open = true;
  })()`);
  await tab.frame();
  await reload(tab);
  check("a page that is loaded again has the former settings", ["25", "50", "hard", "accel,imu,velocity", true], await read(tab));
  check("the speed is shown", "25 %", await tab.value("document.getElementById('speed-value').textContent"));
  await tab.value("document.getElementById('simulate').click()");
  await tab.until("a robot uses them", "window.sphero.view().stick.speed === 0.25 && window.sphero.view().stream.hertz === 50");
  for (const [title, text] of [
    ["invalid text", "{"], ["a number", "7"], ["invalid values", JSON.stringify({ speed: "1e9", hertz: "7", collisions: 5, groups: "x", isExpert: "yes" })],
  ]) {
    await tab.value(`localStorage.setItem("sphero.settings", ${JSON.stringify(text)})`);
    await reload(tab);
    check(`${title}: the defaults`, defaults, await read(tab));
  }
  await tab.value("localStorage.clear()");
  await reload(tab);
  // Two tabs store their programs in the same place.
  const other = await browser.open(url);
  const type = (from, text) => from.value(`(() => { const field = document.getElementById("program-text"); field.value = ${JSON.stringify(text)}; field.dispatchEvent(new Event("input")); })()`);
  const programs = (from) => from.value("[...document.getElementById('program-own').children].map(({ text }) => text)");
  await type(tab, "rgb 1 2 3");
  await tab.until("the other tab lists the program", async () => (await programs(other)).join() === "rgb 1 2 3 (macro)");
  await type(other, "rgb 4 5 6");
  await tab.until("and this one lists that of the other", async () => (await programs(tab)).length === 2);
  await type(tab, "rgb 7 8 9");
  check("both are stored", ["rgb 4 5 6", "rgb 7 8 9"], JSON.parse(await tab.value("localStorage.getItem('sphero.program')")).map(({ text }) => text));
  check("the text of the other tab stays", "rgb 4 5 6", await other.value("document.getElementById('program-text').value"));
  await other.close();
  await tab.value("localStorage.clear()");
  check("no errors", [], tab.problems);
  await tab.close();
  const denied = await browser.open(url, { scripts: ['Object.defineProperty(window, "localStorage", { get() { throw new DOMException("denied", "SecurityError"); } })'] });
  await denied.value("document.getElementById('speed').dispatchEvent(new Event('change'))");
  check("without storage: the defaults, and no errors", { values: defaults, problems: [] }, { values: await read(denied), problems: denied.problems });
  await denied.close();
}
