// Reads the macroblocks of a slice; ISO/IEC 11172-2 §2.4.2.6 to §2.4.2.8.
import { InputError } from '../../errors.js';
import { QUANTIZER_SCALE_BITS } from '../limits.js';
import { BLOCKS_PER_MACROBLOCK, COEFFICIENTS_PER_BLOCK, isBlockCoded } from '../macroblock-layout.js';
import type { PictureType } from '../picture-type.js';
import { SlicePredictors } from '../slice-predictors.js';
import { isLuminance } from '../syntax/block.js';
import {
  COEFFICIENT_ESCAPE,
  DC_SIZE_CHROMINANCE_CODES,
  DC_SIZE_LUMINANCE_CODES,
  END_OF_BLOCK,
  FIRST_ZERO_RUN_ONE,
  RUN_LEVEL_CODES,
} from '../tables/block-codes.js';
import {
  ADDRESS_INCREMENT_CODES,
  BIDIRECTIONAL_PICTURE_TYPE_CODES,
  CODED_BLOCK_PATTERN_CODES,
  ESCAPE_INCREMENT,
  INTRA_PICTURE_TYPE_CODES,
  MACROBLOCK_ESCAPE,
  MACROBLOCK_INTRA,
  MACROBLOCK_MOTION_BACKWARD,
  MACROBLOCK_MOTION_BOTH,
  MACROBLOCK_MOTION_FORWARD,
  MACROBLOCK_PATTERN,
  MACROBLOCK_QUANT,
  MACROBLOCK_STUFFING,
  PREDICTIVE_PICTURE_TYPE_CODES,
} from '../tables/macroblock-codes.js';
import { MOTION_CODES, wrapMotionDifference } from '../tables/motion-vector-codes.js';
import { type BitReader, CodeReader } from './bit-reader.js';
import type { CodedMacroblocks } from './coded-macroblocks.js';

/** Values beside those of Tables B.1 and B.5. */
const STUFFING = 100;
const ESCAPE = 101;
const END = 102;
/** Zero bits before the next start code, or before the end. */
const START_CODE_ZEROS = 23;

const INCREMENTS = new CodeReader([
  ...ADDRESS_INCREMENT_CODES.entries(),
  [STUFFING, MACROBLOCK_STUFFING],
  [ESCAPE, MACROBLOCK_ESCAPE],
]);
const TYPES: Readonly<Record<PictureType, CodeReader>> = {
  I: new CodeReader(INTRA_PICTURE_TYPE_CODES),
  P: new CodeReader(PREDICTIVE_PICTURE_TYPE_CODES),
  B: new CodeReader(BIDIRECTIONAL_PICTURE_TYPE_CODES),
};
const PATTERNS = new CodeReader(CODED_BLOCK_PATTERN_CODES.entries());
const MOTIONS = new CodeReader(MOTION_CODES.entries());
const DC_SIZES = [DC_SIZE_CHROMINANCE_CODES, DC_SIZE_LUMINANCE_CODES].map(codes => new CodeReader(codes.entries()));
/** Runs of dct_coeff_next: levels are not kept. */
const RUNS = new CodeReader([
  ...RUN_LEVEL_CODES.flatMap((codes, run) => codes.map(code => [run, code] as const)),
  [ESCAPE, COEFFICIENT_ESCAPE],
  [END, END_OF_BLOCK],
]);

/** f_code of both directions. */
export interface VectorCodes {
  readonly forwardFCode: number;
  readonly backwardFCode: number;
}

/** Reads the slices of a picture into `macroblocks`. */
export class SliceReader {
  /** Address of the last macroblock that was read; -1 before the first. */
  last = -1;
  readonly #reader: BitReader;
  readonly #macroblocks: CodedMacroblocks;
  readonly #codes: VectorCodes;
  readonly #predictors: SlicePredictors;

  constructor(reader: BitReader, macroblocks: CodedMacroblocks, codes: VectorCodes) {
    this.#reader = reader;
    this.#macroblocks = macroblocks;
    this.#codes = codes;
    this.#predictors = new SlicePredictors(macroblocks.type);
  }

  /** Reads the slice that begins in macroblock row `row`, from what follows its start code on. Throws InputError. */
  read(row: number): void {
    const reader = this.#reader;
    const { mbWidth, types } = this.#macroblocks;
    this.#predictors.startSlice(reader.take(QUANTIZER_SCALE_BITS)); // quantizer_scale
    while (reader.take(1)) reader.take(8); // extra_bit_slice, extra_information_slice
    let address = row * mbWidth - 1;
    let isFirst = true;
    do {
      const start = reader.position;
      const increment = this.#increment();
      // Macroblocks before the first of a slice belong to the one before.
      if (!isFirst) for (let skipped = address + 1; skipped < address + increment; skipped++) this.#skip(skipped);
      address += increment;
      if (address >= types.length) throw new InputError(`macroblock ${address} lies outside of the picture`);
      this.#readMacroblock(address);
      this.#macroblocks.bits[address] = reader.position - start;
      this.last = address;
      isFirst = false;
    } while (reader.peek(START_CODE_ZEROS) !== 0);
  }

  /** macroblock_stuffing, macroblock_escape, macroblock_address_increment. */
  #increment(): number {
    let sum = 0;
    for (;;) {
      const value = this.#code(INCREMENTS, 'macroblock_address_increment');
      if (value === ESCAPE) sum += ESCAPE_INCREMENT;
      else if (value !== STUFFING) return sum + value;
    }
  }

  #code(codes: CodeReader, name: string): number {
    const value = codes.read(this.#reader);
    if (value < 0) throw new InputError(`no ${name} begins at bit ${this.#reader.position} of the access unit`);
    return value;
  }

  /** A skipped macroblock: §2.4.4.4. */
  #skip(address: number): void {
    const { type, directions } = this.#macroblocks;
    this.#predictors.update({ ...this.#predictors, flags: 0, dc: () => 0 });
    directions[address] = type === 'P' ? MACROBLOCK_MOTION_FORWARD : this.#predictors.direction;
    this.#keep(address, 0);
  }

  #readMacroblock(address: number): void {
    const reader = this.#reader;
    const { type, directions } = this.#macroblocks;
    const predictors = this.#predictors;
    const read = this.#code(TYPES[type], 'macroblock_type');
    const flags = read & ~MACROBLOCK_QUANT;
    if (read & MACROBLOCK_QUANT) predictors.quantizerScale = reader.take(QUANTIZER_SCALE_BITS); // quantizer_scale
    const vectors = this.#vectors(flags);
    const pattern = flags & MACROBLOCK_PATTERN ? this.#code(PATTERNS, 'coded_block_pattern') : 0;
    predictors.update({ ...vectors, flags, quantizerScale: predictors.quantizerScale, dc: () => 0 });
    const isIntra = (flags & MACROBLOCK_INTRA) !== 0;
    for (let block = 0; block < BLOCKS_PER_MACROBLOCK; block++) {
      if (isIntra) this.#passDc(block);
      if (isIntra || isBlockCoded(pattern, block)) this.#passCoefficients(isIntra);
    }
    const used = flags & MACROBLOCK_MOTION_BOTH;
    directions[address] = used === 0 && type === 'P' && !isIntra ? MACROBLOCK_MOTION_FORWARD : used;
    this.#keep(address, flags);
  }

  /** The vectors of the directions in `flags`; the predicted ones of others. */
  #vectors(flags: number) {
    const { forwardFCode, backwardFCode } = this.#codes;
    const predictors = this.#predictors;
    let { forwardDxHalfPels, forwardDyHalfPels, backwardDxHalfPels, backwardDyHalfPels } = predictors;
    if (flags & MACROBLOCK_MOTION_FORWARD) {
      forwardDxHalfPels = this.#component(forwardDxHalfPels, forwardFCode);
      forwardDyHalfPels = this.#component(forwardDyHalfPels, forwardFCode);
    }
    if (flags & MACROBLOCK_MOTION_BACKWARD) {
      backwardDxHalfPels = this.#component(backwardDxHalfPels, backwardFCode);
      backwardDyHalfPels = this.#component(backwardDyHalfPels, backwardFCode);
    }
    return { forwardDxHalfPels, forwardDyHalfPels, backwardDxHalfPels, backwardDyHalfPels };
  }

  /** motion_code and motion_r; §2.4.4.2. */
  #component(predicted: number, fCode: number): number {
    const reader = this.#reader;
    const magnitude = this.#code(MOTIONS, 'motion_code');
    if (magnitude === 0) return predicted;
    const isNegative = reader.take(1) === 1;
    const rSize = fCode - 1;
    const r = rSize > 0 ? reader.take(rSize) : 0; // motion_r
    const difference = ((magnitude - 1) << rSize) + r + 1;
    return wrapMotionDifference(predicted + (isNegative ? -difference : difference), fCode);
  }

  #passDc(block: number): void {
    const size = this.#code(DC_SIZES[Number(isLuminance(block))]!, 'dct_dc_size');
    this.#reader.position += size; // dct_dc_differential
  }

  /** Passes the run/level pairs of a block and end_of_block. */
  #passCoefficients(isIntra: boolean): void {
    const reader = this.#reader;
    if (!isIntra && reader.peek(1) === Number(FIRST_ZERO_RUN_ONE)) reader.position += 2; // dct_coeff_first and its sign
    for (let pairs = 0; pairs <= COEFFICIENTS_PER_BLOCK; pairs++) {
      const run = this.#code(RUNS, 'dct_coeff_next');
      if (run === END) return;
      if (run !== ESCAPE)
        reader.position++; // the sign
      else if ((reader.take(14) & 0x7f) === 0) reader.position += 8; // a level of 16 bits
    }
    throw new InputError(`a block has no end at bit ${reader.position} of the access unit`);
  }

  #keep(address: number, flags: number): void {
    const { types, directions, scales, forward, backward } = this.#macroblocks;
    const predictors = this.#predictors;
    types[address] = flags;
    scales[address] = predictors.quantizerScale;
    if (directions[address]! & MACROBLOCK_MOTION_FORWARD) {
      forward.dx[address] = predictors.forwardDxHalfPels;
      forward.dy[address] = predictors.forwardDyHalfPels;
    }
    if (directions[address]! & MACROBLOCK_MOTION_BACKWARD) {
      backward.dx[address] = predictors.backwardDxHalfPels;
      backward.dy[address] = predictors.backwardDyHalfPels;
    }
  }
}
