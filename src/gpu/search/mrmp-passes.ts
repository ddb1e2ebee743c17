// The passes of the multiresolution multi-predictor search for pictures of one size.
import type { EstimatorParameters } from '../../motion/estimator.js';
import type { MrmpSettings } from '../../motion/mrmp-settings.js';
import { BUFFER_USAGE, createFilledBuffer } from '../device/buffers.js';
import { bindBuffers } from '../device/pipelines.js';
import { HALVE_PICTURE, MRMP_LEVEL, MRMP_SEARCH, structWords } from '../layouts.js';
import { FieldBuffers, type FieldShape, fieldEntries, fieldShape } from './field-buffer.js';
import { searchPenalties } from './penalties.js';
import { PairBindings, type PictureSlot, type SearchPasses, type SlotPair } from './search-passes.js';

/** The compiled shaders of the search. */
export interface MrmpShaders {
  readonly halve: GPUComputePipeline;
  readonly search: GPUComputePipeline;
}

/** A level in a pyramid buffer: its size in pels, the words of a row, and its first word. */
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

/** Bytes behind the last level: the shader reads up to two words there and does not use them. */
const SLACK_BYTES = 16;

interface MrmpSlot extends PictureSlot {
  /** For each level but the finest: the bindings that make it from the next finer one. */
  readonly halveBindings: readonly GPUBindGroup[];
}

/** The multiresolution multi-predictor search in pictures of one size. */
export class MrmpPasses implements SearchPasses {
  readonly shape: FieldShape;
  readonly #levels: readonly PyramidLevel[];
  readonly #parameters: GPUBuffer;
  /** For each level but the finest. */
  readonly #halveParameters: readonly GPUBuffer[];
  readonly #penalties: GPUBuffer;
  readonly #slots: MrmpSlot[] = [];
  readonly #fields: FieldBuffers;
  readonly #bindings = new PairBindings();

  constructor(
    readonly device: GPUDevice,
    readonly shaders: MrmpShaders,
    parameters: EstimatorParameters,
    settings: MrmpSettings,
  ) {
    const { width, height } = parameters;
    this.shape = fieldShape(parameters);
    this.#fields = new FieldBuffers(device, 'Mrmp.field', this.shape);
    this.#levels = pyramidLevels(width, height, settings.levels);
    const penalties = searchPenalties(parameters, settings.levels);
    const { uniform, storage } = BUFFER_USAGE;
    const words = structWords(MRMP_SEARCH, {
      blockColumns: this.shape.blockColumns,
      entries: fieldEntries(this.shape),
      penaltyY: penalties.firstY,
      reserved: 0,
    });
    this.#levels.forEach((level, index) => {
      const range = settings.rangeAt(index, width, height);
      const rangeX = Math.min(range.x, width);
      const rangeY = Math.min(range.y, height);
      words.push(...structWords(MRMP_LEVEL, { ...level, rangeX, rangeY, reservedX: 0, reservedY: 0 }));
    });
    const structLength = MRMP_SEARCH.fields.length + MRMP_SEARCH.constants.MAX_LEVELS * MRMP_LEVEL.fields.length;
    while (words.length < structLength) words.push(0);
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
  }

  createSlot(index: number): MrmpSlot {
    const { storage, copySource, copyTarget } = BUFFER_USAGE;
    const coarsest = this.#levels.at(-1)!;
    const pels = this.device.createBuffer({
      label: `Mrmp.pyramid${index}`,
      size: 4 * (coarsest.offset + coarsest.pitch * coarsest.height) + SLACK_BYTES,
      usage: storage | copySource | copyTarget,
    });
    const halveBindings = this.#halveParameters.map((parameters, level) =>
      bindBuffers(this.device, this.shaders.halve, HALVE_PICTURE, `Mrmp.halveBindings${index}.${level + 1}`, {
        parameters,
        pyramid: pels,
      }),
    );
    const slot = { index, pels, halveBindings };
    this.#slots[index] = slot;
    return slot;
  }

  prepare(pass: GPUComputePassEncoder, slots: readonly PictureSlot[]): void {
    if (this.#levels.length === 1) return;
    const { GROUP_SIDE } = HALVE_PICTURE.constants;
    pass.setPipeline(this.shaders.halve);
    for (const { index } of slots) {
      for (const [level, bindings] of this.#slots[index]!.halveBindings.entries()) {
        const coarse = this.#levels[level + 1]!;
        pass.setBindGroup(0, bindings);
        pass.dispatchWorkgroups(Math.ceil(coarse.pitch / GROUP_SIDE), Math.ceil(coarse.height / GROUP_SIDE));
      }
    }
  }

  field(number: number): GPUBuffer {
    return this.#fields.get(number);
  }

  search(pass: GPUComputePassEncoder, pairs: readonly SlotPair[]): void {
    const { blockColumns, blockRows } = this.shape;
    pass.setPipeline(this.shaders.search);
    for (const [number, pair] of pairs.entries()) {
      const bindings = this.#bindings.of(pair, number, label =>
        bindBuffers(this.device, this.shaders.search, MRMP_SEARCH, `Mrmp.${label}`, {
          parameters: this.#parameters,
          current: pair.current.pels,
          reference: pair.reference.pels,
          penalties: this.#penalties,
          field: this.field(number),
        }),
      );
      pass.setBindGroup(0, bindings);
      pass.dispatchWorkgroups(blockColumns, blockRows);
    }
  }

  destroy(): void {
    const ofSlots = this.#slots.map(({ pels }) => pels);
    for (const buffer of [...ofSlots, this.#parameters, ...this.#halveParameters, this.#penalties]) {
      buffer.destroy();
    }
    this.#fields.destroy();
  }
}
