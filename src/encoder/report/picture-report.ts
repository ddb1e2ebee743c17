import type { PictureSymbols } from '../../bitstream/picture-symbols.js';
import type { PictureType } from '../../bitstream/picture-type.js';
import {
  MACROBLOCK_INTRA,
  MACROBLOCK_MOTION_BACKWARD,
  MACROBLOCK_MOTION_FORWARD,
} from '../../bitstream/tables/macroblock-codes.js';
import type { MacroblockGrid } from '../../picture/picture.js';
import type { PlannedPicture } from '../gop/gop-plan.js';
import { motionVectorBits } from './vector-bits.js';

/** A vector per macroblock and direction in half-pels, raster order; null where the macroblock does not use the direction. */
export interface VectorReport {
  readonly frame: number;
  readonly type: PictureType;
  readonly mbWidth: number;
  readonly mbHeight: number;
  readonly forward: readonly (readonly [dx: number, dy: number] | null)[];
  readonly backward: readonly (readonly [dx: number, dy: number] | null)[];
}

/** What is known of a coded picture. */
export interface PictureReport {
  /** Display number, from 0. */
  readonly frame: number;
  readonly type: PictureType;
  /** Bits of its access unit, headers included. */
  readonly bits: number;
  /** Mean quantizer_scale. */
  readonly q: number;
  /** Sum of squared errors of the display area, per plane, in pels. */
  readonly squaredError: { readonly y: number; readonly u: number; readonly v: number };
  /** PSNR of luma in dB; Infinity for a perfect picture. */
  readonly psnrY: number;
  /** Macroblocks by how they were coded. */
  readonly macroblocks: { readonly intra: number; readonly predicted: number; readonly skipped: number };
  /** Bits of the motion codes among `bits`. */
  readonly vectorBits: number;
  /** The vectors used. Valid only until the picture's `onPicture` has returned. */
  vectors(): VectorReport;
  /**
   * macroblock_type of each macroblock in raster order, as the sum of the flags in macroblock-codes.ts without
   * MACROBLOCK_QUANT; 0 where it is skipped. Valid only until the picture's `onPicture` has returned; a copy.
   */
  macroblockTypes(): Uint8Array;
}

/** What a report is made of. */
export interface ReportJob {
  readonly plan: PlannedPicture;
  readonly symbols: PictureSymbols;
  readonly bits: number;
  readonly squaredError: PictureReport['squaredError'];
  readonly grid: MacroblockGrid;
}

/** The report of a coded picture. */
export function pictureReport({ plan, symbols, bits, squaredError, grid }: ReportJob): PictureReport {
  return {
    frame: plan.displayNumber,
    type: plan.type,
    bits,
    q: meanQuantizerScale(symbols),
    squaredError,
    psnrY: psnr(squaredError.y, grid.displayWidth * grid.displayHeight),
    macroblocks: countMacroblocks(symbols),
    vectorBits: motionVectorBits(symbols),
    vectors: () => vectorReport(plan.displayNumber, symbols),
    macroblockTypes: () => macroblockTypes(symbols),
  };
}

/** The mean quantizer_scale of a picture's macroblocks. */
export function meanQuantizerScale({ quantizerScale }: PictureSymbols): number {
  let sum = 0;
  for (const scale of quantizerScale) sum += scale;
  return sum / quantizerScale.length;
}

/** PSNR in dB of 8-bit pels from a sum of squared errors over `pels` pels. */
export function psnr(squaredError: number, pels: number): number {
  return squaredError === 0 ? Number.POSITIVE_INFINITY : 10 * Math.log10((255 * 255 * pels) / squaredError);
}

/** The vectors of a picture's symbols. */
export function vectorReport(frame: number, symbols: PictureSymbols): VectorReport {
  const { type, mbWidth, mbHeight } = symbols;
  return {
    frame,
    type,
    mbWidth,
    mbHeight,
    forward: directionVectors(symbols, MACROBLOCK_MOTION_FORWARD, symbols.forwardDxHalfPels, symbols.forwardDyHalfPels),
    backward: directionVectors(
      symbols,
      MACROBLOCK_MOTION_BACKWARD,
      symbols.backwardDxHalfPels,
      symbols.backwardDyHalfPels,
    ),
  };
}

function directionVectors(
  { type, flags, direction }: PictureSymbols,
  wanted: number,
  x: Int16Array,
  y: Int16Array,
): VectorReport['forward'] {
  return Array.from(flags, (_, address) =>
    type !== 'I' && direction[address]! & wanted ? ([x[address]!, y[address]!] as const) : null,
  );
}

/** Counts macroblocks by how they were coded. */
export function countMacroblocks(symbols: PictureSymbols): PictureReport['macroblocks'] {
  let intra = 0;
  let skipped = 0;
  for (let address = 0; address < symbols.flags.length; address++) {
    if (symbols.skipped[address]) skipped++;
    else if (symbols.flags[address]! & MACROBLOCK_INTRA) intra++;
  }
  return { intra, skipped, predicted: symbols.flags.length - intra - skipped };
}

/** macroblock_type without MACROBLOCK_QUANT of each macroblock, 0 for skipped ones. */
export function macroblockTypes(symbols: PictureSymbols): Uint8Array {
  return symbols.flags.map((flags, address) => (symbols.skipped[address] ? 0 : flags));
}
