// Pictures filtered in time: where they lie does not matter, nor does noise that is to be kept.
import { expect, it } from 'vitest';
import type { EncoderOptions } from '../../../src/encoder/options.js';
import type { PictureJob } from '../../../src/encoder/picture/picture-job.js';
import { TemporalFilter } from '../../../src/encoder/picture/temporal-filter.js';
import { createWorkspace, loadPicture, workspaceBytes } from '../../../src/encoder/picture/workspace.js';
import { allocateQuantizers, QUANTIZERS_BYTES } from '../../../src/encoder/quantizer/quantizer-set.js';
import { KernelMemory } from '../../../src/kernels/kernel-memory.js';
import { createCpuPredictive } from '../../../src/motion/cpu/cpu-predictive.js';
import { macroblockGrid, pictureBytes, pictureOnBuffer } from '../../../src/picture/picture.js';
import { encodeFrames } from '../../support/encode.js';
import { noisyPan } from '../../support/noisy-pictures.js';

const size = { width: 96, height: 64 };

const encode = async (level: number, options: Partial<EncoderOptions>) =>
  (await encodeFrames(noisyPan(size, 10, level), { ...size, gop: 6, ...options })).stream;
const unfiltered = { tools: { temporalFilter: false } };

it('gives the same bytes where pictures lie in the memory of the coder, and with a search that is given copies', async () => {
  const shared = await encode(6, { q: 8, estimator: 'cpu-predictive' });
  expect(await encode(6, { q: 8, estimator: createCpuPredictive })).toEqual(shared);
  expect(await encode(6, { q: 8, estimator: createCpuPredictive, ...unfiltered })).not.toEqual(shared);
});

it('leaves pictures as they are where the quantizer keeps their noise', async () => {
  const given = { q: 4, estimator: 'cpu-predictive' };
  expect(await encode(12, given)).toEqual(await encode(12, { ...given, ...unfiltered }));
  expect(await encode(3, given)).not.toEqual(await encode(3, { ...given, ...unfiltered }));
});

it('takes luma that was filtered for the scale of the picture, and no other', async () => {
  const grid = macroblockGrid(32, 48);
  const tools = { temporalFilter: true };
  const memory = new KernelMemory(workspaceBytes({ grid, tools }) + QUANTIZERS_BYTES + 4 * pictureBytes(grid));
  const quantizers = allocateQuantizers(memory, { intra: undefined, nonIntra: undefined }, true);
  const workspace = await createWorkspace(memory, { grid, quantizers, tools });
  const pictureOf = (id: number, pel: number) => {
    const picture = pictureOnBuffer(id, grid, memory.wasm.buffer, memory.allocate(pictureBytes(grid)));
    picture.y.fill(pel);
    return picture;
  };
  const [picture, other] = [pictureOf(0, 100), pictureOf(1, 104)];
  const y = memory.addressOf(pictureOf(0, 77).y);
  const [dx, dy] = [new Int16Array(6), new Int16Array(6)];
  const around = [{ picture: other, dx, dy, isReversed: true, noise: 1 }];
  const filter = new TemporalFilter(workspace, workspace.filter!, 'simd');
  const lumaOf = async (job: Pick<PictureJob, 'quantizerScale' | 'filtered' | 'around'>) => {
    loadPicture(workspace, picture);
    await filter.begin({ picture, ...job } as PictureJob);
    const lumas = [0, 1, 2].map(mbY => {
      filter.filterRow(mbY);
      const row = workspace.source.y + 32 * 16 * mbY;
      return new Set(workspace.memory.u8.subarray(row, row + 32 * 16));
    });
    expect(lumas).toEqual(Array(3).fill(lumas[0]));
    return [...lumas[0]!];
  };
  expect(await lumaOf({ around, quantizerScale: 8 })).toEqual([101]);
  expect(await lumaOf({ around, quantizerScale: 8, filtered: { y, quantizerScale: 8 } })).toEqual([77]);
  expect(await lumaOf({ around, quantizerScale: 8, filtered: { y, quantizerScale: 7 } })).toEqual([101]);
  expect(await lumaOf({ around, quantizerScale: 1, filtered: { y, quantizerScale: 1 } })).toEqual([100]);
});
