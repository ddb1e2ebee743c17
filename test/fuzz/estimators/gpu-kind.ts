// Random searches on the GPU, against the CPU estimator that must give the same field.
import fc from 'fast-check';
import { CPU_TWINS } from '../../../src/gpu/cpu-twins.js';
import { GPU_FACTORIES } from '../../../src/gpu/gpu-estimators.js';
import type { GpuEstimatorName } from '../../../src/motion/built-in-estimators.js';
import type { EstimatorParameters } from '../../../src/motion/estimator.js';
import { PICTURE_KINDS, picturePair } from '../../gpu/pictures.js';
import { type FuzzKind, require } from '../runner/fuzz-kind.js';

/** Searches of one estimator, one for each kind of picture, all under way at once. */
export interface GpuCase {
  readonly estimator: GpuEstimatorName;
  readonly parameters: EstimatorParameters;
  readonly seed: number;
}

const int = (min: number, max: number) => fc.integer({ min, max });
const parameters = fc.record<EstimatorParameters>({
  width: int(1, 9).map(blocks => 16 * blocks),
  height: int(1, 7).map(blocks => 16 * blocks),
  metric: fc.constantFrom('sad', 'sse'),
  blockSize: fc.constantFrom(16, 8),
  range: fc.oneof(fc.constant('picture' as const), fc.record({ x: int(0, 40), y: int(0, 40) })),
  candidatesPerBlock: int(1, 8),
  lambda: int(0, 400).map(tenths => tenths / 10),
});

export const gpuKind: FuzzKind<GpuCase> = {
  cases: fc.record({
    estimator: fc.constantFrom(...(Object.keys(GPU_FACTORIES) as GpuEstimatorName[])),
    parameters,
    seed: int(0, 1000),
  }),
  percent: 1,
  limitSeconds: 300,
  needsGpu: true,

  async check({ estimator, parameters, seed }) {
    const warnings: string[] = [];
    const gpu = await GPU_FACTORIES[estimator](parameters, { onWarning: message => warnings.push(message) });
    const cpu = await CPU_TWINS[estimator](parameters);
    try {
      const { width, height } = parameters;
      const pairs = PICTURE_KINDS.map((kind, i) => picturePair(kind, width, height, 2 * (seed + i)));
      const fields = await Promise.all(pairs.map(pair => gpu.estimate(pair)));
      for (const [i, pair] of pairs.entries()) {
        const expected = await cpu.estimate(pair);
        for (const part of ['dx', 'dy', 'cost'] as const) {
          const at = fields[i]![part].findIndex((value, entry) => value !== expected[part][entry]);
          require(at < 0, () => `${PICTURE_KINDS[i]}: ${part}[${at}] is not that of the CPU`);
        }
      }
      require(warnings.length === 0, () => warnings.join('; '));
      return 'right';
    } finally {
      await gpu.close();
      await cpu.close();
    }
  },
};
