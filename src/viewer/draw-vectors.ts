// Draws vectors over a picture.
import type { VectorPlanes } from '../bitstream/reading/coded-macroblocks.js';
import { MACROBLOCK_SIZE } from '../picture/picture.js';
import { directionColour } from './direction-colour.js';

/** What is drawn on: a canvas whose units are pels. */
export interface LayerPaint {
  readonly context: CanvasRenderingContext2D;
  /** Macroblocks in a row. */
  readonly mbWidth: number;
  /** Canvas pixels per pel. */
  readonly scale: number;
}

/**
 * Draws the vectors of the macroblocks that `isDrawn` accepts: a line from the middle of a macroblock to the middle of
 * its match, and nothing for the zero vector. Coded vectors have the colour of their direction and a dot at their
 * start; searched ones are white and thicker, so that they are also seen below coded ones.
 */
export function drawVectors(
  { context, mbWidth, scale }: LayerPaint,
  { dx, dy }: VectorPlanes,
  isSearched: boolean,
  isDrawn: (address: number) => boolean,
): void {
  const unit = Math.min(1, 3 / scale); // zoomed in, lines stay as thin as three pixels a pel make them
  const [casing, line, mark] = isSearched ? [5, 3.6, 2.6] : [3, 1.4, 1.6];
  for (let address = 0; address < dx.length; address++) {
    const [dxHalfPels, dyHalfPels] = [dx[address]!, dy[address]!];
    if ((dxHalfPels === 0 && dyHalfPels === 0) || !isDrawn(address)) continue;
    const x = ((address % mbWidth) + 0.5) * MACROBLOCK_SIZE;
    const y = (Math.floor(address / mbWidth) + 0.5) * MACROBLOCK_SIZE;
    const colour = isSearched ? '#fff' : `rgb(${directionColour(dxHalfPels, dyHalfPels).join(' ')})`;
    for (const [width, stroke] of [
      [casing, 'rgb(0 0 0 / 0.6)'],
      [line, colour],
    ] as const) {
      context.lineWidth = width * unit;
      context.strokeStyle = stroke;
      context.beginPath();
      context.moveTo(x, y);
      context.lineTo(x + dxHalfPels / 2, y + dyHalfPels / 2);
      context.stroke();
    }
    context.fillStyle = colour;
    context.beginPath();
    context.arc(x, y, mark * unit, 0, 2 * Math.PI);
    context.fill();
  }
}
