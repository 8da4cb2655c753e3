"""Fails if a page of the site links to a page that the site does not contain."""
import json
import pathlib
import sys

site = pathlib.Path(sys.argv[1])
dead = set()
count = 0
for path in sorted((site / "data").rglob("*.json")):
    for reference in json.loads(path.read_text()).get("references", {}).values():
        url = reference.get("url", "") if isinstance(reference, dict) else ""
        if not url.startswith("/"):
            continue
        count += 1
        page = url.split("#")[0].strip("/")
        if not (site / "data" / f"{page}.json").is_file() or not (site / page / "index.html").is_file():
            dead.add(f"{path.relative_to(site)}: {url}")
if count == 0:
    sys.exit("the site: no page contains a link")
for line in sorted(dead):
    print(line, file=sys.stderr)
if dead:
    sys.exit(f"the site: {len(dead)} links are dead")
