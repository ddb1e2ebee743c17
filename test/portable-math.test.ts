// Powers and logarithms: the same bits in each engine, near those of Math, exact where numbers are.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { decibels, exp2, log2, nextPowerOfTwo, power } from '../src/portable-math.js';
import { launchChromium } from './support/chromium.js';
import { describeWith } from './support/requirements.js';

const MODULE = join(import.meta.dirname, '..', 'dist', 'portable-math.js');

/** The digest of the sample: of Node 20 to 26 on x64, Node 20 on arm64, Deno and Bun. */
const SAMPLE_DIGEST = '82bb56fe4abd5df85f14e5f0692884ade2895d5e27972bad4d4ff47456ecc809';

type PortableMath = typeof import('../src/portable-math.js');

/** Values of all functions, at arguments that only whole numbers and quotients make. It runs in a page, too. */
function sampleOf({ log2, exp2, power, decibels }: Omit<PortableMath, 'nextPowerOfTwo'>): number[] {
  let state = 12_345;
  const random = () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return state / 2 ** 32;
  };
  return Array.from({ length: 2_000 }, () => {
    const x = random() * 100 + 2 ** -10;
    const y = random() * 8 - 4;
    return [log2(x), log2(1 + y / 4096), log2(x / 2 ** 900), exp2(y), exp2(y * 200), power(x, y), decibels(x)];
  }).flat();
}

/** Numbers of many sizes. */
const operands = Array.from({ length: 4_000 }, (_, i) => ((i % 61) + 1) * 1.37 ** ((i % 211) - 100));

describe('powers and logarithms', () => {
  it('have the same bits on every machine', () => {
    const values = Float64Array.from(sampleOf({ log2, exp2, power, decibels }));
    expect(createHash('sha256').update(values).digest('hex')).toBe(SAMPLE_DIGEST);
  });

  it('are as near as their descriptions say', () => {
    for (const x of operands) {
      expect(Math.abs(log2(x) - Math.log2(x))).toBeLessThanOrEqual(2 ** -50 * Math.max(1, Math.abs(Math.log2(x))));
      const y = 20 * Math.sin(x);
      expect(Math.abs(exp2(y) / 2 ** y - 1)).toBeLessThanOrEqual(2 ** -50);
      expect(Math.abs(power(x, 0.4) / x ** 0.4 - 1)).toBeLessThanOrEqual(1e-14);
      expect(decibels(x)).toBeCloseTo(10 * Math.log10(x), 10);
    }
  });

  it('are exact where the numbers are', () => {
    for (let exponent = -1022; exponent <= 1023; exponent++) {
      expect(log2(2 ** exponent)).toBe(exponent);
      expect(exp2(exponent)).toBe(2 ** exponent);
    }
    expect(decibels(10)).toBe(10);
    expect(power(7, 0)).toBe(1);
    expect(power(31, 1)).toBe(31);
  });

  it('know what lies beyond', () => {
    expect([log2(0), log2(-1), log2(Number.NaN), log2(Infinity)]).toEqual([
      -Infinity,
      Number.NaN,
      Number.NaN,
      Infinity,
    ]);
    expect([exp2(-1023), exp2(-Infinity), exp2(1024), exp2(Infinity)]).toEqual([0, 0, Infinity, Infinity]);
    expect(exp2(Number.NaN)).toBeNaN();
    expect([power(0, 2), power(0, -1), power(0, 0)]).toEqual([0, Infinity, 1]);
    expect([power(10, -Infinity), power(0.1, -Infinity), power(2, 1e9)]).toEqual([0, Infinity, Infinity]);
    expect(power(2, Number.NaN)).toBeNaN();
  });

  it('find the next power of two', () => {
    const found = [0, 1, 2, 3, 4, 5, 1023, 1024, 1025, 2 ** 30 - 1, 2 ** 30].map(nextPowerOfTwo);
    expect(found).toEqual([1, 1, 2, 4, 4, 8, 1024, 1024, 2048, 2 ** 30, 2 ** 30]);
  });
});

describeWith('chromium', 'powers and logarithms in a browser', () => {
  it('have the same bits', async () => {
    const browser = await launchChromium();
    const page = await browser.newPage();
    const url = `data:text/javascript,${encodeURIComponent(readFileSync(MODULE, 'utf8'))}`;
    const values = await page.evaluate(`import(${JSON.stringify(url)}).then(${sampleOf.toString()})`);
    await browser.close();
    expect(values).toEqual(sampleOf({ log2, exp2, power, decibels }));
  });
});
