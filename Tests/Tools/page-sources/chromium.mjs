// Drives a headless Chromium over its debugging protocol, through two pipes: node needs no package for that.
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A machine with much else to do is slow: nothing is waited for by a fixed time, everything until a condition holds. */
export const patience = 60_000;
const sleep = (milliseconds) => new Promise((wake) => setTimeout(wake, milliseconds));

/** A browser with a profile of its own. */
export class Browser {
  #child;
  #home = mkdtempSync(join(tmpdir(), "sphero-chromium-"));
  #waiting = new Map();
  #listeners = new Set();
  #count = 0;
  #log = "";

  static async start(program, options = []) {
    const browser = new Browser();
    browser.#start(program, options);
    return browser;
  }

  /** A folder that goes away with the browser. */
  get home() {
    return this.#home;
  }

  /** Calls a method of the protocol. */
  call(method, params = {}, sessionId = undefined) {
    const id = ++this.#count;
    return new Promise((fulfil, fail) => {
      this.#waiting.set(id, { fulfil, fail, method });
      this.#child.stdio[3].write(`${JSON.stringify({ id, method, params, sessionId })}\0`);
    });
  }

  /** Calls with each event of the protocol. */
  listen(listener) {
    this.#listeners.add(listener);
  }

  /** Opens a tab; `scripts` run in it before those of the page. */
  async open(url, { scripts = [], width = 1280, height = 900, scale = 1, prepare = async () => {} } = {}) {
    const { targetId } = await this.call("Target.createTarget", { url: "about:blank" });
    const { sessionId } = await this.call("Target.attachToTarget", { targetId, flatten: true });
    const tab = new Tab(this, targetId, sessionId);
    for (const domain of ["Page", "Runtime", "Network", "Log"]) await tab.call(`${domain}.enable`);
    await tab.resize(width, height, scale);
    // As if it were the only window, and in front.
    await tab.call("Emulation.setFocusEmulationEnabled", { enabled: true });
    for (const source of scripts) await tab.call("Page.addScriptToEvaluateOnNewDocument", { source });
    await prepare(tab);
    await tab.call("Page.navigate", { url });
    await tab.until("the page is ready", "typeof window.sphero === 'object'");
    return tab;
  }

  async close() {
    const isOver = new Promise((settle) => this.#child.once("exit", settle));
    this.call("Browser.close").catch(() => {});
    if ((await Promise.race([isOver, sleep(10_000).then(() => "late")])) === "late") this.#child.kill("SIGKILL");
    await isOver;
    rmSync(this.#home, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
  }

  #start(program, options) {
    this.#child = spawn(program, [
      "--headless=new", "--remote-debugging-pipe", `--user-data-dir=${this.#home}`, "--no-first-run", "--disable-gpu", "--disable-dev-shm-usage",
      "--disable-background-networking", "--disable-component-update", "--disable-sync", "--mute-audio", "--force-color-profile=srgb",
      ...(process.getuid?.() === 0 ? ["--no-sandbox"] : []), ...options, "about:blank",
    ], { stdio: ["ignore", "ignore", "pipe", "pipe", "pipe"] });
    this.#child.stderr.on("data", (bytes) => (this.#log = (this.#log + bytes).slice(-4000)));
    const end = (error) => {
      for (const { fail, method } of this.#waiting.values()) fail(new Error(`${method}: the browser has ended: ${error}\n${this.#log}`));
      this.#waiting.clear();
    };
    this.#child.on("error", end);
    this.#child.on("exit", (code) => end(`exit code ${code}`));
    this.#child.stdio[3].on("error", () => {});
    let text = "";
    this.#child.stdio[4].setEncoding("utf8").on("data", (piece) => {
      const messages = (text + piece).split("\0");
      text = messages.pop();
      for (const message of messages) this.#take(JSON.parse(message));
    });
  }

  #take(message) {
    if (message.id === undefined) {
      for (const listener of this.#listeners) listener(message);
      return;
    }
    const { fulfil, fail, method } = this.#waiting.get(message.id);
    this.#waiting.delete(message.id);
    if (message.error) fail(new Error(`${method}: ${message.error.message}`));
    else fulfil(message.result);
  }
}

/** A tab, with what went wrong in it and what it asked the network for. */
export class Tab {
  problems = [];
  requests = [];
  #browser;
  #target;
  #session;

  constructor(browser, target, session) {
    [this.#browser, this.#target, this.#session] = [browser, target, session];
    browser.listen(({ method, params, sessionId }) => {
      if (sessionId === session) this.#note(method, params);
    });
  }

  call(method, params) {
    return this.#browser.call(method, params, this.#session);
  }

  close() {
    return this.#browser.call("Target.closeTarget", { targetId: this.#target });
  }

  resize(width, height, scale = 1) {
    return this.call("Emulation.setDeviceMetricsOverride", { width, height, deviceScaleFactor: scale, mobile: scale > 1 });
  }

  /** Goes back to the size in which a tab opens, and waits until the page is laid out in it. */
  async unsize() {
    await this.resize(1280, 900);
    await this.until("the page is laid out anew", "innerWidth === 1280");
    await this.frame();
  }

  /** The value of an expression; a promise is waited for. */
  async value(expression, userGesture = false) {
    const { result, exceptionDetails } = await this.call("Runtime.evaluate", { expression, awaitPromise: true, returnByValue: true, userGesture });
    if (exceptionDetails) throw new Error(`${expression.slice(0, 200)}: ${exceptionDetails.exception?.description ?? exceptionDetails.text}`);
    return result.value;
  }

  /** What the module says now; the page's own view is as old as its last frame. */
  view() {
    return this.value("JSON.parse(window.sphero.say('view').text)");
  }

  /** Waits until an expression, or a function here, is true; its last value is in what it throws. */
  async until(what, condition, milliseconds = patience) {
    const end = Date.now() + milliseconds;
    let seen;
    do {
      seen = typeof condition === "string" ? await this.value(condition) : await condition();
      if (seen) return seen;
      await sleep(30);
    } while (Date.now() < end);
    throw new Error(`${what}: not within ${milliseconds / 1000} s; ${JSON.stringify(await this.value(
      "({ view: window.sphero?.view(), notice: document.getElementById('notice-text')?.textContent, status: document.getElementById('status')?.textContent })"))}`);
  }

  // Hands

  /** Where an element is in sight: its middle, and half of its width and height. */
  async place(id) {
    await this.value(`document.getElementById(${JSON.stringify(id)}).scrollIntoView({ block: "center", behavior: "instant" })`);
    return this.value(`(() => { const box = document.getElementById(${JSON.stringify(id)}).getBoundingClientRect();
      return { x: box.x + box.width / 2, y: box.y + box.height / 2, across: box.width / 2, along: box.height / 2 }; })()`);
  }

  #pressed = null;

  mouse(type, x, y) {
    const isDown = type !== "mouseReleased";
    this.#pressed = isDown ? [x, y] : null;
    return this.call("Input.dispatchMouseEvent", { type, x, y, button: "left", buttons: isDown ? 1 : 0, clickCount: 1 });
  }

  /** Releases what a part that failed has left pressed. */
  async letGo() {
    if (this.#pressed) await this.mouse("mouseReleased", ...this.#pressed);
  }

  async click(id, right = 0, up = 0) {
    const { x, y, across, along } = await this.place(id);
    const [toX, toY] = [x + right * across, y - up * along];
    await this.mouse("mousePressed", toX, toY);
    await this.mouse("mouseReleased", toX, toY);
  }

  async key(type, key, modifiers = 0) {
    const codes = { Tab: 9, Enter: 13, Escape: 27, " ": 32, ArrowLeft: 37, ArrowUp: 38, ArrowRight: 39, ArrowDown: 40 };
    const isLetter = /^[a-z]$/.test(key);
    const code = key === " " ? "Space" : isLetter ? `Key${key.toUpperCase()}` : key;
    await this.call("Input.dispatchKeyEvent", {
      type: type === "down" ? "keyDown" : "keyUp", key, code, windowsVirtualKeyCode: codes[key] ?? key.toUpperCase().charCodeAt(0), modifiers,
      text: key === " " || isLetter ? key : key === "Enter" ? "\r" : undefined,
    });
  }

  /** A finger that is put down, moves in a straight line, and is lifted. */
  async swipe(fromX, fromY, toX, toY, steps = 12) {
    const touch = (type, ...points) => this.call("Input.dispatchTouchEvent", { type, touchPoints: points.map(([x, y]) => ({ x, y })) });
    await touch("touchStart", [fromX, fromY]);
    for (let step = 1; step <= steps; step++) {
      await touch("touchMove", [fromX + ((toX - fromX) * step) / steps, fromY + ((toY - fromY) * step) / steps]);
      await this.frame();
    }
    await touch("touchEnd");
  }

  /** Waits until the page has drawn. */
  frame() {
    return this.value("new Promise((wake) => requestAnimationFrame(() => requestAnimationFrame(() => wake(true))))");
  }

  /** Hands files to the input that opens recordings. */
  async openFiles(...files) {
    const { root } = await this.call("DOM.getDocument");
    const { nodeId } = await this.call("DOM.querySelector", { nodeId: root.nodeId, selector: "#open" });
    await this.call("DOM.setFileInputFiles", { nodeId, files });
  }

  async press(key, modifiers = 0) {
    await this.key("down", key, modifiers);
    await this.key("up", key, modifiers);
  }

  #note(method, params) {
    if (method === "Runtime.exceptionThrown") this.problems.push(params.exceptionDetails.exception?.description ?? params.exceptionDetails.text);
    if (method === "Runtime.consoleAPICalled" && ["error", "warning", "assert"].includes(params.type))
      this.problems.push(params.args.map((item) => item.value ?? item.description).join(" "));
    if (method === "Log.entryAdded" && ["error", "warning"].includes(params.entry.level)) this.problems.push(`${params.entry.source}: ${params.entry.text}`);
    if (method === "Network.requestWillBeSent" && !/^(data|blob|about):/.test(params.request.url)) this.requests.push(params.request.url);
  }
}
