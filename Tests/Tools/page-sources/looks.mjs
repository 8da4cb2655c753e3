// What the page is for an eye, a reader of screens and a phone; and that it asks the network for nothing.
import { check } from "./checks.mjs";

const rolesWithNames = new Set([
  "button", "slider", "textbox", "searchbox", "combobox", "checkbox", "listbox", "option", "image", "img", "link", "radio", "switch", "spinbutton", "group", "log",
]);

/** Everything that can be used has a name. */
export async function names(tab, stage) {
  await tab.call("Accessibility.enable");
  const { nodes } = await tab.call("Accessibility.getFullAXTree");
  const used = nodes.filter(({ ignored, role }) => !ignored && rolesWithNames.has(role?.value));
  // Groups without a name only hold others together.
  const nameless = used.filter(({ role, name }) => !name?.value?.trim() && role.value !== "group").map(({ role, backendDOMNodeId }) => `${role.value} ${backendDOMNodeId}`);
  check(`${stage}: there is something to use`, "10 or more", used.length, used.length >= (stage === "welcome" ? 4 : 20));
  check(`${stage}: each of ${used.length} has a name for a reader of screens`, [], nameless);
}

/** Nothing is wider than the window. */
export async function fits(tab, stage, width = 360) {
  await tab.resize(width, 740);
  await tab.until("the page is laid out anew", `innerWidth === ${width}`);
  // What hangs outside of the page and cannot be scrolled to is only hidden.
  const wide = await tab.value(`[...document.querySelectorAll("body *")].filter((node) => node.getBoundingClientRect().right > ${width} + 1 && getComputedStyle(node).position !== "absolute")
    .slice(0, 5).map((node) => node.id || node.className || node.tagName)`);
  const whole = await tab.value("document.scrollingElement.scrollWidth");
  check(`${stage}: ${width} pixels are enough, nothing scrolls sideways`, { width, wide: [] }, { width: whole, wide }, whole <= width && wide.length === 0);
  await tab.unsize();
}

/** Light and dark are two. */
export async function schemes(tab) {
  const seen = [];
  for (const value of ["light", "dark"]) {
    await tab.call("Emulation.setEmulatedMedia", { features: [{ name: "prefers-color-scheme", value }] });
    await tab.until(`it is ${value}`, `matchMedia("(prefers-color-scheme: ${value})").matches`);
    seen.push(await tab.value("[getComputedStyle(document.body).backgroundColor, getComputedStyle(document.body).color]"));
  }
  const light = (color) => color.match(/\d+/g).slice(0, 3).reduce((sum, part) => sum + Number(part), 0);
  check("light is light and dark is dark", "bright ground and dark ink, then the reverse", seen,
    light(seen[0][0]) > 600 && light(seen[0][1]) < 200 && light(seen[1][0]) < 150 && light(seen[1][1]) > 500);
  await tab.call("Emulation.setEmulatedMedia", { features: [] });
}

/** Nothing went wrong unseen, and nothing was asked of the network. */
export function quiet(tab, url) {
  check("no error or warning in the console", [], tab.problems);
  check("no request but for the page itself", [url], [...new Set(tab.requests)]);
}
