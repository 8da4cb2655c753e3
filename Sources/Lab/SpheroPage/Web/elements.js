// Finds and makes elements of the page.

/** The element with an identifier. */
export const element = (id) => document.getElementById(id);

/** Makes an element with properties and children; text stays text. */
export function make(tag, properties = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (name.includes("-") || name === "role") node.setAttribute(name, value);
    else node[name] = value;
  }
  node.append(...children);
  return node;
}

/** Writes text where it is not written yet: a live region speaks on every change. */
export function write(id, text) {
  const node = element(id);
  if (node.textContent !== text) node.textContent = text;
}

/** Lets the browser save a file. */
export function save(name, parts, type) {
  const address = URL.createObjectURL(new Blob(parts, { type }));
  make("a", { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}

/** A name for a file of now, like `sphero 2026-01-31 14.05.09.csv`. */
export function fileName(ending) {
  const now = new Date(Date.now() - new Date().getTimezoneOffset() * 60_000).toISOString();
  return `sphero ${now.slice(0, 10)} ${now.slice(11, 19).replaceAll(":", ".")}.${ending}`;
}
