// Draws a picture: tile by tile, the flakes from back to front before the ground and the sky, into 4:2:0 planes.
import type { Flakes } from '../flakes.js';
import { type SnowScene, TILE } from '../scene.js';
import { castRay, type Landscape } from './background.js';
import { coverageOf, seenFlake } from './camera.js';
import { type Colour, limitedBt601, mixColours, PALETTE } from './colours.js';
import { firstEntryOf, type TileEntries } from './tile-entries.js';

/** Bytes of the planes of a picture: Y, then U, then V, of the coded size, without gaps. */
export function planesBytes({ codedWidth, codedHeight }: SnowScene): number {
  return (codedWidth * codedHeight * 3) / 2;
}

/**
 * The planes of a picture, BT.601 of limited range. Chroma samples are the mean of four pels. As in the encoder's
 * pictures, what lies beyond the picture's edges repeats the last pel. `entries` are sorted.
 */
export function drawPicture(scene: SnowScene, landscape: Landscape, flakes: Flakes, entries: TileEntries): Uint8Array {
  const planes = new Uint8Array(planesBytes(scene));
  for (let tile = 0; tile < scene.tilesX * scene.tilesY; tile++) {
    drawTile(scene, planes, tile, pelsOfTile(scene, landscape, flakes, entries, tile));
  }
  return planes;
}

/** The pels of a tile in YCbCr, row by row, not rounded. */
function pelsOfTile(
  scene: SnowScene,
  landscape: Landscape,
  flakes: Flakes,
  { keys, flakes: numbers }: TileEntries,
  tile: number,
): Colour[] {
  const { width, height, tilesX, far } = scene;
  const ofTile = numbers.subarray(firstEntryOf(keys, tile), firstEntryOf(keys, tile + 1));
  const seen = Array.from(ofTile, flake => seenFlake(scene, flakes, flake)!);
  return Array.from({ length: TILE * TILE }, (_, pel) => {
    const x = Math.min(width - 1, TILE * (tile % tilesX) + (pel % TILE)) + 0.5;
    const y = Math.min(height - 1, TILE * Math.floor(tile / tilesX) + Math.floor(pel / TILE)) + 0.5;
    const { colour: behind, distance } = castRay(scene, landscape, x, y);
    let colour = behind;
    for (const flake of seen) {
      if (flake.distance >= distance) continue;
      const coverage = coverageOf(flake, x, y);
      if (coverage > 0)
        colour = mixColours(colour, mixColours(PALETTE.flake, PALETTE.fog, flake.distance / far), coverage);
    }
    return limitedBt601(colour);
  });
}

function drawTile(scene: SnowScene, planes: Uint8Array, tile: number, pels: readonly Colour[]): void {
  const { width, height, codedWidth, codedHeight, tilesX } = scene;
  const left = TILE * (tile % tilesX);
  const top = TILE * Math.floor(tile / tilesX);
  const chromaStart = codedWidth * codedHeight;
  for (const [pel, [luma]] of pels.entries()) {
    planes[left + (pel % TILE) + codedWidth * (top + Math.floor(pel / TILE))] = byteOf(luma);
  }
  const side = TILE / 2;
  // The last samples that lie in the picture, counted from the tile's corner.
  const lastX = ((width - 1) >> 1) - left / 2;
  const lastY = ((height - 1) >> 1) - top / 2;
  for (let sample = 0; sample < side * side; sample++) {
    const [x, y] = [sample % side, Math.floor(sample / side)];
    const corner = 2 * Math.min(x, lastX) + TILE * 2 * Math.min(y, lastY);
    const four = [corner, corner + 1, corner + TILE, corner + TILE + 1].map(pel => pels[pel]);
    const at = chromaStart + left / 2 + x + (codedWidth / 2) * (top / 2 + y);
    for (const part of [1, 2] as const) {
      const mean = (four[0][part] + four[1][part] + four[2][part] + four[3][part]) / 4;
      planes[at + (part - 1) * (chromaStart / 4)] = byteOf(mean);
    }
  }
}

function byteOf(value: number): number {
  return Math.floor(value + 0.5);
}
