// A terminal that replaces the clients' native serial port, and records the robot's error responses.
"use strict";

const { execFileSync } = require("child_process");
const { EventEmitter } = require("events");
const fs = require("fs");
const tty = require("tty");

class Terminal extends EventEmitter {
  constructor(path) {
    super();
    this.refusals = [];
    this.pending = Buffer.alloc(0);
    this.descriptor = fs.openSync(path, fs.constants.O_RDWR | fs.constants.O_NOCTTY);
    // Node can only set its controlling terminal to raw mode; stty can set any terminal.
    execFileSync("stty", ["raw", "-echo"], { stdio: [this.descriptor, "inherit", "inherit"] });
    this.stream = new tty.ReadStream(this.descriptor);
    this.stream.on("data", (data) => {
      this.recordRefusals(data);
      this.emit("data", data);
    });
    this.stream.on("error", (error) => this.emit("error", error));
  }

  write(data, callback) {
    fs.writeSync(this.descriptor, Buffer.from(data));
    if (callback) setImmediate(callback, null, data.length);
  }

  close(callback) {
    this.stream.destroy();
    this.emit("close");
    if (callback) setImmediate(callback);
  }

  // Records every response with a status other than 00.
  recordRefusals(data) {
    this.pending = Buffer.concat([this.pending, data]);
    while (this.pending.length > 4) {
      const isEvent = this.pending[1] === 0xfe;
      const length = this.pending[4] | (isEvent ? this.pending[3] << 8 : 0);
      if (this.pending.length < 5 + length) return;
      if (!isEvent && this.pending[2] !== 0) this.refusals.push(this.pending[2]);
      this.pending = this.pending.subarray(5 + length);
    }
  }
}

module.exports = Terminal;
