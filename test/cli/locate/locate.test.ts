// `mpegpu locate` as a program: its JSON, its lines, its pictures, mistakes and Ctrl-C.
import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import sharp from 'sharp';
import { beforeAll, describe, expect, it } from 'vitest';
import type { PelImage } from '../../../src/pattern/pel-image.js';
import { noiseImage, plant } from '../../pattern/pattern-images.js';
import { readWithPackagedFfmpeg, runPackagedFfmpeg, temporaryFolder } from '../../support/ffmpeg-clips.js';
import { listing, outcomeOf, runCliHere, startCli } from '../run-cli.js';

const folder = temporaryFolder();
readWithPackagedFfmpeg();
const at = (...parts: string[]) => join(folder, ...parts);

interface LocateJson {
  readonly places: readonly {
    readonly input: string;
    readonly frame: number;
    readonly seconds?: number;
    readonly x: number;
    readonly y: number;
    readonly error: number;
  }[];
  readonly files: readonly string[];
  readonly [key: string]: unknown;
}

async function locate(...args: string[]): Promise<LocateJson> {
  const line = ['locate', ...args, '--device', 'cpu', '--json'];
  const { status, stdout, stderr } = await runCliHere(line, { cwd: folder });
  if (status !== 0) throw new Error(`mpegpu ${line.join(' ')}: status ${status}: ${stderr}`);
  expect(stdout.toString()).toMatch(/^[^\n]*\n$/);
  return JSON.parse(stdout.toString()) as LocateJson;
}

const png = ({ width, height, channels, pels }: PelImage) =>
  sharp(pels as Uint8Array, { raw: { width, height, channels } }).png();
const pelsOf = async (path: string) => sharp(path).raw().toBuffer({ resolveWithObject: true });

/** A logo that is transparent at its left and right. */
const logo = noiseImage({ width: 12, height: 8, channels: 4 }, 1);
const photo = noiseImage({ width: 80, height: 50, channels: 3 }, 2);
const PLACES = [
  [0, 0],
  [30, 20],
  [68, 42],
] as const;
const at3 = ({ places }: LocateJson) => places.map(({ frame, x, y }) => [frame, x, y]);

beforeAll(async () => {
  for (let pel = 0; pel < 96; pel++) logo.pels[4 * pel + 3] = pel % 12 === 0 || pel % 12 === 11 ? 0 : 255;
  for (const [x, y] of PLACES) plant(logo, photo, x, y);
  await png(logo).toFile(at('logo.png'));
  await png(photo).toFile(at('photo.png'));
  await png(noiseImage({ width: 30, height: 30, channels: 3 }, 3)).toFile(at('other.png'));
  await png(noiseImage({ width: 10, height: 10, channels: 3 }, 3)).toFile(at('small.png'));
  await png(noiseImage({ width: 65, height: 10, channels: 3 }, 3)).toFile(at('large.png'));
  await png({ ...noiseImage({ width: 4, height: 4, channels: 4 }, 3), pels: new Uint8Array(64) }).toFile(
    at('clear.png'),
  );
  await png(noiseImage({ width: 40, height: 30, channels: 1 }, 4)).toFile(at('gray.png'));
  await sharp(at('gray.png')).extract({ left: 9, top: 6, width: 16, height: 16 }).png().toFile(at('gray part.png'));
  writeFileSync(at('text.png'), 'no picture');
  writeFileSync(at('cut.png'), readFileSync(at('photo.png')).subarray(0, 3000));
  mkdirSync(at('empty'));
  // A film of six pictures, the logo in the last three.
  await sharp(at('photo.png')).flop().png().toFile(at('flop.png'));
  const still = (path: string) => ['-loop', '1', '-r', '25', '-t', '0.12', '-i', path];
  const joined = ['-filter_complex', 'concat=n=2', '-c:v', 'ffv1', '-pix_fmt', 'gbrp'];
  runPackagedFfmpeg(...still(at('flop.png')), ...still(at('photo.png')), ...joined, at('film.mkv'));
});

describe('mpegpu locate', () => {
  it('reports in JSON where the pattern is, and what searched', async () => {
    const report = await locate('logo.png', 'photo.png', 'other.png');
    expect(report.places).toEqual(PLACES.map(([x, y]) => ({ input: 'photo.png', frame: 0, x, y, error: 0 })));
    expect(report).toMatchObject({
      pictures: 2,
      pattern: { width: 12, height: 8 },
      device: 'CPU, WebAssembly SIMD',
      passedOver: [],
      files: [],
      interrupted: false,
      warnings: [],
    });
  });

  it('prints a line for each place, and a summary that --quiet leaves out', async () => {
    const run = (...args: string[]) => runCliHere(['locate', 'logo.png', ...args, '--device', 'cpu'], { cwd: folder });
    const { stdout } = await run('photo.png');
    const lines = stdout.toString().split('\n');
    expect(lines.slice(0, 4)).toEqual([
      ...PLACES.map(([x, y]) => `photo.png  frame 0  x ${x}  y ${y}  error 0.00`),
      '3 places of 12x8 pels in 1 picture',
    ]);
    expect(lines[4]).toMatch(/^ {2}searched on CPU, WebAssembly SIMD, [\d.]+ ms a picture$/);
    expect((await run('film.mkv', '--quiet')).stdout.toString()).toBe(
      [3, 4, 5]
        .flatMap(frame =>
          PLACES.map(([x, y]) => `film.mkv  frame ${frame}  0:00:00.${40 * frame}  x ${x}  y ${y}  error 0.00\n`),
        )
        .join(''),
    );
    copyFileSync(at('photo.png'), at('new\n\x1bMline.png'));
    expect((await run('new\n\x1bMline.png', '--quiet')).stdout.toString()).toMatch(/^new\?\?Mline\.png {2}frame 0 /);
    const none = await run('other.png');
    expect([none.status, none.stdout.toString().split('\n')[0]]).toEqual([0, '0 places of 12x8 pels in 1 picture']);
  });

  it('searches films picture by picture, and tells when each is shown', async () => {
    const report = await locate('logo.png', 'film.mkv', '--frames', '5');
    expect(at3(report)).toEqual([3, 4].flatMap(frame => PLACES.map(([x, y]) => [frame, x, y])));
    expect(report.places.map(({ seconds }) => seconds)).toEqual([0.12, 0.12, 0.12, 0.16, 0.16, 0.16]);
    expect(report).toMatchObject({ pictures: 5 });
  });

  it('finds a gray part in its picture, and takes another tolerance', async () => {
    expect(at3(await locate('gray part.png', 'gray.png'))).toEqual([[0, 9, 6]]);
    const all = await locate('gray part.png', 'gray.png', '--tolerance', '255');
    expect(all.places.length).toBeGreaterThan(4);
    expect(all.places[0]!.error).toBeGreaterThan(10);
  });

  it('tells every place of a flat picture', async () => {
    const flat = (side: number) =>
      ({ width: side, height: side, channels: 1, pels: new Uint8Array(side * side) }) as const;
    await png(flat(1)).toFile(at('dot.png'));
    await png(flat(400)).toFile(at('flat.png'));
    const { places } = await locate('dot.png', 'flat.png');
    expect(places).toHaveLength(160_000);
    expect(places.at(-1)).toMatchObject({ x: 399, y: 399, error: 0 });
  });

  it('outlines the places, and makes all else white', async () => {
    const { files } = await locate('logo.png', 'other.png', 'photo.png', '-o', 'out', '--outline', '--white-out');
    expect(files).toEqual(['out/0001-photo-outlined.png', 'out/0001-photo-whitened.png']);
    expect(listing(at('out'))).toEqual(files.map(file => basename(file)));
    const [outlined, whitened] = await Promise.all(files.map(file => pelsOf(at(file))));
    for (const { info } of [outlined!, whitened!]) expect(info).toMatchObject({ width: 80, height: 50, channels: 3 });
    /** Whether a pel lies in the box of a place with `line` pels around. */
    const isIn = (x: number, y: number, line: number) =>
      PLACES.some(([px, py]) => x >= px - line && x < px + 12 + line && y >= py - line && y < py + 8 + line);
    for (let y = 0; y < 50; y++) {
      for (let x = 0; x < 80; x++) {
        const pel = 3 * (y * 80 + x);
        const was = [...photo.pels.subarray(pel, pel + 3)];
        const atEdge = x === 0 || y === 0 || x === 79 || y === 49;
        const isLine = isIn(x, y, 1) && (!isIn(x, y, 0) || atEdge);
        expect([...outlined!.data.subarray(pel, pel + 3)], `${x}, ${y}`).toEqual(isLine ? [255, 0, 0] : was);
        const shows = PLACES.some(([px, py]) => x > px && x < px + 11 && y >= py && y < py + 8);
        expect([...whitened!.data.subarray(pel, pel + 3)], `${x}, ${y}`).toEqual(shows ? was : [255, 255, 255]);
      }
    }
  });

  it('replaces pictures only when it is told to', async () => {
    await locate('logo.png', 'photo.png', '-o', 'once', '--outline');
    const again = ['locate', 'logo.png', 'photo.png', '-o', 'once', '--outline'];
    const { status, stderr } = await runCliHere(again, { cwd: folder });
    expect([status, stderr]).toEqual([
      2,
      expect.stringMatching(/0000-photo-outlined\.png exists already.*--overwrite/),
    ]);
    expect((await runCliHere([...again, '--overwrite'], { cwd: folder })).status).toBe(0);
  });
});

/** Arguments after `locate`, and what the one line must say. */
const MISTAKES: readonly (readonly [title: string, args: string, says: RegExp])[] = [
  ['no pattern', '', /missing required argument 'pattern'/],
  ['no input', 'logo.png', /missing required argument 'input'/],
  ['a pattern that is not there', 'nosuch.png photo.png', /nosuch\.png cannot be read: there is no such file/],
  ['a pattern that is no image', 'text.png photo.png', /text\.png is not an image/],
  ['a pattern that is too large', 'large.png photo.png', /large\.png is 65x10; patterns are 1x1 to 64x64/],
  ['a pattern that is transparent', 'clear.png photo.png', /clear\.png is wholly transparent/],
  [
    'a pattern larger than the picture',
    'logo.png small.png',
    /logo\.png \(12x8\) does not fit into small\.png \(10x10\)/,
  ],
  [
    'an input that is not there',
    'logo.png phot.png',
    /no such file or folder: phot\.png \(did you mean photo\.png\?\)/,
  ],
  ['an input that is no image', 'logo.png text.png', /text\.png is not an image/],
  ['an input that is cut off', 'logo.png cut.png', /cut\.png cannot be decoded/],
  ['an empty folder', 'logo.png empty', /empty holds no images/],
  ['standard input twice', 'logo.png - -', /- is named twice/],
  ['a folder without drawings', 'logo.png photo.png -o never', /-o needs --outline or --white-out/],
  ['drawings without a folder', 'logo.png photo.png --white-out', /--white-out needs -o/],
  ['standard output for drawings', 'logo.png photo.png --outline -o -', /-o - is not possible: a folder/],
  ['a file for the folder', 'logo.png photo.png --outline -o logo.png', /logo\.png is a file: a folder is needed/],
  [
    'a folder in none',
    'logo.png photo.png --outline -o no/out',
    /output folder no\/out cannot be made: no such folder: no/,
  ],
  ['a tolerance beyond 255', 'logo.png photo.png --tolerance 256', /--tolerance is 256; legal: a number from 0 to 255/],
  ['a tolerance that is no number', 'logo.png photo.png --tolerance low', /--tolerance is 'low'; legal: a number/],
  ['no picture at all', 'logo.png photo.png --frames 0', /--frames 0 is not a whole number of 1 or more/],
  ['a device that is none', 'logo.png photo.png --device cup', /--device is 'cup' \(did you mean cpu\?\); legal: auto/],
];

describe('a mistake', () => {
  it.each(MISTAKES)('%s is one line, exit status 2, and nothing is left', async (title, args, says) => {
    const before = listing(folder);
    // With a folder, where the mistake is not about it.
    const drawings = / -o|--white-out/.test(args) || title.includes('drawings') ? [] : ['-o', 'never', '--outline'];
    const line = ['locate', ...args.split(' ').filter(Boolean), ...drawings];
    const { status, stdout, stderr } = await runCliHere(line, { cwd: folder });
    expect(stderr).toMatch(says);
    expect([status, stdout.toString(), stderr.split('\n').length]).toEqual([2, '', 2]);
    expect(listing(folder)).toEqual(before);
  });

  it('in a later input leaves the pictures before it whole', async () => {
    const line = ['locate', 'logo.png', 'photo.png', 'text.png', '-o', 'before', '--outline'];
    const { status } = await runCliHere(line, { cwd: folder });
    expect(status).toBe(2);
    expect(listing(at('before'))).toEqual(['0000-photo-outlined.png']);
    expect((await pelsOf(at('before', '0000-photo-outlined.png'))).info.width).toBe(80);
  });
});

it('Ctrl-C reports what was found, and leaves nothing half-written', async () => {
  const line = ['locate', 'logo.png', '-', '-o', 'stopped', '--outline', '--device', 'cpu', '--json'];
  const child = startCli(line, { cwd: folder });
  const outcome = outcomeOf(child);
  child.stdin.on('error', () => {});
  child.stdin.write('YUV4MPEG2 W80 H50 F25:1 Ip A1:1 C420jpeg\n');
  for (let i = 0; i < 40; i++) child.stdin.write(Buffer.concat([Buffer.from('FRAME\n'), Buffer.alloc(6000, 128)]));
  while (!existsSync(at('stopped'))) await new Promise(resolve => setTimeout(resolve, 10));
  child.kill('SIGINT');
  const { status, stdout, stderr } = await outcome;
  expect(status).toBe(130);
  expect(stderr).toMatch(/interrupted after \d+ pictures?/);
  expect(JSON.parse(stdout.toString())).toMatchObject({ places: [], interrupted: true });
  expect(listing(at('stopped'))).toEqual([]);
});
