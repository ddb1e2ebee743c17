// What a page asks the worker that encodes for it.
import type { AccessUnit } from '../../bitstream/access-unit.js';
import type { EncoderOptions } from '../../encoder/options.js';
import type { PassStatistics } from '../../encoder/rate-control/pass-statistics.js';
import type { PictureReport } from '../../encoder/report/picture-report.js';
import type { EncoderStatistics } from '../../encoder/report/statistics.js';
import type { Frame } from '../../picture/frame.js';

/** The name of the work. */
export const ENCODER_ENTRY = 'encoder-worker.js';

/** The options that are functions which the encoder calls. */
export const CALLBACKS = ['onPicture', 'onReconstruction', 'onWarning'] as const;
export type CallbackName = (typeof CALLBACKS)[number];

/** What the worker is started with. */
export interface EncoderSetup {
  /** The options that can be sent: no functions, no signal, no threads. */
  readonly options: Omit<EncoderOptions, CallbackName | 'signal' | 'keptThreads'>;
  /** The functions that the page waits to call. */
  readonly callbacks: readonly CallbackName[];
}

/** A report without its functions; instead, what they return. */
export interface SentReport {
  readonly figures: Readonly<Record<string, unknown>>;
  readonly results: Readonly<Record<string, unknown>>;
}

/** A function that the page is to call. */
export type CallbackCall =
  | { readonly name: 'onPicture'; readonly report: SentReport }
  | { readonly name: 'onReconstruction'; readonly frame: Frame; readonly displayNumber: number }
  | { readonly name: 'onWarning'; readonly message: string };

/** What is left at the end of an encode. */
export interface EncodeEnd {
  /** The access units that have not been taken. */
  readonly units: AccessUnit[];
  readonly passStatistics: PassStatistics;
}

/** The tasks. The encoder's statistics come with each reply. */
export interface EncoderTasks {
  /** Resolves when there is room for the next frame. */
  add(frame: Frame): Promise<void>;
  /** The next frame begins a group. */
  requestKeyFrame(): Promise<void>;
  /** Resolves when the pictures in the places of so many frames are out. */
  leaveOut(frames: number): Promise<void>;
  /** The next access unit; undefined if there is none any more. */
  next(): Promise<AccessUnit | undefined>;
  /** The next function to call, when the one before has been called; undefined at the end. */
  call(): Promise<CallbackCall | undefined>;
  /** Resolves when all frames are coded. */
  finish(): Promise<EncodeEnd>;
}

/** The statistics of the encode so far. */
export type EncoderReport = EncoderStatistics;

/** The report as it is sent: its functions are called, since they cannot be sent. */
export function sentReport(report: PictureReport): SentReport {
  const entries = Object.entries(report);
  return {
    figures: Object.fromEntries(entries.filter(([, value]) => typeof value !== 'function')),
    results: Object.fromEntries(
      entries.flatMap(([name, value]) => (typeof value === 'function' ? [[name, value.call(report)]] : [])),
    ),
  };
}

/** The report that was sent; its functions return copies, as they did. */
export function receivedReport({ figures, results }: SentReport): PictureReport {
  const functions = Object.entries(results).map(([name, result]) => [name, () => structuredClone(result)]);
  return { ...figures, ...Object.fromEntries(functions) } as PictureReport;
}

/** The buffers below `values` that can be handed over, each once. */
export function buffersOf(values: readonly ArrayBufferView[]): ArrayBuffer[] {
  const buffers = values.map(({ buffer }) => buffer).filter(buffer => buffer instanceof ArrayBuffer);
  return [...new Set(buffers)];
}
