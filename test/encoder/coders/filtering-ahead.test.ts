// Pictures that the thread of a GPU filters: what it is asked, when, and what becomes of its answers.
import { expect, it } from 'vitest';
import { FilteringAhead } from '../../../src/encoder/coders/filtering-ahead.js';
import { SourcePictures } from '../../../src/encoder/gop/source-pictures.js';
import { numbersOf } from '../../../src/encoder/picture/temporal-filter.js';
import type { FilterRequest } from '../../../src/motion/filter-request.js';
import type { FilterTasks } from '../../../src/motion/threads/filter-tasks.js';
import { macroblockGrid, pictureOnBuffer } from '../../../src/picture/picture.js';
import { answerPort } from '../../../src/threads/answer-port.js';

const grid = macroblockGrid(32, 16);
const PELS = 32 * 16;
/** Where pictures lie: the first two are filtered with each other, the others are free. */
const PLACE_BYTES = 1024;

/** A test's promise that others wait for. */
function gate<T>() {
  let open: (value: T) => void = () => {};
  const opened = new Promise<T>(resolve => {
    open = resolve;
  });
  return { open, opened };
}

const until = async (isSo: () => boolean) => {
  while (!isSo()) await new Promise(resolve => setTimeout(resolve, 1));
};
/** Time in which nothing must happen. */
const turn = () => new Promise(resolve => setTimeout(resolve, 20));

/** A filtering encode whose GPU's thread is played by `tasks`, with `places` free places. */
function filteringWith(tasks: Partial<FilterTasks>, places = 2) {
  const buffer = new SharedArrayBuffer(8 * PLACE_BYTES);
  const sources = new SourcePictures(grid, true);
  sources.free.push(...Array.from({ length: places }, (_, i) => ({ buffer, first: (3 + i) * PLACE_BYTES })));
  const [picture, other] = [7, 8].map((id, i) => pictureOnBuffer(id, grid, buffer, (1 + i) * PLACE_BYTES)) as [
    ReturnType<typeof pictureOnBuffer>,
    ReturnType<typeof pictureOnBuffer>,
  ];
  picture.y.fill(100);
  other.y.fill(102);
  // Vectors inside a larger buffer.
  const vectors = Int16Array.from({ length: 20 }, (_, i) => i);
  const around = [
    { picture: other, dx: vectors.subarray(2, 4), dy: vectors.subarray(8, 10), isReversed: true, noise: 1 },
  ];
  const job = { picture, around, quantizerScale: 5 };
  const { port1, port2 } = new MessageChannel();
  const answers = { open: async () => true, filter: async () => true, ...tasks } satisfies FilterTasks;
  answerPort(port2, () => ({ tasks: answers, report: () => undefined }));
  const wakers: (() => void)[] = [];
  const filtering = new FilteringAhead(port1, sources, () => {
    for (const wake of wakers.splice(0)) wake();
  });
  return {
    filtering,
    sources,
    job,
    port: port2,
    /** Resolves when it says that a picture can be coded. */
    filtered: () => new Promise<void>(resolve => wakers.push(resolve)),
    /** Asks until a picture is begun. */
    async begin() {
      let begun = filtering.begin(job);
      await until(() => {
        begun ??= filtering.begin(job);
        return begun !== undefined;
      });
      return begun!;
    },
  };
}

it('asks for what the filter of a coder would do, and gives the luma back when it is coded', async () => {
  const requests: FilterRequest[] = [];
  const filter = async (request: FilterRequest) => {
    requests.push(request);
    request.target.fill(101);
    return true;
  };
  const { filtering, sources, job, begin, filtered } = filteringWith({ filter });
  const begun = await begin();
  expect([begun.isOver, begun.luma, sources.free.length]).toEqual([false, undefined, 1]);
  await filtered();
  expect(begun.isOver).toBe(true);
  expect(begun.luma).toEqual({ y: 4 * PLACE_BYTES, quantizerScale: 5 });
  const luma = (id: number, pel: number) => ({ id, width: 32, height: 16, pels: new Uint8Array(PELS).fill(pel) });
  const dx = Int16Array.of(2, 3);
  const dy = Int16Array.of(8, 9);
  expect(requests).toEqual([
    {
      current: luma(7, 100),
      references: [{ picture: luma(8, 102), dx, dy, isReversed: true }],
      numbers: numbersOf(job),
      target: new Uint8Array(PELS).fill(101),
    },
  ]);
  expect(requests[0]!.references[0]!.dx.buffer.byteLength).toBe(4);
  begun.release();
  expect(sources.free).toHaveLength(2);
  filtering.close();
  expect(filtering.begin(job)).toBeUndefined();
});

it('asks nothing before the GPU can filter, which must not be software', async () => {
  const { open, opened } = gate<boolean>();
  const software: boolean[] = [];
  const { filtering, job, begin, filtered } = filteringWith({
    open(allowSoftware) {
      software.push(allowSoftware);
      return opened;
    },
  });
  expect(filtering.begin(job)).toBeUndefined();
  await turn();
  expect(filtering.begin(job)).toBeUndefined();
  open(true);
  await begin();
  expect(software).toEqual([false]);
  await filtered();
  filtering.close();
});

it('is closed at once, whether the thread has answered or not', async () => {
  const { filtering, job, begin, filtered } = filteringWith({ filter: () => new Promise(() => {}) });
  const begun = await begin();
  filtering.close();
  await filtered();
  expect([begun.isOver, begun.luma, filtering.begin(job)]).toEqual([true, undefined, undefined]);
  const { port1, port2 } = new MessageChannel();
  const unanswered = new FilteringAhead(port1, new SourcePictures(grid, true), () => {});
  const closed = new Promise(resolve => port2.addEventListener('close', resolve));
  port2.onmessage = () => {};
  expect(unanswered.begin(job)).toBeUndefined();
  unanswered.close();
  await closed;
});

it('asks nothing of an estimator that cannot filter, or that is not made', async () => {
  for (const open of [async () => false, () => Promise.reject(new Error('no GPU'))]) {
    const { filtering, job } = filteringWith({ open });
    expect(filtering.begin(job)).toBeUndefined();
    await turn();
    expect(filtering.begin(job)).toBeUndefined();
    filtering.close();
  }
});

it('leaves to coders what has no place, what lies elsewhere, and what stays as it is', async () => {
  const { filtering, sources, job, begin, filtered } = filteringWith({}, 1);
  const begun = await begin();
  expect(filtering.begin(job)).toBeUndefined(); // the only place is taken
  sources.free.unshift({ buffer: new SharedArrayBuffer(PLACE_BYTES), first: 0 });
  expect(filtering.begin(job)).toBeUndefined(); // no place of the memory that coders share
  await filtered();
  begun.release();
  expect(sources.free).toHaveLength(2);
  const copied = { ...job.picture, y: job.picture.y.slice() };
  expect(filtering.begin({ ...job, picture: copied })).toBeUndefined();
  expect(filtering.begin({ ...job, around: [{ ...job.around[0]!, picture: copied }] })).toBeUndefined();
  expect(filtering.begin({ ...job, around: [] })).toBeUndefined();
  expect(filtering.begin({ ...job, quantizerScale: 1 })).toBeUndefined(); // keeps its noise
  expect(filtering.begin(job)).toBeDefined();
  filtering.close();
});

it('asks no more once the GPU has failed, and the place is free again', async () => {
  const { filtering, sources, job, begin, filtered } = filteringWith({ filter: async () => false });
  const begun = await begin();
  await filtered();
  expect([begun.isOver, begun.luma]).toEqual([true, undefined]);
  expect(filtering.begin(job)).toBeUndefined();
  begun.release();
  expect(sources.free).toHaveLength(2);
  filtering.close();
});

it('goes on without the thread once that has died', async () => {
  const { filtering, sources, job, begin, filtered, port } = filteringWith({ filter: () => new Promise(() => {}) });
  const begun = await begin();
  port.close();
  await filtered();
  expect([begun.isOver, begun.luma]).toEqual([true, undefined]);
  expect(filtering.begin(job)).toBeUndefined();
  begun.release();
  // The thread may still write to its place.
  expect(sources.free).toHaveLength(1);
  filtering.close();
});
