// Calls the public methods of the robot of sphero.js 0.9.2, over an adaptor for a terminal.
"use strict";

const sphero = require("sphero");
const Terminal = require("./terminal");

let terminal;
// sphero.js calls onRead before open.
class Adaptor extends require("events").EventEmitter {
  open(callback) {
    terminal = new Terminal(process.argv[2]);
    terminal.on("data", (data) => this.emit("data", data));
    terminal.on("close", () => this.emit("close"));
    terminal.on("error", (error) => this.emit("error", error));
    callback();
  }
  write(data, callback) {
    terminal.write(data, callback);
  }
  onRead(callback) {
    this.on("data", callback);
  }
  close(callback) {
    terminal.close(callback);
  }
}

const robot = sphero(process.argv[2], { adaptor: new Adaptor(), timeout: 2000 });
const { call, expect } = require("./calls")(() => terminal);
const events = new Set();
for (const name of ["power", "level1Diagnostic", "configBlock", "ssb", "collision", "selfLevel", "dataStreaming", "macroMarker", "obPrint"]) {
  robot.on(name, () => events.add(name));
}
robot.on("async", (packet) => events.add(packet.idCode));
robot.on("error", (error) => console.log(error.message));

const refused = "recorded robots refuse it";
const one = (name, ...values) => [name, values];
const plain = [
  one("ping"), one("version"), one("setDeviceName", "rosco"), one("getBluetoothInfo"), one("setAutoReconnect", 1, 20),
  one("getAutoReconnect"), one("getPowerState"), one("setPowerNotification", 1), one("getVoltageTripPoints"),
  one("setVoltageTripPoints", 700, 650), one("setInactivityTimeout", 120), one("runL1Diags"), one("assignTime", 0x31ff),
  one("pollPacketTimes", 0x31ff), one("setHeading", 180), one("setHeading", 0), one("setStabilization", 1),
  one("setRotationRate", 180), one("getChassisId"), one("selfLevel", { angleLimit: 0, timeout: 0, trueTime: 0, options: 11 }),
  one("configureLocator", { flags: 1, x: 0, y: 0, yawTare: 0 }), one("setAccelRange", 2), one("readLocator"),
  one("setRgbLed", { red: 0, green: 0, blue: 255 }), one("setBackLed", 255), one("getRgbLed"), one("color", "magenta"),
  one("randomColor"), one("getColor"), one("roll", 60, 0), one("roll", 0, 0, 0), one("boost", 1), one("boost", 0),
  one("setRawMotors", { lmode: 1, lpower: 50, rmode: 2, rpower: 50 }), one("setStabilization", 1),
  one("setMotionTimeout", 4000), one("setPermOptionFlags", 0x12), one("getPermOptionFlags"), one("setTempOptionFlags", 1),
  one("getTempOptionFlags"), one("stopOnDisconnect"), one("getConfigBlock", 1), one("setDeviceMode", 0),
  one("getDeviceMode"), one("getSsb"), one("refillBank", 0), one("buyConsumable", 0, 1), one("useConsumable", 0),
  one("getPasswordSeed"), one("enableSsbAsyncMsg", 1), one("saveTempMacro", [0xff, 1, 7, 0, 255, 0, 0, 0x15, 1, 0]),
  one("runMacro", 255), one("saveMacro", [0x20, 0, 7, 0, 255, 0, 0, 0]), one("getMacroStatus"), one("abortMacro"),
  one("setMacroParam", 2, 0xf0, 0), one("appendMacroChunk", [0xfe, 0, 7, 0, 255, 0, 0, 0]), one("reInitMacroExec"),
  one("eraseOrbBasicStorage", 0), one("appendOrbBasicFragment", 0, [...Buffer.from("10 print 1\n20 end\n"), 0]),
  one("executeOrbBasicProgram", 0, 0, 10), one("abortOrbBasicProgram"), one("submitValueToInput", 10), one("commitToFlash"),
  one("streamOdometer"), one("streamVelocity"), one("streamImuAngles"), one("streamGyroscope"), one("stopStreaming"),
  one("startCalibration"), one("finishCalibration"), one("detectCollisions"),
];

(async () => {
  await call("connect", () => new Promise((resolve) => robot.connect(resolve)));
  for (const [name, values] of plain) {
    if (typeof robot[name] === "function") await call(name, () => robot[name](...values));
    else console.log(`there is no ${name}`);
  }
  await call("runL2Diags", () => robot.runL2Diags(), { own: refused });
  await call("clearCounters", () => robot.clearCounters(), { own: refused });
  await call("setChassisId", () => robot.setChassisId(0x1234), { own: "is sent as Get Chassis ID" });
  await expect("events of power, diagnostics, blocks, soul, marker and print",
    () => [0x01, 0x02, 0x04, 0x0d, 0x06, 0x08].every((id) => events.has(id)) || events.size >= 6);
  await call("setDataStreaming", () => robot.setDataStreaming({ n: 40, m: 1, mask1: 0x00000000, pcnt: 5, mask2: 0x0d800000 }));
  await call("roll", () => robot.roll(200, 90));
  await expect("collision", () => events.has("collision") || events.has(7));
  await call("sleep", () => robot.sleep(10, 0, 0));
  process.exit(0);
})();
