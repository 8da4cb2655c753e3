// Keeps the settings of the page in the storage of the browser, which may be disabled, full or hold anything.

import { element, store, stored } from "./elements.js";

const key = "sphero.settings";
const valueIds = ["speed", "hertz", "collisions"];

function read() {
  const settings = stored(key, JSON.parse);
  return settings !== null && typeof settings === "object" ? settings : {};
}

/** Whether an input accepts a value: a number in the range of a slider, or an option of a list. */
function accepts(input, value) {
  if (typeof value !== "string") return false;
  if (input.tagName === "SELECT") return [...input.options].some((option) => option.value === value);
  return value !== "" && Number(value) >= Number(input.min) && Number(value) <= Number(input.max);
}

/** Restores speed, rate, sensors, collisions and the expert view, and stores each change; invalid values are ignored. */
export function keepSettings() {
  const settings = read();
  const boxes = [...element("groups").querySelectorAll("input")];
  for (const id of valueIds) if (accepts(element(id), settings[id])) element(id).value = settings[id];
  if (Array.isArray(settings.groups)) for (const box of boxes) box.checked = settings.groups.includes(box.value);
  element("journal").open = settings.isExpert === true;
  const keep = () => {
    const values = Object.fromEntries(valueIds.map((id) => [id, element(id).value]));
    const groups = boxes.filter((box) => box.checked).map((box) => box.value);
    store(key, JSON.stringify({ ...read(), ...values, groups, isExpert: element("journal").open }));
  };
  for (const node of [...valueIds.map(element), element("groups")]) node.addEventListener("change", keep);
  element("journal").addEventListener("toggle", keep);
}
