// What must hold of every encode: decoders show the reconstruction, and all figures agree with the stream.
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { SEQUENCE_END_BITS } from '../../../src/encoder/rate-control/buffer/sparse-picture.js';
import type { Frame } from '../../../src/picture/frame.js';
import { expectSameFrames } from '../../support/compare-frames.js';
import { decodeWithFfmpeg, decodeWithMpeg2dec, packagedFfmpeg, systemFfmpeg } from '../../support/decoders.js';
import type { Encoded } from '../../support/encode.js';
import { onPath } from '../../support/programs.js';
import { psnr } from '../../support/psnr.js';
import { verifyVbv } from '../../support/vbv-verifier.js';
import { require } from '../runner/fuzz-kind.js';
import type { RandomOptions } from './option-arbitraries.js';

/** The machine's own ffmpeg takes fifteen times as long to start as the packaged one: it sees one stream of so many. */
const SYSTEM_FFMPEG_TURN = 16;
const MAX_PSNR_ERROR = 1e-6;
const SEQUENCE_END = Uint8Array.of(0, 0, 1, 0xb7);

/** An encode, what it was made from, and what was asked for. */
export interface CheckedEncode {
  readonly encoded: Encoded;
  readonly frames: readonly Frame[];
  readonly options: Pick<RandomOptions, 'bitrate' | 'cbr' | 'maxrate' | 'vbvBytes' | 'latency'>;
}

/** Throws an error that says what is wrong. */
export async function checkEncoded({ encoded, frames, options }: CheckedEncode, folder: string): Promise<void> {
  const { stream, reconstruction } = encoded;
  require(reconstruction.length === frames.length, () => `${reconstruction.length} of ${frames.length} pictures came`);
  const path = join(folder, 'stream.m1v');
  const isLive = options.latency === 'low';
  // A live encode does not know its end: whoever writes a file does.
  writeFileSync(path, isLive ? Buffer.concat([stream, SEQUENCE_END]) : stream);
  const system = stream.length % SYSTEM_FFMPEG_TURN === 0 ? systemFfmpeg() : undefined;
  for (const ffmpeg of [packagedFfmpeg(), ...(system === undefined ? [] : [system])]) {
    expectSameFrames(await decodeWithFfmpeg(path, ffmpeg), reconstruction, `as ${ffmpeg} shows it`);
  }
  if (onPath('mpeg2dec') !== undefined) {
    const shown = (await decodeWithMpeg2dec(path)).length;
    require(shown === frames.length, () => `mpeg2dec shows ${shown} pictures of ${frames.length}`);
  }
  rmSync(path);
  checkFigures(encoded, frames, isLive ? 0 : SEQUENCE_END_BITS);
  const isLiveRate = isLive && options.bitrate !== undefined;
  if (isLiveRate || options.cbr || options.maxrate !== undefined || options.vbvBytes !== undefined) {
    const { violations } = verifyVbv(stream);
    require(violations.length === 0, () => `the decoder's buffer does not hold: ${violations.join('; ')}`);
  }
}

function checkFigures(
  { stream, units, reports, vectors, statistics, reconstruction }: Encoded,
  frames: readonly Frame[],
  endBits: number,
) {
  const equal = (what: string, found: unknown, expected: unknown) =>
    require(Object.is(found, expected), () => `${what}: ${found}, not ${expected}`);
  equal('statistics.frames', statistics.frames, frames.length);
  equal('statistics.bits', statistics.bits, 8 * stream.length);
  equal('access units', units.length, frames.length);
  equal('reports', reports.length, frames.length);
  const sum = reports.reduce((bits, report) => bits + report.bits, 0);
  equal('the sum of the bits of the reports', sum + endBits, statistics.bits);
  const seen = new Set(reports.map(({ frame }) => frame));
  equal('frames with a report', seen.size, frames.length);
  reports.forEach((report, i) => {
    equal(`the type of picture ${i}`, report.type, typeInStream(units[i]!.data));
    const { y } = psnr(reconstruction[report.frame]!, frames[report.frame]!);
    const difference = y === report.psnrY ? 0 : Math.abs(y - report.psnrY);
    require(difference < MAX_PSNR_ERROR, () => `the PSNR of frame ${report.frame}: ${report.psnrY}, not ${y}`);
    require(report.q >= 1 && report.q <= 31, () => `q of frame ${report.frame} is ${report.q}`);
    const { forward, backward } = vectors[i]!;
    for (const vector of [...forward, ...backward].flatMap(vector => vector ?? [])) {
      require(Number.isInteger(vector), () => `a vector of frame ${report.frame} is ${vector}`);
    }
  });
  for (const [plane, value] of Object.entries(statistics.psnr)) {
    require(value > 0 && !Number.isNaN(value), () => `statistics.psnr.${plane} is ${value}`);
  }
  for (const [name, value] of Object.entries({ ...statistics.motion, ...statistics.stages })) {
    require(Number.isFinite(value) && value >= 0, () => `${name} of the statistics is ${value}`);
  }
}

/** picture_coding_type of the first picture header; ISO/IEC 11172-2 §2.4.2.5. */
function typeInStream(unit: Uint8Array): string | undefined {
  const at = Buffer.from(unit).indexOf(Buffer.from([0, 0, 1, 0]));
  return 'IPB'[((unit[at + 5]! >> 3) & 7) - 1];
}
