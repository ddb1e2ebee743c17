// Estimators by name or by module: what is found, what auto picks, and how a mistake is told.
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { OptionError, UnsupportedError } from '../../src/errors.js';
import { createCpuLog } from '../../src/motion/cpu/cpu-log.js';
import type { EstimatorParameters } from '../../src/motion/estimator.js';
import { createEstimator, ESTIMATOR_NAMES } from '../../src/motion/registry.js';
import { describeEstimator } from './estimator-suite.js';
import { makePicture } from './motion-pictures.js';

const PARAMETERS: EstimatorParameters = {
  width: 64,
  height: 48,
  metric: 'sad',
  blockSize: 16,
  range: { x: 15, y: 15 },
  candidatesPerBlock: 1,
  lambda: 0,
};

const fixture = (name: string) => fileURLToPath(new URL(`fixtures/${name}`, import.meta.url));

describeEstimator('an estimator from a module path', async parameters => {
  const { estimator } = await createEstimator(fixture('three-vectors-estimator.mjs'), parameters);
  return estimator;
});

describe('createEstimator', () => {
  it.each(['cpu-full', 'cpu-mrmp', 'cpu-predictive', 'cpu-log', 'zero'])('makes %s, in this thread', async name => {
    const chosen = await createEstimator(name, PARAMETERS);
    expect(chosen).toMatchObject({ name, passedOver: [], estimator: { traits: { name } } });
    await chosen.estimator.close();
  });

  it('takes a factory', async () => {
    const { estimator, name } = await createEstimator(createCpuLog, PARAMETERS);
    expect(name).toBe('cpu-log');
    await estimator.close();
  });

  it('takes a module path from the working directory', async () => {
    const { estimator } = await createEstimator('./test/motion/fixtures/three-vectors-estimator.mjs', PARAMETERS);
    expect(estimator.traits.name).toBe('three-vectors');
  });

  it.each(['cpu-ful', '', 'CPU-FULL', 'constructor'])("lists the legal names for '%s'", async name => {
    const error = await createEstimator(name, PARAMETERS).catch(reason => reason);
    expect(error).toBeInstanceOf(OptionError);
    expect(error.option).toBe('estimator');
    for (const legal of ESTIMATOR_NAMES) expect(error.message).toContain(legal);
  });

  it('refuses an option that does not exist', async () => {
    const options = { thraeds: 2 } as object;
    await expect(createEstimator('zero', PARAMETERS, options)).rejects.toThrow(
      "'thraeds' does not exist; did you mean threads?",
    );
  });

  it.each([
    [{ signal: new AbortController() }, 'is not an AbortSignal'],
    [{ onWarning: 'log' }, "onWarning 'log' is not a function"],
  ])('refuses %o by its name', async (options, message) => {
    const error: OptionError = await createEstimator('zero', PARAMETERS, options as object).catch(reason => reason);
    expect(error).toBeInstanceOf(OptionError);
    expect(error.option).toBe(Object.keys(options)[0]);
    expect(error.message).toContain(message);
  });

  it.each([
    ['./no/such/estimator.js', 'cannot be loaded'],
    [fixture('no-factory.mjs'), 'exports no factory'],
  ])('says what is wrong with the module %s', async (path, words) => {
    const error = await createEstimator(path, PARAMETERS).catch(reason => reason);
    expect(error).toBeInstanceOf(OptionError);
    expect(error.message).toContain(words);
    expect(error.message).toContain(path);
  });

  it('auto takes what this machine runs, and says why not the rest', async () => {
    const { estimator, name, passedOver } = await createEstimator('auto', PARAMETERS);
    expect(['gpu-mrmp', 'cpu-predictive']).toContain(name);
    expect(estimator.traits.name).toBe(name);
    if (name === 'cpu-predictive') {
      expect(passedOver.map(entry => entry.name)).toEqual(['gpu-mrmp']);
      expect(passedOver[0].reason).not.toBe('');
    }
    await estimator.close();
  });

  it.each([
    ['width', { width: 40 }],
    ['height', { height: 0 }],
    ['metric', { metric: 'satd' }],
    ['blockSize', { blockSize: 4 }],
    ['range', { range: { x: -1, y: 4 } }],
    ['range', { range: { x: 1.5, y: 4 } }],
    ['range', { range: { x: 4, y: 5000 } }],
    ['range', { range: 'all' }],
    ['candidatesPerBlock', { candidatesPerBlock: 0 }],
    ['candidatesPerBlock', { candidatesPerBlock: 65 }],
    ['lambda', { lambda: -1 }],
    ['lambda', { lambda: Number.NaN }],
    ['lambda', { lambda: null }],
    ['lambda', { lambda: 10n }],
    ['mrmp.levels', { mrmp: { levels: 9 } }],
  ])('names %s when it is out of range: %o', async (option, change) => {
    const parameters = { ...PARAMETERS, ...change } as EstimatorParameters;
    for (const choice of ['cpu-full', 'auto', createCpuLog]) {
      const error = await createEstimator(choice, parameters).catch(reason => reason);
      expect(error).toBeInstanceOf(OptionError);
      expect(error.option).toBe(option);
      expect(error.message).toMatch(/legal/);
    }
  });

  it('says what is missing where there are no parameters, and no pictures', async () => {
    const error = await createEstimator('zero', undefined as never).catch(reason => reason);
    expect(error).toEqual(new OptionError('width', 'width is undefined pels; legal: multiples of 16 from 16 to 4096'));
    const { estimator } = await createEstimator('zero', PARAMETERS);
    const request = { current: makePicture(0, 64, 48, 'flat', 1), reference: undefined as never };
    await expect(estimator.estimate(request)).rejects.toThrow(/^picture undefined is .*; zero was made for 64x48$/);
    await estimator.close();
  });

  it.each(['turbo', ''])("names the option of kernels '%s'", async kernels => {
    const choice = { kernels: kernels as 'simd' };
    await expect(createEstimator('cpu-full', PARAMETERS, choice)).rejects.toMatchObject({
      option: 'kernels',
      message: `kernels '${kernels}' does not exist; legal: simd, reference`,
    });
  });

  it('rejects a picture of another size', async () => {
    const { estimator } = await createEstimator('cpu-full', PARAMETERS);
    const request = { current: makePicture(1, 64, 48, 'noise'), reference: makePicture(2, 48, 48, 'noise') };
    await expect(estimator.estimate(request)).rejects.toThrow('picture 2 is 48x48');
  });

  it('counts what has been done', async () => {
    const { estimator } = await createEstimator('cpu-full', PARAMETERS);
    await estimator.estimate({ current: makePicture(1, 64, 48, 'noise'), reference: makePicture(2, 64, 48, 'noise') });
    const statistics = estimator.statistics!();
    expect(statistics.pictures).toBe(1);
    expect(statistics.busyMs).toBeGreaterThan(0);
  });

  it('passes an UnsupportedError of a factory on', async () => {
    const factory = () => Promise.reject(new UnsupportedError('no loom'));
    await expect(createEstimator(factory, PARAMETERS)).rejects.toBeInstanceOf(UnsupportedError);
  });
});
