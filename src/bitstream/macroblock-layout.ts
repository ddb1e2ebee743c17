// The blocks of a macroblock and the coefficients of a block; ISO/IEC 11172-2 §2.4.1.

/** Side of a block in pels. */
export const BLOCK_SIZE = 8;
export const COEFFICIENTS_PER_BLOCK = BLOCK_SIZE * BLOCK_SIZE;

/** The first four blocks of a macroblock are luma. */
export const LUMA_BLOCKS_PER_MACROBLOCK = 4;
/** Blocks of a macroblock in the order of the stream: four luma, Cb, Cr. */
export const BLOCKS_PER_MACROBLOCK = 6;
export const COEFFICIENTS_PER_MACROBLOCK = BLOCKS_PER_MACROBLOCK * COEFFICIENTS_PER_BLOCK;

/** The bit of block 0..5 in coded_block_pattern: 32 is that of the first block, 1 that of the last; §2.4.3.6. */
export function blockBit(block: number): number {
  return 32 >> block;
}

/** Whether coded_block_pattern says that block 0..5 is coded. */
export function isBlockCoded(codedBlockPattern: number, block: number): boolean {
  return (codedBlockPattern & blockBit(block)) !== 0;
}
