// Drawings on canvases: joystick, wheel, ring, attitude, traces and the balance game.

const turn = 2 * Math.PI;
/** Makes a full circle the current path. */
export const fullCircle = (context, x, y, radius) => {
  context.beginPath();
  context.arc(x, y, Math.max(0, radius), 0, turn);
};

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

  get canvas() {
    return this.#canvas;
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
  context.fillStyle = palette.well;
  fullCircle(context, radius, radius, radius - 1);
  context.fill();
  context.strokeStyle = palette.line;
  context.lineWidth = 1.5;
  for (const part of [1, 0.5]) {
    fullCircle(context, radius, radius, part * reach);
    context.stroke();
  }
  context.strokeStyle = palette.edge;
  context.lineWidth = 2;
  context.lineCap = context.lineJoin = "round";
  for (let side = 0; side < 4; side++) {
    context.save();
    context.translate(radius, radius);
    context.rotate((side * turn) / 4);
    context.beginPath();
    context.moveTo(-6, -radius + 18);
    context.lineTo(0, -radius + 12);
    context.lineTo(6, -radius + 18);
    context.stroke();
    context.restore();
  }
  const [puckX, puckY, puck] = [radius + x * reach, radius - y * reach, radius * 0.26];
  if (isHeld) {
    context.strokeStyle = palette.accent;
    context.lineWidth = 4;
    context.beginPath();
    context.moveTo(radius, radius);
    context.lineTo(puckX, puckY);
    context.stroke();
  }
  context.save();
  context.shadowColor = "rgb(0 0 0 / 22%)";
  context.shadowBlur = isHeld ? 18 : 10;
  context.shadowOffsetY = 3;
  context.fillStyle = isHeld ? palette.accent : palette.puck;
  fullCircle(context, puckX, puckY, puck);
  context.fill();
  context.restore();
  context.strokeStyle = isHeld ? palette.accent : palette.edge;
  context.lineWidth = 1.5;
  fullCircle(context, puckX, puckY, puck);
  context.stroke();
}

/** The margin around the wheel for the marker on its rim. */
export const wheelMargin = 14;

/** Draws the colour wheel: its image, its brightness, and the marker at `x` and `y` in its colour. */
export function drawWheel(context, width, height, { disc, x, y, text, brightness }) {
  const middle = width / 2;
  const radius = middle - wheelMargin;
  context.save();
  fullCircle(context, middle, middle, radius - 0.5);
  context.clip();
  if (disc) context.drawImage(disc, wheelMargin, wheelMargin, 2 * radius, 2 * radius);
  context.fillStyle = `rgb(0 0 0 / ${Math.round((1 - (brightness ?? 1)) * 55)}%)`;
  context.fillRect(0, 0, width, height);
  context.restore();
  if (x == null || y == null) return;
  const [markX, markY] = [middle + x * radius, middle - y * radius];
  context.save();
  context.shadowColor = "rgb(0 0 0 / 40%)";
  context.shadowBlur = 6;
  context.fillStyle = "#fff";
  fullCircle(context, markX, markY, 13);
  context.fill();
  context.restore();
  context.fillStyle = text ?? "#fff";
  fullCircle(context, markX, markY, 10);
  context.fill();
  context.strokeStyle = "rgb(0 0 0 / 25%)";
  context.lineWidth = 1;
  context.stroke();
}

/** Draws the calibration ring: its clockwise turn in degrees, and whether it aims. */
export function drawRing(context, width, height, { degrees, isActive }) {
  const radius = width / 2;
  const track = radius * 0.8;
  context.translate(radius, radius);
  context.strokeStyle = palette.well;
  context.lineWidth = radius * 0.24;
  fullCircle(context, 0, 0, track);
  context.stroke();
  context.lineWidth = 1.5;
  for (let angle = 0; angle < 360; angle += 5) {
    context.save();
    context.rotate((angle * Math.PI) / 180);
    context.strokeStyle = angle % 45 === 0 ? palette.edge : palette.line;
    context.beginPath();
    context.moveTo(0, -track - radius * 0.04);
    context.lineTo(0, -track + radius * (angle % 45 === 0 ? 0.06 : 0.04));
    context.stroke();
    context.restore();
  }
  if (isActive && degrees !== 0) {
    const end = ((90 + Math.max(-360, Math.min(360, degrees))) * Math.PI) / 180;
    context.strokeStyle = palette.accent;
    context.lineWidth = 4;
    context.lineCap = "round";
    context.beginPath();
    context.arc(0, 0, track, Math.PI / 2, end, degrees < 0);
    context.stroke();
  }
  context.rotate((degrees * Math.PI) / 180);
  // The robot from above: its nose is opposite the tail light.
  context.fillStyle = palette.well;
  fullCircle(context, 0, 0, radius * 0.36);
  context.fill();
  context.strokeStyle = palette.edge;
  context.lineWidth = 1.5;
  context.stroke();
  context.fillStyle = palette.note;
  context.beginPath();
  context.moveTo(0, -radius * 0.28);
  context.lineTo(radius * 0.08, -radius * 0.12);
  context.lineTo(-radius * 0.08, -radius * 0.12);
  context.fill();
  context.save();
  if (isActive) {
    context.shadowColor = "#2f7bff";
    context.shadowBlur = 20;
  }
  context.fillStyle = isActive ? "#2f7bff" : palette.puck;
  fullCircle(context, 0, track, radius * 0.11);
  context.fill();
  context.restore();
  context.strokeStyle = isActive ? "#2f7bff" : palette.edge;
  fullCircle(context, 0, track, radius * 0.11);
  context.stroke();
  context.fillStyle = isActive ? "#2f7bff" : palette.edge;
  fullCircle(context, 0, radius * 0.36, isActive ? 5 : 4);
  context.fill();
}

/** Draws the attitude of the robot in its colour. */
export function drawAttitude(context, width, height, { attitude, color, flash }) {
  const radius = width / 2;
  const ball = radius - 14;
  context.translate(radius, radius);
  if (flash > 0) {
    context.globalAlpha = Math.min(1, flash);
    context.strokeStyle = palette.alarm;
    context.lineWidth = 6;
    fullCircle(context, 0, 0, radius - 5);
    context.stroke();
    context.globalAlpha = 1;
  }
  context.fillStyle = color ?? palette.ball;
  fullCircle(context, 0, 0, ball);
  context.fill();
  const light = context.createRadialGradient(-ball * 0.35, -ball * 0.45, ball * 0.05, 0, 0, ball);
  light.addColorStop(0, "rgb(255 255 255 / 50%)");
  light.addColorStop(0.45, "rgb(255 255 255 / 8%)");
  light.addColorStop(1, "rgb(0 0 0 / 28%)");
  context.fillStyle = light;
  fullCircle(context, 0, 0, ball);
  context.fill();
  context.strokeStyle = palette.edge;
  context.lineWidth = 1.5;
  context.stroke();
  if (!attitude) return;
  context.lineCap = context.lineJoin = "round";
  const trace = (lines, style, thickness) => {
    context.strokeStyle = style;
    context.lineWidth = thickness;
    for (const line of lines ?? []) {
      context.beginPath();
      for (const [x, y] of line) context.lineTo(x * ball, y * ball);
      context.stroke();
    }
  };
  for (const lines of [attitude.vertical, attitude.horizontal]) trace(lines, "rgb(255 255 255 / 80%)", 4);
  trace(attitude.vertical, "rgb(20 24 30 / 55%)", 1.5);
  trace(attitude.horizontal, "rgb(20 24 30 / 90%)", 2);
  for (const [place, fill, size] of [[attitude.top, "#fff", 5], [attitude.tail, "#2f7bff", 8], [attitude.nose, "#14181e", 8]]) {
    if (!place?.[2]) continue;
    fullCircle(context, place[0] * ball, place[1] * ball, size);
    context.fillStyle = fill;
    context.fill();
    context.strokeStyle = "#fff";
    context.lineWidth = 2;
    context.stroke();
  }
}

/** Draws series over the last seconds: `times`, the values of `series` and of `faint` ones, and the `limit` of the axis. */
export function drawLane(context, width, height, { window: span, latest, first, count, times, series, limit, isSigned, isCircular, gap, cursor = null, faint = [] }) {
  const toX = (time) => width - ((latest - time) / span) * width;
  const inner = height - 12;
  const toY = (value) => (isSigned ? height / 2 - (value / limit) * (inner / 2) : height - 6 - (value / limit) * inner);
  context.strokeStyle = palette.line;
  context.lineWidth = 1;
  context.beginPath();
  for (let second = Math.ceil(latest - span); second <= latest; second++) {
    const x = Math.round(toX(second)) + 0.5;
    context.moveTo(x, 0);
    context.lineTo(x, height);
  }
  context.moveTo(0, Math.round(toY(0)) + 0.5);
  context.lineTo(width, Math.round(toY(0)) + 0.5);
  context.stroke();
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
  if (cursor !== null) {
    context.strokeStyle = palette.ink;
    context.lineWidth = 1;
    context.beginPath();
    context.moveTo(Math.round(toX(cursor)) + 0.5, 0);
    context.lineTo(Math.round(toX(cursor)) + 0.5, height);
    context.stroke();
  }
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
  context.strokeStyle = palette.line;
  context.lineWidth = 1.5;
  fullCircle(context, width / 2, height / 2, Math.min(width, height) / 10);
  context.stroke();
  if (game === null) return;
  const [scaleX, scaleY] = [width / game.size[0], height / game.size[1]];
  const radius = (game.ball / 2) * Math.min(scaleX, scaleY);
  const [x, y] = [(game.position[0] + game.ball / 2) * scaleX, (game.position[1] + game.ball / 2) * scaleY];
  const light = context.createRadialGradient(x - radius * 0.3, y - radius * 0.4, radius * 0.1, x, y, radius);
  light.addColorStop(0, palette.card);
  light.addColorStop(1, palette.accent);
  context.fillStyle = light;
  fullCircle(context, x, y, radius);
  context.fill();
}
