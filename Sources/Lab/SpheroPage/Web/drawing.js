// Drawings on canvases: joystick, wheel, ring, attitude, traces and the balance game.

const turn = 2 * Math.PI;

/** Makes a circle the current path, and fills and outlines it; the shadow has a colour, a blur and an offset downward. */
export function circle(context, x, y, radius, { fill, stroke, width, shadow = ["transparent", 0, 0] } = {}) {
  context.beginPath();
  context.arc(x, y, Math.max(0, radius), 0, turn);
  if (fill) {
    [context.shadowColor, context.shadowBlur, context.shadowOffsetY] = shadow;
    context.fillStyle = fill;
    context.fill();
    context.shadowColor = "transparent";
  }
  if (stroke) outline(context, stroke, width);
}

export function polygon(context, points, fill) {
  context.beginPath();
  for (const [x, y] of points) context.lineTo(x, y);
  context.fillStyle = fill;
  context.fill();
}

/** Draws a line through points. */
export function line(context, points, style, width) {
  context.beginPath();
  for (const [x, y] of points) context.lineTo(x, y);
  outline(context, style, width);
}

/** Draws a vertical line, one pixel wide. */
export function verticalLine(context, place, height, style) {
  const x = Math.round(place) + 0.5;
  line(context, [[x, 0], [x, height]], style, 1);
}

/** Draws a horizontal line, one pixel wide. */
export function horizontalLine(context, place, width, style) {
  const y = Math.round(place) + 0.5;
  line(context, [[0, y], [width, y]], style, 1);
}

function outline(context, style, width) {
  [context.strokeStyle, context.lineWidth] = [style, width];
  context.stroke();
}

/** The current colours of the style sheet. */
export const palette = {};

/** Reads the colours again after a change between light and dark. */
export function readPalette() {
  const style = getComputedStyle(document.documentElement);
  for (const name of ["ground", "card", "well", "ink", "note", "line", "edge", "accent", "alarm", "ball", "puck", "s0", "s1", "s2", "s3"])
    palette[name] = style.getPropertyValue(`--${name}`).trim();
  palette.series = [palette.s0, palette.s1, palette.s2, palette.s3];
  palette.generation = (palette.generation ?? 0) + 1;
}

/** A canvas in the resolution of the screen that is redrawn only when its content has changed. */
export class Picture {
  #canvas;
  #context;
  #draw;
  #key;
  #size = [0, 0];
  #shown = null;

  /** `draw(context, width, height, value)` draws in CSS pixels. */
  constructor(canvas, draw) {
    this.#canvas = canvas;
    this.#context = canvas.getContext("2d");
    this.#draw = draw;
    new ResizeObserver(([entry]) => {
      this.#size = [entry.contentRect.width, entry.contentRect.height];
      this.#key = undefined;
      // Without a robot nothing else draws again.
      if (this.#shown !== null) this.show(...this.#shown);
    }).observe(canvas);
  }

  /** Shows a value; values with equal keys have the same drawing. */
  show(value, key) {
    this.#shown = [value, key];
    const scale = window.devicePixelRatio || 1;
    const [width, height] = this.#size;
    const wholeKey = `${key} ${width} ${height} ${scale} ${palette.generation}`;
    if (wholeKey === this.#key || width === 0) return;
    this.#key = wholeKey;
    const [columns, rows] = [Math.round(width * scale), Math.round(height * scale)];
    if (this.#canvas.width !== columns) this.#canvas.width = columns;
    if (this.#canvas.height !== rows) this.#canvas.height = rows;
    this.#context.setTransform(scale, 0, 0, scale, 0, 0);
    this.#context.clearRect(0, 0, width, height);
    this.#draw(this.#context, width, height, value);
  }
}

/** Draws the joystick: `x` and `y` of the puck, and whether it is held. */
export function drawStick(context, width, height, { x, y, isHeld }) {
  const [radius, reach] = [width / 2, width * 0.36];
  circle(context, radius, radius, radius - 1, { fill: palette.well });
  for (const part of [1, 0.5]) circle(context, radius, radius, part * reach, { stroke: palette.line, width: 1.5 });
  context.lineCap = context.lineJoin = "round";
  for (let side = 0; side < 4; side++) {
    context.save();
    context.translate(radius, radius);
    context.rotate((side * turn) / 4);
    line(context, [[-6, -radius + 18], [0, -radius + 12], [6, -radius + 18]], palette.edge, 2);
    context.restore();
  }
  const [puckX, puckY, puck] = [radius + x * reach, radius - y * reach, radius * 0.26];
  if (isHeld) line(context, [[radius, radius], [puckX, puckY]], palette.accent, 4);
  const [fill, stroke] = isHeld ? [palette.accent, palette.accent] : [palette.puck, palette.edge];
  circle(context, puckX, puckY, puck, { fill, stroke, width: 1.5, shadow: ["rgb(0 0 0 / 22%)", isHeld ? 18 : 10, 3] });
}

/** The margin around the wheel for the marker on its rim. */
export const wheelMargin = 14;

/** Draws the colour wheel: its image, its brightness, and the marker at `x` and `y` in its colour. */
export function drawWheel(context, width, height, { disc, x, y, text, brightness }) {
  const middle = width / 2;
  const radius = middle - wheelMargin;
  context.save();
  circle(context, middle, middle, radius - 0.5);
  context.clip();
  context.drawImage(disc, wheelMargin, wheelMargin, 2 * radius, 2 * radius);
  context.fillStyle = `rgb(0 0 0 / ${Math.round((1 - brightness) * 55)}%)`;
  context.fillRect(0, 0, width, height);
  context.restore();
  const [markX, markY] = [middle + x * radius, middle - y * radius];
  circle(context, markX, markY, 13, { fill: "#fff", shadow: ["rgb(0 0 0 / 40%)", 6, 0] });
  circle(context, markX, markY, 10, { fill: text, stroke: "rgb(0 0 0 / 25%)", width: 1 });
}

/** Draws the calibration ring: its clockwise turn in degrees, and whether it aims. */
export function drawRing(context, width, height, { degrees, isActive }) {
  const radius = width / 2;
  const track = radius * 0.8;
  context.translate(radius, radius);
  circle(context, 0, 0, track, { stroke: palette.well, width: radius * 0.24 });
  for (let angle = 0; angle < 360; angle += 5) {
    context.save();
    context.rotate((angle * Math.PI) / 180);
    const [style, inner] = angle % 45 === 0 ? [palette.edge, 0.06] : [palette.line, 0.04];
    line(context, [[0, -track - radius * 0.04], [0, -track + radius * inner]], style, 1.5);
    context.restore();
  }
  if (isActive && degrees !== 0) {
    const end = ((90 + Math.max(-360, Math.min(360, degrees))) * Math.PI) / 180;
    context.lineCap = "round";
    context.beginPath();
    context.arc(0, 0, track, Math.PI / 2, end, degrees < 0);
    outline(context, palette.accent, 4);
  }
  context.rotate((degrees * Math.PI) / 180);
  // The robot from above: its nose is opposite the tail light.
  circle(context, 0, 0, radius * 0.36, { fill: palette.well, stroke: palette.edge, width: 1.5 });
  polygon(context, [[0, -radius * 0.28], [radius * 0.08, -radius * 0.12], [-radius * 0.08, -radius * 0.12]], palette.note);
  const [light, fill, shadow] = isActive ? ["#2f7bff", "#2f7bff", ["#2f7bff", 20, 0]] : [palette.edge, palette.puck];
  circle(context, 0, track, radius * 0.11, { fill, stroke: light, width: 1.5, shadow });
  circle(context, 0, radius * 0.36, isActive ? 5 : 4, { fill: light });
}

/** Draws the attitude of the robot in its colour. */
export function drawAttitude(context, width, height, { attitude, color, flash }) {
  const radius = width / 2;
  const ball = radius - 14;
  context.translate(radius, radius);
  if (flash > 0) {
    context.globalAlpha = Math.min(1, flash);
    circle(context, 0, 0, radius - 5, { stroke: palette.alarm, width: 6 });
    context.globalAlpha = 1;
  }
  circle(context, 0, 0, ball, { fill: color ?? palette.ball });
  const light = context.createRadialGradient(-ball * 0.35, -ball * 0.45, ball * 0.05, 0, 0, ball);
  light.addColorStop(0, "rgb(255 255 255 / 50%)");
  light.addColorStop(0.45, "rgb(255 255 255 / 8%)");
  light.addColorStop(1, "rgb(0 0 0 / 28%)");
  circle(context, 0, 0, ball, { fill: light, stroke: palette.edge, width: 1.5 });
  if (!attitude) return;
  context.lineCap = context.lineJoin = "round";
  const trace = (lines, style, width) => {
    for (const points of lines) line(context, points.map(([x, y]) => [x * ball, y * ball]), style, width);
  };
  for (const lines of [attitude.vertical, attitude.horizontal]) trace(lines, "rgb(255 255 255 / 80%)", 4);
  trace(attitude.vertical, "rgb(20 24 30 / 55%)", 1.5);
  trace(attitude.horizontal, "rgb(20 24 30 / 90%)", 2);
  for (const [place, fill, size] of [[attitude.top, "#fff", 5], [attitude.tail, "#2f7bff", 8], [attitude.nose, "#14181e", 8]]) {
    const [x, y, isVisible] = place;
    if (isVisible) circle(context, x * ball, y * ball, size, { fill, stroke: "#fff", width: 2 });
  }
}

/** Draws series over the last seconds: `times`, the values of `series` and of `faint` ones, and the `limit` of the axis. */
export function drawLane(context, width, height, { window: span, latest, first, count, times, series, limit, isSigned, isCircular, gap, cursor = null, faint = [] }) {
  const toX = (time) => width - ((latest - time) / span) * width;
  const inner = height - 12;
  const toY = (value) => (isSigned ? height / 2 - (value / limit) * (inner / 2) : height - 6 - (value / limit) * inner);
  for (let second = Math.ceil(latest - span); second <= latest; second++) verticalLine(context, toX(second), height, palette.line);
  horizontalLine(context, toY(0), width, palette.line);
  context.lineWidth = 1.6;
  context.lineJoin = "round";
  const size = times.length;
  const draw = (values, which, opacity) => {
    context.globalAlpha = opacity;
    context.strokeStyle = palette.series[which % palette.series.length];
    context.beginPath();
    let [lastTime, lastX, lastY, low, high, isDrawing] = [-Infinity, -1, 0, 0, 0, false];
    for (let step = 0; step < count; step++) {
      const index = (first + step) % size;
      const [time, value] = [times[index], values[index]];
      if (time < latest - span - gap) continue;
      if (Number.isNaN(value)) {
        isDrawing = false;
        continue;
      }
      const [x, y] = [toX(time), toY(value)];
      // An angle that wraps is not connected by a line.
      const isAround = isCircular && Math.abs(y - lastY) > height / 2;
      lastY = y;
      if (!isDrawing || isAround || time - lastTime > gap) {
        context.moveTo(x, y);
        [low, high] = [y, y];
      } else if (x - lastX < 1) {
        // Of several samples in one pixel, only the extremes are visible.
        lastTime = time;
        if (y >= low && y <= high) continue;
        [low, high] = [Math.min(low, y), Math.max(high, y)];
        context.lineTo(lastX, y);
        continue;
      } else {
        context.lineTo(x, y);
        [low, high] = [y, y];
      }
      [lastTime, lastX, isDrawing] = [time, x, true];
    }
    context.stroke();
    context.globalAlpha = 1;
  };
  faint.forEach((values, which) => draw(values, which, 0.35));
  series.forEach((values, which) => draw(values, which, 1));
  if (cursor !== null) verticalLine(context, toX(cursor), height, palette.ink);
  context.fillStyle = palette.note;
  context.font = "11px system-ui, sans-serif";
  context.fillText(`${isSigned ? "±" : ""}${limit}`, 6, 14);
}

/** The custom property with the colour of a series. */
export const seriesColor = (which) => `var(--s${which % 4})`;

/** Draws the ball of the balance game between its walls. */
export function drawGame(context, width, height, { game }) {
  context.fillStyle = palette.well;
  context.fillRect(0, 0, width, height);
  circle(context, width / 2, height / 2, Math.min(width, height) / 10, { stroke: palette.line, width: 1.5 });
  if (game === null) return;
  const [scaleX, scaleY] = [width / game.size[0], height / game.size[1]];
  const radius = (game.ball / 2) * Math.min(scaleX, scaleY);
  const [x, y] = [(game.position[0] + game.ball / 2) * scaleX, (game.position[1] + game.ball / 2) * scaleY];
  const light = context.createRadialGradient(x - radius * 0.3, y - radius * 0.4, radius * 0.1, x, y, radius);
  light.addColorStop(0, palette.card);
  light.addColorStop(1, palette.accent);
  circle(context, x, y, radius, { fill: light });
}
