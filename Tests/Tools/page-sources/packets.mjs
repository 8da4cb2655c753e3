// Parses the host's bytes independently of the codec under test.

/** The identifiers of commands: device and command number. */
export const commands = {
  ping: "00:01", sleep: "00:22", setHeading: "02:01", stream: "02:11", collisions: "02:12",
  color: "02:20", tail: "02:21", roll: "02:30", temporaryOptions: "02:37",
};

/** Splits the host's bytes into commands; throws if a byte belongs to no command or a checksum is wrong. */
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

/** The fields of a roll; `state` is 1 to drive and 0 to brake. */
export const roll = ({ payload: [speed, high, low, state] }) => ({ speed, heading: high * 256 + low, state });

/** The fields of a stream request: the divisor of 400 Hz, the frames per packet and the number of packets. */
export function stream({ payload }) {
  const number = (at, count) => payload.slice(at, at + count).reduce((sum, byte) => sum * 256 + byte, 0);
  return { divisor: number(0, 2), frames: number(2, 2), mask: number(4, 4), packets: number(8, 1), mask2: payload.length > 9 ? number(9, 4) : 0 };
}

export const hex = (bytes) => [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join(" ");
