// What an earlier coding of the row has left of a macroblock.
import { BLOCKS_PER_MACROBLOCK } from '../bitstream/macroblock-layout.js';
import type { CodedMacroblock } from '../bitstream/picture-symbols.js';
import type { KernelMemory } from '../kernels/kernel-memory.js';
import type { SymbolArrays } from '../kernels/records/symbol-arrays.js';
import type { VectorPair } from './macroblock-trial.js';

/** A macroblock whose symbols are in kernel memory. */
export interface KnownMacroblock extends CodedMacroblock {
  /** The MACROBLOCK_MOTION flags of its prediction, also where it is skipped; 0 for intra. */
  readonly direction: number;
  readonly codedBlockPattern: number;
  readonly vectors: VectorPair;
}

/** The macroblock at a place in raster order, in rows of `mbWidth`. Its DCs are known while its row is coded. */
export function knownMacroblock(
  { u8, i16 }: KernelMemory,
  symbols: SymbolArrays,
  address: number,
  mbWidth: number,
): KnownMacroblock {
  const forwardDxHalfPels = i16[symbols.forwardDx / 2 + address]!;
  const forwardDyHalfPels = i16[symbols.forwardDy / 2 + address]!;
  const backwardDxHalfPels = i16[symbols.backwardDx / 2 + address]!;
  const backwardDyHalfPels = i16[symbols.backwardDy / 2 + address]!;
  const dcs = symbols.quantizedDcs / 2 + (address % mbWidth) * BLOCKS_PER_MACROBLOCK;
  return {
    flags: u8[symbols.flags + address]!,
    direction: u8[symbols.direction + address]!,
    quantizerScale: u8[symbols.quantizerScale + address]!,
    codedBlockPattern: u8[symbols.codedBlockPattern + address]!,
    forwardDxHalfPels,
    forwardDyHalfPels,
    backwardDxHalfPels,
    backwardDyHalfPels,
    vectors: [forwardDxHalfPels, forwardDyHalfPels, backwardDxHalfPels, backwardDyHalfPels],
    dc: block => i16[dcs + block]!,
  };
}

/** How many macroblocks are skipped one after the other, from `address` on by `step`, `count` of them at most. */
export function skippedFrom(
  { u8 }: KernelMemory,
  { flags }: SymbolArrays,
  address: number,
  step: 1 | -1,
  count: number,
): number {
  let skipped = 0;
  while (skipped < count && u8[flags + address + step * skipped] === 0) skipped++;
  return skipped;
}
