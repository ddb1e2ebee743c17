// The report of a coded picture, as `onPicture` gets it.

import type { HeaderSymbols } from '../../bitstream/picture-symbols.js';
import type { PictureType } from '../../bitstream/picture-type.js';
import {
  MACROBLOCK_INTRA,
  MACROBLOCK_MOTION_BACKWARD,
  MACROBLOCK_MOTION_FORWARD,
} from '../../bitstream/tables/macroblock-codes.js';
import type { MacroblockGrid } from '../../picture/picture.js';
import { decibels } from '../../portable-math.js';
import type { PlannedPicture } from '../gop/gop-plan.js';

/**
 * The vectors of a picture, one a macroblock in raster order, in half-pels; null where a macroblock does not use the
 * direction.
 */
export interface VectorReport {
  readonly frame: number;
  readonly type: PictureType;
  readonly mbWidth: number;
  readonly mbHeight: number;
  readonly forward: readonly (readonly [dx: number, dy: number] | null)[];
  readonly backward: readonly (readonly [dx: number, dy: number] | null)[];
}

/** A coded picture in figures. */
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
  /** The vectors used. To be called before the picture's `onPicture` returns. */
  vectors(): VectorReport;
  /**
   * A copy of macroblock_type of each macroblock in raster order: the sum of 2 (motion forward), 4 (motion backward), 8
   * (pattern) and 16 (intra); 0 for a skipped one. To be called before the picture's `onPicture` returns.
   */
  macroblockTypes(): Uint8Array;
}

/** The part of a report that the coder finds. */
export type PictureFigures = Pick<PictureReport, 'q' | 'squaredError' | 'macroblocks' | 'vectorBits'>;

/** The figures of a coded picture, whose vectors take `vectorBits`. */
export function pictureFigures(
  symbols: HeaderSymbols,
  squaredError: PictureReport['squaredError'],
  vectorBits: number,
): PictureFigures {
  return {
    q: meanOf(symbols.quantizerScale),
    squaredError,
    macroblocks: countMacroblocks(symbols.flags),
    vectorBits,
  };
}

/** The symbols that a report gives out on demand. */
export type ReportedSymbols = Pick<
  HeaderSymbols,
  | 'type'
  | 'mbWidth'
  | 'mbHeight'
  | 'flags'
  | 'direction'
  | 'forwardDxHalfPels'
  | 'forwardDyHalfPels'
  | 'backwardDxHalfPels'
  | 'backwardDyHalfPels'
>;

/** A copy of the symbols of a report, which stays when the next picture is coded. */
export function copyOfReported(symbols: ReportedSymbols): ReportedSymbols {
  const { type, mbWidth, mbHeight } = symbols;
  return {
    type,
    mbWidth,
    mbHeight,
    flags: symbols.flags.slice(),
    direction: symbols.direction.slice(),
    forwardDxHalfPels: symbols.forwardDxHalfPels.slice(),
    forwardDyHalfPels: symbols.forwardDyHalfPels.slice(),
    backwardDxHalfPels: symbols.backwardDxHalfPels.slice(),
    backwardDyHalfPels: symbols.backwardDyHalfPels.slice(),
  };
}

/** What a report is made from. */
export interface ReportJob {
  readonly plan: PlannedPicture;
  readonly figures: PictureFigures;
  readonly symbols: ReportedSymbols;
  readonly bits: number;
  readonly grid: MacroblockGrid;
}

/** The report of a coded picture. */
export function pictureReport({ plan, figures, symbols, bits, grid }: ReportJob): PictureReport {
  return {
    frame: plan.displayNumber,
    type: plan.type,
    bits,
    ...figures,
    psnrY: psnr(figures.squaredError.y, grid.displayWidth * grid.displayHeight),
    vectors: () => vectorReport(plan.displayNumber, symbols),
    macroblockTypes: () => symbols.flags.slice(),
  };
}

function meanOf(values: Uint8Array): number {
  let sum = 0;
  for (let i = 0; i < values.length; i++) sum += values[i]!;
  return sum / values.length;
}

/** PSNR in dB of 8-bit pels from a sum of squared errors over `pels` pels. */
export function psnr(squaredError: number, pels: number): number {
  return squaredError === 0 ? Number.POSITIVE_INFINITY : decibels((255 * 255 * pels) / squaredError);
}

/** The vectors of a picture's symbols. */
function vectorReport(frame: number, symbols: ReportedSymbols): VectorReport {
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
  { direction }: ReportedSymbols,
  wanted: number,
  dxHalfPels: Int16Array,
  dyHalfPels: Int16Array,
): VectorReport['forward'] {
  return Array.from(direction, (used, address) =>
    used & wanted ? ([dxHalfPels[address]!, dyHalfPels[address]!] as const) : null,
  );
}

/** Counts macroblocks by how they were coded. */
function countMacroblocks(flags: Uint8Array): PictureReport['macroblocks'] {
  let intra = 0;
  let skipped = 0;
  for (let address = 0; address < flags.length; address++) {
    const own = flags[address]!;
    if (own === 0) skipped++;
    else if (own & MACROBLOCK_INTRA) intra++;
  }
  return { intra, skipped, predicted: flags.length - intra - skipped };
}
