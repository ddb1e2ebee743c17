// Makes access units of chosen or random sizes.
import fc from 'fast-check';
import type { AccessUnit } from '../../../src/bitstream/access-unit.js';
import { FRAME_RATES } from '../../../src/bitstream/tables/frame-rate.js';
import type { StreamFormat } from '../../../src/media/containers/container-writer.js';

/** An anchor picture's size in bytes, and those of the B pictures shown before it. */
export interface AnchorSizes {
  readonly anchor: number;
  readonly between: readonly number[];
}

/**
 * Access units in coded order of these sizes, with an I picture every 4 anchors; the bytes are noise without meaning,
 * but for the picture start code of each that has 20 bytes, and the sequence_end_code of the last one.
 */
export function unitsOfSizes(anchors: readonly AnchorSizes[]): AccessUnit[] {
  const units: AccessUnit[] = [];
  let shown = 0;
  anchors.forEach(({ anchor, between }, index) => {
    const bPictures = index === 0 ? [] : between;
    const add = (bytes: number, pictureType: AccessUnit['pictureType'], displayNumber: number) => {
      const data = noise(bytes, units.length);
      if (bytes >= 20) data.set([0, 0, 1, 0]);
      units.push({ data, pictureType, displayNumber, codedNumber: units.length });
    };
    add(anchor, index % 4 === 0 ? 'I' : 'P', shown + bPictures.length);
    bPictures.forEach((bytes, i) => {
      add(bytes, 'B', shown + i);
    });
    shown += bPictures.length + 1;
  });
  const last = units.at(-1)?.data ?? new Uint8Array(0);
  if (last.length >= 4) last.set([0, 0, 1, 0xb7], last.length - 4);
  return units;
}

/** Bytes that differ from picture to picture and along a picture, so that a lost or moved byte shows. */
function noise(bytes: number, seed: number): Uint8Array {
  const data = new Uint8Array(bytes);
  let state = seed * 2654435761 + 12345;
  for (let i = 0; i < bytes; i++) {
    state = (Math.imul(state, 1664525) + 1013904223) | 0;
    data[i] = state >>> 24;
  }
  return data;
}

/** From 20 bytes to 1 MB, wildly mixed, most of them small to keep the tests quick. */
const pictureBytes = fc.oneof(
  { weight: 5, arbitrary: fc.integer({ min: 20, max: 300 }) },
  { weight: 3, arbitrary: fc.integer({ min: 1900, max: 2200 }) },
  { weight: 5, arbitrary: fc.integer({ min: 300, max: 40_000 }) },
  { weight: 1, arbitrary: fc.integer({ min: 65_000, max: 66_000 }) },
  { weight: 1, arbitrary: fc.integer({ min: 500_000, max: 1_000_000 }) },
);

/** Streams with and without B pictures at any legal rate, of pictures large enough (720p) to hold 1 MB. */
export const randomStream = fc
  .record({
    anchors: fc.array(fc.record({ anchor: pictureBytes, between: fc.array(pictureBytes, { maxLength: 3 }) }), {
      minLength: 1,
      maxLength: 30,
    }),
    withB: fc.boolean(),
    frameRate: fc.constantFrom(...FRAME_RATES),
  })
  .map(({ anchors, withB, frameRate }) => {
    const format: StreamFormat = { frameRate, width: 1280, height: 720 };
    return { format, units: unitsOfSizes(withB ? anchors : anchors.map(({ anchor }) => ({ anchor, between: [] }))) };
  });
