// Loads the module and starts the page.

import { readPalette } from "./drawing.js";
import { write } from "./elements.js";
import { Page } from "./page.js";
import { load, ModuleFailure } from "./sphero.js";

readPalette();
try {
  const bytes = Uint8Array.from(atob(wasmBase64), (letter) => letter.charCodeAt(0));
  const page = new Page(await load(bytes), () => load(bytes));
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
