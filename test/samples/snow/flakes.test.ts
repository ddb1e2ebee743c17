// Flakes and ground of the snow simulator: no flake is lost, none lies under the ground.
import { beforeAll, describe, expect, it } from 'vitest';
import { FLAKE_WORDS, flakeTraits, landingsOf, moveFlakes, startFlakes } from '../../../samples/snow/flakes.js';
import { columnAt, settleSnow } from '../../../samples/snow/ground.js';
import { ReadableSnow } from '../../../samples/snow/readable-snow.js';
import { UNITS_PER_FLAKE } from '../../../samples/snow/scene.js';
import { cellCount } from '../../../samples/snow/wind/air.js';
import { smallScene } from './small-scene.js';

const sum = (values: Uint32Array) => values.reduce((total, value) => total + value, 0);

describe('a film', () => {
  const scene = smallScene({ iterations: 8 });
  const snow = new ReadableSnow(scene);
  beforeAll(() => {
    for (let step = 0; step < 20; step++) snow.step();
  });

  it('has every flake that came down on the ground, in whole flakes', () => {
    const landings = landingsOf(snow.flakes);
    expect(landings).toBeGreaterThan(50);
    expect(sum(snow.ground.snow) % UNITS_PER_FLAKE).toBe(0);
    expect(sum(snow.ground.snow) / UNITS_PER_FLAKE + sum(snow.landed)).toBe(landings);
    expect(snow.ground.snow.some(units => units % UNITS_PER_FLAKE !== 0)).toBe(true);
  });

  it('has no flake under the ground or beside the air', () => {
    const { floats } = snow.flakes;
    for (let at = 0; at < floats.length; at += FLAKE_WORDS) {
      const [x, y, z] = floats.subarray(at, at + 3);
      expect(x >= 0 && x < scene.gridX && z >= 0 && z < scene.gridZ && y <= scene.gridY).toBe(true);
      expect(y).toBeGreaterThan(snow.ground.heights[columnAt(scene, x, z)]);
    }
  });

  it('has ground that rises', () => {
    const rises = snow.ground.heights.map((height, column) => height - snow.terrain[column]);
    expect(rises.every(rise => rise >= 0)).toBe(true);
    expect(rises.some(rise => rise > 0)).toBe(true);
  });
});

describe('the ground', () => {
  it('smooths a heap and keeps its snow, across its sides too', () => {
    const scene = smallScene();
    const columns = scene.columnsX * scene.columnsZ;
    const terrain = new Float32Array(columns);
    let snow: Uint32Array = new Uint32Array(columns);
    snow[0] = 100_003;
    for (let step = 0; step < 40; step++) snow = settleSnow(scene, terrain, snow, new Uint32Array(columns)).snow;
    expect(sum(snow)).toBe(100_003);
    expect(snow[0]).toBeLessThan(5000);
    expect(snow[scene.columnsX - 1]).toBe(snow[1]);
    expect(snow[scene.columnsX - 1]).toBeGreaterThan(1000);
  });
});

describe('a flake', () => {
  const scene = smallScene({ flakes: 40 });
  const stillAir = new Float32Array(3 * cellCount(scene));
  const columns = scene.columnsX * scene.columnsZ;
  const flat = new Float32Array(columns);

  it('falls at its own speed in still air, in a circle', () => {
    const flakes = startFlakes(scene, flat);
    for (let flake = 0; flake < scene.flakes; flake++) {
      flakes.floats.set([8, 7.9, 8], FLAKE_WORDS * flake);
      flakes.floats.set([0, 0, 0], FLAKE_WORDS * flake + 4);
    }
    for (let step = 0; step < 50; step++) moveFlakes(scene, flakes, stillAir, flat, new Uint32Array(columns));
    for (let flake = 0; flake < scene.flakes; flake++) {
      const [x, y, z] = flakes.floats.subarray(FLAKE_WORDS * flake);
      const { fallSpeed, circleRadius } = flakeTraits(scene, flake);
      expect(flakes.floats[FLAKE_WORDS * flake + 5]).toBeCloseTo(-fallSpeed, 2);
      // It reaches its speed in time fall speed / |g|, and misses as much of its way.
      expect(y).toBeCloseTo(7.9 - fallSpeed * (2 - fallSpeed / scene.gravity), 1);
      const away = Math.hypot(x - 8, z - 8);
      expect(away).toBeLessThan(2.02 * circleRadius);
    }
  });

  it('goes with the wind, out at a side and in at the other', () => {
    const flakes = startFlakes(scene, flat);
    flakes.floats.set([15.95, 6, 8], 0);
    const wind = stillAir.slice().fill(6, 0, cellCount(scene));
    for (let step = 0; step < 25; step++) moveFlakes(scene, flakes, wind, flat, new Uint32Array(columns));
    expect(flakes.floats[0]).toBeGreaterThan(3.5);
    expect(flakes.floats[0]).toBeLessThan(7);
    expect(flakes.floats[4]).toBeGreaterThan(5.5);
    expect(flakes.floats[4]).toBeLessThan(6);
  });

  it('starts anew at the top when it lands, somewhere else each time', () => {
    const flakes = startFlakes(scene, flat);
    const landed = new Uint32Array(columns);
    const places = new Set<number>();
    for (let landing = 1; landing <= 3; landing++) {
      flakes.floats.set([3.1, 0.001, 5.2], 0);
      moveFlakes(scene, flakes, stillAir, flat, landed);
      expect(flakes.words[3]).toBe(landing);
      expect(flakes.floats[1]).toBeGreaterThanOrEqual(scene.gridY - 1);
      places.add(flakes.floats[0]);
    }
    expect(places.size).toBe(3);
    expect(sum(landed)).toBe(3);
  });
});
