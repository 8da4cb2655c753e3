"""Replaces links from the documentation of a library to symbols of another one by code, in the symbol graphs of a folder.

DocC resolves a link only within one library, while a doc comment may name a type of a library that it imports.
"""
import json
import pathlib
import re
import sys

graphs = {path: json.loads(path.read_text()) for path in sorted(pathlib.Path(sys.argv[1]).glob("*/*.symbols.json"))}
names = {}
types = {}
for path, graph in graphs.items():
    for symbol in graph["symbols"]:
        components = [component.split("(")[0] for component in symbol["pathComponents"]]
        names.setdefault(path.parent.name, {path.parent.name}).update(components)
        types.setdefault(path.parent.name, set()).add(components[0])


def convert(text, library):
    """Returns a line with code in place of its links to other libraries; other unresolved links remain for docc to report."""
    def replace(match):
        first = match.group(1).split("/")[0].split("(")[0]
        foreign = first not in names[library] and any(first in known for known in types.values())
        return f"`{match.group(1)}`" if foreign or first in types and first != library else match.group(0)
    return re.sub(r"``([^`]+)``", replace, text)


for path, graph in graphs.items():
    for symbol in graph["symbols"]:
        for line in symbol.get("docComment", {}).get("lines", []):
            line["text"] = convert(line["text"], path.parent.name)
    path.write_text(json.dumps(graph))
