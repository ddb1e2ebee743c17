import type { MotionField } from '../../motion/estimator.js';
import type { Frame } from '../../picture/frame.js';
import { visibleBlocks } from '../motion-fields/field-agreement.js';
import { Canvas, type Colour } from './canvas.js';
import { directionColour } from './direction-colour.js';
import { paintFrame } from './frame-canvas.js';
import { drawLegend, LEGEND_HEIGHT } from './legend.js';

/** How vectors are drawn. */
export interface VectorDrawing {
  /** Pels of the picture to a pel of the frame; by default what makes a small frame large enough to see arrows. */
  readonly scale?: number;
  /** Lines of text beside the legend; without it there is no legend. */
  readonly caption?: readonly string[];
}

/** Width that a small frame is brought to or near, in pels. */
const COMFORTABLE_WIDTH = 1280;
const MAX_SCALE = 4;
/** The frame under the arrows is gray and this much darker. */
const BACKGROUND_BRIGHTNESS = 0.55;
const SHADOW: Colour = [0, 0, 0];
const STILL: Colour = [150, 150, 150];
const STILL_OPACITY = 0.7;

/** Pels of an overlay to a pel of a frame of `width * height`, where nothing else is asked for. */
export function comfortableScale(width: number, height: number): number {
  const scale = Math.round(COMFORTABLE_WIDTH / Math.max(width, height));
  return Math.min(MAX_SCALE, Math.max(1, scale));
}

/** Rows of a drawing of a frame of `height` rows. */
export function overlayHeight(height: number, scale: number, withCaption: boolean): number {
  return height * scale + (withCaption ? LEGEND_HEIGHT : 0);
}

/**
 * The best vectors of a field over `frame`, the current one: an arrow from the middle of each block to that of its match in
 * the reference, coloured by direction, as long as the vector; a dot where it is zero.
 */
export function drawVectors(frame: Frame, field: MotionField, drawing: VectorDrawing = {}): Canvas {
  const { scale = comfortableScale(frame.width, frame.height), caption } = drawing;
  const canvas = new Canvas(frame.width * scale, overlayHeight(frame.height, scale, caption !== undefined));
  paintFrame(canvas, frame, { scale, gray: true, brightness: BACKGROUND_BRIGHTNESS });
  drawField(canvas, frame, field, scale);
  if (caption) drawLegend(canvas, { top: frame.height * scale, scale, caption });
  return canvas;
}

function drawField(canvas: Canvas, frame: Frame, field: MotionField, scale: number): void {
  const { blockSize, blockColumns, candidatesPerBlock } = field;
  const { columns, rows } = visibleBlocks(field, frame.width, frame.height);
  const thickness = 1.1 + 0.4 * scale;
  const arrows: Arrow[] = [];
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      const at = (row * blockColumns + column) * candidatesPerBlock;
      const x = (column + 0.5) * blockSize * scale;
      const y = (row + 0.5) * blockSize * scale;
      const arrow = { x, y, alongX: field.dx[at]! * scale, alongY: field.dy[at]! * scale, thickness };
      if (arrow.alongX === 0 && arrow.alongY === 0) drawDot(canvas, arrow, STILL, STILL_OPACITY);
      else arrows.push(arrow);
    }
  }
  // Over the dots, which mark other blocks.
  for (const arrow of arrows) drawArrow(canvas, arrow);
}

/** An arrow from (x, y) along (alongX, alongY), all in pels of the canvas. */
interface Arrow {
  readonly x: number;
  readonly y: number;
  readonly alongX: number;
  readonly alongY: number;
  readonly thickness: number;
}

function drawDot(canvas: Canvas, { x, y, thickness }: Arrow, colour: Colour, opacity: number): void {
  canvas.drawStroke({ fromX: x, fromY: y, toX: x, toY: y, thickness: thickness + 0.9, colour, opacity });
}

function drawArrow(canvas: Canvas, arrow: Arrow): void {
  const { x, y, alongX, alongY, thickness } = arrow;
  const colour = directionColour(alongX, alongY);
  const length = Math.sqrt(alongX * alongX + alongY * alongY);
  const shaft = { fromX: x, fromY: y, toX: x + alongX, toY: y + alongY };
  const barb = Math.min(4.5 * thickness, Math.max(1.7 * thickness, 0.4 * length)) / length;
  // The two barbs lean 30 degrees off the shaft.
  const barbs = [0.5, -0.5].map(sine => ({
    fromX: shaft.toX,
    fromY: shaft.toY,
    toX: shaft.toX - barb * (0.866 * alongX - sine * alongY),
    toY: shaft.toY - barb * (0.866 * alongY + sine * alongX),
  }));
  const lines = [shaft, ...barbs];
  for (const line of lines) canvas.drawStroke({ ...line, thickness: thickness + 1.7, colour: SHADOW, opacity: 0.55 });
  for (const line of lines) canvas.drawStroke({ ...line, thickness, colour });
  drawDot(canvas, arrow, colour, 1);
}
