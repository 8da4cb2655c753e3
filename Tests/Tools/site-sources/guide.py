"""Writes the pages of Docs as the catalogue of a DocC archive: an article per page, with links between the articles."""
import pathlib
import re
import sys

root = pathlib.Path(__file__).resolve().parents[3]
catalogue = pathlib.Path(sys.argv[1])
catalogue.mkdir(parents=True)
pages = {path.stem: path.read_text() for path in sorted((root / "Docs").glob("*.md")) if path.stem != "README"}


def link(match):
    """Returns a link to an article for a link to a page, and the text alone for one to another file of the package."""
    text, target = match.groups()
    if re.match(r"(https?|mailto):", target):
        return match.group(0)
    page = re.fullmatch(r"(?:\.?/|Docs/)?(\w+)\.md(?:#.*)?", target)
    return f"[{text}](doc:{page.group(1)})" if page and page.group(1) in pages else text


def article(text):
    """Returns a page with its links converted, except in code, and without pictures and HTML comments."""
    text = re.sub(r"<!--.*?-->\n?", "", text, flags=re.S)
    text = re.sub(r"<picture>.*?</picture>|</?(?:p|img|source|br|a|details|summary)\b[^>]*>", "", text, flags=re.S)
    text = re.sub(r"!\[[^\]]*\]\([^)]*\)", "", text)
    parts = re.split(r"(```.*?```)", text, flags=re.S)
    return "".join(
        part if part.startswith("```") else re.sub(r"\[([^\]\n]+)\]\(([^)\s]+)\)", link, part) for part in parts)


for name, text in pages.items():
    (catalogue / f"{name}.md").write_text(article(text))
# The table of contents groups the pages by purpose.
topics = re.sub(
    r"\* \[[^\]]*\]\((\w+)\.md\)[^\n]*", r"- <doc:\1>",
    re.sub(r"^## ", "### ", (root / "Docs/README.md").read_text().split("\n", 1)[1], flags=re.M))
(catalogue / "Guide.md").write_text(
    "# Guide\n\n@Metadata {\n  @TechnologyRoot\n}\n\nTutorials, instructions, reference and explanation.\n\n"
    "## Overview\n\nThe libraries have their own documentation; these pages describe the command and the project.\n\n"
    f"## Topics\n{topics}")
