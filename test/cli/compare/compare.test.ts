// `mpegpu compare` as a program: tables, JSON, report, failures and Ctrl-C.
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { inflateRawSync } from 'node:zlib';
import { beforeAll, describe, expect, it } from 'vitest';
import { generateSample } from '../../../samples/generate.js';
import { writeY4m } from '../../../samples/write-frames.js';
import { readWithPackagedFfmpeg, temporaryFolder } from '../../support/ffmpeg-clips.js';
import { encodeJson, listing, outcomeOf, runCliHere, startCli } from '../run-cli.js';

const folder = temporaryFolder();
readWithPackagedFfmpeg(); // compare asks it for VMAF
const here = { cwd: folder };
const SIZE = { width: 96, height: 64 };
const unsupported = fileURLToPath(new URL('../../motion/fixtures/unsupported-estimator.mjs', import.meta.url));
const thirdParty = fileURLToPath(new URL('../../motion/fixtures/three-vectors-estimator.mjs', import.meta.url));
const breaking = fileURLToPath(new URL('../../compare/fixtures/breaking-estimator.mjs', import.meta.url));
const telling = fileURLToPath(new URL('../../compare/fixtures/telling-estimator.mjs', import.meta.url));
const stuck = fileURLToPath(new URL('../../compare/fixtures/stuck-estimator.mjs', import.meta.url));

beforeAll(async () => {
  const sample = generateSample({ kind: 'pan', ...SIZE, frames: 8, seed: 21 });
  await writeY4m(join(folder, 'pan.y4m'), sample, 25, () => {});
  await writeY4m(join(folder, 'one.y4m'), generateSample({ kind: 'pan', ...SIZE, frames: 1, seed: 1 }), 25, () => {});
  const tiny = generateSample({ kind: 'pan', width: 16, height: 16, frames: 2, seed: 1 });
  await writeY4m(join(folder, 'tiny.y4m'), tiny, 25, () => {});
});

interface CompareJson {
  readonly frames: number;
  readonly interrupted: boolean;
  readonly estimators: readonly {
    readonly estimator: string;
    readonly outcome: string;
    readonly reason: string | null;
    readonly searchMs: { readonly median: number } | null;
    readonly agreement: number | null;
    readonly bdRatePercent: number | null;
    readonly bdRatesPercent: { readonly psnr: Readonly<Record<string, number | null>> };
    readonly encodes: readonly { readonly q: number; readonly bits: number; readonly psnr: { readonly y: number } }[];
  }[];
}

/** Where figures are looked at: a comparison would start its search threads again for every encode. */
const ONE_THREAD = ['--threads', '1'];

async function compare(...args: string[]): Promise<{ status: number | null; json: CompareJson; stderr: string }> {
  const { status, stdout, stderr } = await runCliHere(['compare', 'pan.y4m', ...args, ...ONE_THREAD, '--json'], here);
  return { status, json: JSON.parse(stdout.toString()) as CompareJson, stderr };
}

describe('mpegpu compare', () => {
  it('prints one JSON object that agrees with encode, third parties and unsupported ones included', async () => {
    const estimators = ['zero', thirdParty, unsupported, 'cpu-full'];
    const args = ['--qs', '4,9', '--repeat', '2', '--range', '12x6', '--frames', '7', '--gop', '5'];
    const { status, json, stderr } = await compare('--estimators', estimators.join(','), ...args);
    expect([status, stderr]).toEqual([0, '']);
    expect([json.frames, json.interrupted]).toEqual([7, false]);
    expect(json.estimators.map(({ estimator, outcome }) => [estimator, outcome])).toEqual(
      estimators.map(estimator => [estimator, estimator === unsupported ? 'unsupported' : 'finished']),
    );
    expect(json.estimators[2]).toMatchObject({
      reason: 'no abacus was found on this machine',
      searchMs: null,
      encodes: [],
    });
    expect(json.estimators[3]).toMatchObject({ agreement: 1 });
    expect(json.estimators[3]!.searchMs!.median).toBeGreaterThan(0);
    const { bdRatePercent, bdRatesPercent } = json.estimators[3]!;
    expect(bdRatePercent).toBeLessThan(0);
    // Two points make the same straight line with either method, and the polynomial takes four.
    expect(bdRatesPercent.psnr).toEqual({ cubic: null, pchip: bdRatePercent, akima: bdRatePercent });
    for (const { estimator, encodes } of json.estimators) {
      for (const { q, bits, psnr } of encodes) {
        const own = ['--q', String(q), '--estimator', estimator, '--range', '12x6', '--frames', '7', '--gop', '5'];
        const alone = await encodeJson(['pan.y4m', '-o', 'alone.m1v', '--overwrite', ...own, ...ONE_THREAD], here);
        expect([bits, psnr]).toEqual([alone.bits, alone.psnr]);
      }
    }
  });

  it('has coding tools of one choice for all', async () => {
    const tools = ['--tool', 'neighbour-vectors=off', '--tool', 'trellis=none'];
    const { json } = await compare('--estimators', 'zero', '--qs', '4', '--repeat', '1', ...tools);
    const own = ['pan.y4m', '-o', 'alone.m1v', '--overwrite', '--q', '4', '--estimator', 'zero', ...ONE_THREAD];
    const { bits } = json.estimators[0]!.encodes[0]!;
    expect(bits).toBe((await encodeJson([...own, ...tools], here)).bits);
    expect(bits).not.toBe((await encodeJson(own, here)).bits);
  });

  it('prints tables with a row for each, and what is not there', async () => {
    const args = [
      '--estimators',
      `zero,cpu-log,${unsupported}`,
      '--qs',
      '8',
      '--repeat',
      '1',
      '--no-vmaf',
      '--csv',
      'table.csv',
    ];
    const { status, stdout, stderr } = await runCliHere(['compare', 'pan.y4m', ...args, ...ONE_THREAD], here);
    expect([status, stderr]).toEqual([0, '']);
    const text = stdout.toString();
    expect(text).toMatch(/^pan\.y4m: 8 frames, 96x64; 1 timed run\n/);
    expect(text).toMatch(/^cpu-log .*x .* CPU/m);
    expect(text).toMatch(/^q 8 .*frames\/s/m);
    expect(text).toContain(`${unsupported} unsupported: no abacus was found on this machine`);
    expect(text).toContain('only their ratios mean something elsewhere');
    expect(text).toMatch(/^VMAF is left out: --no-vmaf says so$/m);
    expect(text).toMatch(/^pictures: table\.csv$/m);
    expect(readFileSync(join(folder, 'table.csv'), 'latin1')).toMatch(/^estimator,/);
  });

  it('does not replace a report unasked, and writes one when it is complete', async () => {
    const job = ['--estimators', 'zero,cpu-log', '--qs', '8', '--repeat', '1', '--quiet'];
    const args = ['compare', 'pan.y4m', ...job, ...ONE_THREAD, '--report', 'report.html'];
    writeFileSync(join(folder, 'report.html'), 'mine');
    const unasked = await runCliHere(args, here);
    expect(unasked.status).toBe(2);
    expect(unasked.stderr).toMatch(/report\.html exists already.*--overwrite/);
    expect(readFileSync(join(folder, 'report.html'), 'utf8')).toBe('mine');
    const asked = await runCliHere([...args, '--overwrite'], here);
    expect([asked.status, asked.stdout.toString()]).toEqual([0, '']);
    const page = readFileSync(join(folder, 'report.html'), 'utf8');
    expect(page).toMatch(/^<!doctype html>/);
    expect(page).toContain('id="viewer-data"');
  });

  it('says where its figures come from, and writes them as a table and into the page', async () => {
    process.env.SOURCE_DATE_EPOCH = '1767225600';
    const methods = ['--bd-method', 'akima', '--no-vmaf'];
    const args = ['--estimators', 'zero,cpu-log', '--bitrates', '200k,60M', '--repeat', '1', ...methods];
    const outputs = ['--report', 'rates.HTM', '--csv', 'a b.csv'];
    const { status, json } = await compare(...args, ...outputs).finally(() => delete process.env.SOURCE_DATE_EPOCH);
    expect(status).toBe(0);
    const line = `mpegpu compare pan.y4m ${args.join(' ')} --report rates.HTM --csv 'a b.csv' --threads 1 --json`;
    expect(json).toMatchObject({
      version: expect.stringMatching(/^\d+\.\d+\.\d+/),
      date: '2026-01-01T00:00:00Z',
      commandLine: line,
      input: 'pan.y4m',
      inputBytes: statSync(join(folder, 'pan.y4m')).size,
      machine: {
        ...{ cpu: expect.any(String), threads: cpus().length, node: process.version },
        ffmpeg: expect.stringMatching(/^\S+$/),
      },
      quantisers: [],
      settings: { option: 'bitrate', values: [200_000, 60_000_000] },
      report: 'rates.HTM',
      csv: 'a b.csv',
      bdMethod: 'akima',
      vmafLeftOut: '--no-vmaf says so',
    });
    expect(json).toMatchObject({
      warnings: expect.arrayContaining([expect.stringMatching(/^zero at 60000 kbit\/s: the bit rate is higher than/)]),
    });
    const none = { cubic: null, pchip: null, akima: null };
    expect(json.estimators[1]).toMatchObject({ bdRateVmafPercent: null, bdRatesPercent: { vmaf: none } });
    const [{ encodes }] = json.estimators as unknown as [{ encodes: Record<string, unknown>[] }];
    expect(encodes.map(({ q, quality, bitrate }) => [q, quality, bitrate])).toEqual([
      [null, null, 200_000],
      [null, null, 60_000_000],
    ]);
    const table = readFileSync(join(folder, 'a b.csv'), 'utf8');
    expect(table.split('\r\n').length).toBe(1 + 2 * 2 * 8 + 1);
    const page = readFileSync(join(folder, 'rates.HTM'), 'utf8');
    const saved = (name: string) => {
      const packed = new RegExp(`data-file="${name}">([^<]+)<`).exec(page)![1]!;
      return inflateRawSync(Buffer.from(packed, 'base64')).toString();
    };
    expect(saved('pictures.csv')).toBe(table);
    expect(JSON.parse(saved('comparison.json'))).toEqual(json);
    expect(saved('encodes.csv')).toMatch(/^estimator,own_name,device,outcome,.*,bitrate_bits_per_s,bits,/);
    expect(page).toContain('2026-01-01T00:00:00Z by mpegpu');
    expect(page).toContain('<title>pan.y4m: ');
    for (const what of ['encodes', 'pictures']) {
      expect(page).toContain(`data-name="${what}.csv" data-media-type="text/csv">CSV of ${what}<`);
    }
    expect(page).toContain('VMAF is left out: --no-vmaf says so.');
    expect(page).not.toContain(folder);
  });

  it('refuses a date that is none before it reads, and ends at once', async () => {
    // Standard input stays open: whoever read it would wait for ever.
    const child = startCli(['compare', '-', '--estimators', 'zero'], { ...here, env: { SOURCE_DATE_EPOCH: 'today' } });
    const { status, stderr } = await outcomeOf(child);
    expect([status, stderr]).toEqual([2, expect.stringMatching(/^mpegpu: SOURCE_DATE_EPOCH is 'today': .*seconds/)]);
  });

  it('fails when an estimator breaks, after showing the others', async () => {
    const { status, json, stderr } = await compare(
      ...['--estimators', `zero,${breaking}`, '--qs', '8', '--repeat', '1', '--candidates', '1'],
    );
    expect(status).toBe(1);
    expect(stderr).toMatch(
      /^mpegpu: .*breaking-estimator\.mjs failed: the estimator breaking failed: the third picture is one too many\n$/,
    );
    expect(json.estimators.map(({ outcome }) => outcome)).toEqual(['finished', 'failed']);
    expect(json.estimators[0]!.encodes.length).toBe(1);
  });

  it('fails when nothing can run here, and writes nothing', async () => {
    const outputs = ['--report', 'none.html', '--csv', 'none.csv'];
    const before = listing(folder);
    const { status, json, stderr } = await compare(
      '--estimators',
      unsupported,
      '--qs',
      '8',
      '--repeat',
      '1',
      ...outputs,
    );
    expect(status).toBe(1);
    expect(json).toMatchObject({ report: null, csv: null });
    expect(listing(folder)).toEqual(before);
    expect(stderr).toContain('none of the estimators can run here: no abacus was found on this machine');
  });

  it('keeps what is finished at Ctrl-C: JSON and report, status 130', async () => {
    const args = ['--estimators', `zero,${telling}`, '--qs', '8,20', '--threads', '1', '--repeat', '1000'];
    const child = startCli(['compare', 'pan.y4m', ...args, '--json', '--report', 'stopped.html'], here);
    const outcome = outcomeOf(child);
    // It is made to be known, to study its fields, for two encodes, and then for the first of a thousand timed runs.
    await told(child, 'made\n', 5);
    child.kill('SIGINT');
    const { status, stdout, stderr } = await outcome;
    expect(status).toBe(130);
    expect(stderr).toContain('interrupted: only what was finished is shown');
    const json = JSON.parse(stdout.toString()) as CompareJson;
    expect(json.interrupted).toBe(true);
    expect(json.estimators.map(({ encodes }) => encodes.length)).toEqual([2, 2]);
    expect(readFileSync(join(folder, 'stopped.html'), 'utf8')).toContain('The comparison was interrupted');
  });

  it('ends at Ctrl-C though an estimator hangs, and leaves no report that says nothing', async () => {
    const before = listing(folder);
    const child = startCli(['compare', 'pan.y4m', '--estimators', stuck, '--report', 'stuck.html', '--quiet'], here);
    const outcome = outcomeOf(child);
    await told(child, 'asked\n', 1);
    child.kill('SIGINT');
    expect((await outcome).status).toBe(130);
    expect(listing(folder)).toEqual(before);
  });

  it.each([
    [
      ['--estimators', 'zero,cpu-ful'],
      /--estimators 'cpu-ful' does not exist \(did you mean cpu-full\?\); legal: .*cpu-full/,
    ],
    [['--estimators', 'zero,zero'], /names 'zero' twice/],
    [['--estimators', 'zero', '--qs', '4,32'], /--qs is '4,32'; legal: quantizer_scales 1\.\.31/],
    [['--estimators', 'zero', '--repeat', '0'], /repeat 0 is not a whole number from 1/],
    [['--estimators', 'zero', '--report', 'no/such/folder.html'], /output folder does not exist: no\/such/],
    [['--estimators', 'zero', '--preset', 'quick'], /preset/],
    [['--estimators', './missing.mjs'], /the module \.\/missing\.mjs of --estimator cannot be loaded/],
    [['--estimators', 'zero', '--report', 'a.html.txt'], /--report a\.html\.txt: .*must end in \.html or \.htm/],
    [['--estimators', 'zero', '--bitrates', '500k'], /--qs and --bitrates exclude each other/],
    [['--estimators', 'zero', '--qs', '4,4'], /--qs is '4,4'; legal: .*each once/],
    [['--estimators', 'zero', '--qualities', '50,101'], /--qualities is '50,101'; legal: qualities 0\.\.100/],
    [['--estimators', 'zero', '--bitrates', '1x'], /--bitrates is '1x'; legal: bit rates/],
    [['--estimators', 'zero', '--bd-method', 'spline'], /--bd-method is 'spline'; legal: cubic, pchip, akima/],
    [['--estimators', 'zero', '--bd-method', 'cubic'], /--bd-method cubic takes 4 values or more, here is 1/],
    [['--estimators', 'zero', '--csv', 'pan.y4m'], /--csv and the input are both pan\.y4m/],
  ])('refuses %j in one line, status 2', async (args, message) => {
    const before = listing(folder);
    const { status, stdout, stderr } = await runCliHere(['compare', 'pan.y4m', '--qs', '8', ...args], here);
    expect([status, stdout.toString()]).toEqual([2, '']);
    expect(stderr).toMatch(/^mpegpu: [^\n]*\n$/);
    expect(stderr).toMatch(message);
    expect(listing(folder)).toEqual(before);
  });

  it.each([
    ['one.y4m', 'one.y4m has one frame: 2 are needed'],
    // Before the frames are read, which may take long.
    ['one.y4m --qs 8 --bd-method cubic', '--bd-method cubic takes 4 values or more, here is 1'],
  ])('refuses %s', async (args, message) => {
    const { status, stderr } = await runCliHere(['compare', ...args.split(' '), '--estimators', 'zero'], here);
    expect([status, stderr]).toEqual([2, expect.stringContaining(message)]);
  });

  it('compares each kind of search at four scales, three times, unless it is told otherwise', async () => {
    const { stdout } = await runCliHere(['compare', 'tiny.y4m', '--json', '--no-vmaf', ...ONE_THREAD], here);
    const json = JSON.parse(stdout.toString());
    expect(json).toMatchObject({ repeat: 3, settings: { option: 'q' } });
    expect(json.settings.values).toHaveLength(4);
    const names = (json as CompareJson).estimators.map(({ estimator }) => estimator);
    expect(names.slice(0, 3)).toEqual(['zero', 'cpu-log', 'cpu-predictive']);
    expect(names).toHaveLength(5);
  });
});

/** Resolves when a started `mpegpu` has written `text` to standard error so many times. */
function told(child: ReturnType<typeof startCli>, text: string, times: number): Promise<void> {
  let written = '';
  return new Promise(resolve => {
    child.stderr.on('data', bytes => {
      written += bytes;
      if (written.split(text).length > times) resolve();
    });
  });
}
