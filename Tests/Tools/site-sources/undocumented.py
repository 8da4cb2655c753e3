"""Fails if a public symbol in the symbol graphs of a folder has no documentation.

A member that the compiler synthesizes needs none, and one that satisfies a requirement inherits that of the requirement.
An initializer needs none if each of its parameters has the name of a property of its type, which is documented:
a comment would only repeat the declaration.
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
    properties = {
        tuple(symbol["pathComponents"]) for symbol in graph["symbols"]
        if symbol["kind"]["identifier"] in ("swift.property", "swift.type.property")}
    for symbol in graph["symbols"]:
        identifier = symbol["identifier"]["precise"]
        # Symbols without a place in the sources are synthesized.
        if "::SYNTHESIZED::" in identifier or identifier in inherited or "location" not in symbol:
            continue
        count += 1
        if symbol.get("docComment", {}).get("lines"):
            continue
        parent = tuple(symbol["pathComponents"][:-1])
        parameters = symbol.get("functionSignature", {}).get("parameters", [])
        if symbol["kind"]["identifier"] == "swift.init" and all(
                parent + (parameter.get("internalName", parameter["name"]),) in properties for parameter in parameters):
            continue
        place = symbol["location"]
        file = place["uri"].split("/Sources/")[-1]
        missing.add(f"Sources/{file}:{place['position']['line'] + 1}: {'.'.join(symbol['pathComponents'])}")
if count == 0:
    sys.exit("the site: the symbol graphs contain no symbol")
for line in sorted(missing):
    print(line, file=sys.stderr)
if missing:
    sys.exit(f"the site: {len(missing)} public symbols have no documentation; add a comment that begins with ///")
