// Checks that this machine's GPU filters a picture as the kernel does.
import { UnsupportedError } from '../../errors.js';
import { ALIGNMENT_BYTES, KernelMemory } from '../../kernels/kernel-memory.js';
import { MAX_FILTER_REFERENCES, TEMPORAL_FILTER } from '../../kernels/records/picture-planes.js';
import { createKernels } from '../../kernels/select-kernels.js';
import type { FilterRequest } from '../../motion/filter-request.js';
import type { FilterSize } from './filter-lane.js';

/** Size of the test pictures. */
const SIZE = { mbWidth: 4, mbHeight: 3 };
const WIDTH = 16 * SIZE.mbWidth;
const HEIGHT = 16 * SIZE.mbHeight;
const MACROBLOCKS = SIZE.mbWidth * SIZE.mbHeight;
/** Those of ranges in which a part of the pels and of the macroblocks counts. */
const NUMBERS = { pelLimit: 25, pelFactor: 52, pelSquare: 32500, maxSquares: 60_000 };
const STRENGTHS = [130, 90, 60, 105];

/** A filter whose buffers can be freed. */
interface TrialFilter {
  filter(request: FilterRequest): Promise<void>;
  destroy(): void;
}

/** Filters a small picture on the GPU and by the kernel. Rejects with `UnsupportedError` if the pels differ. */
export async function checkFilter(gpuName: string, filterFor: (size: FilterSize) => TrialFilter): Promise<void> {
  const request = testRequest();
  const expected = await expectedPels(request);
  const trial = filterFor(SIZE);
  try {
    await trial.filter(request);
    const wrong = expected.findIndex((pel, i) => pel !== request.target[i]);
    if (wrong === -1) return;
    const values = `${request.target[wrong]} instead of ${expected[wrong]}`;
    throw new UnsupportedError(`${gpuName} filters wrong (pel ${wrong}: ${values})`);
  } finally {
    trial.destroy();
  }
}

/** What the kernel makes of the picture. */
async function expectedPels({ current, references, numbers }: FilterRequest): Promise<Uint8Array> {
  const { strengths, ...ranges } = numbers;
  const pels = WIDTH * HEIGHT;
  const room = (MAX_FILTER_REFERENCES + 2) * pels + 4 * MAX_FILTER_REFERENCES * MACROBLOCKS + TEMPORAL_FILTER.bytes;
  const memory = new KernelMemory(room + 16 * ALIGNMENT_BYTES);
  const kernels = await createKernels(memory);
  const put = (bytes: Uint8Array) => {
    const at = memory.allocate(bytes.length);
    memory.u8.set(bytes, at);
    return at;
  };
  const record = TEMPORAL_FILTER.allocate(memory, { ...SIZE, ...ranges, count: references.length });
  record.current = put(current.pels);
  record.target = memory.allocate(pels);
  record.strengths.set(strengths);
  for (const [i, { picture, dx, dy, isReversed }] of references.entries()) {
    record.planes[i] = put(picture.pels);
    record.dx[i] = put(new Uint8Array(dx.buffer));
    record.dy[i] = put(new Uint8Array(dy.buffer));
    record.signs[i] = isReversed ? -1 : 1;
  }
  for (let mbY = 0; mbY < SIZE.mbHeight; mbY++) kernels.filterLumaRow(record.pointer, mbY);
  return memory.u8.slice(record.target, record.target + pels);
}

/** A texture that moves by parts of pels from picture to picture, beside a flat part, and noise over both. */
function testRequest(): FilterRequest {
  const pictureAt = (id: number) => {
    const pels = Uint8Array.from({ length: WIDTH * HEIGHT }, (_, i) => {
      const [x, y] = [i % WIDTH, Math.floor(i / WIDTH)];
      const moved = (texture(4 * x + 5 * id, 37) + texture(4 * y - 2 * id, 29)) / 2;
      return (x < 40 ? moved : 90) + (noise(i + WIDTH * HEIGHT * id) % 7);
    });
    return { id, width: WIDTH, height: HEIGHT, pels };
  };
  /** A third of them is the motion of a reference, in quarter-pels; others lead beside it, or far out of the plane. */
  const vectors = (motion: number, seed: number) =>
    Int16Array.from({ length: MACROBLOCKS }, (_, at) => {
      const beside = noise(at + seed) % 6;
      return Math.round(motion / 4) + (beside < 4 ? beside >> 1 : 30 * (beside - 4) - 15);
    });
  const references = STRENGTHS.map((_, i) => {
    const isReversed = i % 2 === 1;
    const steps = isReversed ? i + 1 : -1 - i;
    return { picture: pictureAt(i + 1), dx: vectors(5 * steps, i), dy: vectors(-2 * steps, i + 9), isReversed };
  });
  const target = new Uint8Array(WIDTH * HEIGHT);
  return { current: pictureAt(0), references, numbers: { ...NUMBERS, strengths: STRENGTHS }, target };
}

/** A wave, 20..220, by whole numbers alone: the same on every machine. `at` is in quarter-pels. */
function texture(at: number, period: number): number {
  const phase = ((at % (2 * period)) + 2 * period) % (2 * period);
  const tent = Math.min(phase, 2 * period - phase);
  return 20 + Math.floor((200 * tent * tent * (3 * period - 2 * tent)) / (period * period * period));
}

/** A hash of a number. */
function noise(at: number): number {
  const hash = Math.imul(at + 1, 0x9e3779b1);
  return (hash ^ (hash >>> 15)) >>> 16;
}
