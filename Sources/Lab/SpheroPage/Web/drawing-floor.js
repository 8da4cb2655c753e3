// Draws the floor: walls, trail, collisions, a planned motion and the robot.

import { circle, horizontalLine, line, palette, polygon, verticalLine } from "./drawing.js";

/** The smallest of 1, 2 and 5 times a power of ten that is at least a number. */
function roundUp(number) {
  const power = 10 ** Math.floor(Math.log10(number));
  return [1, 2, 5, 10].find((factor) => factor * power >= number * 0.999) * power;
}

const lengthText = (centimetres) => (centimetres >= 100 ? `${centimetres / 100} m` : `${centimetres} cm`);

/** The visible part of the floor, which follows the whole trail smoothly. */
export class Viewport {
  #now = null;

  /** Moves toward the view of places and the origin; returns its centre and its extent in centimetres. */
  follow(places, isSoft) {
    const [xs, ys] = [[0, ...places.map(([x]) => x)], [0, ...places.map(([, y]) => y)]];
    const [left, right, bottom, top] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
    const aim = { x: (left + right) / 2, y: (bottom + top) / 2, across: Math.max(160, (right - left) * 1.25), along: Math.max(160, (top - bottom) * 1.25) };
    const part = isSoft && this.#now ? 0.12 : 1;
    this.#now ??= { ...aim };
    for (const name of ["x", "y", "across", "along"]) {
      const away = aim[name] - this.#now[name];
      this.#now[name] = Math.abs(away) < 0.05 ? aim[name] : this.#now[name] + part * away;
    }
    return this.#now;
  }

  forget() {
    this.#now = null;
  }
}

/** Draws the marks of collisions: small crosses. */
function drawMarks(context, marks, toPoint) {
  context.lineCap = "round";
  for (const mark of marks) {
    if (mark[0] == null || mark[1] == null) continue;
    const [x, y] = toPoint(mark);
    for (const slope of [5, -5]) line(context, [[x - 5, y - slope], [x + 5, y + slope]], palette.alarm, 2.5);
  }
}

/** Draws a planned motion: its path and its goal. */
function drawPlan(context, plan, robot, toPoint) {
  context.lineJoin = context.lineCap = "round";
  context.setLineDash([2, 7]);
  const places = robot && plan.length === 1 ? [[robot.x, robot.y], ...plan] : plan;
  line(context, places.map(toPoint), palette.accent, 2.5);
  context.setLineDash([]);
  const goal = toPoint(plan.at(-1));
  circle(context, ...goal, 9, { stroke: palette.accent, width: 2.5 });
  circle(context, ...goal, 2.5, { fill: palette.accent });
}

/** The number of pixels per centimetre of a floor. */
export const floorScale = (width, height, viewport) => Math.min(width / viewport.across, height / viewport.along);

/**
 * Draws the floor: walls, the trail in the colours of the robot, marks of collisions, a planned motion, the robot,
 * a scale, and the flash of a collision. `rest` is a trail that the robot has not rolled yet.
 */
export function drawFloor(context, width, height, { way, robot, viewport, flash, walls = [], marks = [], plan = null, rest = null }) {
  const scale = floorScale(width, height, viewport);
  const toX = (x) => width / 2 + (x - viewport.x) * scale;
  const toY = (y) => height / 2 - (y - viewport.y) * scale;
  const toPoint = ([x, y]) => [toX(x), toY(y)];
  const step = roundUp(Math.min(width, height) / scale / 6);
  const [across, along] = [width / scale, height / scale];

  for (let x = Math.ceil((viewport.x - across / 2) / step) * step; x <= viewport.x + across / 2; x += step) verticalLine(context, toX(x), height, palette.line);
  for (let y = Math.ceil((viewport.y - along / 2) / step) * step; y <= viewport.y + along / 2; y += step) horizontalLine(context, toY(y), width, palette.line);
  circle(context, toX(0), toY(0), 4, { stroke: palette.edge, width: 1.5 });

  context.lineCap = "square";
  for (const [x1, y1, x2, y2] of walls) line(context, [[x1, y1], [x2, y2]].map(toPoint), palette.note, 5);
  if (rest?.length > 1) line(context, rest.map(toPoint), palette.edge, 1.5);

  context.lineJoin = context.lineCap = "round";
  const places = robot ? [...way, [robot.x, robot.y, way.at(-1)?.[2] ?? null]] : way;
  // An outline makes colours visible that are similar to the background.
  for (const [thickness, isUnder] of [[6, true], [3.5, false]]) {
    let index = 1;
    while (index < places.length) {
      const [first, color] = [index - 1, places[index][2]];
      while (index < places.length && (isUnder || places[index][2] === color)) index++;
      line(context, places.slice(first, index).map(toPoint), isUnder ? palette.edge : (color ?? palette.ball), thickness);
    }
  }

  drawMarks(context, marks, toPoint);
  if (plan?.length > 0) drawPlan(context, plan, robot, toPoint);
  if (robot) {
    const [x, y, radius] = [toX(robot.x), toY(robot.y), Math.max(9, 3.7 * scale)];
    if (robot.heading != null) {
      context.save();
      context.translate(x, y);
      context.rotate((robot.heading * Math.PI) / 180);
      polygon(context, [[0, -radius - 14], [7, -radius - 4], [-7, -radius - 4]], palette.ink);
      context.restore();
    }
    circle(context, x, y, radius, { fill: robot.color ?? palette.ball, stroke: palette.ink, width: 2 });
    if (flash > 0) {
      context.globalAlpha = Math.min(1, flash);
      circle(context, x, y, radius + 8 + 26 * (1 - flash), { stroke: palette.alarm, width: 4 });
      context.globalAlpha = 1;
    }
  }

  const bar = step * scale;
  context.lineCap = "butt";
  line(context, [[16, height - 22], [16, height - 16], [16 + bar, height - 16], [16 + bar, height - 22]], palette.note, 2);
  context.fillStyle = palette.note;
  context.font = "12px system-ui, sans-serif";
  context.fillText(lengthText(step), 16, height - 28);
}
