// Tests the page's accessible names, its layout on narrow screens, its colour schemes, and the absence of network requests.
import { check } from "./checks.mjs";

const namedRoles = new Set([
  "button", "slider", "textbox", "searchbox", "combobox", "checkbox", "listbox", "option", "image", "img", "link", "radio", "switch", "spinbutton", "group", "log",
]);

/** Tests that each control has an accessible name. */
export async function names(tab, stage) {
  await tab.call("Accessibility.enable");
  const { nodes } = await tab.call("Accessibility.getFullAXTree");
  const controls = nodes.filter(({ ignored, role }) => !ignored && namedRoles.has(role?.value));
  // A group without a name only serves the layout.
  const unnamed = controls.filter(({ role, name }) => !name?.value?.trim() && role.value !== "group").map(({ role, backendDOMNodeId }) => `${role.value} ${backendDOMNodeId}`);
  const minimum = stage === "welcome" ? 4 : 20;
  check(`${stage}: there are controls`, `${minimum} or more`, controls.length, controls.length >= minimum);
  check(`${stage}: each of ${controls.length} controls has an accessible name`, [], unnamed);
}

/** Tests that the page fits the width of the window. */
export async function fits(tab, stage, width = 360) {
  await tab.resize(width, 740);
  await tab.until("the page has its new size", `innerWidth === ${width}`);
  // Absolutely positioned elements outside the page are hidden and cannot be scrolled to.
  const wide = await tab.value(`[...document.querySelectorAll("body *")].filter((node) => node.getBoundingClientRect().right > ${width} + 1 && getComputedStyle(node).position !== "absolute")
    .slice(0, 5).map((node) => node.id || node.className || node.tagName)`);
  const scrollWidth = await tab.value("document.scrollingElement.scrollWidth");
  check(`${stage}: a width of ${width} pixels suffices, without horizontal scrolling`, { width, wide: [] }, { width: scrollWidth, wide }, scrollWidth <= width && wide.length === 0);
  await tab.restoreSize();
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
