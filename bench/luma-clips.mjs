// Provides luma pictures for the GPU benchmark: from .y4m, from raw luma, or generated from a seed.
import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';

/** The luma planes of a file, cropped to whole macroblocks: { name, width, height, planes }. Raw luma needs `size`. */
export function readClip(path, size, most) {
  const raw = readFileSync(path);
  const bytes = path.endsWith('.gz') ? gunzipSync(raw) : raw;
  const clip = bytes.toString('latin1', 0, 9) === 'YUV4MPEG2' ? y4mPlanes(bytes) : rawPlanes(bytes, size);
  const width = clip.width & ~15;
  const height = clip.height & ~15;
  const planes = clip.planes.slice(0, most).map(plane => crop(plane, clip.width, width, height));
  return { name: path.split('/').at(-1), width, height, planes };
}

function y4mPlanes(bytes) {
  const end = bytes.indexOf(0x0a);
  const header = bytes.toString('latin1', 0, end).split(' ');
  const field = letter => Number(header.find(word => word[0] === letter)?.slice(1));
  const [width, height] = [field('W'), field('H')];
  const chroma = 2 * Math.ceil(width / 2) * Math.ceil(height / 2);
  const planes = [];
  for (let at = end + 1; at < bytes.length; ) {
    const start = bytes.indexOf(0x0a, at) + 1;
    planes.push(bytes.subarray(start, start + width * height));
    at = start + width * height + chroma;
  }
  return { width, height, planes };
}

function rawPlanes(bytes, size) {
  const [width, height] = (size ?? '').split('x').map(Number);
  if (!(width > 0 && height > 0)) throw new Error('raw luma needs --size WxH');
  const planes = [];
  for (let at = 0; at + width * height <= bytes.length; at += width * height) {
    planes.push(bytes.subarray(at, at + width * height));
  }
  return { width, height, planes };
}

function crop(plane, stride, width, height) {
  const cropped = new Uint8Array(width * height);
  for (let y = 0; y < height; y++) cropped.set(plane.subarray(y * stride, y * stride + width), y * width);
  return cropped;
}

/** A textured scene that pans by (3.5, 1.25) pels a picture, with camera noise; about as difficult as a real clip. */
export function panningClip(width, height, count) {
  const planes = [];
  for (let index = 0; index < count; index++) {
    const plane = new Uint8Array(width * height);
    for (let y = 0; y < height; y++) {
      for (let x = 0; x < width; x++) {
        const sceneX = x + 3.5 * index;
        const sceneY = y + 1.25 * index;
        const value =
          70 * smoothNoise(sceneX / 67, sceneY / 59, 1) +
          45 * smoothNoise(sceneX / 17, sceneY / 19, 2) +
          25 * smoothNoise(sceneX / 5, sceneY / 6, 3) +
          8 * (hash(x, y, 100 + index) - 0.5);
        plane[y * width + x] = Math.max(0, Math.min(255, 60 + value));
      }
    }
    planes.push(plane);
  }
  return { name: `pan ${width}x${height}`, width, height, planes };
}

/** Unrelated pictures: the worst case for eliminating vectors. */
export function noiseClip(width, height, count) {
  const planes = Array.from({ length: count }, (_, index) =>
    new Uint8Array(width * height).map((_pel, at) => 256 * hash(at % width, Math.floor(at / width), index)),
  );
  return { name: `noise ${width}x${height}`, width, height, planes };
}

/** A value 0..1, bilinear between lattice points. */
function smoothNoise(x, y, seed) {
  const [left, top] = [Math.floor(x), Math.floor(y)];
  const [fx, fy] = [x - left, y - top];
  const row = at => hash(left, at, seed) * (1 - fx) + hash(left + 1, at, seed) * fx;
  return row(top) * (1 - fy) + row(top + 1) * fy;
}

function hash(x, y, seed) {
  let value = Math.imul(x, 0x9e3779b1) ^ Math.imul(y, 0x85ebca6b) ^ Math.imul(seed, 0xc2b2ae35);
  value = Math.imul(value ^ (value >>> 15), 0x2c1b3c6d);
  value = Math.imul(value ^ (value >>> 12), 0x297a2d39);
  return ((value ^ (value >>> 15)) >>> 0) / 2 ** 32;
}
