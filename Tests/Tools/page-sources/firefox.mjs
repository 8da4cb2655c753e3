// Tests the page in headless Firefox: Firefox's Web Serial with its echoing test port, and keys with any focused element.
//
//   node firefox.mjs FIREFOX sphero.html
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createConnection } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { check, conclude, part } from "./checks.mjs";

const timeout = 60_000;
const sleep = (milliseconds) => new Promise((wake) => setTimeout(wake, milliseconds));

/** A Firefox with a temporary profile, controlled over WebDriver BiDi without an npm package. */
class Firefox {
  #child;
  #home = mkdtempSync(join(tmpdir(), "sphero-firefox-"));
  #socket;
  #pending = new Map();
  #count = 0;
  #context;

  static async start(program) {
    const firefox = new Firefox();
    // Disables the add-on prompt of Web Serial, and enables its test ports.
    writeFileSync(join(firefox.#home, "user.js"), ["gated", "testing.enabled"].map((name, place) => `user_pref("dom.webserial.${name}", ${place === 1});`).join("\n"));
    firefox.#child = spawn(program, ["--headless", "--no-remote", "--profile", firefox.#home, "--remote-debugging-port", "0", "about:blank"], { stdio: ["ignore", "ignore", "pipe"] });
    const port = await new Promise((fulfil, fail) => {
      let text = "";
      firefox.#child.stderr.on("data", (bytes) => {
        const found = (text += bytes).match(/BiDi listening on ws:\/\/[^:]+:(\d+)/);
        if (found) fulfil(Number(found[1]));
      });
      firefox.#child.on("exit", (code) => fail(new Error(`Firefox exited with ${code}: ${text.slice(-1000)}`)));
    });
    await firefox.#open(port);
    await firefox.call("session.new", { capabilities: {} });
    firefox.#context = (await firefox.call("browsingContext.getTree")).contexts[0].context;
    return firefox;
  }

  async #open(port) {
    this.#socket = createConnection(port, "127.0.0.1");
    await new Promise((fulfil, fail) => this.#socket.once("connect", fulfil).once("error", fail));
    this.#socket.write(`GET /session HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Key: c3BoZXJvIHBhZ2UgdGVzdA==\r\nSec-WebSocket-Version: 13\r\n\r\n`);
    let [bytes, isOpen] = [Buffer.alloc(0), false];
    await new Promise((fulfil) => {
      this.#socket.on("data", (piece) => {
        bytes = Buffer.concat([bytes, piece]);
        if (!isOpen) {
          const end = bytes.indexOf("\r\n\r\n");
          if (end < 0) return;
          bytes = bytes.subarray(end + 4);
          isOpen = true;
          fulfil();
        }
        // Each message is a WebSocket header of 2, 4 or 10 bytes followed by JSON.
        for (;;) {
          if (bytes.length < 10) return;
          const short = bytes[1] & 0x7f;
          const head = short === 126 ? 4 : short === 127 ? 10 : 2;
          const count = short === 126 ? bytes.readUInt16BE(2) : short === 127 ? Number(bytes.readBigUInt64BE(2)) : short;
          if (bytes.length < head + count) return;
          const message = JSON.parse(bytes.subarray(head, head + count));
          bytes = bytes.subarray(head + count);
          this.#pending.get(message.id)?.(message);
          this.#pending.delete(message.id);
        }
      });
    });
  }

  /** Calls a method of WebDriver BiDi. */
  async call(method, params = {}) {
    const id = ++this.#count;
    // Padded with spaces to at least 126 bytes, so that every length has the 16-bit form.
    const body = Buffer.from(JSON.stringify({ id, method, params }).padEnd(126));
    const head = Buffer.alloc(8);
    // A WebSocket client must mask its messages; Firefox rejects a mask of zeros.
    const mask = [1, 2, 3, 4];
    head.set([0x81, 0xfe, body.length >> 8, body.length & 0xff, ...mask]);
    const answer = new Promise((fulfil) => this.#pending.set(id, fulfil));
    this.#socket.write(Buffer.concat([head, body.map((byte, place) => byte ^ mask[place % 4])]));
    const { type, result, error, message } = await answer;
    if (type === "error") throw new Error(`${method}: ${error}: ${message}`);
    return result;
  }

  navigate(url) {
    return this.call("browsingContext.navigate", { context: this.#context, url, wait: "complete" });
  }

  /** Evaluates an expression and returns its value, awaiting a promise. */
  async value(expression, userActivation = false) {
    const { type, result, exceptionDetails } = await this.call("script.evaluate", {
      expression: `(async () => JSON.stringify(await (${expression})))()`, target: { context: this.#context }, awaitPromise: true, userActivation,
    });
    if (type !== "success") throw new Error(`${expression.slice(0, 200)}: ${exceptionDetails.text}`);
    return result.value === undefined ? undefined : JSON.parse(result.value);
  }

  async until(event, expression) {
    const end = Date.now() + timeout;
    while (!(await this.value(expression))) {
      if (Date.now() > end) throw new Error(`timeout: ${event}: not within ${timeout / 1000} s; ${JSON.stringify(await this.value("[document.getElementById('status').textContent, document.getElementById('notice-text').textContent]"))}`);
      await sleep(50);
    }
  }

  #act(type, actions) {
    return this.call("input.performActions", { context: this.#context, actions: [{ type, id: type, actions }] });
  }

  async click(selector) {
    const [x, y] = await this.value(`(() => { const node = document.querySelector(${JSON.stringify(selector)});
      const panel = node.closest("[role=tabpanel][hidden]");
      if (panel) document.getElementById(panel.getAttribute("aria-labelledby")).click();
      node.scrollIntoView({ block: "center", behavior: "instant" });
      const box = node.getBoundingClientRect(); return [Math.round(box.x + box.width / 2), Math.round(box.y + box.height / 2)]; })()`);
    await this.#act("pointer", [{ type: "pointerMove", x, y }, { type: "pointerDown", button: 0 }, { type: "pointerUp", button: 0 }]);
  }

  down(...keys) {
    return this.#act("key", keys.map((value) => ({ type: "keyDown", value })));
  }

  up(...keys) {
    return this.#act("key", keys.map((value) => ({ type: "keyUp", value })));
  }

  async press(key) {
    await this.down(key);
    await this.up(key);
  }

  async close() {
    const exited = new Promise((settle) => this.#child.removeAllListeners("exit").once("exit", settle));
    this.#child.kill("SIGTERM");
    if ((await Promise.race([exited, sleep(10_000).then(() => "late")])) === "late") this.#child.kill("SIGKILL");
    await exited;
    rmSync(this.#home, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
  }
}

const [program, path] = process.argv.slice(2);
const state = (name) => `document.body.dataset.link === "${name}"`;
const view = "JSON.parse(window.sphero.say('view').text)";
const firefox = await Firefox.start(program);
try {
  await firefox.navigate(`file://${path}`);
  await firefox.until("the page is ready", "typeof window.sphero === 'object'");
  await part("Firefox's own Web Serial", async () => {
    check("the page offers to connect a robot", { connect: false, unsupported: true }, await firefox.value("({ connect: document.getElementById('connect').hidden, unsupported: document.getElementById('unsupported').hidden })"));
    await firefox.click("#connect");
    await firefox.until("the test port is open", state("connecting"));
    await firefox.until("the page receives its own bytes and closes the port", state("closed"));
    const notice = await firefox.value("document.getElementById('notice-text').textContent");
    check("the notice has the reason", "an echo", notice, /echoes/.test(notice));
    const [{ usbVendorId, usbProductId }] = await firefox.value("navigator.serial.getPorts().then((ports) => ports.map((port) => port.getInfo()))");
    const digits = (number) => number.toString(16).padStart(4, "0");
    check("the port is named by its kind", `Connect USB ${digits(usbVendorId)}:${digits(usbProductId)} again`, await firefox.value("document.getElementById('again').textContent"));
    await firefox.click("#again");
    await firefox.until("the closed port can be opened again", state("connecting"));
    await firefox.click("#disconnect");
    await firefox.until("the session has ended", state("closed"));
  });
  await part("the simulated robot in Firefox", async () => {
    await firefox.click("#simulate");
    await firefox.until("the robot is live", state("live"));
    for (const selector of ["#swatches [aria-label=red]", "#speed", "#wheel"]) {
      await firefox.click(selector);
      await firefox.value("void window.sphero.say('color #0000ff')");
      const { speed } = await firefox.value(`${view}.stick`);
      await firefox.down("w");
      await firefox.until(`W drives after a click on ${selector}`, `${view}.motion.speed > 10`);
      await firefox.press(" ");
      await firefox.press(" ");
      const { stick, color } = await firefox.value(view);
      check(`after a click on ${selector}, Space only stops the ball`, { is_held: false, speed, color: "#0000ff" }, { is_held: stick.is_held, speed: stick.speed, color: color.text });
      await firefox.until("the ball is at rest", `${view}.motion.speed < 1`);
      await firefox.up("w");
    }
    await firefox.click("#aim");
    await firefox.until("the ring's dialog is open", "document.getElementById('aiming').open");
    await firefox.press("\uE00C");
    await firefox.until("Escape closes the dialog", `!document.getElementById("aiming").open && !${view}.aim.is_active`);
  });
} finally {
  await firefox.close();
}
conclude("the page in Firefox");
