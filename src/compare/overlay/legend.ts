// The legend below a drawing of vectors: colours of directions, a ruler and a caption.

import { counted } from '../../counted.js';
import { directionColour } from '../../viewer/direction-colour.js';
import type { Canvas, Colour } from './canvas.js';

/** A legend to draw. */
interface Legend {
  /** Its first row on the canvas. */
  readonly top: number;
  /** Canvas pels per pel of the frame. */
  readonly scale: number;
  /** Lines of text; those that do not fit are left out. */
  readonly caption: readonly string[];
}

/** Rows of a legend. */
export const LEGEND_HEIGHT = 56;

const MARGIN = 8;
const WHEEL_RADIUS = 20;
const BACKGROUND: Colour = [24, 24, 24];
const INK: Colour = [230, 230, 230];
/** Lengths of the ruler in pels of the frame; it has the longest that stays within MAX_RULER_WIDTH canvas pels. */
const RULER_LENGTHS = [64, 32, 16, 8, 4, 2, 1];
const MAX_RULER_WIDTH = 72;

/** Draws the colours of the directions as a wheel, a ruler and the caption. */
export function drawLegend(canvas: Canvas, { top, scale, caption }: Legend): void {
  canvas.fillRectangle(0, top, canvas.width, LEGEND_HEIGHT, BACKGROUND);
  drawWheel(canvas, MARGIN + WHEEL_RADIUS, top + LEGEND_HEIGHT / 2);
  const rulerLeft = 2 * (MARGIN + WHEEL_RADIUS) + MARGIN;
  drawRuler(canvas, rulerLeft, top, scale);
  const textLeft = rulerLeft + MAX_RULER_WIDTH + 2 * MARGIN;
  const longest = Math.max(0, ...caption.map(line => line.length));
  const size = textLeft + longest * 12 <= canvas.width ? 2 : 1;
  const lineHeight = 10 * size;
  const lines = caption.slice(0, Math.floor((LEGEND_HEIGHT - MARGIN) / lineHeight));
  const first = top + Math.round((LEGEND_HEIGHT - lines.length * lineHeight + 3 * size) / 2);
  for (const [index, line] of lines.entries()) canvas.drawText(line, textLeft, first + index * lineHeight, size, INK);
}

/** Draws a ring. Each of its points has the colour of an arrow from the middle to it. */
function drawWheel(canvas: Canvas, middleX: number, middleY: number): void {
  for (let y = -WHEEL_RADIUS; y < WHEEL_RADIUS; y++) {
    for (let x = -WHEEL_RADIUS; x < WHEEL_RADIUS; x++) {
      const distance = Math.sqrt((x + 0.5) ** 2 + (y + 0.5) ** 2);
      const coverage = Math.min(1, WHEEL_RADIUS - distance, distance - WHEEL_RADIUS * 0.35);
      if (coverage > 0) canvas.blend(middleX + x, middleY + y, directionColour(x + 0.5, y + 0.5), coverage);
    }
  }
}

/** Draws a bar as long as a vector of the length that stands above it. */
function drawRuler(canvas: Canvas, left: number, top: number, scale: number): void {
  const pels = RULER_LENGTHS.find(length => length * scale <= MAX_RULER_WIDTH) ?? 1;
  const y = top + LEGEND_HEIGHT - 18;
  canvas.drawText(counted(pels, 'pel'), left, top + 16, 1, INK);
  const width = pels * scale;
  canvas.fillRectangle(left, y, width, 2, INK);
  canvas.fillRectangle(left, y - 4, 1, 10, INK);
  canvas.fillRectangle(left + width - 1, y - 4, 1, 10, INK);
}
