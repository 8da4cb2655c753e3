// Finds and creates elements of the page.

/** Returns the element with an identifier. */
export const element = (id) => document.getElementById(id);

/** Creates an element with properties and children; strings become text nodes. */
export function make(tag, properties = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (name.includes("-") || name === "role") node.setAttribute(name, value);
    else node[name] = value;
  }
  node.append(...children);
  return node;
}

/** Sets text only if it differs, because screen readers announce each change of a live region. */
export function write(id, text) {
  const node = element(id);
  if (node.textContent !== text) node.textContent = text;
}

/** Returns a number with decimals, a minus sign, and no sign before a zero. */
export const numberText = (value, digits) => value.toFixed(digits).replace(/^-(?=[0.]*$)/, "").replace("-", "−");

/** Returns the place, the speed and the heading of a robot as text, as far as they are known. */
export const motionText = ({ x, y, speed, heading }) => [
  x == null ? null : `${Math.round(x)}, ${Math.round(y)} cm`,
  speed == null ? null : `${Math.round(speed)} cm/s`,
  heading == null ? null : `${Math.round(heading)}°`,
].filter(Boolean).join(" · ").replaceAll("-", "−");

/** Returns what the browser has stored under a key; null without a storage, and for a text that `parse` rejects. */
export function stored(key, parse = (text) => text) {
  try {
    return parse(localStorage.getItem(key));
  } catch {
    return null;
  }
}

/** Stores a text under a key, or removes it if the text is null; without a storage, the text is lost with the page. */
export function store(key, text) {
  try {
    if (text === null) localStorage.removeItem(key);
    else localStorage.setItem(key, text);
  } catch {
    // Storage may be disabled or full.
  }
}

/** Calls a function with each file that the user chooses with an input. */
export function onFile(id, open) {
  element(id).addEventListener("change", () => {
    const [file] = element(id).files;
    // The same file may be chosen again.
    element(id).value = "";
    if (file) open(file);
  });
}

/** Downloads a file. */
export function save(name, parts, type) {
  const address = URL.createObjectURL(new Blob(parts, { type }));
  make("a", { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}

/** Returns a file name with the current time, like `sphero 2026-01-31 14.05.09.csv`. */
export function fileName(ending) {
  const now = new Date(Date.now() - new Date().getTimezoneOffset() * 60_000).toISOString();
  return `sphero ${now.slice(0, 10)} ${now.slice(11, 19).replaceAll(":", ".")}.${ending}`;
}
