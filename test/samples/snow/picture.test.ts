// Pictures of the snow simulator: back to front, padded as the encoder's pictures are, neither empty nor still.
import { describe, expect, it } from 'vitest';
import { coverageOf, seenFlake } from '../../../samples/snow/picture/camera.js';
import { limitedBt601 } from '../../../samples/snow/picture/colours.js';
import { drawPicture } from '../../../samples/snow/picture/draw-picture.js';
import { frameOfPlanes } from '../../../samples/snow/picture/frame-of-planes.js';
import { firstEntryOf, NO_TILE } from '../../../samples/snow/picture/tile-entries.js';
import { ReadableSnow } from '../../../samples/snow/readable-snow.js';
import { type SnowOptions, snowScene, TILE } from '../../../samples/snow/scene.js';
import { macroblockGrid, pictureFromFrame } from '../../../src/picture/picture.js';
import { smallScene } from './small-scene.js';

const film = (options?: Partial<SnowOptions>) => new ReadableSnow(smallScene({ iterations: 2, ...options }));

describe('the sorted entries', () => {
  const snow = film();
  const { scene } = snow;
  const { keys, flakes } = snow.sortedEntries();

  it('have the flakes of each tile from back to front', () => {
    const tiles = new Set<number>();
    for (let entry = 1; keys[entry] !== NO_TILE; entry++) {
      const tile = keys[entry] >>> 16;
      tiles.add(tile);
      expect(keys[entry]).toBeGreaterThanOrEqual(keys[entry - 1]);
      if (tile !== keys[entry - 1] >>> 16) continue;
      const [before, here] = [flakes[entry - 1], flakes[entry]].map(flake => seenFlake(scene, snow.flakes, flake)!);
      expect(here.distance).toBeLessThanOrEqual(before.distance + (2 * scene.far) / 65535);
    }
    expect(tiles.size).toBe(scene.tilesX * scene.tilesY);
  });

  it('have every flake in every tile that it touches', () => {
    for (let flake = 0; flake < scene.flakes; flake++) {
      const seen = seenFlake(scene, snow.flakes, flake);
      if (!seen) continue;
      for (let y = 0; y < scene.codedHeight; y++) {
        for (let x = 0; x < scene.codedWidth; x++) {
          if (Math.abs(x - seen.x) > 8 || Math.abs(y - seen.y) > 8 || coverageOf(seen, x + 0.5, y + 0.5) === 0)
            continue;
          const tile = Math.floor(x / TILE) + scene.tilesX * Math.floor(y / TILE);
          const ofTile = flakes.subarray(firstEntryOf(keys, tile), firstEntryOf(keys, tile + 1));
          expect(ofTile.includes(flake), `flake ${flake} in tile ${tile}`).toBe(true);
        }
      }
    }
  });
});

describe('a picture', () => {
  const snow = film();
  snow.step();
  const { scene } = snow;
  const planes = snow.drawPlanes();

  it('has the padded planes of the encoder', () => {
    const frame = frameOfPlanes(scene, planes);
    expect([frame.width, frame.height, frame.y.length, frame.u.length]).toEqual([83, 45, 83 * 45, 42 * 23]);
    const { y, u, v } = pictureFromFrame(0, frame, macroblockGrid(scene.width, scene.height));
    expect(Buffer.compare(Buffer.concat([y, u, v]), planes)).toBe(0);
  });

  it('shows light and dark in the legal range', () => {
    const luma = [...frameOfPlanes(scene, planes).y].sort((a, b) => a - b);
    expect(luma[0]).toBeGreaterThanOrEqual(16);
    expect(luma.at(-1)).toBeLessThanOrEqual(235);
    expect(luma.at(-40)! - luma[40]).toBeGreaterThan(80);
  });

  it('has flakes before the background, the near ones before the far ones', () => {
    const landscape = { terrain: snow.terrain, heights: snow.ground.heights };
    const { keys, flakes } = snow.sortedEntries();
    const differs = (entries: Parameters<typeof drawPicture>[3]) =>
      drawPicture(scene, landscape, snow.flakes, entries).filter((pel, at) => pel !== planes[at]).length;
    expect(differs({ keys, flakes })).toBe(0);
    expect(differs({ keys: new Uint32Array(keys.length).fill(NO_TILE), flakes })).toBeGreaterThan(planes.length / 20);
    // Front to back: tiles in the same order, the flakes of each in the opposite one.
    const reversed = flakes.slice();
    for (let tile = 0; tile < scene.tilesX * scene.tilesY; tile++) {
      reversed.subarray(firstEntryOf(keys, tile), firstEntryOf(keys, tile + 1)).reverse();
    }
    expect(differs({ keys, flakes: reversed })).toBeGreaterThan(20);
  });

  it('is the same for the same seed, another one for another, and moves', () => {
    const again = film();
    again.step();
    expect(Buffer.compare(again.drawPlanes(), planes)).toBe(0);
    const other = film({ seed: 4 });
    other.step();
    const share = (pels: Uint8Array) => pels.filter((pel, at) => pel !== planes[at]).length / planes.length;
    expect(share(other.drawPlanes())).toBeGreaterThan(0.3);
    again.step();
    expect(share(again.drawPlanes())).toBeGreaterThan(0.1);
  });
});

describe('colours', () => {
  it.each([
    ['white', [1, 1, 1], [235, 128, 128]],
    ['black', [0, 0, 0], [16, 128, 128]],
    ['red', [1, 0, 0], [81.481, 90.203, 240]],
    ['blue', [0, 0, 1], [40.966, 240, 109.786]],
  ] as const)('%s is BT.601 of limited range', (_, colour, expected) => {
    for (const [part, value] of limitedBt601(colour).entries()) expect(value).toBeCloseTo(expected[part], 3);
  });
});

describe('a scene', () => {
  it.each([
    [{ width: 0 }, 'width is 0; legal: a whole number, 1..4095'],
    [{ flakes: 2 ** 23 + 1 }, 'flakes is 8388609; legal'],
    [{ grid: { x: 15, y: 8, z: 16 } }, 'grid.x is 15; legal: even'],
    [{ rate: 0 }, 'rate is 0; legal: 1..1000'],
  ])('refuses %j', (options, message) => {
    const given = { width: 64, height: 48, seed: 1, ...options };
    expect(() => snowScene(given)).toThrow(message);
  });
});
