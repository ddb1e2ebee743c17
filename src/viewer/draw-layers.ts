// The layers over a picture: which there are, and drawing them.
import type { CodedMacroblocks, VectorPlanes } from '../bitstream/reading/coded-macroblocks.js';
import { MACROBLOCK_MOTION_BACKWARD, MACROBLOCK_MOTION_FORWARD } from '../bitstream/tables/macroblock-codes.js';
import { drawBits, drawChosen, drawScales, drawTypes } from './draw-macroblocks.js';
import { drawVectors, type LayerPaint } from './draw-vectors.js';

/** The layers, from below to above. */
export const LAYER_NAMES = ['types', 'bits', 'scales', 'searched', 'vectors'] as const;

/** A layer over a picture. */
export type LayerName = (typeof LAYER_NAMES)[number];

/** What is known of a picture. */
export interface LayeredPicture {
  readonly macroblocks: CodedMacroblocks;
  /** The estimator's vectors to the past and to the future anchor, where they are known. */
  readonly searched?: readonly (VectorPlanes | undefined)[];
}

/** Draws layers over a picture, and a frame around the chosen macroblock. */
export function drawLayers(
  paint: LayerPaint,
  { macroblocks, searched = [] }: LayeredPicture,
  layers: ReadonlySet<LayerName>,
  chosen?: number,
): void {
  const { forward, backward, directions } = macroblocks;
  if (layers.has('types')) drawTypes(paint, macroblocks);
  if (layers.has('bits')) drawBits(paint, macroblocks);
  if (layers.has('scales')) drawScales(paint, macroblocks);
  paint.context.lineCap = 'round';
  if (layers.has('searched')) {
    for (const field of searched) if (field) drawVectors(paint, field, true, () => true);
  }
  if (layers.has('vectors')) {
    drawVectors(paint, forward, false, address => (directions[address]! & MACROBLOCK_MOTION_FORWARD) !== 0);
    drawVectors(paint, backward, false, address => (directions[address]! & MACROBLOCK_MOTION_BACKWARD) !== 0);
  }
  if (chosen !== undefined) drawChosen(paint, chosen);
}
