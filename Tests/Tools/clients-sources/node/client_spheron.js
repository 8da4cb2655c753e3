// Calls the commands of spheron 0.0.3, over a replacement of its serial port.
"use strict";

const { EventEmitter } = require("events");
const Module = require("module");
const Terminal = require("./terminal");

let terminal;
class SerialPort extends EventEmitter {
  constructor(path, options) {
    super();
    setImmediate(() => {
      terminal = new Terminal(path);
      terminal.on("data", (data) => options.parser(this, data));
      terminal.on("error", (error) => this.emit("error", error));
      this.emit("open");
    });
  }
  write(data, callback) {
    terminal.write(data, callback);
  }
  close(callback) {
    terminal.close(callback);
    this.emit("close");
  }
}
const load = Module._load;
Module._load = (name, ...rest) => (name === "serialport" ? { SerialPort } : load(name, ...rest));

const robot = require("spheron").sphero();
const { call, expect } = require("./calls")(() => terminal);
const events = new Set();
robot.on("notification", (packet) => events.add(packet.ID_CODE));
robot.on("error", (error) => console.log(error));
robot.requestAcknowledgement(true).resetTimeout(true);

// spheron sends every command with sequence number 0, so the program must wait for each answer.
function send(name, ...values) {
  return new Promise((resolve) => {
    robot.once("message", resolve);
    robot[name](...values);
  });
}

const macro = Buffer.from([7, 0, 255, 0, 0, 0]);
const refused = "recorded robots refuse it";
const plain = [
  ["ping"], ["getVersioning"], ["_controlUARTTxLine", true], ["setDeviceName", "Sphero-ABC"], ["getBluetoothInfo"],
  ["setAutoReconnect", true, 20], ["getAutoReconnect"], ["getPowerState"], ["setPowerNotification", true],
  ["getVoltageTripPoints"], ["_setVoltageTripPoints", 700, 650], ["setInactivityTimeout", 600],
  ["performLevel1Diagnostics"], ["pollPacketTimes", 1], ["setHeading", 0], ["setStabilisation", true],
  ["setStabilization", true], ["setRotationRate", 200], ["setApplicationConfigurationBlock", Buffer.alloc(32)],
  ["getChassisID"], ["_setChassisID", 5], ["selfLevel", 0, 0, 0, undefined],
  ["setDataStreaming", 40, 1, 0xe000, 5, 0], ["setDataStreaming", 40, 1, 0xe000, 5, 0x0d800000],
  ["configureLocator", 0, 0, 0, 0], ["setAccelerometerRange", 2], ["readLocator"], ["setRGB", 0xff1444, true],
  ["setBackLED", 255], ["getRGB"], ["setBoostWithTime", 1, 0], ["setRawMotorValues", 1, 40, 2, 40],
  ["setStabilization", true], ["setMotionTimeout", 2000], ["setPermanentOptionFlags", 0x12],
  ["getPermanentOptionFlags"], ["setTemporaryOptionFlags", 1], ["getTemporaryOptionFlags"],
  ["getConfigurationBlock", 1], ["setDeviceMode", 0], ["setConfigurationBlock", Buffer.alloc(254, 1)],
  ["getDeviceMode"], ["saveTemporaryMacro", Buffer.concat([Buffer.from([0xff, 0]), macro])], ["runMacro", 255],
  ["saveMacro", Buffer.concat([Buffer.from([0x20, 0]), macro])], ["reInitializeMacroExecutive"],
  ["abortMacro"], ["getMacroStatus"], ["setMacroParameter", 0, 500], ["setMacroParameter", 2, 50],
  ["appendMacroChunck", Buffer.concat([Buffer.from([0xff, 0]), macro])], ["eraseOrbBasicStorage", 0],
  ["appendOrbBasicFragment", 0, Buffer.from("10 end\n\0")], ["executeOrbBasicProgram", 0, 10],
  ["abortOrbBasicProgram"], ["submitValueToInputStatement", 1],
  ["configureCollisionDetection", 1, 50, 50, 50, 50, 10],
];

(async () => {
  await call("open", () => new Promise((resolve, reject) =>
    robot.open(process.argv[2], (error) => (error ? reject(error) : resolve()))));
  if (!terminal) process.exit(1);
  for (const [name, ...values] of plain) await call(name, () => send(name, ...values));
  await call("getApplicationConfigurationBlock", () => send("getApplicationConfigurationBlock"), { own: refused });
  await call("performLevel2Diagnostics", () => send("performLevel2Diagnostics"), { own: refused });
  await call("_clearCounters", () => send("_clearCounters"), { own: refused });
  await call("assignTimeValue", () => send("assignTimeValue", 1), { own: "is sent as Get Voltage Trip Points" });
  await call("roll", () => send("roll", 200, 90, 1));
  await expect("collision", () => events.has(7));
  await call("roll, stop", () => send("roll", 0, 90, 0));
  await call("sleep", () => send("sleep", 0, 0, 0));
  process.exit(0);
})();
