// Draws what is known of macroblocks as squares over a picture.

import { MAX_QUANTIZER_SCALE } from '../bitstream/limits.js';
import type { CodedMacroblocks } from '../bitstream/reading/coded-macroblocks.js';
import { MACROBLOCK_SIZE } from '../picture/picture.js';
import type { LayerPaint } from './draw-vectors.js';
import { kindOf } from './macroblock-kind.js';

/** A macroblock of so many canvas pixels has room for a number. */
const NUMBER_PIXELS = 34;
/** Text in it, in pels. */
const NUMBER_PELS = 4.5;

/** Draws each kind in its colour, `--kind-intra` and so on of the canvas's style; nothing for skipped ones. */
export function drawTypes(paint: LayerPaint, { types }: CodedMacroblocks): void {
  const { context } = paint;
  const style = getComputedStyle(context.canvas);
  for (let address = 0; address < types.length; address++) {
    const kind = kindOf(types[address]!);
    if (kind === 'skipped') continue;
    context.globalAlpha = kind === 'forward' ? 0.25 : 0.5; // the most frequent kind is lighter: the picture stays visible
    context.fillStyle = style.getPropertyValue(`--kind-${kind}`);
    fillMacroblock(paint, address);
  }
  context.globalAlpha = 1;
}

/** Draws the bits of each macroblock, violet to yellow: 0 to the most of this picture. Numbers where there is room. */
export function drawBits(paint: LayerPaint, { bits }: CodedMacroblocks): void {
  const most = Math.max(1, ...bits);
  // The eye tells small shares apart by their square root.
  drawHeat(paint, bits, value => Math.sqrt(value / most));
}

/** Draws quantizer_scale, violet to yellow: 1, the finest, to 31, by its logarithm. */
export function drawScales(paint: LayerPaint, { scales }: CodedMacroblocks): void {
  drawHeat(paint, scales, value => Math.log(value) / Math.log(MAX_QUANTIZER_SCALE));
}

/** The colour of a share 0..1, as CSS: violet, red, orange, yellow. */
export function heatColour(share: number): string {
  return `hsl(${(265 + 145 * share).toFixed(0)} 90% ${(32 + 28 * share).toFixed(0)}%)`;
}

/** Draws a frame around a macroblock. */
export function drawChosen({ context, mbWidth, scale }: LayerPaint, address: number): void {
  const [x, y] = cornerOf(address, mbWidth);
  for (const [width, colour] of [
    [4, 'rgb(0 0 0 / 0.7)'],
    [2, '#fff'],
  ] as const) {
    context.lineWidth = (width * Math.max(1, devicePixelRatio)) / scale;
    context.strokeStyle = colour;
    context.strokeRect(x, y, MACROBLOCK_SIZE, MACROBLOCK_SIZE);
  }
}

function drawHeat(paint: LayerPaint, values: ArrayLike<number>, shareOf: (value: number) => number): void {
  const { context, scale, mbWidth } = paint;
  for (let address = 0; address < values.length; address++) {
    const share = shareOf(values[address]!);
    context.globalAlpha = 0.25 + 0.4 * share; // the picture stays visible where there is little
    context.fillStyle = heatColour(share);
    fillMacroblock(paint, address);
  }
  context.globalAlpha = 1;
  if (MACROBLOCK_SIZE * scale < NUMBER_PIXELS * devicePixelRatio) return;
  context.font = `600 ${NUMBER_PELS}px system-ui, sans-serif`;
  context.textAlign = 'center';
  context.textBaseline = 'middle';
  context.fillStyle = '#fff';
  context.strokeStyle = 'rgb(0 0 0 / 0.6)';
  context.lineWidth = 1;
  for (let address = 0; address < values.length; address++) {
    const [x, y] = cornerOf(address, mbWidth);
    const place = [x + MACROBLOCK_SIZE / 2, y + MACROBLOCK_SIZE - NUMBER_PELS / 2 - 1] as const;
    context.strokeText(String(values[address]), ...place);
    context.fillText(String(values[address]), ...place);
  }
}

function fillMacroblock({ context, mbWidth }: LayerPaint, address: number): void {
  const [x, y] = cornerOf(address, mbWidth);
  context.fillRect(x + 0.5, y + 0.5, MACROBLOCK_SIZE - 1, MACROBLOCK_SIZE - 1);
}

/** The top left pel of a macroblock. */
function cornerOf(address: number, mbWidth: number): [x: number, y: number] {
  return [(address % mbWidth) * MACROBLOCK_SIZE, Math.floor(address / mbWidth) * MACROBLOCK_SIZE];
}
