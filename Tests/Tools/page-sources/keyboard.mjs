// Tests the page with the keyboard alone: every control is reached, the robot connects, drives, aims and stops.
import { check } from "./checks.mjs";
import { now } from "./expressions.mjs";

const focused = "(document.activeElement.id || document.activeElement.outerHTML.slice(0, 60))";

/** The controls that the Tab key must reach, in the order of the document; a group of radio buttons is one stop. */
const stops = `[...document.querySelectorAll("button, input, select, textarea, canvas[tabindex], summary, [tabindex='0']")]
  .filter((node) => node.checkVisibility({ visibilityProperty: true }) && !node.disabled && node.tabIndex >= 0 && !(node.type === "radio" && !node.checked))
  .map((node) => node.id || node.outerHTML.slice(0, 60))`;

/** Presses Tab until the focus has left the document; returns what had the focus, and what had it without an outline. */
async function tabThrough(tab) {
  await tab.value("document.activeElement.blur(), getSelection().removeAllRanges(), scrollTo(0, 0)");
  // The first press after a click elsewhere continues there; the first element of the document is a safe start.
  await tab.value("(() => { const mark = document.createElement('span'); mark.tabIndex = -1; document.body.prepend(mark); mark.focus(); window.mark = mark; })()");
  const [reached, unmarked, outside] = [[], [], []];
  for (let count = 0; count < 200; count++) {
    await tab.press("Tab");
    const seen = await tab.value(`(() => { const node = document.activeElement; if (node === document.body || node === window.mark) return null;
      const isOutlined = [node, ...(node.labels ?? []), node.closest(".editor, .drop, .opener, .chips label")].filter(Boolean)
        .some((part) => [part, ...part.querySelectorAll(".button")].some((each) => getComputedStyle(each).outlineStyle !== "none" && parseFloat(getComputedStyle(each).outlineWidth) > 0));
      const { x, y, right, bottom } = (node.labels?.[0]?.matches(".button") ? node.labels[0] : node).getBoundingClientRect();
      return { name: ${focused}, isOutlined, isInside: x >= -2 && y >= -2 && x < innerWidth && y < innerHeight && right > 0 && bottom > 0 }; })()`);
    if (seen === null || reached.includes(seen.name)) break;
    reached.push(seen.name);
    if (!seen.isOutlined) unmarked.push(seen.name);
    if (!seen.isInside) outside.push(seen.name);
  }
  await tab.value("window.mark.remove()");
  return { reached, unmarked, outside };
}

async function reachesAll(tab, title) {
  const expected = await tab.value(stops);
  const { reached, unmarked, outside } = await tabThrough(tab);
  check(`${title}: Tab reaches each of ${expected.length} controls`, [], expected.filter((name) => !reached.includes(name)));
  check(`${title}: each control with the focus is outlined and visible`, { unmarked: [], outside: [] }, { unmarked, outside });
}

/** Moves the focus with Tab to an element. */
async function tabTo(tab, id) {
  for (let count = 0; count < 120 && (await tab.value(focused)) !== id; count++) await tab.press("Tab");
  check(`Tab reaches '${id}'`, id, await tab.value(focused));
}

/** Uses a page that was just opened. */
export async function keyboardOnly(tab) {
  await reachesAll(tab, "the start");
  await tabTo(tab, "simulate");
  await tab.press("Enter");
  await tab.until("Enter connects", `${now}.link === "live" && ${now}.motion !== null`);
  check("the joystick has the focus", "stick", await tab.value(focused));
  for (const [key, axis, sign] of [["ArrowUp", "y", 1], ["ArrowRight", "x", 1], ["ArrowDown", "y", -1], ["ArrowLeft", "x", -1]]) {
    await tab.key("down", key);
    await tab.until(`${key} drives`, `${now}.stick.${axis} * ${sign} > 0.9 && ${now}.motion.speed > 5`);
    await tab.key("up", key);
    await tab.until("its release stops", `!${now}.stick.is_held && ${now}.motion.speed < 1`);
  }
  await tabTo(tab, "tab-drive");
  for (const name of ["drive", "light", "sensors", "recordings", "programs"]) {
    if (name !== "drive") await tab.press("ArrowRight");
    check(`the tab '${name}' is selected`, `panel-${name}`, await tab.value("document.querySelector('[role=tabpanel]:not([hidden])').id"));
    await tab.value("document.querySelectorAll('[role=tabpanel]:not([hidden]) details, #journal').forEach((node) => (node.open = true))");
    await tab.frame();
    await reachesAll(tab, name);
    await tab.value("document.getElementById('journal').open = false");
    await tabTo(tab, `tab-${name}`);
  }
  await tab.press("Home");
  await tabTo(tab, "aim");
  await tab.press("Enter");
  await tab.until("Enter opens the aiming dialog", "document.getElementById('aiming').open");
  check("the ring has the focus", "ring", await tab.value(focused));
  for (let count = 0; count < 3; count++) await tab.press("ArrowRight");
  check("the arrow keys turn the ring", 15, (await tab.view()).aim.turn);
  const reached = new Set();
  for (let count = 0; count < 8; count++) {
    await tab.press("Tab");
    reached.add(await tab.value(focused));
  }
  check("Tab stays in the dialog", [], [...reached].filter((name) => name.startsWith("<body") ? false : !["ring", "ring-cancel", "ring-done", "ring-stop"].includes(name)));
  await tabTo(tab, "ring-done");
  await tab.press("Enter");
  await tab.until("Enter calibrates", `!document.getElementById("aiming").open && !${now}.aim.is_active`);
  await tab.until("the direction becomes heading 0", `Math.abs(((${now}.motion.heading + 540) % 360) - 180) < 2`);
  check("the focus returns to the button", "aim", await tab.value(focused));
  await tab.key("down", "w");
  await tab.until("W drives with the focus on a button", `${now}.motion.speed > 5`);
  await tab.press(" ");
  check("Space stops", false, (await tab.view()).stick.is_held);
  await tab.key("up", "w");
  await tab.until("the ball rests", `${now}.motion.speed < 1`);
  await tabTo(tab, "disconnect");
  await tab.press("Enter");
  await tab.until("Enter disconnects", "document.body.dataset.link === 'closed'");
}
