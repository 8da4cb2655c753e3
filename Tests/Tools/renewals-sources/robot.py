"""Simulates a robot on a pseudo-terminal that loses commands or answers, and measures the gaps in its stream."""

import heapq
import itertools
import os
import random
import re
import select
import signal
import subprocess
import sys
import tempfile
import time
import tty

PERIOD = 0.0025
FAULTS = [
    # name, share of lost commands, share of lost answers, latency in seconds, maximum gap in seconds
    ("none", 0.0, 0.0, 0.0, 0.06),
    ("30 % of commands lost", 0.3, 0.0, 0.0, 0.3),
    ("30 % of answers lost", 0.0, 0.3, 0.0, 0.1),
    ("latency 600 ms", 0.0, 0.0, 0.6, 0.06),
]


class Robot:
    """A robot that streams the requested number of packets; all times are of CLOCK_MONOTONIC."""

    def __init__(self, fd, lost_commands, lost_answers, latency, seed):
        self.fd, self.lost_commands, self.lost_answers, self.latency = fd, lost_commands, lost_answers, latency
        self.random = random.Random(seed)
        self.input = b""
        self.remaining, self.due, self.packet, self.period = 0, None, b"", PERIOD
        # Timer queue of (time, number, kind, bytes). The link delays each direction by half of the latency.
        self.queue, self.numbers = [], itertools.count()
        self.exhausted_at = None
        self.gaps = []  # (start, end, scheduling delay of the robot, sequence number of the request that ended the gap)
        self.scheduling_delay = 0.0
        self.requests = []  # (time read, sequence number, whether it was lost)

    def deadline(self):
        times = [self.due] if self.due is not None else []
        if self.queue:
            times.append(self.queue[0][0])
        return min(times) if times else None

    def receive(self, data, now):
        self.input += data
        while len(self.input) >= 6:
            if self.input[0] != 0xFF or self.input[1] < 0xFC:
                self.input = self.input[1:]
                continue
            end = 6 + self.input[5]
            if len(self.input) < end:
                return
            command, self.input = self.input[:end], self.input[end:]
            heapq.heappush(self.queue, (now + self.latency / 2, next(self.numbers), "command", command))

    def command(self, command, now):
        device, number, sequence = command[2], command[3], command[4]
        is_stream = (device, number) == (0x02, 0x11)
        is_lost = self.random.random() < self.lost_commands
        if is_stream:
            self.requests.append((now, sequence, is_lost))
        if is_lost:
            return
        if is_stream:
            self.stream(command[6:-1], sequence, now)
        if command[1] & 1 and self.random.random() >= self.lost_answers:
            body = bytes([0x00, sequence, 0x01])
            answer = b"\xff\xff" + body + bytes([~sum(body) & 0xFF])
            heapq.heappush(self.queue, (now + self.latency / 2, next(self.numbers), "send", answer))

    def stream(self, payload, sequence, now):
        divisor, frames = int.from_bytes(payload[0:2], "big"), int.from_bytes(payload[2:4], "big")
        masks = payload[4:8] + payload[9:13]
        self.remaining = payload[8]
        if not divisor or not any(masks):
            self.remaining, self.due, self.exhausted_at = 0, None, None
            return
        words = sum(bin(byte).count("1") for byte in masks) * frames
        body = b"\xff\xfe\x03" + (2 * words + 1).to_bytes(2, "big") + bytes(2 * words)
        self.packet = body + bytes([~sum(body[2:]) & 0xFF])
        self.period = PERIOD * divisor * frames
        if self.due is None:
            # After a gap, the next sample is due one period later.
            if self.exhausted_at is not None:
                self.gaps.append((self.exhausted_at, now, self.scheduling_delay, sequence))
            self.due, self.exhausted_at = now + self.period, None

    def advance(self, now):
        while self.queue and self.queue[0][0] <= now:
            at, _, kind, data = heapq.heappop(self.queue)
            if kind == "send":
                self.send(data)
            else:
                self.command(data, at if self.latency else now)
        while self.due is not None and self.due <= now:
            self.scheduling_delay = max(self.scheduling_delay * 0.99, now - self.due)
            if self.latency:
                heapq.heappush(self.queue, (self.due + self.latency / 2, next(self.numbers), "send", self.packet))
            else:
                self.send(self.packet)
            self.remaining -= 1
            if self.remaining > 0:
                self.due += self.period
            else:
                # The first sample of a renewed count would be due at this time.
                self.exhausted_at, self.due = self.due + self.period, None

    def send(self, data):
        try:
            os.write(self.fd, data)
        except BlockingIOError:
            pass


def requests_of(capture):
    """Returns the times of the host's stream requests by sequence number, in the order of the capture."""
    sent = {}
    start = None
    for line in open(capture):
        if line.startswith("#: capture"):
            start = 0.0
        match = re.match(r"([0-9.]+) > (.*)", line)
        if match and start is not None:
            data = bytes.fromhex(match[2].replace(" ", ""))
            if data[2:4] == b"\x02\x11":
                sent.setdefault(data[4], []).append(float(match[1]))
    return sent


def measure(program, fault, load, seconds, seed):
    name, lost_commands, lost_answers, latency, limit = fault
    busy = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(load)]
    controller, device = os.openpty()
    tty.setraw(device)
    os.set_blocking(controller, False)
    robot = Robot(controller, lost_commands, lost_answers, latency, seed)
    folder = tempfile.mkdtemp()
    capture = folder + "/capture"
    host = subprocess.Popen(
        [program, "stream", "--port", os.ttyname(device), "--mask", "accel,gyro,quat", "--divisor", "1",
         "--for", f"{seconds}s", "--format", "csv", "--capture", capture],
        stdout=open(folder + "/samples.csv", "w"), stderr=subprocess.PIPE, text=True)
    end = time.monotonic() + seconds + 20
    try:
        while host.poll() is None and time.monotonic() < end:
            deadline = robot.deadline()
            pause = 0.2 if deadline is None else max(0.0, min(0.2, deadline - time.monotonic()))
            if select.select([controller], [], [], pause)[0]:
                robot.receive(os.read(controller, 65536), time.monotonic())
            robot.advance(time.monotonic())
        remarks = host.stderr.read() if host.poll() is not None else "timed out"
    finally:
        for process in busy + [host]:
            process.send_signal(signal.SIGKILL)
            process.wait()
        os.close(controller)
        os.close(device)
    sent = requests_of(capture)
    times = [t for list_ in sent.values() for t in list_]
    read = {}
    for at, sequence, _ in robot.requests:
        read.setdefault(sequence, []).append(at)
    # The offset between the clock of the capture and CLOCK_MONOTONIC: the minimum transit time of a request.
    offset = min((at - when for sequence, ats in read.items() for at, when in zip(ats, sent.get(sequence, []))), default=0.0)
    intervals = sorted(b - a for a, b in zip(sorted(times), sorted(times)[1:]))
    longest = max(robot.gaps, key=lambda gap: gap[1] - gap[0], default=None)
    row = [f"{name}", f"load {load}", f"limit {limit:.2f} s"]
    if longest is None:
        row.append("no gap")
    else:
        start, end, scheduling_delay, sequence = longest
        transit = min((at - offset - when for at, when in zip(read[sequence], sent.get(sequence, [])) if at == end), default=0.0)
        row.append(
            f"longest {end - start:.3f} s (of {len(robot.gaps)}), "
            f"scheduling delay {scheduling_delay:.3f} s, request transit {transit:.3f} s")
        lost = [at - start for at, _, is_lost in robot.requests if is_lost and start - 0.6 < at < end]
        row.append("previous lost requests: " + " ".join(f"{at:+.3f}" for at in lost))
    row.append(f"{len(times)} requests, longest interval {intervals[-1] if intervals else 0:.3f} s")
    row.append(f"exit {host.returncode}; " + remarks.strip().splitlines()[-1] if remarks.strip() else "")
    print(" | ".join(row), flush=True)
    return longest is None or longest[1] - longest[0] <= limit


def main():
    program = sys.argv[1]
    seconds = int(sys.argv[2]) if len(sys.argv) > 2 else 30
    loads = [int(word) for word in sys.argv[3:]] or [0, 5]
    seed = int(os.environ.get("SPHERO_SEED", "0")) or random.randrange(1, 1 << 32)
    print(f"seed {seed}", flush=True)
    passed = [measure(program, fault, load, seconds, seed) for load in loads for fault in FAULTS]
    sys.exit(0 if all(passed) else 1)


main()
