// Provides the clips that benchmarks encode, as y4m files in bench/results/clips; each is made once.
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { basename, extname, join, resolve } from 'node:path';
import { frameFromI420, i420Bytes } from '../dist/picture/frame.js';
import { generateSample } from '../dist/samples/generate.js';
import { writeY4m } from '../dist/samples/write-frames.js';
import { ROOT, runFfmpeg } from './processes.mjs';

/** The folder for everything that benchmarks write. */
export const RESULTS = join(ROOT, 'bench', 'results');
const CLIPS = join(RESULTS, 'clips');

/** The default folder of real clips. */
export const SEQUENCES = resolve(ROOT, '..', 'shared', 'sequences');

/** Number of frames that are enough of a clip; all frames of a clip without an entry. */
const FRAME_LIMITS = { autumntree_1080p: 10 };

/** The frame rate of image folders. */
const IMAGE_RATE = 25;

/**
 * The clips of a folder: `{ name, path }` of each video file and each folder of images in number order (three or more).
 * `only` picks some by name.
 */
export function listClips(folder, only) {
  const clips = [];
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) {
      const images = readdirSync(path).filter(file => /\d+\.(png|bmp)$/i.test(file));
      if (images.length > 2)
        clips.push({ name: entry.name, path: join(path, numberPattern(images)), first: firstNumber(images) });
    } else if (/\.(mkv|264|y4m|mp4|avi)$/i.test(entry.name)) {
      clips.push({ name: basename(entry.name, extname(entry.name)), path });
    }
  }
  clips.sort((a, b) => (a.name < b.name ? -1 : 1));
  const unknown = (only ?? []).filter(name => !clips.some(clip => clip.name === name));
  if (unknown.length > 0) {
    throw new Error(`no clip ${unknown.join(', ')} in ${folder}; there are ${clips.map(clip => clip.name).join(', ')}`);
  }
  return only === undefined ? clips : clips.filter(clip => only.includes(clip.name));
}

/** The first `frames` pictures of a clip as an 8-bit limited-range 4:2:0 y4m file; returns its path. */
export async function clipAsY4m(clip, frames = FRAME_LIMITS[clip.name]) {
  const target = join(CLIPS, `${clip.name}${frames === undefined ? '' : `-${frames}`}.y4m`);
  await makeOnce(target, async path => {
    const input =
      clip.first === undefined ? [] : ['-framerate', String(IMAGE_RATE), '-start_number', String(clip.first)];
    const limit = frames === undefined ? [] : ['-frames:v', String(frames)];
    const format = ['-vsync', 'passthrough', '-pix_fmt', 'yuv420p', '-f', 'yuv4mpegpipe'];
    await runFfmpeg(...input, '-i', clip.path, '-map', '0:v:0', ...limit, ...format, path);
  });
  return target;
}

/**
 * The first `frames` pictures of a clip with noise of up to 12 levels, another in each picture, as `clipAsY4m` does.
 */
export async function noisyClipAsY4m(clip, frames) {
  const target = join(CLIPS, `${clip.name}-${frames}-noisy.y4m`);
  const clean = await clipAsY4m(clip, frames);
  await makeOnce(target, path =>
    runFfmpeg('-i', clean, '-vf', 'noise=alls=12:allf=t', '-pix_fmt', 'yuv420p', '-f', 'yuv4mpegpipe', path),
  );
  return target;
}

/** A generated sequence as a y4m file; returns its path. */
export async function sampleAsY4m({ kind, width, height, frames, seed }) {
  const target = join(CLIPS, `sample-${kind}-${width}x${height}-${frames}-${seed}.y4m`);
  await makeOnce(target, path => writeY4m(path, generateSample({ kind, width, height, frames, seed }), 25, () => {}));
  return target;
}

/** A clip scaled to a size and played forwards and backwards until it has `frames` pictures; returns its path. */
export async function pingPongAsY4m(clip, { width, height, frames }) {
  const target = join(CLIPS, `${clip.name}-${width}x${height}-${frames}.y4m`);
  await makeOnce(target, async path => {
    const once = `${path}.once`;
    const format = ['-vf', `scale=${width}:${height}:flags=bicubic`, '-pix_fmt', 'yuv420p', '-f', 'yuv4mpegpipe'];
    await runFfmpeg('-i', clip.path, '-map', '0:v:0', '-vsync', 'passthrough', ...format, once);
    const { frames: forwards } = readY4m(once);
    const turn = 2 * forwards.length - 2;
    const inOrder = Array.from({ length: frames }, (_, i) => {
      const at = i % turn;
      return forwards[at < forwards.length ? at : turn - at];
    });
    await writeY4m(path, inOrder, 25, () => {});
  });
  return target;
}

/** Size, rate and all frames of a y4m file that was written here. */
export function readY4m(path) {
  const bytes = readFileSync(path);
  const headerEnd = bytes.indexOf('\n');
  const header = bytes.toString('latin1', 0, headerEnd);
  const width = Number(/ W(\d+)/.exec(header)?.[1]);
  const height = Number(/ H(\d+)/.exec(header)?.[1]);
  const [numerator, denominator] = (/ F(\d+:\d+)/.exec(header)?.[1] ?? '25:1').split(':').map(Number);
  const frames = [];
  for (let at = headerEnd + 1; at < bytes.length; ) {
    const start = bytes.indexOf('\n', at) + 1;
    at = start + i420Bytes(width, height);
    frames.push(frameFromI420(width, height, bytes.subarray(start, at)));
  }
  return { width, height, fps: numerator / denominator, frames };
}

/** All pictures of a stream, decoded by ffmpeg, as frames of a known size. */
export async function decode(stream, width, height) {
  const format = ['-vsync', 'passthrough', '-pix_fmt', 'yuv420p', '-f', 'rawvideo'];
  const { stdout } = await runFfmpeg('-i', stream, '-map', '0:v:0', ...format, '-');
  const length = i420Bytes(width, height);
  return Array.from({ length: Math.floor(stdout.length / length) }, (_, i) =>
    frameFromI420(width, height, stdout.subarray(i * length, (i + 1) * length)),
  );
}

/** Identifies a file's content for a cache: its name, length and time of change. */
export function fileIdentity(path) {
  const { size, mtimeMs } = statSync(path);
  return `${basename(path)} ${size} ${mtimeMs}`;
}

/** The result that bench/results/cache has under a name; if there is none, computes and stores it. */
export async function cached(name, work) {
  const path = join(RESULTS, 'cache', `${name}.json`);
  if (existsSync(path)) return JSON.parse(readFileSync(path, 'utf8'));
  const result = await work();
  mkdirSync(join(RESULTS, 'cache'), { recursive: true });
  writeFileSync(path, JSON.stringify(result));
  return result;
}

/** Makes a file under a temporary name first, so that an incomplete one is never used. */
async function makeOnce(target, make) {
  if (existsSync(target)) return;
  mkdirSync(CLIPS, { recursive: true });
  const unfinished = `${target}.unfinished`;
  await make(unfinished);
  renameSync(unfinished, target);
}

function numberPattern(images) {
  const [, prefix, digits, suffix] = /^(.*?)(\d+)(\.\w+)$/.exec(images[0]);
  return `${prefix}%0${digits.length}d${suffix}`;
}

function firstNumber(images) {
  return Math.min(...images.map(image => Number(/(\d+)\.\w+$/.exec(image)[1])));
}
