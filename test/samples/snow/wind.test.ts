// The wind of the snow simulator: free of divergence, stopped by the ground, carried by itself.
import { describe, expect, it } from 'vitest';
import { ReadableSnow } from '../../../samples/snow/readable-snow.js';
import { advectWind } from '../../../samples/snow/wind/advection.js';
import { AXES, cellCount, forEachCell, isAir, isOpen, windAlong } from '../../../samples/snow/wind/air.js';
import { divergenceOf } from '../../../samples/snow/wind/divergence.js';
import { relaxationFactors, relaxPressure } from '../../../samples/snow/wind/pressure.js';
import { weatherOf } from '../../../samples/snow/wind/prevailing-wind.js';
import { projectWind } from '../../../samples/snow/wind/projection.js';
import { largest, smallScene } from './small-scene.js';

describe('the wind', () => {
  const scene = smallScene();
  const snow = new ReadableSnow(scene);
  const { floors } = snow;
  const wind = advectWind(scene, snow, weatherOf(scene, 0));
  const divergence = divergenceOf(scene, { wind, floors });
  const pressure = new Float32Array(cellCount(scene));
  relaxPressure(scene, floors, divergence, pressure);
  const projected = wind.slice();
  projectWind(scene, projected, floors, pressure);

  it('has divergence before the projection, and hardly any after it', () => {
    expect(largest(divergence)).toBeGreaterThan(0.5);
    expect(largest(divergenceOf(scene, { wind: projected, floors }))).toBeLessThan(0.001 * largest(divergence));
  });

  it('blows, but not through the ground and the lid', () => {
    expect(floors.some(floor => floor > 0)).toBe(true);
    expect(largest(projected)).toBeGreaterThan(1);
    forEachCell(scene, (i, j, k, cell) => {
      for (const axis of AXES) {
        if (!isOpen(scene, floors, axis, i, j, k)) expect(projected[axis * cellCount(scene) + cell]).toBe(0);
      }
    });
    expect(isAir(scene, floors, 0, scene.gridY, 0)).toBe(false);
    expect(windAlong(scene, projected, 1, 3.5, scene.gridY, 3.5)).toBe(0);
  });

  it('needs the obstacles in the equation: without them, air would gather at the ground', () => {
    const free = new Float32Array(cellCount(scene));
    relaxPressure(scene, new Uint32Array(floors.length), divergence, free);
    const other = wind.slice();
    projectWind(scene, other, floors, free);
    expect(largest(divergenceOf(scene, { wind: other, floors }))).toBeGreaterThan(0.05 * largest(divergence));
  });

  it('stays nearly free of divergence from step to step', () => {
    for (let step = 0; step < 3; step++) snow.step();
    expect(largest(divergenceOf(scene, snow))).toBeLessThan(0.002);
  });

  it('is the prevailing wind where it is uniform and nothing stands in its way', () => {
    const uniform = new Float32Array(3 * cellCount(scene)).fill(2, 0, cellCount(scene));
    expect(windAlong(scene, uniform, 0, -0.3, 2.2, 15.9)).toBe(2);
    const open = { wind: uniform, floors: new Uint32Array(floors.length) };
    const still = { windX: 2, windZ: 0, gust: 0, crossGust: 0 };
    // The gust's factor is 1 where its wave across z is 0: at z = 0.
    expect(advectWind(scene, open, still)[0]).toBeCloseTo(2, 1);
    const noWind = advectWind(scene, { ...open, wind: new Float32Array(uniform.length) }, still);
    expect(largest(noWind)).toBeGreaterThan(0);
    expect(largest(noWind)).toBeLessThan(2 * scene.drive * scene.stepSeconds * 1.7);
  });
});

describe('the relaxation factors', () => {
  const scene = smallScene();
  const factors = relaxationFactors(scene);

  it('are 1, nearly 2, and then fall to the best factor of the grid', () => {
    expect(factors).toHaveLength(2 * scene.iterations);
    expect(factors[0]).toBe(1);
    for (let half = 2; half < 12; half++) expect(factors[half]).toBeLessThan(factors[half - 1]);
    // The slowest wave of Jacobi's method has the length of the ring; Young's formula.
    const radius = (2 + Math.cos((2 * Math.PI) / 16)) / 3;
    expect(factors.at(-1)).toBeCloseTo(2 / (1 + Math.sqrt(1 - radius * radius)), 4);
  });

  it('take far more of the divergence than iterations without over-relaxation do', () => {
    const residual = (iterations: number) => {
      const snow = new ReadableSnow(smallScene({ iterations }));
      snow.step();
      return largest(divergenceOf(snow.scene, snow));
    };
    // With a factor of 1, an iteration takes about 5 % of the slowest error, 20 iterations two thirds of it.
    expect(residual(30)).toBeLessThan(residual(10) / 20);
  });
});
