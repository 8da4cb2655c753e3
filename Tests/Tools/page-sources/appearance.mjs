// Tests the page's accessible names, its layout on narrow screens, its colour schemes, and the absence of network requests.
import { check } from "./checks.mjs";

const namedRoles = new Set([
  "button", "slider", "textbox", "searchbox", "combobox", "checkbox", "listbox", "option", "image", "img", "link", "radio", "switch", "spinbutton", "group", "log",
]);

/** Tests that each control has an accessible name. */
export async function names(tab, stage) {
  await tab.call("Accessibility.enable");
  for (const name of stage === "welcome" ? [stage] : ["drive", "light", "sensors", "recordings", "programs"]) {
    if (stage !== "welcome") await tab.value(`document.getElementById("tab-${name}").click()`);
    await allNames(tab, name);
  }
}

async function allNames(tab, stage) {
  const { nodes } = await tab.call("Accessibility.getFullAXTree");
  const controls = nodes.filter(({ ignored, role }) => !ignored && namedRoles.has(role?.value));
  // A group without a name only serves the layout.
  const unnamed = controls.filter(({ role, name }) => !name?.value?.trim() && role.value !== "group").map(({ role, backendDOMNodeId }) => `${role.value} ${backendDOMNodeId}`);
  const minimum = stage === "welcome" ? 4 : 6;
  check(`${stage}: there are controls`, `${minimum} or more`, controls.length, controls.length >= minimum);
  check(`${stage}: each of ${controls.length} controls has an accessible name`, [], unnamed);
}

/** Tests that the page fits the width of the window, with the expert view open. */
export async function fits(tab, stage, width = 360) {
  await tab.resize(width, 740);
  await tab.until("the page has its new size", `innerWidth === ${width}`);
  await tab.value("document.getElementById('journal').open = true");
  for (const name of stage === "welcome" ? [stage] : ["drive", "light", "sensors", "recordings", "programs"]) {
    if (stage !== "welcome") await tab.value(`document.getElementById("tab-${name}").click()`);
    await tab.frame();
    await fitsWidth(tab, name, width);
  }
  await tab.value("document.getElementById('journal').open = false");
  await tab.restoreSize();
}

async function fitsWidth(tab, stage, width) {
  // Absolutely positioned elements outside the page are hidden and cannot be scrolled to; the layout of other hidden ones can be that of the earlier width.
  const wide = await tab.value(`[...document.querySelectorAll("body *")]
    .filter((node) => node.checkVisibility() && node.getBoundingClientRect().right > ${width} + 1 && getComputedStyle(node).position !== "absolute")
    .slice(0, 5).map((node) => node.id || node.className || node.tagName)`);
  const scrollWidth = await tab.value("document.scrollingElement.scrollWidth");
  check(`${stage}: a width of ${width} pixels suffices, without horizontal scrolling`, { width, wide: [] }, { width: scrollWidth, wide }, scrollWidth <= width && wide.length === 0);
}

/** Tests that joystick, floor, tabs and Stop are visible at once without scrolling, in each tab. */
export async function showsControls(tab) {
  for (const [width, height] of [[1366, 610], [1280, 900], [820, 900], [390, 844], [360, 640]]) {
    await tab.resize(width, height);
    await tab.until("the page has its new size", `innerWidth === ${width}`);
    for (const name of ["drive", "light", "sensors", "recordings", "programs"]) {
      await tab.value(`document.getElementById("tab-${name}").click()`);
      await tab.frame();
      const seen = await tab.value(`["stick", "floor", "tabs", "stop", "panel-${name}"].map((id) => {
        const { x, y, width, height } = document.getElementById(id).getBoundingClientRect();
        const isInside = id.startsWith("panel") || (x >= 0 && y >= 0 && x + width <= innerWidth && y + height <= innerHeight);
        const hit = document.elementFromPoint(x + width / 2, id.startsWith("panel") ? y + 12 : y + height / 2);
        return isInside && width >= 120 && (height >= 120 || !["stick", "floor"].includes(id)) && hit?.closest("#" + id) != null;
      })`);
      check(`${width}x${height}, ${name}: joystick, floor, tabs, Stop and the panel are visible`, [true, true, true, true, true], seen);
      const [text, floor] = JSON.parse(await tab.value(`JSON.stringify(["place-text", "floor"].map((id) => document.getElementById(id).getBoundingClientRect()))`));
      check(`${width}x${height}, ${name}: the place is readable`, "up to 4 lines inside the floor", text, text.width >= 60 && text.height <= 80 && text.bottom <= floor.bottom);
      const [place, guidance] = JSON.parse(await tab.value(`JSON.stringify(Object.entries({ "place-text": "−123, −123 cm · 123 cm/s · 123°", "guidance-text": "123 cm left" })
        .map(([id, text]) => Object.assign(document.getElementById(id), { textContent: text })).map((node) => node.getBoundingClientRect()))`));
      check(`${width}x${height}, ${name}: the rest of the way is below the place`, "inside the floor", [place, guidance], guidance.top >= place.bottom && guidance.bottom <= floor.bottom);
    }
    check(`${width}x${height}: the page does not scroll`, height, await tab.value("document.scrollingElement.scrollHeight"));
  }
  await tab.restoreSize();
}

/** Tests that new users see the three steps, their pictures and the buttons to connect without scrolling. */
export async function showsSteps(tab) {
  for (const [width, height] of [[1366, 610], [1280, 900], [390, 844]]) {
    await tab.resize(width, height);
    await tab.until("the page has its new size", `innerWidth === ${width}`);
    const [steps, buttons] = await tab.value(`[".steps li", "#choices button:not([hidden])"].map((selector) => [...document.querySelectorAll(selector)].map((node) => {
      const { x, y, right, bottom } = node.getBoundingClientRect();
      return x >= 0 && y >= 0 && right <= innerWidth && bottom <= innerHeight && (node.tagName === "BUTTON" || node.querySelector("svg").clientWidth >= 60);
    }))`);
    check(`${width}x${height}: three illustrated steps and the buttons are visible`, { steps: [true, true, true], buttons: "all visible" }, { steps, buttons },
      steps.length === 3 && buttons.length > 0 && [...steps, ...buttons].every(Boolean));
  }
  await tab.restoreSize();
}

/** Tests that the aiming dialog fits the window, with a large ring and its buttons. */
export async function aimingFits(tab) {
  for (const [width, height, least] of [[1366, 610, 220], [1280, 900, 380], [390, 844, 300]]) {
    await tab.resize(width, height);
    await tab.until("the page has its new size", `innerWidth === ${width}`);
    await tab.click("aim");
    await tab.until("the dialog is open", "document.getElementById('aiming').open");
    await tab.frame();
    const seen = await tab.value(`["ring", "ring-done", "ring-cancel", "ring-stop", "aim-title"].map((id) => {
      const { x, y, width, height } = document.getElementById(id).getBoundingClientRect();
      return x >= 0 && y >= 0 && x + width <= innerWidth && y + height <= innerHeight && document.elementFromPoint(x + width / 2, y + height / 2)?.closest("#" + id) != null;
    })`);
    check(`${width}x${height}: the ring and its buttons are visible`, [true, true, true, true, true], seen);
    const side = await tab.value("document.getElementById('ring').clientWidth");
    check(`${width}x${height}: the ring is large`, `${least} pixels or more`, side, side >= least);
    await tab.press("Escape");
    await tab.until("the dialog is closed", "!document.getElementById('aiming').open");
  }
  await tab.restoreSize();
}

/** Tests the tabs with the keyboard alone. */
export async function tabKeys(tab) {
  await tab.value("document.getElementById('tab-drive').click(), document.activeElement.blur(), document.getElementById('tab-drive').focus()");
  const state = () => tab.value(`(() => { const [tab] = document.querySelectorAll("[role=tab][aria-selected=true]");
    return [document.activeElement.id, tab.id, [...document.querySelectorAll("[role=tabpanel]:not([hidden])")].map((panel) => panel.id).join(), tab.tabIndex, document.querySelectorAll("[role=tab][tabindex='-1']").length]; })()`);
  for (const [key, name] of [["ArrowRight", "light"], ["ArrowRight", "sensors"], ["End", "programs"], ["ArrowRight", "drive"], ["ArrowLeft", "programs"], ["Home", "drive"]]) {
    await tab.press(key);
    check(`${key} selects ${name}`, [`tab-${name}`, `tab-${name}`, `panel-${name}`, 0, 4], await state());
  }
  check("the arrow keys of the tabs do not drive", false, (await tab.view()).stick.is_held);
}

/** Tests that the light and dark colour schemes differ. */
export async function schemes(tab) {
  const seen = [];
  for (const value of ["light", "dark"]) {
    await tab.call("Emulation.setEmulatedMedia", { features: [{ name: "prefers-color-scheme", value }] });
    await tab.until(`the scheme is ${value}`, `matchMedia("(prefers-color-scheme: ${value})").matches`);
    seen.push(await tab.value("[getComputedStyle(document.body).backgroundColor, getComputedStyle(document.body).color]"));
  }
  const light = (color) => color.match(/\d+/g).slice(0, 3).reduce((sum, part) => sum + Number(part), 0);
  check("the colour schemes are light and dark", "light background and dark text, then the reverse", seen,
    light(seen[0][0]) > 600 && light(seen[0][1]) < 200 && light(seen[1][0]) < 150 && light(seen[1][1]) > 500);
  await tab.call("Emulation.setEmulatedMedia", { features: [] });
}

/** Tests that the console has no errors or warnings, and that the page made no network requests. */
export function quiet(tab, url) {
  check("no errors or warnings in the console", [], tab.problems);
  check("no requests except for the page itself", [url], [...new Set(tab.requests)]);
}
