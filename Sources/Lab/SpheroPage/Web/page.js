// Connects the module, the line and the elements of the page.

import { Ring } from "./aiming.js";
import { Balance } from "./balance.js";
import { Calibration } from "./calibration.js";
import { setSlider, slide, Stick, Wheel } from "./controls.js";
import { readPalette } from "./drawing.js";
import { element, fileName, make, save, write } from "./elements.js";
import { Gamepad } from "./gamepad.js";
import { Tilt, Twist } from "./gestures.js";
import { Guidance } from "./guidance.js";
import { Keys } from "./keys.js";
import { Pump, SerialLine, SimulatedLine } from "./lines.js";
import { Motion } from "./motion.js";
import { Notices } from "./notices.js";
import { Playback } from "./playback.js";
import { Programs } from "./programs.js";
import { Recorder, Viewer } from "./recordings.js";
import { Scene } from "./scene.js";
import { Sensors } from "./sensors.js";
import { keepSettings } from "./settings.js";
import { load, ModuleFailure } from "./sphero.js";
import { Tabs } from "./tabs.js";

/** The states of the connection: their labels, and why the controls are disabled in them. */
const states = {
  closed: { text: "Not connected", reason: "Connect a robot first." },
  opening: { text: "Opening the port…", reason: "The port is being opened." },
  connecting: { text: "Waiting for the robot…", reason: "The robot has not answered yet." },
  live: { text: "Connected" },
  silent: { text: "No samples" },
  lost: { text: "Connection lost; trying again…", reason: "The connection is lost; the page is trying again." },
  leaving: { text: "Disconnecting…", reason: "The page is disconnecting." },
  failed: { text: "The page has failed", reason: "The page has failed. Reload it." },
};

/** The speed in cm/s above which the robot counts as moving. */
const leastSpeed = 5;

/** The page. */
class Page {
  #sphero;
  #pump;
  #line = null;
  #port = null;
  #view;
  #halt;
  #isBusy = false;
  #isOpening = false;
  #isRunning = false;
  #hasFailed = false;
  #leaving = null;
  #eventsReadAt = 0;
  #state = null;
  #notices = new Notices();
  #tabs = new Tabs();
  #scene;
  #stick;
  #wheel;
  #ring;
  #tilt;
  #gamepad;
  #sensors;
  #recorder;
  #guidance;
  #programs;
  #playback;
  #motion;
  #calibration;
  #balance;

  constructor(sphero) {
    this.#sphero = sphero;
    this.#pump = new Pump(sphero, () => this.#stepped());
    this.#view = this.#readView();
    this.#halt = this.#pump.ask("halt").bytes;
    const execute = (words) => this.#isOn && this.#execute(words) !== null;
    const stop = () => this.#stop();
    this.#scene = new Scene((words) => (this.#line === null ? null : JSON.parse(this.#pump.ask(words).text)));
    this.#stick = new Stick(execute);
    this.#wheel = new Wheel(execute, (side) => this.#pump.ask(`disc ${side}`).bytes);
    this.#ring = new Ring(execute, stop);
    this.#tilt = new Tilt(execute, (message, advice) => this.#notices.show({ message, advice, weight: "warning", topic: "robot" }));
    this.#gamepad = new Gamepad(execute);
    new Twist([element("place"), element("ring")], execute, () => this.#ring.dropPointer());
    this.#sensors = new Sensors(execute, () => JSON.parse(this.#pump.ask("columns").text));
    this.#recorder = new Recorder((words) => this.#execute(words));
    const say = (words) => this.#execute(words) !== null;
    const warn = (message) => this.#notices.show({ message, weight: "warning", topic: "robot" });
    this.#motion = new Motion(say);
    this.#calibration = new Calibration(say, warn);
    this.#balance = new Balance(say, warn, () => this.#readView().game);
    this.#guidance = new Guidance(execute, this.#scene);
    this.#programs = new Programs({ ask: (words) => this.#execute(words), execute, stop, report: warn });
    this.#playback = new Playback((words) => this.#execute(words, "file"));
    new Viewer(
      this.#pump,
      (error) => (error === null ? this.#notices.clear("file") : this.report(error, undefined, "file")),
      () => this.#enter("recordings"),
      this.#playback);
    setSlider("speed", this.#view.stick.speed);
    keepSettings();
    this.#execute(`speed ${(element("speed").valueAsNumber / 100).toFixed(4)}`);
    this.#view = this.#readView();
    new Keys({
      stick: this.#stick, ring: this.#ring, stop,
      canDrive: () => this.#canDrive,
      isHeld: () => this.#stick.isHeld || this.#view.stick.is_held,
      isMoving: () => this.#canDrive && this.#view.motion?.speed > leastSpeed,
    });
    slide("speed", (part) => {
      element("speed").setAttribute("aria-valuetext", `${Math.round(part * 100)} percent`);
      execute(`speed ${part.toFixed(4)}`);
    });
    sphero.onFailure = (failure) => this.#fail(failure);
    this.#listen();
    this.#offer();
    this.#showOnce();
    this.#showState();
    for (const id of ["connect", "again", "simulate", "open"]) element(id).disabled = false;
  }

  /** The latest view as an object. */
  get view() {
    return this.#view;
  }

  /** Executes a command and sends the output that it causes. */
  say(words) {
    return this.#pump.execute(words);
  }

  /** Reports an error to the user. */
  report(error, advice, topic) {
    // The failure of the module is reported once.
    if (this.#hasFailed || error instanceof ModuleFailure) return;
    const message = error instanceof Error ? error.message : String(error);
    this.#notices.show({ message, advice, weight: "alarm", topic });
  }

  // Whether there is a conversation.
  get #isOn() {
    return this.#line !== null && this.#leaving === null;
  }

  get #canDrive() {
    return this.#isOn && ["live", "silent"].includes(this.#view.link);
  }

  #execute(words, topic) {
    if (this.#hasFailed) return null;
    try {
      return this.#pump.execute(words);
    } catch (error) {
      this.report(error, undefined, topic);
      return null;
    }
  }

  #readView() {
    return JSON.parse(this.#pump.ask("view").text);
  }

  // Connecting and disconnecting

  async #connect(makeLine) {
    if (this.#isBusy || this.#hasFailed) return;
    this.#isBusy = true;
    this.#notices.clear();
    try {
      const line = await makeLine();
      if (!line) return;
      await this.#leave();
      this.#isOpening = true;
      this.#showState();
      await line.open();
      if (this.#hasFailed) return line.close();
      this.#begin(line);
    } catch (error) {
      this.#explain(error);
    } finally {
      this.#isBusy = this.#isOpening = false;
      this.#showState();
      this.#offer();
    }
  }

  #begin(line) {
    this.#line = line;
    this.#scene.clear();
    if (line instanceof SimulatedLine) this.#scene.setWalls(JSON.parse(this.#pump.ask("walls").text));
    this.#enter();
    // Selections before the conversation are sent once.
    this.#execute(`speed ${(element("speed").valueAsNumber / 100).toFixed(4)}`);
    this.#sensors.chooseCollisions();
    this.#sensors.choose();
    this.#sensors.chooseFilter();
    this.#sensors.clear();
    // A robot on a line is aimed first; its heading is unknown.
    this.#execute(`connect ${Date.now()}${line instanceof SerialLine ? " aim" : ""}`);
    this.#pump.attach(line);
    element("stick").focus({ preventScroll: true, focusVisible: false });
    this.#run();
  }

  // Replaces the start screen by the controls, and selects a tab.
  #enter(tab = null) {
    document.body.dataset.stage = "session";
    if (tab) this.#tabs.select(tab);
    this.#offer();
  }

  // Ends the conversation, then closes the line.
  async #leave() {
    if (this.#line === null) return;
    const line = this.#line;
    this.#stick.drop();
    this.#recorder.end();
    if (this.#leaving === null) {
      const isOver = new Promise((settle) => (this.#leaving = settle));
      this.#execute("leave");
      // The module leaves within a second; a failed module must not keep the port open.
      await Promise.race([isOver, new Promise((wake) => setTimeout(wake, 1500))]);
    }
    if (this.#hasFailed) return;
    this.#drain();
    await line.close();
    if (this.#hasFailed) return;
    this.#pump.attach(null);
    this.#line = this.#leaving = null;
    this.#view = this.#readView();
    this.#gamepad.drop();
    // The reason for the end stays visible.
    this.#notices.clear("robot", "command", "page");
    this.#showOnce();
    this.#showState();
    this.#offer();
  }

  async #lost(line) {
    if (line !== this.#line) return;
    this.#stick.drop();
    this.#pump.attach(null);
    if (this.#leaving !== null) return;
    this.#execute("lost");
    if (await line.reopen()) {
      if (line !== this.#line) return;
      this.#pump.attach(line);
      this.#execute("back");
    } else if (line === this.#line && this.#leaving === null) {
      this.#notices.show({ message: "The robot did not come back within a minute.", advice: "Shake it awake, and connect again.", weight: "alarm", topic: "link" });
      await this.#leave();
    }
  }

  // After a failure of the module the robot gets a stop, and the module is not called again.
  #fail(failure) {
    const line = this.#line;
    this.#hasFailed = true;
    this.#leaving?.();
    this.#line = this.#leaving = null;
    this.#pump.stop();
    this.#stick.drop();
    this.#notices.show({
      message: `The page has failed: ${failure.message}`,
      advice: line ? "It has sent the robot a stop and closes the port. Reload the page to continue." : "Reload the page to continue.",
      weight: "alarm", canReload: true,
    });
    this.#showState();
    this.#offer();
    line?.close(this.#halt);
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
      if (this.#line === null) {
        element("pairing").open = true;
        this.#tabs.select("drive");
      }
      this.#notices.show({ message: "No robot was chosen.", advice: "The steps of pairing help if the list is empty." });
    } else if (error.name === "InvalidStateError") {
      this.report("This port is open already, here or in another tab.", undefined, "link");
    } else if (error.name === "NetworkError") {
      this.report("The robot does not accept the connection.", "It may be asleep, out of reach, or held by another program. Shake it awake, and try again.", "link");
    } else {
      this.report(error, undefined, "link");
    }
  }

  async #offer() {
    const isConnected = this.#line !== null;
    const ports = await SerialLine.known().catch(() => []);
    if (isConnected !== (this.#line !== null)) return;
    this.#listBalls(ports);
    const inSession = document.body.dataset.stage === "session";
    element(inSession ? "bar-actions" : "hero-actions").append(element("choices"));
    element(inSession ? "pairing-aside" : "pairing-place").append(element("pairing"));
    element("pairing").hidden = isConnected;
    element("choices").hidden = isConnected || this.#hasFailed;
    element("disconnect").hidden = !isConnected;
    element("connect").hidden = element("any-port").hidden = !SerialLine.isSupported;
    element("unsupported").hidden = SerialLine.isSupported;
    element("simulate").classList.toggle("primary", !SerialLine.isSupported);
    document.body.toggleAttribute("data-connected", isConnected);
    if (isConnected) return;
    // The previous port, or the only one; several ports are ambiguous.
    if (!ports.includes(this.#port)) this.#port = ports.length === 1 ? ports[0] : null;
    element("again").hidden = this.#port === null;
    if (this.#port) write("again", `Connect ${SerialLine.nameOf(this.#port)} again`);
  }

  // Lists the ports that the user has allowed; one of them at a time has a connection.
  #listBalls(ports) {
    const names = SerialLine.namesOf(ports);
    const buttons = ports.map((port, index) => {
      const isActive = this.#line !== null && this.#line.port === port;
      const button = make("button", { type: "button", "aria-pressed": String(isActive) }, names[index]);
      button.addEventListener("click", () => isActive || this.#connectPort(() => port));
      return button;
    });
    const another = make("button", { type: "button" }, "Another robot…");
    another.addEventListener("click", () => this.#connectPort(() => SerialLine.choose()));
    element("balls").replaceChildren(...buttons, another);
    element("balls").hidden = ports.length === 0 || this.#hasFailed;
  }

  // Events

  #listen() {
    const click = (id, act) => element(id).addEventListener("click", act);
    click("connect", () => this.#connectPort(() => SerialLine.choose()));
    click("any-port", () => this.#connectPort(() => SerialLine.choose(true)));
    click("again", () => this.#connectPort(() => this.#port));
    click("simulate", () => this.#connect(() => new SimulatedLine(this.#sphero)));
    click("disconnect", () => this.#leave());
    click("stop", () => this.#stop());
    click("path-clear", () => {
      this.#execute("path clear");
      this.#scene.refresh();
    });
    click("path-save", () => {
      const answer = this.#execute("path text");
      if (answer !== null) save(fileName("path"), [answer.bytes], "text/plain");
    });
    // A stop takes effect even if the finger slips off the button.
    element("stop").addEventListener("pointerdown", () => this.#stop());
    element("raw-form").addEventListener("submit", (event) => {
      event.preventDefault();
      const words = element("raw").value.trim();
      if (!words || !this.#isOn) return;
      this.#notices.clear("command");
      this.#notices.log(`› ${words}`);
      if (this.#execute(`raw ${words}`, "command") !== null) element("raw").select();
    });
    document.addEventListener("visibilitychange", () => {
      if (document.hidden) this.#stop();
      else this.#run();
    });
    addEventListener("pagehide", () => this.#stop());
    addEventListener("beforeunload", (event) => {
      if (!this.#recorder.isUnsaved) return;
      // The dialog of the browser blocks the page.
      this.#stop();
      event.preventDefault();
      event.returnValue = true;
    });
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
    this.#guidance.drop();
    this.#balance.end();
    this.#playback.pause();
    if (this.#isOn) this.#execute("stop");
  }

  // Called after each step of the module, even if nothing is drawn.
  #stepped() {
    if (this.#hasFailed) return;
    if (this.#leaving !== null && ["left", "closed"].includes(this.#readView().link)) this.#leaving();
    if (document.hidden && performance.now() - this.#eventsReadAt > 1000) this.#drain();
  }

  // One animation loop that runs only while the page is visible and connected.
  #run() {
    if (this.#isRunning || this.#line === null || document.hidden) return;
    this.#isRunning = true;
    const frame = (now) => {
      this.#isRunning = this.#line !== null && !document.hidden;
      if (!this.#isRunning) return;
      requestAnimationFrame(frame);
      this.#gamepad.poll(now);
      this.#drain();
      this.#show(now);
    };
    requestAnimationFrame(frame);
  }

  #showOnce() {
    requestAnimationFrame((now) => {
      if (!this.#isRunning && !this.#hasFailed) this.#show(now);
    });
  }

  #drain() {
    this.#eventsReadAt = performance.now();
    this.#view = this.#readView();
    const { name } = this.#view;
    if (name && this.#line instanceof SerialLine && SerialLine.nameOf(this.#line.port) !== name) {
      this.#line.name = name;
      this.#offer();
    }
    for (const line of this.#pump.ask("news").text.split("\n")) if (line !== "") this.#handle(JSON.parse(line));
    this.#recorder.show(this.#view.recording, this.#eventsReadAt);
    this.#showState();
  }

  #handle(item) {
    if (this.#programs.handle(item)) {
      if (item.kind !== "program") return;
      if (item.weight === "note") return this.#notices.log(item.message);
      return this.#notices.show({ ...item, topic: "robot" });
    }
    switch (item.kind) {
      case "sample":
        this.#sensors.add(item);
        break;
      case "collision":
        this.#notices.log(`Collision${item.direction == null ? "" : ` from ${Math.round(item.direction)}°`}${item.power == null ? "" : `, power ${item.power}`}`, "warning");
        break;
      case "color":
        dispatchEvent(new CustomEvent(item.is_finished ? "spherocolorfinish" : "spherocolorchange", { detail: item.color }));
        break;
      case "event":
        if (item.name !== "Sensing.Collision") this.#notices.log(item.message ?? item.name);
        break;
      case "calibration":
        this.#calibration.handle(item);
        this.#notices.log(item.message);
        break;
      case "guidance":
        if (item.weight === "note") this.#notices.log(item.state === "arrived" ? `Arrived, ${item.message}` : item.message);
        else this.#notices.show({ ...item, topic: "robot" });
        break;
      case "answer":
        this.#notices.log(item.message ?? answerText(item), item.status === "ok" ? undefined : "warning");
        break;
      case "error":
        if (item.message) this.#notices.show({ ...item, topic: "robot" });
        break;
      case "end":
        if (item.message) this.#notices.show({ ...item, weight: "alarm", topic: "link" });
        if (this.#leaving === null) this.#leave();
        break;
      default:
        if (item.notice === "connected" || item.notice === "reconnected") this.#notices.clear("link");
        // The page counts lost samples and shows silence in its status, without a notice.
        if (item.weight && item.weight !== "note" && !["gap", "silence"].includes(item.notice))
          this.#notices.show({ ...item, topic: item.notice === "disconnected" ? "link" : "robot" });
        else this.#notices.log(item.message ?? item.kind);
    }
  }

  // Drawing

  #show(now) {
    const view = this.#view;
    this.#stick.show(view.stick);
    this.#wheel.show(view.color);
    this.#ring.show(view.aim);
    this.#guidance.show(view.guidance);
    this.#motion.show(view.screen, now);
    this.#calibration.show(view.calibration, this.#line === null ? null : view.name);
    this.#programs.show(view.program);
    this.#tilt.show(view.tilt);
    this.#sensors.show(now);
    if (document.activeElement !== element("speed")) setSlider("speed", view.stick.speed);
    this.#scene.show(view, this.#silence, now);
  }

  /** A sentence while no samples arrive, otherwise null. */
  get #silence() {
    if (this.#line === null || this.#view.link !== "silent") return null;
    const { sample_age: sampleAge, answer_age: answerAge } = this.#view.stream;
    if (answerAge >= 2) return `No answer for ${Math.floor(answerAge)} s`;
    return sampleAge === null ? "No samples yet" : `No samples for ${Math.floor(sampleAge)} s`;
  }

  get #stateNow() {
    if (this.#hasFailed) return "failed";
    if (this.#line === null) return this.#isOpening ? "opening" : "closed";
    return this.#leaving !== null || ["left", "closed"].includes(this.#view.link) ? "leaving" : this.#view.link;
  }

  // Updates the state of the connection and of all controls.
  #showState() {
    const state = this.#stateNow;
    const { text, reason } = states[state];
    const name = (this.#line && this.#view.name) || "Sphero";
    write("name", name);
    if (document.title !== name) document.title = name;
    // Screen readers must not announce the seconds of silence.
    const silence = this.#silence;
    write("status-text", silence ? silence.replace(/ for .*/, "") : text);
    write("status-age", silence?.match(/ for .*/)?.[0] ?? "");
    if (state === this.#state) return;
    this.#state = state;
    document.body.dataset.link = state;
    for (const node of document.querySelectorAll("[data-robot]")) {
      if (node.matches("canvas")) node.setAttribute("aria-disabled", String(!!reason));
      else node.disabled = !!reason;
      node.title = reason ?? node.dataset.title ?? "";
    }
    element("record").disabled = this.#line === null;
    const caution = state === "silent" ? "No feedback: where the robot is and how fast it moves is unknown." : "";
    for (const node of document.querySelectorAll(".reason")) node.textContent = reason ?? (node.id === "drive-reason" ? caution : "");
    if (!reason) return;
    this.#stick.drop();
    this.#ring.drop();
    this.#guidance.drop();
    this.#balance.end();
  }
}

/** Returns a response in one line. */
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
