// A terminal for the clients in place of a native serial port, and a note of what the robot refuses.
"use strict";

const { execFileSync } = require("child_process");
const { EventEmitter } = require("events");
const fs = require("fs");
const tty = require("tty");

class Terminal extends EventEmitter {
  constructor(path) {
    super();
    this.refusals = [];
    this.seen = Buffer.alloc(0);
    this.descriptor = fs.openSync(path, fs.constants.O_RDWR | fs.constants.O_NOCTTY);
    // Node sets a terminal raw only where it is its own; stty does so for any.
    execFileSync("stty", ["raw", "-echo"], { stdio: [this.descriptor, "inherit", "inherit"] });
    this.stream = new tty.ReadStream(this.descriptor);
    this.stream.on("data", (data) => {
      this.watch(data);
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

  // Reads along, and notes every response whose status is not 00.
  watch(data) {
    this.seen = Buffer.concat([this.seen, data]);
    while (this.seen.length > 4) {
      const isEvent = this.seen[1] === 0xfe;
      const length = this.seen[4] | (isEvent ? this.seen[3] << 8 : 0);
      if (this.seen.length < 5 + length) return;
      if (!isEvent && this.seen[2] !== 0) this.refusals.push(this.seen[2]);
      this.seen = this.seen.subarray(5 + length);
    }
  }
}

module.exports = Terminal;
