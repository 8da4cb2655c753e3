"""Reads an MCAP of the Foxglove recipe back, and holds each message against its schema and what is wanted.

  read_mcap.py FILE COUNT [--by-hand]

COUNT is how many messages each channel has; --by-hand also wants the values of by-hand/sample.jsonl.
Prints what was seen. Exits with 1 and says what differs.
"""

import json
import sys

from mcap.exceptions import McapError
from mcap.reader import make_reader

TYPES = {"object": dict, "number": (int, float), "integer": int, "string": str}
WANTED = {"/tf": "foxglove.FrameTransform", "/sphero/sample": "sphero.Sample"}


def want(holds, remark):
    if not holds:
        sys.exit(remark)


def fits(value, schema, place):
    want(isinstance(value, TYPES[schema["type"]]), f"{place} is {value!r}, not of type {schema['type']}")
    if schema["type"] == "object":
        want(set(value) <= set(schema["properties"]), f"{place} has {sorted(value)}, which its schema does not know")
        for key, item in value.items():
            fits(item, schema["properties"][key], f"{place}.{key}")


path, count, by_hand = sys.argv[1], int(sys.argv[2]), "--by-hand" in sys.argv[3:]
seen = {}
with open(path, "rb") as file:
    reader = make_reader(file, validate_crcs=True)
    try:
        whole = reader.get_summary() is not None
    except McapError:
        whole = False
    want(whole, "there is no summary, so the file was not finished")
    for schema, channel, message in reader.iter_messages():
        want(schema.encoding == "jsonschema" and channel.message_encoding == "json", "an encoding is not JSON")
        value = json.loads(message.data)
        fits(value, json.loads(schema.data), channel.topic)
        seen.setdefault((channel.topic, schema.name), []).append((message.log_time, value))

want(set(seen) == set(WANTED.items()), f"the channels are {sorted(seen)}")
samples, turns = (seen[name, WANTED[name]] for name in ("/sphero/sample", "/tf"))
want(len(samples) == len(turns) == count, f"there are {len(samples)} samples and {len(turns)} turns, not {count}")
for (time, sample), (turned, turn) in zip(samples, turns):
    want(time == turned == turn["timestamp"]["sec"] * 10**9 + turn["timestamp"]["nsec"], "times differ")
    want(abs(sum(part * part for part in turn["rotation"].values()) - 1) < 0.001, "a rotation has another length than 1")
if by_hand:
    want(samples[0][0] == 1_700_000_000_250_000_000, f"the time is {samples[0][0]}")
    want(turns[0][1]["rotation"] == {"x": 0.7, "y": 0.5, "z": -0.5, "w": 0.1}, f"the rotation is {turns[0][1]['rotation']}")
    want("gravity_x" not in samples[0][1], "a value that is not known is there")
else:
    down = [sample["gravity_z"] for _, sample in samples]
    want(all(-1.02 < value < -0.98 for value in down), f"gravity_z is {min(down)} to {max(down)}")
    steps = sorted(after[0] - before[0] for before, after in zip(samples, samples[1:]))
    want(0.04e9 < steps[len(steps) // 2] < 0.06e9, f"the usual step is {steps[len(steps) // 2]} ns")
print(f"{len(samples)} samples and {len(turns)} turns")
