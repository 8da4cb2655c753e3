"""Fails if a symbol graph in a folder contains a public symbol of this package without documentation.

A member that the compiler synthesizes needs none, and one that satisfies a requirement inherits that of the requirement.
"""
import json
import pathlib
import sys

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
            missing.add(f"Sources/{file}:{place['position']['line'] + 1}: {'.'.join(symbol['pathComponents'])}")
if count == 0:
    sys.exit("the site: the symbol graphs contain no symbol")
for line in sorted(missing):
    print(line, file=sys.stderr)
if missing:
    sys.exit(f"the site: {len(missing)} public symbols have no documentation; add a comment that begins with ///")
