// The published types: a user's program compiles against them, without the types of Node or of a browser.
import { basename, join } from 'node:path';
import ts from '@typescript/typescript6';
import { expect, it } from 'vitest';
import { ROOT } from './source-tree.js';

/** A user's program. `@ts-expect-error` is an error itself where the line below it has none. */
const PROGRAM = `
import { Encoder, createEstimator, encodeChunk, ESTIMATOR_NAMES, OptionError, PRESET_NAMES, TOOL_NAMES } from 'mpegpu';
import type { AbortSignalType, ChunkPlan, ChunkSource, EncoderOptions, EstimatorFactory, EstimatorName, Frame, PresetName, TargetName } from 'mpegpu';
import { encodeFiles, FrameRanges, openFrameSource, openSound, VideoWriter } from 'mpegpu/node';
import type { EncodeFilesOptions, FrameSourceOptions } from 'mpegpu/node';
import { createPatternSearch, locatePattern, outlinePlaces, whiteOutPlaces } from 'mpegpu/vision';
import type { PatternSearch, PelImage, Place } from 'mpegpu/vision';

const size = { width: 64, height: 48, frameRate: 25 };
const preset: PresetName = PRESET_NAMES[0];
const names: readonly EstimatorName[] = ESTIMATOR_NAMES;
const target: TargetName = 'vcd';
new Encoder({ ...size, preset, target, tune: 'ssim', matrix: 'flat', metric: 'sse', kernels: 'simd', slices: 'rows' });
new Encoder({ ...size, estimator: names[0]!, motionReference: 'source', tools: { trellis: 'all' } });
new Encoder({ ...size, estimator: './mine.js' });
declare const factory: EstimatorFactory;
declare const chunks: ChunkSource;
declare const plan: ChunkPlan;
new Encoder({ ...size, estimator: factory });
// @ts-expect-error
new Encoder({ ...size, preset: 'fats' });
// @ts-expect-error
new Encoder({ ...size, target: 'dvd' });
// @ts-expect-error
new Encoder({ ...size, tune: 'vmaf' });
// @ts-expect-error
new Encoder({ ...size, matrix: 'round' });
// @ts-expect-error
new Encoder({ ...size, metric: 'ssd' });
// @ts-expect-error
new Encoder({ ...size, kernels: 'mmx' });
// @ts-expect-error
new Encoder({ ...size, motionReference: 'both' });
// @ts-expect-error
new Encoder({ ...size, tools: { trellis: 'some' } });
// @ts-expect-error
new Encoder({ ...size, estimator: 5 });
// @ts-expect-error
new Encoder({ width: 64, height: 48 });
const options: EncoderOptions = { ...size, onPicture: ({ type, psnrY }) => void [type === 'B', psnrY.toFixed(2)] };
declare const q: number | undefined;
declare const signal: AbortSignalType | undefined;
new Encoder({ ...size, q, signal, onPicture: undefined, tools: { trellis: undefined } });
void encodeFiles('frames', 'out.mpg', { q, signal, frames: q, audioBitrate: q, passes: undefined, crop: undefined });
void openFrameSource('clip.mkv', { frames: q, scale: undefined });
void VideoWriter.open('a.mpg', { ...size, frameRate: { numerator: 25, denominator: 1 } }, { signal, overwrite: undefined });
void openSound('music.wav', { bitRate: q });
void encodeChunk(chunks, plan, 0, { threads: q, signal, onProgress: undefined });
const bytes = async function* () { yield new Uint8Array(8); };
const source: FrameSourceOptions = { stdin: bytes(), background: 'white', aspect: '4:3' };
export async function run(frame: Frame): Promise<number> {
  const encoder = new Encoder(options);
  await encoder.add(frame);
  for await (const { data } of encoder) if (data.length === 0) return 0;
  const { statistics } = encoder;
  const files: EncodeFilesOptions = { matrix: 'tuned', passes: 2, bitrate: 1e6, audio: 'sound.wav', frameRate: 29.97 };
  const { bytes, sound, warnings } = await encodeFiles('frames', 'out.mpg', files);
  const onProgress = (done: number, expected: number | undefined) => void [done.toFixed(), expected?.toFixed()];
  await encodeFiles('frames', 'out.mpg', { preset: 'best', audio: 'none', crop: { width: 8, height: 8, x: 0, y: 0 }, onProgress });
  // @ts-expect-error
  await encodeFiles('frames', 'out.mpg', { preset: 'fats' });
  // @ts-expect-error
  await encodeFiles('frames', 'out.mpg', { width: 64 });
  // @ts-expect-error
  await encodeFiles('frames', 'out.mpg', { passes: 3 });
  await openFrameSource('-', source);
  await VideoWriter.open('a.mpg', { ...size, frameRate: { numerator: 25, denominator: 1 } });
  return statistics.psnr.all + bytes + (sound?.bitRate ?? 0) + warnings.length;
}
export async function find(pattern: PelImage, canvas: Uint8ClampedArray): Promise<Uint8Array> {
  const picture: PelImage = { width: 8, height: 8, channels: 4, pels: canvas };
  const places: Place[] = await locatePattern(pattern, picture, { tolerance: 5, device: 'auto' });
  const search: PatternSearch = await createPatternSearch(pattern, { onWarning: text => void text.length });
  // @ts-expect-error
  await createPatternSearch(pattern, { device: 'tpu' });
  // @ts-expect-error
  await search.search({ ...picture, channels: 5 });
  const { pels, channels } = outlinePlaces(picture, places, pattern);
  return channels === 3 && search.device === '' ? pels : whiteOutPlaces(picture, places, pattern).pels;
}
export { createEstimator, FrameRanges, OptionError, TOOL_NAMES };
`;

/** The declarations that the package's entries name. */
const ENTRIES = ['index.d.ts', 'node.d.ts', 'vision.d.ts'];
const FILE = join(ROOT, 'a-users-program.mts');

it.each([
  ['nodenext', ts.ModuleKind.NodeNext, ts.ModuleResolutionKind.NodeNext],
  ['bundler', ts.ModuleKind.ES2022, ts.ModuleResolutionKind.Bundler],
])('compile with %s, strictly, with nothing but the language', (_, module, moduleResolution) => {
  const options: ts.CompilerOptions = {
    ...{ module, moduleResolution, target: ts.ScriptTarget.ES2022, lib: ['lib.es2023.d.ts'], types: [] },
    ...{ strict: true, exactOptionalPropertyTypes: true, skipLibCheck: false, noEmit: true },
    // TypeScript's own declarations are not what is tested.
    skipDefaultLibCheck: true,
  };
  const host = ts.createCompilerHost(options);
  const { getSourceFile, fileExists } = host;
  host.fileExists = path => path === FILE || fileExists(path);
  host.getSourceFile = (path, version, ...rest) =>
    path === FILE ? ts.createSourceFile(path, PROGRAM, version) : getSourceFile(path, version, ...rest);
  const program = ts.createProgram([FILE], options, host);
  const errors = ts.getPreEmitDiagnostics(program).map(({ file, start = 0, messageText }) => {
    const line = (file?.getLineAndCharacterOfPosition(start).line ?? 0) + 1;
    return `${file?.fileName}:${line}: ${ts.flattenDiagnosticMessageText(messageText, ' ')}`;
  });
  expect(errors).toEqual([]);
  const published = program.getSourceFiles().filter(({ fileName }) => fileName.startsWith(join(ROOT, 'dist')));
  expect(published.map(({ fileName }) => basename(fileName))).toEqual(expect.arrayContaining(ENTRIES));
});
