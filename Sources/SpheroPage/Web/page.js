// Brings the module, the line and what is on the screen together.

import { Ring, setSlider, slide, Stick, Wheel } from "./controls.js";
import { drawAttitude, drawFloor, Picture, readPalette, Sight } from "./drawing.js";
import { element, make, write } from "./elements.js";
import { Pump, SerialLine, SimulatedLine } from "./lines.js";
import { Recorder, Viewer } from "./recordings.js";
import { Sensors } from "./sensors.js";
import { load } from "./sphero.js";

const linkTexts = {
  closed: "Not connected",
  connecting: "Waiting for the robot…",
  live: "Connected",
  silent: "Connected, but no samples come",
  lost: "The link is lost; trying again…",
  leaving: "Disconnecting…",
  left: "Disconnected",
};
const mostLogLines = 500;
const calm = matchMedia("(prefers-reduced-motion: reduce)");

/** Everything between the module and the user. */
class Page {
  #sphero;
  #pump;
  #line = null;
  #port = null;
  #view;
  #isBusy = false;
  #isRunning = false;
  #leaving = null;
  #way = [];
  #wayAskedAt = 0;
  #newsAskedAt = 0;
  #sight = new Sight();
  #flashedAt = -Infinity;
  #collisions = 0;
  #figuresAt = 0;
  #link = "closed";
  #floor = new Picture(element("floor"), drawFloor);
  #attitude = new Picture(element("attitude"), drawAttitude);
  #stick;
  #wheel;
  #ring;
  #sensors;
  #recorder;

  constructor(sphero) {
    this.#sphero = sphero;
    this.#pump = new Pump(sphero, () => this.#stepped());
    this.#view = this.#readView();
    const tell = (words) => this.#tell(words) !== null;
    this.#stick = new Stick((words) => this.#isOn && tell(words), () => this.#stop());
    this.#wheel = new Wheel((words) => this.#isOn && tell(words), (side) => this.#pump.ask(`disc ${side}`).bytes);
    this.#ring = new Ring((words) => this.#isOn && tell(words));
    this.#sensors = new Sensors((words) => this.#isOn && tell(words), () => JSON.parse(this.#pump.ask("columns").text));
    this.#recorder = new Recorder((words) => this.#tell(words));
    new Viewer(this.#pump, (error) => this.report(error));
    slide("speed", (part) => {
      element("speed").setAttribute("aria-valuetext", `${Math.round(part * 100)} percent`);
      if (this.#isOn) tell(`speed ${part.toFixed(4)}`);
    });
    this.#listen();
    this.#offer();
    this.#showOnce();
    write("status", linkTexts.closed);
    for (const id of ["connect", "again", "simulate", "open"]) element(id).disabled = false;
  }

  /** The latest view, as an object. */
  get view() {
    return this.#view;
  }

  /** Says words, and sends what follows. */
  say(words) {
    return this.#pump.tell(words);
  }

  /** Tells the user what went wrong. */
  report(error, advice) {
    const message = error instanceof Error ? error.message : String(error);
    this.#note({ message, advice, weight: "alarm" });
  }

  // Whether there is a conversation to speak in.
  get #isOn() {
    return this.#line !== null && this.#leaving === null;
  }

  #tell(words) {
    try {
      return this.#pump.tell(words);
    } catch (error) {
      this.report(error);
      return null;
    }
  }

  #readView() {
    return JSON.parse(this.#pump.ask("view").text);
  }

  // Where it came from, and how it goes away

  async #connect(makeLine) {
    if (this.#isBusy) return;
    this.#isBusy = true;
    this.#closeNotice();
    try {
      await this.#leave();
      const line = await makeLine();
      if (!line) return;
      write("status", "Opening the line…");
      await line.open();
      this.#begin(line);
    } catch (error) {
      this.#explain(error);
      this.#showLink(true);
    } finally {
      this.#isBusy = false;
      this.#offer();
    }
  }

  #begin(line) {
    this.#line = line;
    this.#way = [];
    this.#sight.forget();
    this.#collisions = 0;
    document.body.dataset.stage = "session";
    element("welcome").classList.remove("is-asked");
    // What is chosen before the conversation begins goes out once.
    this.#tell(`speed ${(element("speed").valueAsNumber / 100).toFixed(4)}`);
    this.#sensors.chooseCollisions();
    this.#sensors.choose();
    this.#sensors.clear();
    this.#tell(`connect ${Date.now()}`);
    this.#pump.attach(line);
    this.#offer();
    element("stick").focus({ preventScroll: true, focusVisible: false });
    this.#run();
  }

  // Ends the conversation: first in words, then the line.
  async #leave() {
    if (this.#line === null) return;
    const line = this.#line;
    this.#stick.drop();
    if (this.#leaving === null) {
      const isOver = new Promise((settle) => (this.#leaving = settle));
      this.#tell("leave");
      // The module is done within a second; a module that fails shall not hold the port.
      await Promise.race([isOver, new Promise((wake) => setTimeout(wake, 1500))]);
    }
    this.#drain();
    await line.close();
    this.#pump.attach(null);
    this.#line = this.#leaving = null;
    this.#flashedAt = -Infinity;
    this.#view = this.#readView();
    this.#showOnce();
    this.#offer();
  }

  async #lost(line) {
    if (line !== this.#line) return;
    this.#stick.drop();
    this.#pump.attach(null);
    if (this.#leaving !== null) return;
    this.#tell("lost");
    if (await line.reopen()) {
      if (line !== this.#line) return;
      this.#pump.attach(line);
      this.#tell("back");
    } else if (line === this.#line && this.#leaving === null) {
      this.#note({ message: "The robot did not come back within a minute.", advice: "Shake it awake, and connect again.", weight: "alarm" });
      await this.#leave();
    }
  }

  #connectPort(choosePort) {
    return this.#connect(async () => {
      this.#port = await choosePort();
      const line = new SerialLine(this.#port, {
        receive: (bytes) => {
          if (line === this.#line) this.#pump.receive(bytes);
        },
        lose: () => this.#lost(line),
      });
      return line;
    });
  }

  #explain(error) {
    if (error.name === "NotFoundError") {
      element("pairing").open = true;
      if (document.body.dataset.stage === "session") element("welcome").classList.add("is-asked");
      this.#note({ message: "No robot was chosen.", advice: "The steps below help where the list is empty.", weight: "note" });
    } else if (error.name === "InvalidStateError") {
      this.report("This port is open already, here or in another tab.");
    } else if (error.name === "NetworkError") {
      this.report("The robot does not accept the connection.", "It may be asleep, out of reach, or held by another program. Shake it awake, and try again.");
    } else {
      this.report(error);
    }
  }

  async #offer() {
    const isConnected = this.#line !== null;
    const ports = isConnected ? [] : await SerialLine.known().catch(() => []);
    if (isConnected !== (this.#line !== null)) return;
    const inSession = document.body.dataset.stage === "session";
    element(inSession ? "bar-actions" : "hero-actions").append(element("choices"));
    element("choices").hidden = isConnected;
    element("disconnect").hidden = !isConnected;
    element("connect").hidden = element("any-port").hidden = !SerialLine.isSupported;
    element("unsupported").hidden = SerialLine.isSupported;
    element("simulate").classList.toggle("primary", !SerialLine.isSupported);
    element("again").hidden = ports.length === 0;
    document.body.toggleAttribute("data-connected", isConnected);
    for (const id of ["stick", "wheel", "ring"]) element(id).setAttribute("aria-disabled", String(!isConnected));
    for (const id of ["record", "raw"]) element(id).disabled = !isConnected;
    if (this.#port && !ports.includes(this.#port)) this.#port = null;
    this.#port ??= ports[0] ?? null;
  }

  // What happens

  #listen() {
    const click = (id, act) => element(id).addEventListener("click", act);
    click("connect", () => this.#connectPort(() => SerialLine.choose()));
    click("any-port", () => this.#connectPort(() => SerialLine.choose(true)));
    click("again", () => this.#connectPort(() => this.#port));
    click("simulate", () => this.#connect(() => new SimulatedLine(this.#sphero)));
    click("disconnect", () => this.#leave());
    click("stop", () => this.#stop());
    click("notice-close", () => this.#closeNotice());
    // A finger that slips off the button has pressed it all the same.
    element("stop").addEventListener("pointerdown", () => this.#stop());
    addEventListener("keydown", (event) => {
      if (event.key !== "Escape") return;
      if (this.#ring.isActive && this.#ring.hasFocus && !this.#stick.isHeld) this.#ring.cancel();
      else this.#stop();
    });
    element("raw-form").addEventListener("submit", (event) => {
      event.preventDefault();
      const words = element("raw").value.trim();
      if (!words || !this.#isOn) return;
      this.#log(`› ${words}`);
      if (this.#tell(`raw ${words}`) !== null) element("raw").select();
    });
    document.addEventListener("visibilitychange", () => {
      if (document.hidden) this.#stop();
      else this.#run();
    });
    addEventListener("pagehide", () => this.#stop());
    for (const scheme of ["(prefers-color-scheme: dark)", "(forced-colors: active)"])
      matchMedia(scheme).addEventListener("change", () => {
        readPalette();
        this.#showOnce();
      });
    addEventListener("resize", () => this.#showOnce());
    new ResizeObserver(() => {
      document.documentElement.style.setProperty("--bar", `${element("bar").offsetHeight}px`);
      this.#showOnce();
    }).observe(element("bar"));
    navigator.serial?.addEventListener?.("connect", () => this.#offer());
    navigator.serial?.addEventListener?.("disconnect", () => this.#offer());
  }

  #stop() {
    this.#stick.drop();
    if (this.#isOn) this.#tell("stop");
  }

  // After each step of the module, also where nothing is drawn.
  #stepped() {
    if (this.#leaving !== null && ["left", "closed"].includes(this.#readView().link)) this.#leaving();
    if (document.hidden && performance.now() - this.#newsAskedAt > 1000) this.#drain();
  }

  // One loop, only while something is seen and somebody is there.
  #run() {
    if (this.#isRunning || this.#line === null || document.hidden) return;
    this.#isRunning = true;
    const frame = (now) => {
      this.#isRunning = this.#line !== null && !document.hidden;
      if (!this.#isRunning) return;
      requestAnimationFrame(frame);
      this.#stick.pollGamepad();
      this.#drain();
      this.#show(now);
    };
    requestAnimationFrame(frame);
  }

  #showOnce() {
    requestAnimationFrame((now) => {
      if (!this.#isRunning) this.#show(now);
    });
  }

  #drain() {
    this.#newsAskedAt = performance.now();
    this.#view = this.#readView();
    for (const line of this.#pump.ask("news").text.split("\n")) if (line !== "") this.#hear(JSON.parse(line));
    this.#recorder.show(this.#view.recording, this.#newsAskedAt);
  }

  #hear(item) {
    switch (item.kind) {
      case "sample":
        this.#sensors.add(item);
        break;
      case "collision":
        this.#log(`Collision${item.direction == null ? "" : ` from ${Math.round(item.direction)}°`}${item.power == null ? "" : `, power ${item.power}`}`, "warning");
        break;
      case "event":
        if (item.name !== "Sensing.Collision") this.#log(item.message ?? item.name);
        break;
      case "answer":
        this.#log(item.message ?? answerText(item), item.status === "ok" ? undefined : "warning");
        break;
      case "error":
      case "end":
        if (item.message) this.#note({ weight: "alarm", ...item });
        if (item.kind === "end" && this.#leaving === null) this.#leave();
        break;
      default:
        if (item.notice === "connected" || item.notice === "reconnected") this.#closeNotice();
        // A lost sample is counted above; it is nothing to interrupt anybody for.
        if (item.weight && item.weight !== "note" && item.notice !== "gap") this.#note(item);
        else this.#log(item.message ?? item.kind);
    }
  }

  // Remarks

  #note({ message, advice, weight }) {
    const text = [message, advice].filter(Boolean).map(sentence).join(" ");
    this.#log(text, weight);
    element("notice").hidden = false;
    element("notice-text").dataset.weight = weight ?? "note";
    write("notice-text", text);
  }

  #closeNotice() {
    element("notice").hidden = true;
    write("notice-text", "");
  }

  #log(text, weight) {
    const list = element("log");
    const isAtEnd = list.scrollTop + list.clientHeight > list.scrollHeight - 8;
    const time = new Date().toLocaleTimeString("en-GB");
    const entry = make("span", {}, text);
    if (weight) entry.dataset.weight = weight;
    list.append(make("li", {}, make("time", {}, time), entry));
    while (list.childElementCount > mostLogLines) list.firstElementChild.remove();
    if (isAtEnd) list.scrollTop = list.scrollHeight;
  }

  // Drawing

  #show(now) {
    const view = this.#view;
    this.#showLink(false);
    this.#stick.show(view.stick);
    this.#wheel.show(view.color);
    this.#ring.show(view.aim);
    this.#sensors.show(now);
    if (document.activeElement !== element("speed")) setSlider("speed", view.stick.speed);
    const { count } = view.collisions;
    if (count > this.#collisions) this.#flashedAt = now;
    this.#collisions = count;
    // A flash fades; where motion is unwelcome it stands, and goes.
    const age = (now - this.#flashedAt) / 900;
    const flash = age >= 1 ? 0 : calm.matches ? 1 : Math.round((1 - age) * 50) / 50;
    this.#showFloor(view, flash, now);
    const { attitude } = view;
    const color = view.color.text;
    this.#attitude.show({ attitude, color, flash }, `${attitude?.pitch} ${attitude?.roll} ${attitude?.yaw} ${JSON.stringify(attitude?.nose)} ${color} ${flash}`);
    if (now - this.#figuresAt > 200) {
      this.#figuresAt = now;
      this.#writeFigures(view);
    }
  }

  #showFloor({ motion, color }, flash, now) {
    if (this.#line !== null && now - this.#wayAskedAt > 250) {
      this.#wayAskedAt = now;
      this.#way = JSON.parse(this.#pump.ask("path").text);
    }
    const isKnown = motion?.x != null && motion?.y != null;
    const robot = isKnown ? { x: motion.x, y: motion.y, heading: motion.heading, color: color.text } : null;
    const bounds = [Infinity, Infinity, -Infinity, -Infinity];
    for (const [x, y] of robot ? [...this.#way, [robot.x, robot.y], [0, 0]] : [...this.#way, [0, 0]]) {
      bounds[0] = Math.min(bounds[0], x);
      bounds[1] = Math.min(bounds[1], y);
      bounds[2] = Math.max(bounds[2], x);
      bounds[3] = Math.max(bounds[3], y);
    }
    const sight = this.#sight.follow(bounds, !calm.matches);
    const key = `${JSON.stringify(robot)} ${this.#way.length} ${sight.x} ${sight.y} ${sight.across} ${sight.along} ${flash}`;
    this.#floor.show({ way: this.#way, robot, sight, flash }, key);
  }

  #writeFigures(view) {
    const { battery, stream, motion, attitude, collisions } = view;
    const degrees = (value) => `${Math.round(value).toString().replace("-", "−")}°`;
    write("battery", battery?.text ?? "–");
    element("battery").dataset.weight = battery?.weight ?? "note";
    write("rate", stream?.rate == null ? "–" : `${stream.rate.toFixed(stream.rate < 10 ? 1 : 0)} a second`);
    write("losses", stream?.lost == null ? "–" : String(stream.lost));
    write("delay", stream?.round_trip == null ? "–" : stream.round_trip < 0.001 ? "< 1 ms" : `${Math.round(stream.round_trip * 1000)} ms`);
    const isKnown = motion?.x != null && motion?.y != null;
    write("place-text", isKnown
      ? [`${Math.round(motion.x)}, ${Math.round(motion.y)} cm`.replaceAll("-", "−"),
        motion.speed == null ? "" : `${Math.round(motion.speed)} cm/s`,
        motion.heading == null ? "" : degrees(motion.heading)].filter(Boolean).join(" · ")
      : "–");
    write("attitude-text", attitude?.pitch == null
      ? "–" : `Pitch ${degrees(attitude.pitch)} · Roll ${degrees(attitude.roll)} · Yaw ${degrees(attitude.yaw)}`);
    write("collision-text", collisions.count === 0 ? "No collisions" : collisions.count === 1 ? "1 collision" : `${collisions.count} collisions`);
  }

  #showLink(isForced) {
    const { link, name } = this.#view;
    document.body.dataset.link = link;
    const title = name && link !== "closed" ? name : "Sphero";
    write("name", title);
    if (document.title !== title) document.title = title;
    if (link !== this.#link || isForced) write("status", linkTexts[link] ?? link);
    this.#link = link;
  }
}

/** A sentence with a capital and a full stop. */
const sentence = (text) => {
  const whole = text.charAt(0).toUpperCase() + text.slice(1);
  return /[.!?]$/.test(whole) ? whole : `${whole}.`;
};

/** An answer to a command in one line. */
function answerText({ name, status, fields, payload }) {
  const values = Object.entries(fields ?? {})
    .filter(([key]) => !key.endsWith("_code"))
    .map(([key, value]) => `${key.replaceAll("_", " ")} ${typeof value === "object" ? JSON.stringify(value) : value}`);
  const rest = values.join(" · ") || payload || "";
  return [`${name ?? "Answer"}: ${status ?? "event"}`, rest].filter(Boolean).join(" · ");
}

readPalette();
try {
  const page = new Page(await load(Uint8Array.from(atob(wasmBase64), (letter) => letter.charCodeAt(0))));
  // For tests, and for people at the console; it is there when the page is ready.
  window.sphero = { view: () => page.view, say: (words) => page.say(words) };
  addEventListener("error", ({ error, message }) => page.report(error ?? message));
  addEventListener("unhandledrejection", ({ reason }) => page.report(reason));
} catch (error) {
  write("status", `This browser cannot run the page: ${error.message}`);
  throw error;
}
