// The JSON report and the summary of `encode`.

import { counted } from '../../counted.js';
import type { EncodeResult } from '../../encode-files/encode-run.js';
import type { SoundEntry } from '../../encode-files/encode-sound.js';
import { finitePsnr, finitePsnrs, psnrText } from '../../encode-files/psnr-text.js';
import type { PictureReport } from '../../encoder/report/picture-report.js';
import { printable } from '../failure.js';

/** A picture in the JSON report. */
export interface PictureEntry {
  readonly frame: number;
  readonly type: string;
  readonly bits: number;
  readonly q: number;
  readonly psnrY: number;
}

/** The entry of a coded picture. */
export function pictureEntry({
  frame,
  type,
  bits,
  q,
  psnrY,
}: Pick<PictureReport, 'frame' | 'type' | 'bits' | 'q' | 'psnrY'>): PictureEntry {
  return { frame, type, bits, q, psnrY: finitePsnr(psnrY) };
}

/**
 * The object that `encode --json` prints, but for its last key, `pictures`. `...Ms` is in milliseconds, `seconds` in
 * seconds, PSNR in dB.
 */
export function encodeReport(result: EncodeResult, warnings: readonly string[]): object {
  const { output, width, height, frameRate, statistics, seconds, interrupted, audio, audioNote } = result;
  const { frames, bits, psnr, estimator, device, passedOver, threads, motion, stages } = statistics;
  return {
    frames,
    width,
    height,
    frameRate: frameRate.numerator / frameRate.denominator,
    bits,
    seconds,
    fps: frames / seconds,
    psnr: finitePsnrs(psnr),
    estimator,
    device,
    passedOver,
    threads,
    motion: { ...motion },
    stages,
    output: output ?? null,
    interrupted,
    audio,
    audioNote,
    warnings,
  };
}

/** The summary that is printed at the end, several lines. */
export function encodeSummary(result: EncodeResult): string {
  const { output, width, height, frameRate, statistics, seconds, audio } = result;
  const { frames, bits, psnr, estimator, device, passedOver, threads } = statistics;
  const fps = frameRate.numerator / frameRate.denominator;
  const kilobitsPerSecond = (bits * fps) / frames / 1000;
  return [
    `${printable(`${output}`)}: ${counted(frames, 'frame')}, ${width}x${height}, ${decimals(fps, 3)} frames/s`,
    `  size      ${bits} bits, ${kilobitsPerSecond.toFixed(1)} kbit/s`,
    `  PSNR      ${psnrText(psnr.all)} dB (Y ${psnrText(psnr.y)}, U ${psnrText(psnr.u)}, V ${psnrText(psnr.v)})`,
    ...(audio ? [`  sound     ${soundInWords(audio)}`] : []),
    `  speed     ${(frames / seconds).toFixed(1)} frames/s: ${seconds.toFixed(2)} s on ${counted(threads, 'thread')}`,
    `  estimator ${estimator} (${device})`,
    ...passedOver.map(({ name, reason }) => `            not ${name}: ${firstClause(name, reason)}`),
    `  time      ${stageShares(result)}`,
    '',
  ].join('\n');
}

/** `44.1 kHz stereo, 192 kbit/s, 10.0 s`. */
function soundInWords({ sampleRate, channels, bitRate, seconds }: SoundEntry): string {
  const kind = `${sampleRate / 1000} kHz ${channels === 1 ? 'mono' : 'stereo'}`;
  return `${kind}, ${bitRate / 1000} kbit/s, ${seconds.toFixed(1)} s`;
}

/** How long the encode waited, and how long it worked on all threads together, in percent of the whole. */
function stageShares({ statistics, seconds }: EncodeResult): string {
  const { stages, threads } = statistics;
  const { inputMs, motionMs, codingMs, writingMs } = stages;
  const wholeMs = 1000 * seconds;
  const otherMs = wholeMs - inputMs - motionMs - codingMs - writingMs;
  const shares = {
    'waiting for frames': inputMs,
    'waiting for motion': motionMs,
    coding: codingMs,
    'writing headers': writingMs,
    ...(threads === 1 ? { 'all else': otherMs } : {}),
  };
  const words = Object.entries(shares)
    .map(([name, ms]) => `${name} ${Math.max(0, (100 * ms) / wholeMs).toFixed(0)} %`)
    .join(', ');
  return threads === 1 ? words : `${words} (100 %: one thread all the time)`;
}

/** The first clause of why an estimator could not run; the rest says what to install. */
function firstClause(name: string, reason: string): string {
  return `${reason.replace(`${name}: `, '').split(';')[0]} (mpegpu devices says more)`;
}

function decimals(value: number, digits: number): string {
  return String(Number(value.toFixed(digits)));
}
