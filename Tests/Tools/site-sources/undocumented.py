"""Fails if a public type in the symbol graphs of a folder has no documentation, or more members have none than MAXIMUM.

A member that the compiler synthesizes needs none, and one that satisfies a requirement inherits that of the requirement.
"""
import json
import pathlib
import sys

# The number of members without documentation, most of them stored properties and initialisers; it may only decrease.
MAXIMUM = 699

types = set()
missing = set()
count = 0
for path in sorted(pathlib.Path(sys.argv[1]).glob("*/*.symbols.json")):
    graph = json.loads(path.read_text())
    inherited = {
        edge["source"] for edge in graph["relationships"]
        if edge.get("sourceOrigin") or edge["kind"] in ("requirementOf", "optionalRequirementOf", "defaultImplementationOf")
        and edge.get("sourceOrigin")}
    for symbol in graph["symbols"]:
        identifier = symbol["identifier"]["precise"]
        # Symbols without a place in the sources are synthesized.
        if "::SYNTHESIZED::" in identifier or identifier in inherited or "location" not in symbol:
            continue
        count += 1
        if not symbol.get("docComment", {}).get("lines"):
            place = symbol["location"]
            file = place["uri"].split("/Sources/")[-1]
            kind = types if len(symbol["pathComponents"]) == 1 else missing
            kind.add(f"Sources/{file}:{place['position']['line'] + 1}: {'.'.join(symbol['pathComponents'])}")
if count == 0:
    sys.exit("the site: the symbol graphs contain no symbol")
excess = len(missing) > MAXIMUM
for line in sorted(types | missing if excess else types):
    print(line, file=sys.stderr)
if types:
    sys.exit(f"the site: {len(types)} public types have no documentation; add a comment that begins with ///")
if excess:
    sys.exit(f"the site: {len(missing)} members have no documentation, not {MAXIMUM}; add a comment that begins with ///")
print(f"the site: {len(missing)} of {count} public symbols have no documentation", file=sys.stderr)
