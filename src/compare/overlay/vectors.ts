// Draws the vectors of a motion field as arrows over a frame.
import type { MotionField } from '../../motion/estimator.js';
import type { Frame } from '../../picture/frame.js';
import { directionColour } from '../../viewer/direction-colour.js';
import { visibleBlocks } from '../motion-fields/field-agreement.js';
import { Canvas, type Colour } from './canvas.js';
import { paintFrame } from './frame-canvas.js';
import { drawLegend, LEGEND_HEIGHT } from './legend.js';

/** The size of a frame in pels. */
type FrameSize = Pick<Frame, 'width' | 'height'>;

/** How to draw vectors. */
interface VectorDrawing {
  /** Canvas pels per pel of the frame; default: {@link comfortableScale}. */
  readonly scale?: number;
  /** Lines of text in the legend. Without a caption there is no legend. */
  readonly caption?: readonly string[];
}

/** Width or height, in pels, that small frames are scaled to, approximately. */
const COMFORTABLE_LENGTH = 1280;
const MAX_SCALE = 4;
/** The frame under the arrows is gray and has this share of its brightness. */
const BACKGROUND_BRIGHTNESS = 0.55;
/** The vector grid: its paper, and the lines between blocks. */
const PAPER: Colour = [24, 24, 24];
const GRID: Colour = [64, 64, 64];
const SHADOW: Colour = [0, 0, 0];
const STILL: Colour = [150, 150, 150];
const STILL_OPACITY = 0.7;

/** Canvas pels per pel of a frame of `width` x `height` at which arrows are easy to see. */
export function comfortableScale(width: number, height: number): number {
  const scale = Math.round(COMFORTABLE_LENGTH / Math.max(width, height));
  return Math.min(MAX_SCALE, Math.max(1, scale));
}

/** Rows of the drawing of a frame with `height` rows. */
export function overlayHeight(height: number, scale: number, withCaption: boolean): number {
  return height * scale + (withCaption ? LEGEND_HEIGHT : 0);
}

/**
 * Draws the best vectors of a field over the current frame. An arrow goes from the middle of each block to the middle
 * of its match in the reference, and has the colour of its direction. A gray dot is a zero vector.
 */
export function drawVectors(frame: Frame, field: MotionField, drawing: VectorDrawing = {}): Canvas {
  const { scale = comfortableScale(frame.width, frame.height), caption } = drawing;
  const canvas = new Canvas(frame.width * scale, overlayHeight(frame.height, scale, caption !== undefined));
  paintFrame(canvas, frame, { scale, gray: true, brightness: BACKGROUND_BRIGHTNESS });
  drawField(canvas, frame, field, scale);
  if (caption) drawLegend(canvas, { top: frame.height * scale, scale, caption });
  return canvas;
}

/**
 * Draws the best vectors of a field over nothing but the grid of its blocks. A line of one canvas pel begins each block
 * at the left and at the top. Arrows and dots are those of {@link drawVectors}.
 */
export function drawVectorGrid(size: FrameSize, field: MotionField, scale: number): Canvas {
  const canvas = new Canvas(size.width * scale, size.height * scale);
  canvas.fillRectangle(0, 0, canvas.width, canvas.height, PAPER);
  const step = field.blockSize * scale;
  for (let x = 0; x < canvas.width; x += step) canvas.fillRectangle(x, 0, 1, canvas.height, GRID);
  for (let y = 0; y < canvas.height; y += step) canvas.fillRectangle(0, y, canvas.width, 1, GRID);
  drawField(canvas, size, field, scale);
  return canvas;
}

function drawField(canvas: Canvas, frame: FrameSize, field: MotionField, scale: number): void {
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
  // After all dots, so that no dot of another block covers an arrow.
  for (const arrow of arrows) drawArrow(canvas, arrow);
}

/** An arrow from (x, y) to (x + alongX, y + alongY), in canvas pels. */
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
  // The two barbs make an angle of 30 degrees with the shaft.
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
