// Connects the module, the line and the elements of the page.

import { Ring } from "./aiming.js";
import { Balance } from "./balance.js";
import { Calibration } from "./calibration.js";
import { setSlider, slide, Stick, Wheel } from "./controls.js";
import { readPalette } from "./drawing.js";
import { element, fileName, save, write } from "./elements.js";
import { Fleet } from "./fleet.js";
import { Gamepad } from "./gamepad.js";
import { Tilt, Twist } from "./gestures.js";
import { Guidance } from "./guidance.js";
import { Keys } from "./keys.js";
import { SimulatedLine } from "./lines.js";
import { Motion } from "./motion.js";
import { News } from "./news.js";
import { Notices, refusalOf } from "./notices.js";
import { Playback } from "./playback.js";
import { Programs } from "./programs.js";
import { Recorder, Viewer } from "./recordings.js";
import { Robots } from "./robots.js";
import { Scene } from "./scene.js";
import { Sensors } from "./sensors.js";
import { keepSettings } from "./settings.js";
import { ModuleFailure } from "./sphero.js";
import { silenceOf, Status } from "./status.js";
import { Tabs } from "./tabs.js";

/** The speed in cm/s above which the robot counts as moving. */
const leastSpeed = 5;

export class Page {
  #fleet;
  #view;
  #isRunning = false;
  /** The first word of the last command that was invalid. */
  #refusedWord = null;
  #status = new Status();
  #notices = new Notices();
  // The reason why a file is rejected concerns the recordings only.
  #tabs = new Tabs((name) => { if (name !== "recordings") this.#notices.clear("file"); });
  #robots;
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

  /** `makeModule` returns a promise of another instance of the module. */
  constructor(sphero, makeModule) {
    this.#fleet = new Fleet(sphero, makeModule, {
      execute: (connection, words) => this.#execute(words, undefined, connection),
      stepped: (connection) => this.#stepped(connection),
      failed: (_, failure) => this.#fail(failure), choose: () => this.#notices.clear(),
      start: (connection, line) => this.#start(connection, line), changed: () => this.#changed(),
      lose: (connection) => connection === this.#connection && this.#stick.drop(),
      leave: (connection) => connection === this.#connection && this.#recorder.end(),
      finish: (connection) => this.#drain(connection),
      vanished: ({ name }) => this.#notices.show({ message: `${name ?? "The robot"} did not come back within a minute.`, advice: "Shake it awake, and connect again.", weight: "alarm", topic: "link" }),
      refused: (connection, error) => {
        // The notice of the error replaces that of the loss.
        this.#drain(connection);
        this.#explain(error);
      },
      deactivate: () => this.#deactivate(), activate: (connection) => this.#activate(connection),
      selected: () => this.#selected(), idle: () => this.#ended(),
      full: (count) => this.#notices.show({ message: `${count} robots are connected`, advice: "Disconnect one of them first.", weight: "warning" }),
    });
    this.#view = this.#connection.readView();
    this.#robots = new Robots({
      sphero,
      connectPort: (choosePort) => this.#fleet.connect((connection) => connection.connectPort(choosePort)),
      simulate: () => this.#fleet.connect((connection) => connection.simulate()),
      select: (connection) => this.#fleet.select(connection),
    });
    const execute = (words) => this.#isOn && this.#execute(words) !== null;
    const stop = () => this.#stop();
    const read = (words) => JSON.parse(this.#connection.pump.ask(words).text);
    this.#scene = new Scene((words) => (this.#connection.line === null ? null : read(words)));
    this.#stick = new Stick(execute);
    this.#wheel = new Wheel(execute, (side) => this.#connection.pump.ask(`disc ${side}`).bytes);
    this.#ring = new Ring(execute, stop);
    this.#tilt = new Tilt(execute, (message, advice) => this.#notices.show({ message, advice, weight: "warning", topic: "robot" }));
    this.#gamepad = new Gamepad(execute);
    new Twist([element("place"), element("ring")], execute, () => this.#ring.dropPointer());
    const say = (words) => this.#execute(words) !== null;
    this.#sensors = new Sensors((words) => !this.#connection.isLeaving && say(words), read);
    this.#recorder = new Recorder(
      (words) => this.#execute(words),
      (message, advice) => this.#notices.show({ message, advice, weight: "warning", topic: "recording" }));
    const warn = (message) => this.#notices.show({ message, weight: "warning", topic: "robot" });
    this.#motion = new Motion(say);
    this.#calibration = new Calibration(say, warn, () => this.#isOn);
    this.#balance = new Balance(say, warn, () => this.#connection.readView().game);
    this.#guidance = new Guidance(execute, this.#scene);
    this.#programs = new Programs({ ask: (words) => this.#execute(words), execute, stop, report: warn });
    this.#playback = new Playback((words) => this.#execute(words, "file", this.#fleet.home));
    this.#news = new News({
      notices: this.#notices, sensors: this.#sensors, calibration: this.#calibration, programs: this.#programs,
      end: () => this.#connection.leave(),
    });
    new Viewer(
      this.#fleet.home.pump,
      (error) => (error === null ? this.#notices.clear("file") : this.report(error, undefined, "file")),
      () => this.#enter("recordings"),
      this.#playback);
    setSlider("speed", this.#view.stick.speed);
    keepSettings();
    this.#execute(`speed ${(element("speed").valueAsNumber / 100).toFixed(4)}`);
    this.#view = this.#connection.readView();
    new Keys({
      stick: this.#stick, ring: this.#ring, stop,
      canDrive: () => this.#canDrive,
      isHeld: () => this.#stick.isHeld || this.#view.stick.is_held,
      isMoving: () => this.#canDrive && this.#view.motion?.speed > leastSpeed,
      isRunning: () => this.#view.program !== null || this.#view.guidance !== null,
    });
    slide("speed", (part) => {
      element("speed").setAttribute("aria-valuetext", `${Math.round(part * 100)} percent`);
      execute(`speed ${part.toFixed(4)}`);
    });
    this.#listen();
    this.#offer();
    this.#showOnce();
    this.#showState();
    for (const id of ["connect", "bluetooth", "again", "simulate", "open"]) element(id).disabled = false;
  }

  /** The latest view as an object. */
  get view() {
    return this.#view;
  }

  /** Executes a command and sends the output that it causes. */
  say(words) {
    return this.#connection.pump.execute(words);
  }

  /** Reports an error to the user. */
  report(error, advice, topic) {
    if (this.#isReported(error)) return;
    const message = error instanceof Error ? error.message : String(error);
    this.#notices.show({ message, advice, weight: "alarm", topic });
  }

  // The failure of a module is reported once.
  #isReported(error) {
    return this.#connection.hasFailed || error instanceof ModuleFailure;
  }

  // The connection whose robot is shown and driven.
  get #connection() {
    return this.#fleet.active;
  }

  get #isOn() {
    return this.#connection.isOn;
  }

  get #canDrive() {
    return this.#connection.status.can_drive;
  }

  #execute(words, topic, connection = this.#connection) {
    if (connection.hasFailed) return null;
    const [word] = words.split(" ", 1);
    try {
      const answer = connection.pump.execute(words);
      // The notice about an invalid command disappears after a valid one of its kind.
      if (word === this.#refusedWord) {
        this.#refusedWord = null;
        this.#notices.clear("page");
      }
      return answer;
    } catch (error) {
      if (topic === undefined) this.#refusedWord = word;
      this.report(error, undefined, topic);
      return null;
    }
  }

  // Connecting and disconnecting

  #start(connection, line) {
    if (connection === this.#connection) this.#activate(connection);
    else this.#fleet.activate(connection);
    this.#enter();
    // A robot on a line is aimed first; its heading is unknown.
    this.#execute(`connect ${Date.now()}${line instanceof SimulatedLine ? "" : " aim"}`);
    this.#calibration.forget();
    element("stick").focus({ preventScroll: true, focusVisible: false });
    this.#run();
  }

  // Stops the robot that is not driven any more.
  #deactivate() {
    this.#rest();
    this.#recorder.end("another robot is shown");
    this.#gamepad.drop();
    if (this.#isOn) this.#execute("stop");
    this.#calibration.show(this.#view.calibration, null);
  }

  // Gives a connection the selections of the page.
  #activate(connection) {
    this.#scene.clear();
    this.#execute(`speed ${(element("speed").valueAsNumber / 100).toFixed(4)}`);
    this.#sensors.chooseCollisions();
    this.#sensors.choose();
    this.#sensors.chooseFilter();
    this.#motion.choose();
  }

  #selected() {
    this.#notices.clear("robot", "command", "page", "file");
    this.#view = this.#connection.readView();
    this.#changed();
    this.#showOnce();
    this.#run();
  }

  // Ends what a finger, a key or a dialog has begun.
  #rest() {
    this.#stick.drop();
    this.#ring.drop();
    this.#guidance.drop();
    this.#balance.end();
  }

  // Replaces the start screen by the controls, and selects a tab.
  #enter(tab = null) {
    document.body.dataset.stage = "session";
    if (tab) this.#tabs.select(tab);
    this.#offer();
  }

  // Shows that no robot is connected; the reason for the end stays visible.
  #ended() {
    this.#view = this.#connection.readView();
    this.#gamepad.drop();
    this.#notices.clear("robot", "command", "page", "file");
    this.#showOnce();
  }

  // After a failure of the module the robot gets a stop, and the module is not called again.
  #fail(failure) {
    const advice = this.#fleet.all.some(({ line }) => line !== null) ? "It has sent the robot a stop and closes the port. " : "";
    this.#fleet.fail();
    this.#stick.drop();
    this.#notices.show({
      message: `The page has failed: ${failure.message}`, advice: `${advice}Reload the page to continue.`,
      weight: "alarm", canReload: true,
    });
    this.#changed();
  }

  #explain(error) {
    if (error.name === "NotFoundError" && this.#connection.line === null) {
      element("pairing").open = true;
      this.#tabs.select("drive");
    }
    if (!this.#isReported(error)) this.#notices.show(refusalOf(error));
  }

  #changed() {
    this.#showState();
    this.#offer();
  }

  #offer() {
    return this.#robots.offer({ connections: this.#fleet.all, active: this.#connection, hasFailed: this.#connection.hasFailed });
  }

  // Events

  #listen() {
    const click = (id, act) => element(id).addEventListener("click", act);
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
      this.#sendRaw(element("raw").value.trim());
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
    new ResizeObserver(() => this.#showOnce()).observe(element("bar"));
    navigator.serial?.addEventListener?.("connect", () => this.#offer());
    navigator.serial?.addEventListener?.("disconnect", () => this.#offer());
  }

  #sendRaw(words) {
    if (!words || !this.#isOn) return;
    this.#notices.clear("command");
    this.#notices.log(`› ${words}`);
    if (this.#execute(`raw ${words}`, "command") !== null) element("raw").select();
  }

  // Stops all robots, and what a pointer, a tilted device or the player of recordings has begun.
  #stop() {
    this.#stick.drop();
    this.#guidance.drop();
    this.#balance.end();
    this.#playback.pause();
    for (const connection of this.#fleet.all) if (connection.isOn) this.#execute("stop", undefined, connection);
  }

  // Called after each step of the module, even if nothing is drawn.
  #stepped(connection) {
    if (connection.hasFailed) return;
    connection.settle();
    if (connection === this.#connection && !document.hidden) return;
    if (performance.now() - connection.eventsReadAt > 1000) return this.#drain(connection);
    // The last events are followed by no step.
    clearTimeout(connection.timer);
    connection.timer = setTimeout(() => connection.hasFailed || this.#drain(connection), 1000);
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

  #drain(connection = this.#connection) {
    connection.eventsReadAt = performance.now();
    const { name } = connection;
    const view = connection.readView();
    if (connection.name !== name) this.#offer();
    const isActive = connection === this.#connection;
    if (isActive) this.#view = view;
    for (const line of connection.pump.ask("news").text.split("\n")) {
      if (line === "") continue;
      if (isActive) this.#news.handle(JSON.parse(line));
      else this.#news.handleOther(connection, JSON.parse(line));
    }
    if (!isActive) return;
    this.#recorder.show(view.recording, connection.eventsReadAt);
    this.#showState(view.status);
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
    this.#scene.show(view, this.#connection.line && silenceOf(view.status), now);
  }

  // Updates the state of the connection and of all controls.
  #showState(status = this.#connection.status) {
    if (this.#status.show(status, this.#connection.name)) this.#rest();
  }
}
