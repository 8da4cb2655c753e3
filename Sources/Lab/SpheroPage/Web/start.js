// Loads the module and starts the page.

import { readPalette } from "./drawing.js";
import { element, write } from "./elements.js";
import { Page } from "./page.js";
import { compile, instantiate, ModuleFailure } from "./sphero.js";

/** Compiles the module from the text of an element: a gzip file in base64. */
function compileText(node) {
  const text = atob(node.textContent);
  node.remove();
  // A loop is faster than `Uint8Array.from` with a function, by a factor of twenty in Chromium.
  const bytes = new Uint8Array(text.length);
  for (let index = 0; index < text.length; index++) bytes[index] = text.charCodeAt(index);
  return compile(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip")));
}

readPalette();
try {
  const module = await compileText(element("wasm"));
  const page = new Page(await instantiate(module), () => instantiate(module));
  // For tests and the console, available when the page is ready.
  window.sphero = { view: () => page.view, say: (words) => page.say(words) };
  const hear = (event, error) => {
    // The page has reported the error already.
    if (error instanceof ModuleFailure) event.preventDefault();
    page.report(error);
  };
  addEventListener("error", (event) => hear(event, event.error ?? event.message));
  addEventListener("unhandledrejection", (event) => hear(event, event.reason));
} catch (error) {
  write("status-text", `This browser cannot run the page: ${error.message}`);
  throw error;
}
