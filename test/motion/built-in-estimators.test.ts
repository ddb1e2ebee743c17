// The table of the built-in estimators: its rows agree with the estimators that they name.

import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { CPU_TWINS } from '../../src/gpu/cpu-twins.js';
import { BUILT_IN_ESTIMATORS, BUILT_IN_NAMES, needsGpu, standInFor } from '../../src/motion/built-in-estimators.js';
import type { EstimatorParameters } from '../../src/motion/estimator.js';
import { ESTIMATOR_NAMES } from '../../src/motion/registry.js';
import { createInThisThread } from '../../src/motion/this-thread.js';
import { makePicture } from './motion-pictures.js';

const PARAMETERS: EstimatorParameters = {
  width: 32,
  height: 16,
  metric: 'sad',
  blockSize: 16,
  range: { x: 1, y: 1 },
  candidatesPerBlock: 1,
  lambda: 0,
};

describe('the table of the built-in estimators', () => {
  it('gives the legal names, after auto', () => expect(ESTIMATOR_NAMES).toEqual(['auto', ...BUILT_IN_NAMES]));

  it('says in one sentence what each does', () => {
    for (const name of BUILT_IN_NAMES) expect(BUILT_IN_ESTIMATORS[name].summary, name).toMatch(/^[A-Z].{20,120}\.$/);
  });

  it('names the estimators that docs/estimators.md describes, and where they run', () => {
    const page = readFileSync(new URL('../../docs/estimators.md', import.meta.url), 'utf8');
    const described = [...page.matchAll(/^\| `([\w-]+)` \| (WebGPU|CPU) \|/gm)].map(([, name, runsOn]) => [
      name,
      runsOn,
    ]);
    const rows = BUILT_IN_NAMES.map(name => [name, needsGpu(name) ? 'WebGPU' : 'CPU']);
    expect(described.sort()).toEqual(rows.sort());
  });

  it.each(BUILT_IN_NAMES.filter(name => !needsGpu(name)))('names %s as it names itself', async name => {
    const estimator = await createInThisThread(name, PARAMETERS);
    expect(estimator.traits).toMatchObject({ name, runsOn: expect.stringMatching(/^(js|wasm)$/) });
    await estimator.close();
  });

  it.each(['cpu-full', 'cpu-mrmp', 'cpu-sgm', 'cpu-log', 'zero'])('lets %s ignore a start field', async name => {
    const pair = { current: makePicture(1, 32, 16, 'noise'), reference: makePicture(2, 32, 16, 'noise') };
    const estimator = await createInThisThread(name, PARAMETERS);
    const start = { dx: Int16Array.of(1, -1), dy: Int16Array.of(0, 0) };
    expect(await estimator.estimate({ ...pair, start })).toEqual(await estimator.estimate(pair));
    await estimator.close();
  });

  it.each(BUILT_IN_NAMES.filter(needsGpu))('lets the CPU twin of %s stand in for it', async name => {
    const twin = await CPU_TWINS[name](PARAMETERS);
    expect(twin.traits.name).toBe(standInFor(name));
    expect(twin.traits.runsOn).not.toBe('gpu');
    await twin.close();
  });

  it.each(['cpu-log', './a-module.mjs'])('lets %s stand in for itself', name => expect(standInFor(name)).toBe(name));

  it('lets auto end with an estimator that every machine can run', () => {
    const tried = BUILT_IN_NAMES.filter(name => BUILT_IN_ESTIMATORS[name].auto);
    expect(tried).toEqual(['gpu-mrmp', 'cpu-predictive']);
  });
});
