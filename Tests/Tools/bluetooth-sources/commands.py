"""Prints a line for `sphero run` for each command of the catalogue that keeps the link.

  commands.py SPHERO CATALOGUE

A command that lacks fields gets those of the example in the advice of its error, with blocks of zeros.
"""
import json
import re
import subprocess
import sys

sphero, catalogue = sys.argv[1:]


def answers(lines):
    """The answers of a simulated robot to lines, by their words."""
    run = subprocess.run([sphero, "run", "-", "--port", "sim:", "-q"], input="".join(line + "\n" for line in lines),
                         capture_output=True, text=True)
    return {answer["words"]: answer for answer in map(json.loads, run.stdout.splitlines()) if "words" in answer}


def corrected(line, answer):
    """The line with the fields that the error requires."""
    example = re.search(r"sphero (raw [\w.]+ \S.*)", answer.get("advice") or "")
    size = re.search(r"must have (\d+)", answer.get("error") or "")
    if size:
        return line.replace("=00", "=" + "00" * int(size.group(1)))
    return example.group(1).rstrip(".").replace("…", "00") if example and answer["code"] == 64 else line


names = re.findall(r'visitor\.command\([\w.]+\.self, "([\w.]+)"', open(catalogue, encoding="utf-8").read())
lines = [f"raw {name}" for name in names if not re.search(r"Sleep$|^Bootloader|JumpTo|ControlUART", name)]
for _ in range(2):
    found = answers(lines)
    lines = [corrected(line, found[line]) for line in lines]
print("\n".join(lines))
