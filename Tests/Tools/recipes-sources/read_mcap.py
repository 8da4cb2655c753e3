"""Checks each message of the Foxglove recipe's MCAP file against its schema and the expected values.

  read_mcap.py FILE COUNT [--by-hand]

COUNT is the expected number of messages per channel; --by-hand also checks the values of by-hand/sample.jsonl.
Prints a summary. Exits with 1 and a message if a check fails.
"""

import json
import sys

from mcap.exceptions import McapError
from mcap.reader import make_reader

TYPES = {"object": dict, "number": (int, float), "integer": int, "string": str}
EXPECTED = {"/tf": "foxglove.FrameTransform", "/sphero/sample": "sphero.Sample"}


def require(condition, message):
    if not condition:
        sys.exit(message)


def validate(value, schema, path):
    require(isinstance(value, TYPES[schema["type"]]), f"{path} is {value!r}, not of type {schema['type']}")
    if schema["type"] == "object":
        require(set(value) <= set(schema["properties"]), f"{path} has {sorted(value)}, which its schema does not declare")
        for key, item in value.items():
            validate(item, schema["properties"][key], f"{path}.{key}")


path, count, by_hand = sys.argv[1], int(sys.argv[2]), "--by-hand" in sys.argv[3:]
seen = {}
with open(path, "rb") as file:
    reader = make_reader(file, validate_crcs=True)
    try:
        is_complete = reader.get_summary() is not None
    except McapError:
        is_complete = False
    require(is_complete, "the file is incomplete: it has no summary")
    for schema, channel, message in reader.iter_messages():
        require(schema.encoding == "jsonschema" and channel.message_encoding == "json", "an encoding is not JSON")
        value = json.loads(message.data)
        validate(value, json.loads(schema.data), channel.topic)
        seen.setdefault((channel.topic, schema.name), []).append((message.log_time, value))

require(set(seen) == set(EXPECTED.items()), f"the channels are {sorted(seen)}")
samples, transforms = (seen[name, EXPECTED[name]] for name in ("/sphero/sample", "/tf"))
require(
    len(samples) == len(transforms) == count,
    f"there are {len(samples)} samples and {len(transforms)} transforms, not {count}")
for (sample_time, _), (transform_time, transform) in zip(samples, transforms):
    timestamp = transform["timestamp"]["sec"] * 10**9 + transform["timestamp"]["nsec"]
    require(sample_time == transform_time == timestamp, "times differ")
    require(abs(sum(part * part for part in transform["rotation"].values()) - 1) < 0.001, "a rotation is not a unit quaternion")
if by_hand:
    require(samples[0][0] == 1_700_000_000_250_000_000, f"the time is {samples[0][0]}")
    rotation = transforms[0][1]["rotation"]
    require(rotation == {"x": 0.7, "y": 0.5, "z": -0.5, "w": 0.1}, f"the rotation is {rotation}")
    require("gravity_x" not in samples[0][1], "an unknown value is present")
else:
    down = [sample["gravity_z"] for _, sample in samples]
    require(all(-1.02 < value < -0.98 for value in down), f"gravity_z is {min(down)} to {max(down)}")
    steps = sorted(after[0] - before[0] for before, after in zip(samples, samples[1:]))
    require(0.04e9 < steps[len(steps) // 2] < 0.06e9, f"the median step is {steps[len(steps) // 2]} ns")
print(f"{len(samples)} samples and {len(transforms)} transforms")
