// Each call in each state of an encoder does what the table of docs/library.md says.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { generateSample } from '../../samples/generate.js';
import { Encoder } from '../../src/encoder/encoder.js';
import { InputError } from '../../src/errors.js';
import { ROOT } from '../architecture/source-tree.js';

const SIZE = { width: 16, height: 16 };
const FRAMES = [...generateSample({ kind: 'snow', ...SIZE, frames: 3, seed: 7 })];
const REASON = new Error('the reason');

/** The rows of the table: the state, then what each call does, by the heading of its column. */
function documentedRows(): [string, Record<string, string>][] {
  const page = readFileSync(join(ROOT, 'docs/library.md'), 'utf8');
  const lines = page.slice(page.indexOf('| state |')).split('\n\n')[0]!.split('\n');
  const cells = (line: string) =>
    line
      .split('|')
      .slice(1, -1)
      .map(cell => cell.replace(/`/g, '').trim());
  const [, ...calls] = cells(lines[0]!);
  return lines.slice(2).map(line => {
    const [state = '', ...does] = cells(line);
    return [state.replace(/:.*/, ''), Object.fromEntries(calls.map((call, i) => [call, does[i]!]))];
  });
}

/** An encoder in a state, and how to let it go on. */
class Subject {
  readonly stop = new AbortController();
  goOn = () => {};
  #hold: Promise<void> | undefined;
  readonly encoder = new Encoder({
    ...SIZE,
    frameRate: 25,
    threads: 1,
    estimator: 'zero',
    adaptiveTypes: false,
    bFrames: 0,
    maxPendingPictures: 8,
    signal: this.stop.signal,
    onPicture: () => {
      if (this.fails) throw REASON;
      return this.#hold;
    },
  });
  fails = false;

  hold(): void {
    this.#hold = new Promise(resolve => (this.goOn = resolve));
  }

  async add(count: number): Promise<void> {
    for (const frame of FRAMES.slice(0, count)) await this.encoder.add(frame);
    if (!this.fails) await vi.waitUntil(() => this.encoder.statistics.frames >= Math.min(count, 1));
  }
}

const ARRIVE: Record<string, (subject: Subject) => Promise<void>> = {
  new: async () => {},
  adding: async subject => subject.add(2),
  finishing: async subject => {
    subject.hold();
    await subject.add(3);
    subject.encoder.finish().catch(() => {});
  },
  finished: async subject => {
    await subject.add(3);
    await subject.encoder.finish();
  },
  failed: async subject => {
    subject.fails = true;
    await subject.add(1);
    await expect(subject.encoder.finish()).rejects.toBe(REASON);
  },
  aborted: async subject => {
    await subject.add(2);
    subject.stop.abort(REASON);
  },
  left: async subject => {
    await subject.add(2);
    for await (const _ of subject.encoder) break;
    await subject.encoder.finish().catch(() => {});
  },
};

const nameOf = (error: unknown) =>
  error === REASON
    ? 'rejects with the reason'
    : error instanceof InputError
      ? 'rejects with InputError'
      : String(error);

const CALLS: Record<string, (subject: Subject) => Promise<string>> = {
  add: ({ encoder, goOn }) => {
    goOn();
    return encoder.add(FRAMES[2]!).then(() => 'takes the frame', nameOf);
  },
  finish: ({ encoder, goOn }) => {
    goOn();
    return encoder.finish().then(() => 'resolves', nameOf);
  },
  iteration: async ({ encoder, goOn }) => {
    goOn();
    const finishing = encoder.finish().catch(() => {});
    let units = 0;
    try {
      for await (const _ of encoder) units++;
    } catch (error) {
      return nameOf(error);
    }
    await finishing;
    expect(units).toBe(encoder.statistics.frames);
    return 'gives units';
  },
  'statistics, passStatistics': async ({ encoder }) => {
    const { frames } = encoder.statistics;
    expect(encoder.passStatistics).toHaveLength(frames);
    return frames === 0 ? 'empty' : frames === FRAMES.length ? 'complete' : 'so far';
  },
  'abort of signal': async ({ encoder, stop, goOn }) => {
    const reason = new Error('aborted');
    stop.abort(reason);
    const ends = await encoder.finish().catch(error => error);
    goOn();
    return ends === reason ? 'aborts' : 'nothing';
  },
};

describe.each(documentedRows())('an encoder that is %s', (state, row) => {
  it.each(Object.entries(CALLS))('%s does what the page says', async (call, make) => {
    const subject = new Subject();
    await ARRIVE[state]!(subject);
    expect(await make(subject)).toBe(row[call]);
    subject.goOn();
  });

  it('refuses a second iteration', async () => {
    const subject = new Subject();
    await ARRIVE[state]!(subject);
    if (state !== 'left') subject.encoder[Symbol.asyncIterator]();
    expect(() => subject.encoder[Symbol.asyncIterator]()).toThrow(/they can be taken once/);
    subject.goOn();
  });
});

describe('the table of the page', () => {
  it('has every state and every call', () => {
    expect(documentedRows().map(([state]) => state)).toEqual(Object.keys(ARRIVE));
    for (const [, row] of documentedRows()) expect(Object.keys(row)).toEqual(Object.keys(CALLS));
  });
});
