// Takes the host's bytes apart by hand: the test shall not believe the codec that it looks at.

/** Commands by the numbers of the protocol, device and command. */
export const commands = {
  ping: "00:01", sleep: "00:22", setHeading: "02:01", stream: "02:11", collisions: "02:12",
  color: "02:20", tail: "02:21", roll: "02:30", temporaryOptions: "02:37",
};

/** Splits what the host sent into commands; throws where a byte belongs to none or a checksum is wrong. */
export function commandsIn(bytes) {
  const found = [];
  for (let at = 0; at < bytes.length; ) {
    const [sop1, sop2, device, command, sequence, length] = bytes.subarray(at);
    const end = at + 6 + length;
    if (sop1 !== 0xff || sop2 < 0xfc || !(end <= bytes.length)) throw new Error(`no command at ${at}: ${hex(bytes.subarray(at, at + 16))}`);
    const sum = bytes.subarray(at + 2, end - 1).reduce((sum, byte) => sum + byte, 0);
    if ((~sum & 0xff) !== bytes[end - 1]) throw new Error(`wrong checksum at ${at}`);
    const two = (number) => number.toString(16).padStart(2, "0");
    found.push({ id: `${two(device)}:${two(command)}`, sequence, payload: [...bytes.subarray(at + 6, end - 1)] });
    at = end;
  }
  return found;
}

/** The speed and heading of a roll; its third field says whether the robot drives, 1, or brakes, 0. */
export const roll = ({ payload: [speed, high, low, state] }) => ({ speed, heading: high * 256 + low, state });

/** A request for a stream: every how many of 400 a second, how many samples in a packet, how many packets. */
export function stream({ payload }) {
  const number = (at, count) => payload.slice(at, at + count).reduce((sum, byte) => sum * 256 + byte, 0);
  return { divisor: number(0, 2), frames: number(2, 2), mask: number(4, 4), packets: number(8, 1), mask2: payload.length > 9 ? number(9, 4) : 0 };
}

export const hex = (bytes) => [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join(" ");
