// Controls a headless Chromium over the DevTools protocol through two pipes, without an npm package.
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** The default timeout in milliseconds; it allows for a heavily loaded machine. */
export const timeout = 60_000;
/** The timeout of one call in milliseconds: a navigation may leave a call unanswered. */
const callTimeout = 25_000;
const sleep = (milliseconds) => new Promise((wake) => setTimeout(wake, milliseconds));

/** A browser with a temporary profile. */
export class Browser {
  #child;
  #home = mkdtempSync(join(tmpdir(), "sphero-chromium-"));
  #pending = new Map();
  #listeners = new Set();
  #count = 0;
  #log = "";

  static async start(program, options = []) {
    const browser = new Browser();
    browser.#start(program, options);
    return browser;
  }

  /** The folder of the profile; `close` removes it. */
  get home() {
    return this.#home;
  }

  /** Calls a method of the protocol. */
  call(method, params = {}, sessionId = undefined) {
    const id = ++this.#count;
    return new Promise((fulfil, fail) => {
      const timer = setTimeout(() => {
        this.#pending.delete(id);
        fail(new Error(`${method}: no answer within ${callTimeout / 1000} s`));
      }, callTimeout);
      this.#pending.set(id, { fulfil, fail, method, timer });
      this.#child.stdio[3].write(`${JSON.stringify({ id, method, params, sessionId })}\0`);
    });
  }

  /** Registers a listener for all events of the protocol. */
  listen(listener) {
    this.#listeners.add(listener);
  }

  /** Opens a tab; `scripts` run in it before the page's scripts. */
  async open(url, { scripts = [], width = 1280, height = 900, scale = 1, prepare = async () => {} } = {}) {
    const { targetId } = await this.call("Target.createTarget", { url: "about:blank" });
    const { sessionId } = await this.call("Target.attachToTarget", { targetId, flatten: true });
    const tab = new Tab(this, targetId, sessionId);
    for (const domain of ["Page", "Runtime", "Network", "Log"]) await tab.call(`${domain}.enable`);
    await tab.resize(width, height, scale);
    // The page behaves as if its window had the focus.
    await tab.call("Emulation.setFocusEmulationEnabled", { enabled: true });
    for (const source of scripts) await tab.call("Page.addScriptToEvaluateOnNewDocument", { source });
    await prepare(tab);
    await tab.call("Page.navigate", { url });
    await tab.until("the page is ready", "typeof window.sphero === 'object'");
    return tab;
  }

  async close() {
    const { pid, exitCode, signalCode } = this.#child;
    if (pid !== undefined && exitCode === null && signalCode === null) {
      const exited = new Promise((settle) => this.#child.once("exit", settle));
      // `Browser.close` takes up to 10 s; the profile is removed anyway. The group includes the processes of the tabs.
      process.kill(-pid, "SIGKILL");
      await exited;
    }
    rmSync(this.#home, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
  }

  #start(program, options) {
    this.#child = spawn(program, [
      "--headless=new", "--remote-debugging-pipe", `--user-data-dir=${this.#home}`, "--no-first-run", "--disable-gpu", "--disable-dev-shm-usage",
      "--disable-background-networking", "--disable-component-update", "--disable-sync", "--mute-audio", "--force-color-profile=srgb",
      ...(process.getuid?.() === 0 ? ["--no-sandbox"] : []), ...options, "about:blank",
    ], { detached: true, stdio: ["ignore", "ignore", "pipe", "pipe", "pipe"] });
    this.#child.stderr.on("data", (bytes) => (this.#log = (this.#log + bytes).slice(-4000)));
    const end = (error) => {
      for (const { fail, method, timer } of this.#pending.values()) {
        clearTimeout(timer);
        fail(new Error(`${method}: the browser exited: ${error}\n${this.#log}`));
      }
      this.#pending.clear();
    };
    this.#child.on("error", end);
    this.#child.on("exit", (code) => end(`exit code ${code}`));
    this.#child.stdio[3].on("error", () => {});
    let text = "";
    this.#child.stdio[4].setEncoding("utf8").on("data", (piece) => {
      const messages = (text + piece).split("\0");
      text = messages.pop();
      for (const message of messages) this.#handle(JSON.parse(message));
    });
  }

  #handle(message) {
    if (message.id === undefined) {
      for (const listener of this.#listeners) listener(message);
      return;
    }
    const call = this.#pending.get(message.id);
    if (!call) return;
    const { fulfil, fail, method, timer } = call;
    clearTimeout(timer);
    this.#pending.delete(message.id);
    if (message.error) fail(new Error(`${method}: ${message.error.message}`));
    else fulfil(message.result);
  }
}

/** A tab, with a record of its problems and network requests. */
export class Tab {
  problems = [];
  requests = [];
  #browser;
  #target;
  #session;
  #waiting = [];

  constructor(browser, target, session) {
    [this.#browser, this.#target, this.#session] = [browser, target, session];
    browser.listen(({ method, params, sessionId }) => {
      if (sessionId === session) this.#record(method, params);
    });
  }

  call(method, params) {
    return this.#browser.call(method, params, this.#session);
  }

  /** Uses a new session for calls; the first one continues to record events. */
  async reattach() {
    ({ sessionId: this.#session } = await this.#browser.call("Target.attachToTarget", { targetId: this.#target, flatten: true }));
  }

  /** Waits until the tab reports an event of the protocol, without a call that a navigation may leave unanswered. */
  event(method, milliseconds = timeout) {
    return new Promise((fulfil, fail) => {
      const timer = setTimeout(() => fail(new Error(`${method}: not within ${milliseconds / 1000} s`)), milliseconds);
      this.#waiting.push({ method, fulfil: () => (clearTimeout(timer), fulfil()) });
    });
  }

  close() {
    return this.#browser.call("Target.closeTarget", { targetId: this.#target });
  }

  resize(width, height, scale = 1) {
    return this.call("Emulation.setDeviceMetricsOverride", { width, height, deviceScaleFactor: scale, mobile: scale > 1 });
  }

  /** Restores the initial size of a tab, and waits for the page's layout. */
  async restoreSize() {
    await this.resize(1280, 900);
    await this.until("the page has its initial size", "innerWidth === 1280");
    await this.frame();
  }

  /** Evaluates an expression and returns its value, awaiting a promise. */
  async value(expression, userGesture = false) {
    const { result, exceptionDetails } = await this.call("Runtime.evaluate", { expression, awaitPromise: true, returnByValue: true, userGesture });
    if (exceptionDetails) throw new Error(`${expression.slice(0, 200)}: ${exceptionDetails.exception?.description ?? exceptionDetails.text}`);
    return result.value;
  }

  /** Returns the module's current view; the page's copy is updated once per frame. */
  view() {
    return this.value("JSON.parse(window.sphero.say('view').text)");
  }

  /** Waits until an expression of the page or a function is truthy; the error after a timeout contains the state of the page. */
  async until(event, condition, milliseconds = timeout) {
    const end = Date.now() + milliseconds;
    do {
      const result = typeof condition === "string" ? await this.value(condition) : await condition();
      if (result) return result;
      await sleep(30);
    } while (Date.now() < end);
    throw new Error(`timeout: ${event}: not within ${milliseconds / 1000} s; ${JSON.stringify(await this.value(
      "({ view: window.sphero?.view(), notice: document.getElementById('notice-text')?.textContent, status: document.getElementById('status')?.textContent })"))}`);
  }

  // Input

  /** Selects the tab of the page that contains an element. */
  reveal(id) {
    return this.value(`(() => { const panel = document.getElementById(${JSON.stringify(id)}).closest("[role=tabpanel][hidden]");
      if (panel) document.getElementById(panel.getAttribute("aria-labelledby")).click(); })()`);
  }

  /** Selects the tab of an element and scrolls it into view; returns its centre, and half of its width and height. */
  async place(id) {
    await this.reveal(id);
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

  /** Releases a mouse button that a failed part left pressed. */
  async releaseMouse() {
    if (this.#pressed) await this.mouse("mouseReleased", ...this.#pressed);
  }

  async click(id, right = 0, up = 0) {
    const { x, y, across, along } = await this.place(id);
    const [toX, toY] = [x + right * across, y - up * along];
    await this.mouse("mousePressed", toX, toY);
    await this.mouse("mouseReleased", toX, toY);
  }

  async key(type, key, modifiers = 0) {
    const codes = { Tab: 9, Enter: 13, Escape: 27, " ": 32, PageUp: 33, PageDown: 34, End: 35, Home: 36, ArrowLeft: 37, ArrowUp: 38, ArrowRight: 39, ArrowDown: 40 };
    const isLetter = /^[a-z]$/.test(key);
    const code = key === " " ? "Space" : isLetter ? `Key${key.toUpperCase()}` : key;
    await this.call("Input.dispatchKeyEvent", {
      type: type === "down" ? "keyDown" : "keyUp", key, code, windowsVirtualKeyCode: codes[key] ?? key.toUpperCase().charCodeAt(0), modifiers,
      text: key === " " || isLetter ? key : key === "Enter" ? "\r" : undefined,
    });
  }

  /** Performs a touch along a straight line. */
  async swipe(fromX, fromY, toX, toY, steps = 12) {
    const touch = (type, ...points) => this.call("Input.dispatchTouchEvent", { type, touchPoints: points.map(([x, y]) => ({ x, y })) });
    await touch("touchStart", [fromX, fromY]);
    for (let step = 1; step <= steps; step++) {
      await touch("touchMove", [fromX + ((toX - fromX) * step) / steps, fromY + ((toY - fromY) * step) / steps]);
      await this.frame();
    }
    await touch("touchEnd");
  }

  /** Touches with several fingers at once: `type` is touchStart, touchMove or touchEnd, and the points are the fingers on the screen. */
  touch(type, ...points) {
    return this.call("Input.dispatchTouchEvent", { type, touchPoints: points.map(([x, y], id) => ({ x, y, id })) });
  }

  /** Waits until the page has rendered a frame. */
  frame() {
    return this.value("new Promise((wake) => requestAnimationFrame(() => requestAnimationFrame(() => wake(true))))");
  }

  /** Selects files in the input that opens recordings. */
  openFiles(...files) {
    return this.setFiles("open", ...files);
  }

  /** Selects files in an input. */
  async setFiles(id, ...files) {
    const { root } = await this.call("DOM.getDocument");
    const { nodeId } = await this.call("DOM.querySelector", { nodeId: root.nodeId, selector: `#${id}` });
    await this.call("DOM.setFileInputFiles", { nodeId, files });
  }

  async press(key, modifiers = 0) {
    await this.key("down", key, modifiers);
    await this.key("up", key, modifiers);
  }

  #record(method, params) {
    this.#waiting = this.#waiting.filter((item) => item.method !== method || item.fulfil());
    if (method === "Page.javascriptDialogOpening") {
      // An open dialog blocks the page.
      this.problems.push(`a dialog opened: ${params.type} ${params.message}`);
      this.#browser.call("Page.handleJavaScriptDialog", { accept: true }, this.#session).catch(() => {});
    }
    if (method === "Runtime.exceptionThrown") this.problems.push(params.exceptionDetails.exception?.description ?? params.exceptionDetails.text);
    if (method === "Runtime.consoleAPICalled" && ["error", "warning", "assert"].includes(params.type))
      this.problems.push(params.args.map((item) => item.value ?? item.description).join(" "));
    if (method === "Log.entryAdded" && ["error", "warning"].includes(params.entry.level)) this.problems.push(`${params.entry.source}: ${params.entry.text}`);
    if (method === "Network.requestWillBeSent" && !/^(data|blob|about):/.test(params.request.url)) this.requests.push(params.request.url);
  }
}
