// Draws the floor: walls, trail, collisions, a planned motion and the robot.

import { fullCircle, palette } from "./drawing.js";

/** The smallest of 1, 2 and 5 times a power of ten that is at least a number. */
function roundUp(number) {
  const power = 10 ** Math.floor(Math.log10(number));
  return [1, 2, 5, 10].find((factor) => factor * power >= number * 0.999) * power;
}

const lengthText = (centimetres) => (centimetres >= 100 ? `${centimetres / 100} m` : `${centimetres} cm`);

/** The visible part of the floor, which follows the whole trail smoothly. */
export class Sight {
  #now = null;

  /** Moves toward the view of all bounds; returns its centre and its extent in centimetres. */
  follow([left, bottom, right, top], isSoft) {
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

/** Draws a line through places. */
function drawWay(context, places, toX, toY) {
  context.beginPath();
  for (const [x, y] of places) context.lineTo(toX(x), toY(y));
  context.stroke();
}

/** Draws the marks of collisions: small crosses. */
function drawMarks(context, marks, toX, toY) {
  context.strokeStyle = palette.alarm;
  context.lineWidth = 2.5;
  context.lineCap = "round";
  context.beginPath();
  for (const [x, y] of marks) {
    if (x == null || y == null) continue;
    const [left, top] = [toX(x), toY(y)];
    context.moveTo(left - 5, top - 5);
    context.lineTo(left + 5, top + 5);
    context.moveTo(left + 5, top - 5);
    context.lineTo(left - 5, top + 5);
  }
  context.stroke();
}

/** Draws a planned motion: its path and its goal. */
function drawPlan(context, plan, robot, toX, toY) {
  context.strokeStyle = palette.accent;
  context.lineWidth = 2.5;
  context.lineJoin = context.lineCap = "round";
  context.setLineDash([2, 7]);
  drawWay(context, robot && plan.length === 1 ? [[robot.x, robot.y], ...plan] : plan, toX, toY);
  context.setLineDash([]);
  const [x, y] = plan.at(-1);
  fullCircle(context, toX(x), toY(y), 9);
  context.stroke();
  fullCircle(context, toX(x), toY(y), 2.5);
  context.fillStyle = palette.accent;
  context.fill();
}

/** The number of pixels per centimetre of a floor. */
export const floorScale = (width, height, sight) => Math.min(width / sight.across, height / sight.along);

/**
 * Draws the floor: walls, the trail in the colours of the robot, marks of collisions, a planned motion, the robot,
 * a scale, and the flash of a collision. `rest` is a trail that the robot has not rolled yet.
 */
export function drawFloor(context, width, height, { way, robot, sight, flash, walls = [], marks = [], plan = null, rest = null }) {
  const scale = floorScale(width, height, sight);
  const toX = (x) => width / 2 + (x - sight.x) * scale;
  const toY = (y) => height / 2 - (y - sight.y) * scale;
  const step = roundUp(Math.min(width, height) / scale / 6);
  const [across, along] = [width / scale, height / scale];

  context.strokeStyle = palette.line;
  context.lineWidth = 1;
  context.beginPath();
  for (let x = Math.ceil((sight.x - across / 2) / step) * step; x <= sight.x + across / 2; x += step) {
    context.moveTo(Math.round(toX(x)) + 0.5, 0);
    context.lineTo(Math.round(toX(x)) + 0.5, height);
  }
  for (let y = Math.ceil((sight.y - along / 2) / step) * step; y <= sight.y + along / 2; y += step) {
    context.moveTo(0, Math.round(toY(y)) + 0.5);
    context.lineTo(width, Math.round(toY(y)) + 0.5);
  }
  context.stroke();
  context.strokeStyle = palette.edge;
  context.lineWidth = 1.5;
  fullCircle(context, toX(0), toY(0), 4);
  context.stroke();

  context.strokeStyle = palette.note;
  context.lineWidth = 5;
  context.lineCap = "square";
  for (const [x1, y1, x2, y2] of walls) drawWay(context, [[x1, y1], [x2, y2]], toX, toY);
  if (rest?.length > 1) {
    context.strokeStyle = palette.edge;
    context.lineWidth = 1.5;
    drawWay(context, rest, toX, toY);
  }

  context.lineJoin = context.lineCap = "round";
  const places = robot ? [...way, [robot.x, robot.y, way.at(-1)?.[2] ?? null]] : way;
  // An outline makes colours visible that are similar to the background.
  for (const [thickness, isUnder] of [[6, true], [3.5, false]]) {
    context.lineWidth = thickness;
    let index = 1;
    while (index < places.length) {
      const color = places[index][2];
      context.beginPath();
      context.moveTo(toX(places[index - 1][0]), toY(places[index - 1][1]));
      while (index < places.length && (isUnder || places[index][2] === color)) {
        context.lineTo(toX(places[index][0]), toY(places[index][1]));
        index++;
      }
      context.strokeStyle = isUnder ? palette.edge : (color ?? palette.ball);
      context.stroke();
    }
  }

  drawMarks(context, marks, toX, toY);
  if (plan?.length > 0) drawPlan(context, plan, robot, toX, toY);
  if (robot) {
    const [x, y, radius] = [toX(robot.x), toY(robot.y), Math.max(9, 3.7 * scale)];
    if (robot.heading != null) {
      context.save();
      context.translate(x, y);
      context.rotate((robot.heading * Math.PI) / 180);
      context.fillStyle = palette.ink;
      context.beginPath();
      context.moveTo(0, -radius - 14);
      context.lineTo(7, -radius - 4);
      context.lineTo(-7, -radius - 4);
      context.fill();
      context.restore();
    }
    context.fillStyle = robot.color ?? palette.ball;
    fullCircle(context, x, y, radius);
    context.fill();
    context.strokeStyle = palette.ink;
    context.lineWidth = 2;
    context.stroke();
    if (flash > 0) {
      context.globalAlpha = Math.min(1, flash);
      context.strokeStyle = palette.alarm;
      context.lineWidth = 4;
      fullCircle(context, x, y, radius + 8 + 26 * (1 - flash));
      context.stroke();
      context.globalAlpha = 1;
    }
  }

  const bar = step * scale;
  context.strokeStyle = context.fillStyle = palette.note;
  context.lineWidth = 2;
  context.lineCap = "butt";
  context.beginPath();
  context.moveTo(16, height - 22);
  context.lineTo(16, height - 16);
  context.lineTo(16 + bar, height - 16);
  context.lineTo(16 + bar, height - 22);
  context.stroke();
  context.font = "12px system-ui, sans-serif";
  context.fillText(lengthText(step), 16, height - 28);
}
