// The passes of the bitonic network, run in plain TypeScript, sort every length.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SORT_ACROSS, SORT_TILES } from '../../../src/gpu/sort/sort-layouts.js';
import { type NetworkPass, networkPasses } from '../../../src/gpu/sort/sort-network.js';
import { textOf } from '../../docs/pages.js';

const { TILE, TILE_BITS, THREADS } = SORT_TILES.constants;

const bytesOf = (words: Uint32Array) => new Uint8Array(words.buffer);

type Places = readonly [low: number, high: number];

/** The places that one step compares: mirror places of blocks of 2^top, or places 2^(top-1) apart. */
function* placesOf(length: number, top: number, isFirst: boolean): Generator<Places> {
  const half = 2 ** (top - 1);
  for (let low = 0; low < length; low++) {
    const place = low % (2 * half);
    const high = isFirst ? low - place + (2 * half - 1 - place) : low + half;
    if (place < half && high < length) yield [low, high];
  }
}

const byPlaces = (a: Places, b: Places) => a[0] - b[0] || a[1] - b[1];

function runStep(keys: Uint32Array, top: number, isFirst: boolean): void {
  for (const [low, high] of placesOf(keys.length, top, isFirst)) {
    if (keys[high] < keys[low]) [keys[low], keys[high]] = [keys[high], keys[low]];
  }
}

function runStage(keys: Uint32Array, stage: number): void {
  for (let top = stage; top > 0; top--) runStep(keys, top, top === stage);
}

function runPass(keys: Uint32Array, { shader, shift, steps, isFirst }: NetworkPass): void {
  if (shader === 'across') {
    for (let step = 0; step < steps; step++) runStep(keys, shift + steps - step, isFirst && step === 0);
  } else if (isFirst) {
    for (let stage = 1; stage <= TILE_BITS; stage++) runStage(keys, stage);
  } else {
    for (let top = TILE_BITS; top > 0; top--) runStep(keys, top, false);
  }
}

describe('the passes of the bitonic network', () => {
  it('sort keys of every length', () => {
    const keys = fc.oneof(
      fc.uint32Array({ maxLength: 300 }),
      fc
        .tuple(fc.integer({ min: 1, max: 9 * TILE }), fc.integer({ min: 1, max: 5 }), fc.nat())
        .map(([length, values, seed]) =>
          Uint32Array.from({ length }, (_, i) => Math.imul(i ^ seed, 0x9e3779b1) >>> (32 - values)),
        ),
    );
    fc.assert(
      fc.property(keys, given => {
        const sorted = given.slice();
        if (given.length > 0) for (const pass of networkPasses(given.length)) runPass(sorted, pass);
        expect(Buffer.compare(bytesOf(sorted), bytesOf(given.toSorted()))).toBe(0);
      }),
      { numRuns: 12 },
    );
  });

  it.each([
    [1, 1],
    [TILE, 1],
    [TILE + 1, 3],
    [2 * TILE, 3],
    [2 * TILE + 1, 5],
    [2 ** 18, 20],
    [2 ** 22, 38],
  ])('for %i items are %i', (length, count) => {
    expect(networkPasses(length)).toHaveLength(count);
  });

  it('have a thread for every eight items, in workgroups that every device dispatches', () => {
    for (const length of [TILE + 1, 2 ** 20, 2 ** 26 - 5, 2 ** 26]) {
      for (const { shader, steps, workgroups } of networkPasses(length)) {
        expect(workgroups * THREADS * 2 ** SORT_ACROSS.constants.ITEM_BITS).toBeGreaterThanOrEqual(length);
        expect(workgroups).toBeLessThanOrEqual(65535);
        expect(steps > 0).toBe(shader === 'across');
      }
    }
  });
});

describe('the network that docs/sort.md draws', () => {
  const lines = textOf('docs/sort.md')
    .split('\n')
    .filter(line => /^\d +─/.test(line));

  /** The pairs of places that are compared, from left to right. */
  const comparisons = [...lines[0]!].flatMap((_, column) => {
    const marks = lines.map(line => line[column]);
    let low = -1;
    return marks.flatMap((mark, place) => {
      if (mark === '┬') low = place;
      return mark === '┴' ? [[low, place] as const] : [];
    });
  });

  it('sorts: by the 0-1 principle, whatever sorts zeros and ones sorts everything', () => {
    expect(lines).toHaveLength(8);
    expect(comparisons).toHaveLength(4 * (1 + 2 + 3));
    for (let word = 0; word < 256; word++) {
      const bits = Array.from({ length: 8 }, (_, place) => (word >> place) & 1);
      for (const [low, high] of comparisons) {
        if (bits[high]! < bits[low]!) [bits[low], bits[high]] = [bits[high], bits[low]];
      }
      expect(bits).toEqual(bits.toSorted());
    }
  });

  it('is that of the passes', () => {
    const keys = new Uint32Array(8);
    const compared: Places[] = [];
    for (let stage = 1; stage <= 3; stage++) {
      for (let top = stage; top > 0; top--) compared.push(...placesOf(keys.length, top, top === stage));
    }
    expect(comparisons.toSorted(byPlaces)).toEqual(compared.toSorted(byPlaces));
  });
});
