// The values of one macroblock in words.
import type { VectorPlanes } from '../bitstream/reading/coded-macroblocks.js';
import {
  MACROBLOCK_INTRA,
  MACROBLOCK_MOTION_BACKWARD,
  MACROBLOCK_MOTION_FORWARD,
  MACROBLOCK_PATTERN,
} from '../bitstream/tables/macroblock-codes.js';
import type { LayeredPicture } from './draw-layers.js';
import { KIND_NAMES, kindOf } from './macroblock-kind.js';

/** A value with its name. */
export type NamedValue = readonly [name: string, value: string];

/** The anchors of the two directions. */
const ANCHORS = ['past', 'next'] as const;

/** What is known of the macroblock at `address`. Vectors are in pels, + is right and down. */
export function macroblockValues({ macroblocks, searched = [] }: LayeredPicture, address: number): NamedValue[] {
  const { mbWidth, types, scales, bits, directions } = macroblocks;
  const flags = types[address]!;
  const values: NamedValue[] = [
    ['Macroblock', `column ${(address % mbWidth) + 1}, row ${Math.floor(address / mbWidth) + 1}`],
    ['Coded', KIND_NAMES[kindOf(flags)]],
    ['Bits', String(bits[address])],
    ['Scale', flags & (MACROBLOCK_INTRA | MACROBLOCK_PATTERN) ? String(scales[address]) : 'none: no coefficients'],
  ];
  for (const [i, anchor] of ANCHORS.entries()) {
    const flag = [MACROBLOCK_MOTION_FORWARD, MACROBLOCK_MOTION_BACKWARD][i]!;
    const planes = [macroblocks.forward, macroblocks.backward][i]!;
    if (directions[address]! & flag) values.push([`Vector to the ${anchor} anchor`, vectorText(planes, address)]);
    const found = searched[i];
    if (found) values.push([`Estimator's, ${anchor} anchor`, vectorText(found, address)]);
  }
  return values;
}

function vectorText({ dx, dy }: VectorPlanes, address: number): string {
  return `${signed(dx[address]! / 2)}, ${signed(dy[address]! / 2)}`;
}

function signed(pels: number): string {
  if (pels === 0) return '0';
  return pels > 0 ? `+${pels}` : `−${-pels}`;
}
