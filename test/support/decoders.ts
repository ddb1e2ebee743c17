// The decoders that our streams are held against: ffmpeg, packaged and the machine's own, and mpeg2dec.
import { execFile } from 'node:child_process';
import { accessSync, chmodSync, constants, existsSync, readFileSync } from 'node:fs';
import installedFfmpeg from '@ffmpeg-installer/ffmpeg';
import { chromaLength, type Frame, frameFromI420, i420Bytes } from '../../src/picture/frame.js';
import { macroblockGrid } from '../../src/picture/picture.js';
import { onPath } from './programs.js';

/** A decoder's stdout in full; above any test sequence. */
const OUTPUT_LIMIT_BYTES = 2 ** 31 - 1;

/** The ffmpeg that comes with the package (2018), made executable where an installation left that out. */
export function packagedFfmpeg(): string {
  try {
    accessSync(installedFfmpeg.path, constants.X_OK);
  } catch {
    chmodSync(installedFfmpeg.path, 0o755);
  }
  return installedFfmpeg.path;
}

/** The machine's own ffmpeg, a second opinion from another decade; undefined where PATH has none. */
export function systemFfmpeg(): string | undefined {
  return onPath('ffmpeg');
}

/** Every ffmpeg to test against, by what it is called in a test's title. */
export function everyFfmpeg(): { name: string; path: string }[] {
  const system = systemFfmpeg();
  return [
    { name: 'packaged ffmpeg', path: packagedFfmpeg() },
    ...(system === undefined ? [] : [{ name: 'system ffmpeg', path: system }]),
  ];
}

/**
 * All pictures of a stream or file in display order, by ffmpeg's default decoder with its default IDCT; neither
 * repeated nor dropped by time stamps. Throws when ffmpeg complains of anything at all: our streams must decode in
 * silence. Where no `demuxer` is named, ffmpeg finds it by the bytes.
 */
export async function decodeWithFfmpeg(
  path: string,
  ffmpegPath = packagedFfmpeg(),
  demuxer?: string,
): Promise<Frame[]> {
  const quiet = ['-hide_banner', '-nostdin', '-v', 'error'];
  const args = [
    ...quiet,
    ...(demuxer ? ['-f', demuxer] : []),
    '-i',
    path,
    '-map',
    '0:v:0',
    '-vsync',
    'passthrough',
    '-pix_fmt',
    'yuv420p',
  ];
  const output = await runDecoder(ffmpegPath, [...args, '-f', 'yuv4mpegpipe', '-'], path);
  return framesFromY4m(output);
}

/** The frames of a whole 4:2:0 y4m file in memory: the tests' own reader, independent of the one they test. */
export function framesFromY4m(bytes: Buffer): Frame[] {
  const headerEnd = bytes.indexOf('\n');
  const [magic, ...fields] = bytes.toString('latin1', 0, headerEnd).split(' ');
  const field = (letter: string) => fields.find(text => text.startsWith(letter))?.slice(1) ?? '';
  const width = Number(field('W'));
  const height = Number(field('H'));
  if (magic !== 'YUV4MPEG2' || !(width > 0 && height > 0) || !field('C').startsWith('420')) {
    throw new Error(`not a 4:2:0 y4m header: ${bytes.toString('latin1', 0, Math.min(headerEnd, 200))}`);
  }
  const frames: Frame[] = [];
  for (let at = headerEnd + 1; at < bytes.length; ) {
    const start = bytes.indexOf('\n', at) + 1;
    const end = start + i420Bytes(width, height);
    if (bytes.toString('latin1', at, at + 5) !== 'FRAME' || end > bytes.length) {
      throw new Error(`y4m is broken at frame ${frames.length}`);
    }
    frames.push(frameFromI420(width, height, bytes.subarray(start, end)));
    at = end;
  }
  return frames;
}

/**
 * All pictures of an elementary or system stream in display order, by mpeg2dec, cut to the display size of the stream's
 * sequence header (mpeg2dec writes the coded size). Its IDCT differs from ffmpeg's within IEEE 1180.
 */
export async function decodeWithMpeg2dec(path: string): Promise<Frame[]> {
  const stream = readFileSync(path);
  const { width, height } = displaySize(stream, path);
  const isSystemStream = stream.readUInt32BE(0) === PACK_START_CODE;
  const output = await runDecoder('mpeg2dec', [...(isSystemStream ? ['-s'] : []), '-o', 'pgmpipe', path], path);
  const frames: Frame[] = [];
  for (let at = 0; at < output.length; ) {
    const header = /^P5\n(\d+) (\d+)\n255\n/.exec(output.toString('latin1', at, at + 40));
    if (header === null) throw new Error(`mpeg2dec on ${path}: no PGM header at picture ${frames.length}`);
    const codedWidth = Number(header[1]);
    const pgmRows = Number(header[2]);
    const start = at + header[0].length;
    at = start + codedWidth * pgmRows;
    if (at > output.length) throw new Error(`mpeg2dec on ${path}: picture ${frames.length} is cut off`);
    frames.push(frameFromPgm(output.subarray(start, at), codedWidth, width, height));
  }
  return frames;
}

const PACK_START_CODE = 0x1ba;
const SEQUENCE_HEADER_CODE = Buffer.from([0, 0, 1, 0xb3]);

/** horizontal_size and vertical_size of the first sequence header; ISO/IEC 11172-2 §2.4.2.3. */
function displaySize(stream: Buffer, path: string): { width: number; height: number } {
  const at = stream.indexOf(SEQUENCE_HEADER_CODE);
  if (at < 0) throw new Error(`${path} has no sequence header`);
  const sizes = stream.readUIntBE(at + 4, 3);
  return { width: sizes >> 12, height: sizes & 0xfff };
}

/**
 * mpeg2dec's PGM of a 4:2:0 picture: the luma rows, and below them each row of u beside that of v.
 *
 *     | luma, coded width x coded height |
 *     | u, half width  | v, half width   |  coded height / 2 rows
 */
function frameFromPgm(pels: Buffer, codedWidth: number, width: number, height: number): Frame {
  const { codedHeight } = macroblockGrid(width, height);
  const chromaStart = codedWidth * codedHeight;
  const chromaWidth = chromaLength(width);
  const chromaHeight = chromaLength(height);
  return {
    width,
    height,
    y: cut(pels, 0, codedWidth, width, height),
    u: cut(pels, chromaStart, codedWidth, chromaWidth, chromaHeight),
    v: cut(pels, chromaStart + (codedWidth >> 1), codedWidth, chromaWidth, chromaHeight),
  };
}

function cut(pels: Buffer, start: number, stride: number, width: number, height: number): Uint8Array {
  const plane = new Uint8Array(width * height);
  for (let y = 0; y < height; y++) {
    plane.set(pels.subarray(start + y * stride, start + y * stride + width), y * width);
  }
  return plane;
}

/** What mpeg2dec says on stderr when all is well: its banner, its progress (ended by "erase line") and its count. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: "erase line" is a control sequence
const MPEG2DEC_CHATTER = /^libmpeg2-.*$|^\d+ frames decoded .*$|\d+ frames in [^\r\n]*[\r\n]*|\u001b\[K/gm;

/** Runs a decoder to its end; returns its stdout. Anything on stderr is a complaint about the stream. */
export function runDecoder(program: string, args: readonly string[], path: string): Promise<Buffer> {
  if (!existsSync(path)) return Promise.reject(new Error(`there is no ${path} to decode`));
  return new Promise((resolve, reject) => {
    execFile(program, args, { encoding: 'buffer', maxBuffer: OUTPUT_LIMIT_BYTES }, (error, stdout, stderr) => {
      const complaint = stderr.toString().replace(MPEG2DEC_CHATTER, '').trim();
      if (error !== null || complaint !== '') {
        reject(new Error(`${program} on ${path}: ${complaint || error?.message}`));
      } else {
        resolve(stdout);
      }
    });
  });
}
