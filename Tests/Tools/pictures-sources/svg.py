#!/usr/bin/env python3
"""Converts the output of `tmux capture-pane -e -p` to an SVG picture of the terminal screen.

Block and braille characters become shapes, so that the picture does not depend on the viewer's fonts;
shapes of the same colour share a path, which reduces the size.
Several screens, separated by form feeds, become an animation. A viewer that prefers reduced motion shows the last one.
"""
import html
import re
import sys

WIDTH, HEIGHT = 8, 16
# The seconds that a screen of an animation is shown, and the last one.
STEP, LAST = 0.25, 2
BACKGROUND, FOREGROUND = "#16191d", "#d4d8dd"
BASIC = ["#000000", "#cd0000", "#00cd00", "#cdcd00", "#0000ee", "#cd00cd", "#00cdcd", "#e5e5e5",
         "#7f7f7f", "#ff0000", "#00ff00", "#ffff00", "#5c5cff", "#ff00ff", "#00ffff", "#ffffff"]


def indexed(number):
    """Returns a colour of xterm's 256-colour palette."""
    if number < 16:
        return BASIC[number]
    if number >= 232:
        return "#" + 3 * f"{8 + 10 * (number - 232):02x}"
    levels = [0, 95, 135, 175, 215, 255]
    number -= 16
    return "#" + "".join(f"{levels[number // part % 6]:02x}" for part in (36, 6, 1))


def color(words):
    """Removes and returns the colour that follows parameter 38 or 48."""
    kind = words.pop(0) if words else 0
    if kind == 5 and words:
        return indexed(words.pop(0))
    if kind == 2 and len(words) >= 3:
        return "#" + "".join(f"{words.pop(0):02x}" for _ in range(3))
    return None


def cells(line, style):
    """Yields the cells of a line: character, foreground, background, bold. Updates the style, which the next line inherits."""
    for escape, character in re.findall(r"\x1b\[([0-9;:]*)m|(?:\x1b.)?([^\x1b])", line):
        if character:
            yield character, style["fore"], style["back"], style["bold"]
            continue
        words = [int(word or 0) for word in re.split("[;:]", escape)]
        while words:
            word = words.pop(0)
            if word == 0:
                style.update(fore=None, back=None, bold=False)
            elif word == 1:
                style["bold"] = True
            elif word in (38, 48):
                style["fore" if word == 38 else "back"] = color(words)
            elif word in (39, 49):
                style["fore" if word == 39 else "back"] = None
            elif 30 <= word <= 37 or 90 <= word <= 97:
                style["fore"] = BASIC[word % 10 + (8 if word >= 90 else 0)]


def box(x, y, width, height):
    return f"M{x:g} {y:g}h{width:g}v{height:g}h{-width:g}z"


def shape(character, x, y):
    """Returns the path of a block or braille character in a cell; None for other characters."""
    code = ord(character)
    if 0x2800 <= code <= 0x28FF:
        places = [(0, 0), (0, 1), (0, 2), (1, 0), (1, 1), (1, 2), (0, 3), (1, 3)]
        dots = [place for bit, place in enumerate(places) if code >> bit & 1]
        return "".join(box(x + 1 + 4 * column, y + 1 + 4 * row, 2, 2) for column, row in dots)
    if character == "█":
        return box(x, y, WIDTH, HEIGHT)
    if character == "▀":
        return box(x, y, WIDTH, HEIGHT / 2)
    if character == "▄":
        return box(x, y + HEIGHT / 2, WIDTH, HEIGHT / 2)
    if character == "▐":
        return box(x + WIDTH / 2, y, WIDTH / 2, HEIGHT)
    if 0x2589 <= code <= 0x258F:
        return box(x, y, WIDTH * (0x2590 - code) / 8, HEIGHT)
    return None


def draw(lines):
    """Returns the elements of a screen, and its number of columns."""
    style, paths, texts, columns = {"fore": None, "back": None, "bold": False}, {}, [], 0
    for row, line in enumerate(lines):
        run = None
        for column, (character, fore, back, bold) in enumerate(cells(line, style)):
            columns = max(columns, column + 1)
            x, y = column * WIDTH, row * HEIGHT
            if back:
                paths.setdefault(back, []).append(box(x, y, WIDTH, HEIGHT))
            fore = fore or FOREGROUND
            path = shape(character, x, y)
            if path is not None:
                # A half block is drawn over the cell's background.
                paths.setdefault((fore, "over") if back else fore, []).append(path)
            if path is not None or character == " ":
                # A single space between words belongs to the run; two spaces end it.
                if run and character == " " and not run[4].endswith(" "):
                    run[4] += " "
                else:
                    run = None
                continue
            if run and run[2:4] == [fore, bold]:
                run[4] += character
            else:
                run = [column, row, fore, bold, character]
                texts.append(run)
    out = ['<g shape-rendering="crispEdges">']
    for key in sorted(paths, key=lambda key: isinstance(key, tuple)):
        fill = key[0] if isinstance(key, tuple) else key
        out.append(f'<path fill="{fill}" d="{"".join(paths[key])}"/>')
    out.append('</g><g font-family="DejaVu Sans Mono,Menlo,Consolas,monospace" font-size="13">')
    for column, row, fore, bold, text in texts:
        text = text.rstrip()
        weight = ' font-weight="bold"' if bold else ""
        out.append(
            f'<text x="{column * WIDTH}" y="{row * HEIGHT + 12}" textLength="{len(text) * WIDTH}"'
            f' lengthAdjust="spacingAndGlyphs" fill="{fore}"{weight}>{html.escape(text)}</text>')
    out.append("</g>")
    return out, columns


def timing(count):
    """Returns the style sheet that shows `count` screens one after the other."""
    whole = (count - 1) * STEP + LAST
    # An element is hidden except in its part of the cycle; a negative delay selects the part.
    rules = [f"@keyframes step{{0%{{visibility:visible}}{100 * STEP / whole:.4f}%,100%{{visibility:hidden}}}}",
             f"@keyframes last{{0%{{visibility:visible}}{100 * LAST / whole:.4f}%,100%{{visibility:hidden}}}}",
             f".screen{{visibility:hidden;animation:step {whole:g}s step-end infinite}}",
             f".screen:last-of-type{{animation-name:last}}"]
    rules += [f".screen:nth-of-type({index + 1}){{animation-delay:{index * STEP - whole:g}s}}" for index in range(count)]
    rules.append("@media(prefers-reduced-motion){.screen{animation:none}.screen:last-of-type{visibility:visible}}")
    return "<style>" + "".join(rules) + "</style>"


def main():
    screens = [screen.rstrip("\n").split("\n") for screen in sys.stdin.read().split("\f")]
    drawings = [draw(lines) for lines in screens]
    columns, rows = max(columns for _, columns in drawings), max(map(len, screens))
    size = f"{columns * WIDTH + 16} {rows * HEIGHT + 16}"
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="-8 -8 {size}" role="img">',
           f"<title>{html.escape(sys.argv[1])}</title>",
           f'<rect x="-8" y="-8" width="100%" height="100%" rx="6" fill="{BACKGROUND}"/>']
    if len(drawings) == 1:
        out += drawings[0][0]
    else:
        out.append(timing(len(drawings)))
        for elements, _ in drawings:
            out += ['<g class="screen">', *elements, "</g>"]
    print("\n".join(out + ["</svg>"]))


main()
