import type { EstimatorParameters } from '../../motion/estimator.js';
import { type MrmpSettings, mrmpSettings } from '../../motion/mrmp-settings.js';
import { BUFFER_USAGE, HALVE_PICTURE, MAX_LEVELS, MRMP_LEVEL, MRMP_SEARCH, structWords } from '../layouts.js';
import { searchPenalties } from './penalties.js';
import {
  bindBuffers,
  createFilledBuffer,
  createPipeline,
  fieldShape,
  PairBindings,
  type PictureSlot,
  type SearchPasses,
  type SearchProgram,
} from './search-passes.js';

/** Threads per block. */
const THREADS = 128;
/** Candidates that set a threshold, see best.wgsl. */
const SEEDS = 32;
/** Candidates handled at a time are a multiple of the one, at most the other: 12 KiB of workgroup memory. */
const PORTION_STEP = 64;
const MAX_PORTION = 768;
/** Side of a workgroup of halve_picture.wgsl in words and rows. */
const HALVE_GROUP = 8;

/** Compiles the multiresolution multi-predictor search for one set of parameters. */
export async function createMrmpSearch(device: GPUDevice, parameters: EstimatorParameters): Promise<SearchProgram> {
  const settings = mrmpSettings(parameters);
  const [halve, search] = await Promise.all([
    createPipeline(device, HALVE_PICTURE, ['halve_picture'], {}),
    createPipeline(device, MRMP_SEARCH, ['vectors', 'pels', 'best', 'mrmp_search'], {
      METRIC: parameters.metric === 'sse' ? 1 : 0,
      THREADS,
      SEEDS,
      PORTION: portionFor(parameters, settings),
      BLOCK: parameters.blockSize,
      CANDIDATES: parameters.candidatesPerBlock,
      LEVELS: settings.levels,
      PREDICTORS: settings.predictors,
      RADIUS: settings.radius,
    }),
  ]);
  return {
    name: 'gpu-mrmp',
    createPasses: (width, height) =>
      new MrmpPasses(device, { halve, search }, { ...parameters, width, height }, settings),
  };
}

/**
 * As many candidates at a time as a level can have, within limits: compilers take their time over large workgroup
 * memory (SwiftShader 1.2 s for 768, 0.4 s for 256).
 */
function portionFor(
  { width, height }: EstimatorParameters,
  { levels, predictors, radius, rangeAt }: MrmpSettings,
): number {
  const { x, y } = rangeAt(levels - 1, width, height);
  const most = Math.max((2 * x + 1) * (2 * y + 1), predictors * (2 * radius + 1) ** 2);
  return Math.min(MAX_PORTION, PORTION_STEP * Math.ceil(most / PORTION_STEP));
}

/** Where a level lies in a pyramid buffer: sizes in pels, the rest in words. */
interface PyramidLevel {
  readonly width: number;
  readonly height: number;
  readonly pitch: number;
  readonly offset: number;
}

/** The levels of a pyramid, one after the other, the finest first; rows start at whole words. */
function pyramidLevels(width: number, height: number, count: number): PyramidLevel[] {
  const levels: PyramidLevel[] = [];
  let offset = 0;
  for (let level = 0; level < count; level++) {
    const pitch = Math.ceil((width >> level) / 4);
    levels.push({ width: width >> level, height: height >> level, pitch, offset });
    offset += pitch * (height >> level);
  }
  return levels;
}

interface MrmpPipelines {
  readonly halve: GPUComputePipeline;
  readonly search: GPUComputePipeline;
}

interface MrmpSlot extends PictureSlot {
  /** By coarser level: what makes it from the finer one. */
  readonly halveBindings: readonly GPUBindGroup[];
}

class MrmpPasses implements SearchPasses {
  readonly shape;
  readonly field: GPUBuffer;
  readonly fieldBytes: number;
  readonly #levels: readonly PyramidLevel[];
  readonly #parameters: GPUBuffer;
  /** By coarser level less one. */
  readonly #halveParameters: readonly GPUBuffer[];
  readonly #penalties: GPUBuffer;
  readonly #slots: MrmpSlot[] = [];
  readonly #bindings = new PairBindings();

  constructor(
    readonly device: GPUDevice,
    readonly pipelines: MrmpPipelines,
    parameters: EstimatorParameters,
    settings: MrmpSettings,
  ) {
    const { width, height } = parameters;
    this.shape = fieldShape(parameters);
    const entries = this.shape.blockColumns * this.shape.blockRows * this.shape.candidatesPerBlock;
    this.fieldBytes = 8 * entries;
    this.#levels = pyramidLevels(width, height, settings.levels);
    const penalties = searchPenalties(parameters, settings.levels);
    const { uniform, storage, copySource } = BUFFER_USAGE;
    const head = { blockColumns: this.shape.blockColumns, entries, penaltyY: penalties.firstY, reserved: 0 };
    const words = structWords(MRMP_SEARCH, head);
    this.#levels.forEach((level, index) => {
      const reach = settings.rangeAt(index, width, height);
      const rangeX = Math.min(reach.x, width);
      const rangeY = Math.min(reach.y, height);
      words.push(...structWords(MRMP_LEVEL, { ...level, rangeX, rangeY, reservedX: 0, reservedY: 0 }));
    });
    while (words.length < MRMP_SEARCH.fields.length + MAX_LEVELS * MRMP_LEVEL.fields.length) words.push(0);
    this.#parameters = createFilledBuffer(device, 'Mrmp.parameters', uniform, words);
    this.#halveParameters = this.#levels.slice(1).map((coarse, index) => {
      const fine = this.#levels[index]!;
      const halveWords = structWords(HALVE_PICTURE, {
        width: fine.width,
        height: fine.height,
        finePitch: fine.pitch,
        coarsePitch: coarse.pitch,
        fineOffset: fine.offset,
        coarseOffset: coarse.offset,
      });
      return createFilledBuffer(device, `Mrmp.halveParameters${index + 1}`, uniform, halveWords);
    });
    this.#penalties = createFilledBuffer(device, 'Mrmp.penalties', storage, penalties.words);
    this.field = device.createBuffer({ label: 'Mrmp.field', size: this.fieldBytes, usage: storage | copySource });
  }

  createSlot(index: number): MrmpSlot {
    const last = this.#levels.at(-1)!;
    const pels = this.device.createBuffer({
      label: `Mrmp.pyramid${index}`,
      size: 4 * (last.offset + last.pitch * last.height) + 16,
      usage: BUFFER_USAGE.storage | BUFFER_USAGE.copyTarget,
    });
    const halveBindings = this.#halveParameters.map((parameters, level) =>
      bindBuffers(this.device, this.pipelines.halve, HALVE_PICTURE, `Mrmp.halveBindings${index}.${level + 1}`, {
        parameters,
        pyramid: pels,
      }),
    );
    const slot = { index, pels, halveBindings, destroy: () => pels.destroy() };
    this.#slots[index] = slot;
    return slot;
  }

  prepare(pass: GPUComputePassEncoder, slot: PictureSlot): void {
    if (this.#levels.length === 1) return;
    pass.setPipeline(this.pipelines.halve);
    this.#slots[slot.index]!.halveBindings.forEach((bindings, index) => {
      const coarse = this.#levels[index + 1]!;
      pass.setBindGroup(0, bindings);
      pass.dispatchWorkgroups(Math.ceil(coarse.pitch / HALVE_GROUP), Math.ceil(coarse.height / HALVE_GROUP));
    });
  }

  search(pass: GPUComputePassEncoder, current: PictureSlot, reference: PictureSlot): void {
    pass.setPipeline(this.pipelines.search);
    const bindings = this.#bindings.of(current, reference, label =>
      bindBuffers(this.device, this.pipelines.search, MRMP_SEARCH, `Mrmp.${label}`, {
        parameters: this.#parameters,
        current: current.pels,
        reference: reference.pels,
        penalties: this.#penalties,
        field: this.field,
      }),
    );
    pass.setBindGroup(0, bindings);
    pass.dispatchWorkgroups(this.shape.blockColumns, this.shape.blockRows);
  }

  destroy(): void {
    for (const slot of this.#slots) slot.destroy();
    for (const buffer of [this.#parameters, ...this.#halveParameters, this.#penalties, this.field]) buffer.destroy();
  }
}
