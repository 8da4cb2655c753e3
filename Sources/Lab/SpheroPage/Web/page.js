// Connects the module, the line and the elements of the page.

import { Ring } from "./aiming.js";
import { Balance } from "./balance.js";
import { Calibration } from "./calibration.js";
import { Connection } from "./connection.js";
import { setSlider, slide, Stick, Wheel } from "./controls.js";
import { readPalette } from "./drawing.js";
import { element, fileName, save, write } from "./elements.js";
import { Gamepad } from "./gamepad.js";
import { Tilt, Twist } from "./gestures.js";
import { Guidance } from "./guidance.js";
import { Keys } from "./keys.js";
import { Pump, SerialLine, SimulatedLine } from "./lines.js";
import { Motion } from "./motion.js";
import { News } from "./news.js";
import { Notices } from "./notices.js";
import { Playback } from "./playback.js";
import { Programs } from "./programs.js";
import { Recorder, Viewer } from "./recordings.js";
import { Robots } from "./robots.js";
import { Scene } from "./scene.js";
import { Sensors } from "./sensors.js";
import { keepSettings } from "./settings.js";
import { load, ModuleFailure } from "./sphero.js";
import { silenceOf, Status } from "./status.js";
import { Tabs } from "./tabs.js";

/** The speed in cm/s above which the robot counts as moving. */
const leastSpeed = 5;

/** The page. */
class Page {
  #sphero;
  #pump;
  #view;
  #halt;
  #isRunning = false;
  #eventsReadAt = 0;
  #status = new Status();
  #notices = new Notices();
  #tabs = new Tabs();
  #robots = new Robots((choosePort) => this.#connection.connectPort(choosePort));
  #connection;
  #news;
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
    this.#connection = new Connection(this.#pump, (words) => this.#execute(words), {
      changed: () => this.#changed(),
      start: (line) => this.#start(line),
      choose: () => this.#notices.clear(),
      release: () => this.#stick.drop(),
      leave: () => this.#recorder.end(),
      finish: () => this.#drain(),
      ended: () => this.#ended(),
      vanished: () => this.#notices.show({ message: "The robot did not come back within a minute.", advice: "Shake it awake, and connect again.", weight: "alarm", topic: "link" }),
      refused: (error) => this.#explain(error),
    });
    const execute = (words) => this.#isOn && this.#execute(words) !== null;
    const stop = () => this.#stop();
    this.#scene = new Scene((words) => (this.#connection.line === null ? null : JSON.parse(this.#pump.ask(words).text)));
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
    this.#news = new News({
      notices: this.#notices, sensors: this.#sensors, calibration: this.#calibration, programs: this.#programs,
      end: () => this.#connection.isLeaving || this.#connection.leave(),
    });
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
    if (this.#connection.hasFailed || error instanceof ModuleFailure) return;
    const message = error instanceof Error ? error.message : String(error);
    this.#notices.show({ message, advice, weight: "alarm", topic });
  }

  get #isOn() {
    return this.#connection.isOn;
  }

  get #canDrive() {
    return this.#isOn && ["live", "silent"].includes(this.#view.link);
  }

  #execute(words, topic) {
    if (this.#connection.hasFailed) return null;
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

  #start(line) {
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
    element("stick").focus({ preventScroll: true, focusVisible: false });
    this.#run();
  }

  // Replaces the start screen by the controls, and selects a tab.
  #enter(tab = null) {
    document.body.dataset.stage = "session";
    if (tab) this.#tabs.select(tab);
    this.#offer();
  }

  // Shows the end of a conversation; the reason for the end stays visible.
  #ended() {
    this.#view = this.#readView();
    this.#gamepad.drop();
    this.#notices.clear("robot", "command", "page");
    this.#showOnce();
  }

  // After a failure of the module the robot gets a stop, and the module is not called again.
  #fail(failure) {
    const advice = this.#connection.line ? "It has sent the robot a stop and closes the port. " : "";
    this.#connection.fail(this.#halt);
    this.#stick.drop();
    this.#notices.show({
      message: `The page has failed: ${failure.message}`, advice: `${advice}Reload the page to continue.`,
      weight: "alarm", canReload: true,
    });
    this.#changed();
  }

  #explain(error) {
    if (error.name === "NotFoundError") {
      if (this.#connection.line === null) {
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

  #changed() {
    this.#showState();
    this.#offer();
  }

  #offer() {
    const { line, hasFailed } = this.#connection;
    return this.#robots.offer({ connected: line, hasFailed });
  }

  // Events

  #listen() {
    const click = (id, act) => element(id).addEventListener("click", act);
    click("simulate", () => this.#connection.connect(() => new SimulatedLine(this.#sphero)));
    click("disconnect", () => this.#connection.leave());
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
    if (this.#connection.hasFailed) return;
    if (this.#connection.isLeaving && ["left", "closed"].includes(this.#readView().link)) this.#connection.settle();
    if (document.hidden && performance.now() - this.#eventsReadAt > 1000) this.#drain();
  }

  // One animation loop that runs only while the page is visible and connected.
  #run() {
    if (this.#isRunning || this.#connection.line === null || document.hidden) return;
    this.#isRunning = true;
    const frame = (now) => {
      this.#isRunning = this.#connection.line !== null && !document.hidden;
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
      if (!this.#isRunning && !this.#connection.hasFailed) this.#show(now);
    });
  }

  #drain() {
    this.#eventsReadAt = performance.now();
    this.#view = this.#readView();
    const { name } = this.#view;
    if (name && this.#connection.line instanceof SerialLine && SerialLine.nameOf(this.#connection.line.port) !== name) {
      this.#connection.line.name = name;
      this.#offer();
    }
    for (const line of this.#pump.ask("news").text.split("\n")) if (line !== "") this.#news.handle(JSON.parse(line));
    this.#recorder.show(this.#view.recording, this.#eventsReadAt);
    this.#showState();
  }

  // Drawing

  #show(now) {
    const view = this.#view;
    this.#stick.show(view.stick);
    this.#wheel.show(view.color);
    this.#ring.show(view.aim);
    this.#guidance.show(view.guidance);
    this.#motion.show(view.screen, now);
    this.#calibration.show(view.calibration, this.#connection.line === null ? null : view.name);
    this.#programs.show(view.program);
    this.#tilt.show(view.tilt);
    this.#sensors.show(now);
    if (document.activeElement !== element("speed")) setSlider("speed", view.stick.speed);
    this.#scene.show(view, this.#silence, now);
  }

  get #stateNow() {
    if (this.#connection.hasFailed) return "failed";
    if (this.#connection.line === null) return this.#connection.isOpening ? "opening" : "closed";
    return this.#connection.isLeaving || ["left", "closed"].includes(this.#view.link) ? "leaving" : this.#view.link;
  }

  /** A sentence while no samples arrive, otherwise null. */
  get #silence() {
    return this.#connection.line === null ? null : silenceOf(this.#view);
  }

  // Updates the state of the connection and of all controls.
  #showState() {
    const isDisabled = this.#status.show(this.#stateNow, (this.#connection.line && this.#view.name) || "Sphero", this.#silence);
    if (!isDisabled) return;
    this.#stick.drop();
    this.#ring.drop();
    this.#guidance.drop();
    this.#balance.end();
  }
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
