// Draws vectors over the pictures of the report's viewer; runs in the reader's browser.

/** Vectors of macroblocks, one after another in raster order. */
export interface VectorPlanes {
  /** In half-pels. */
  readonly dx: Int16Array;
  readonly dy: Int16Array;
}

/** What is drawn on, and how vectors look. */
export interface VectorPaint {
  readonly context: CanvasRenderingContext2D;
  /** Macroblocks in a row, and their side in pels. */
  readonly mbWidth: number;
  readonly macroblockSize: number;
  /** Canvas pixels per pel. */
  readonly scale: number;
  /** CSS colours by direction. */
  readonly directionColours: readonly string[];
}

/**
 * Draws the vectors of the macroblocks that `isDrawn` accepts: a line from the middle of a macroblock to the middle of
 * its match, and nothing for the zero vector. Coded vectors have the colour of their direction and a dot at their
 * start; searched ones are white and thicker, so that they are also seen below coded ones. The page contains the text
 * of this function, so that it may use nothing from outside itself but types.
 */
export function drawVectors(
  { context, mbWidth, macroblockSize, scale, directionColours: colours }: VectorPaint,
  { dx, dy }: VectorPlanes,
  isSearched: boolean,
  isDrawn: (address: number) => boolean,
): void {
  const unit = Math.min(1, 3 / scale); // zoomed in, lines stay as thin as three pixels a pel make them
  const [casing, line, mark] = isSearched ? [5, 3.6, 2.6] : [3, 1.4, 1.6];
  for (let address = 0; address < dx.length; address++) {
    const [dxHalfPels, dyHalfPels] = [dx[address]!, dy[address]!];
    if ((dxHalfPels === 0 && dyHalfPels === 0) || !isDrawn(address)) continue;
    const x = ((address % mbWidth) + 0.5) * macroblockSize;
    const y = (Math.floor(address / mbWidth) + 0.5) * macroblockSize;
    const turn = Math.atan2(dyHalfPels, dxHalfPels) / (2 * Math.PI);
    const colour = isSearched
      ? '#fff'
      : colours[(Math.round(turn * colours.length) + colours.length) % colours.length]!;
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
