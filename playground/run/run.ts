// One encode of a clip: its settings, its stream, and what is known of its pictures.
import { type AccessUnit, type ContainerWriter, createContainerWriter, type Frame, type PictureType } from 'mpegpu';
import { WorkerEncoder } from 'mpegpu/browser';
import type { CodedMacroblocks, VectorPlanes } from '../../src/bitstream/reading/coded-macroblocks.ts';
import { readMacroblocks } from '../../src/bitstream/reading/read-picture.ts';
import { macroblockGrid } from '../../src/picture/picture.ts';
import type { Settings } from '../settings.ts';
import { type Clip, FRAME_RATE } from '../sources/clip.ts';
import { EstimatorVectors } from './estimator-vectors.ts';
import { JsmpegPictures } from './jsmpeg-pictures.ts';

/** A coded picture. */
export interface RunPicture {
  readonly type: PictureType;
  readonly bits: number;
  /** Mean quantizer_scale. */
  readonly scale: number;
  /** In dB. */
  readonly psnrY: number;
}

/** What came of a run in figures. */
export interface RunFigures {
  readonly pictures: number;
  readonly kbitsPerSecond: number;
  readonly psnrY: number;
  readonly picturesPerSecond: number;
  readonly estimator: string;
  readonly threads: number;
}

/** The options of an encoder for these settings. JSMpeg shows no B pictures: its target makes none. */
export function encoderOptions(settings: Settings, frame: Frame) {
  const { estimator, preset, rate, quality, kbits, threads } = settings;
  return {
    width: frame.width,
    height: frame.height,
    frameRate: FRAME_RATE,
    target: 'jsmpeg' as const,
    estimator,
    preset: preset as 'balanced',
    ...(rate === 'quality' ? { quality } : { bitrate: 1000 * kbits }),
    ...(threads > 0 && { threads }),
  };
}

/** An encode. Its arrays grow while it runs. */
export class Run {
  readonly clip: Clip;
  readonly settings: Settings;
  /** In display order, which is the coded order here. */
  readonly pictures: RunPicture[] = [];
  /** Of the encoder. */
  readonly warnings: string[] = [];
  readonly #units: AccessUnit[] = [];
  readonly #jsmpeg = new JsmpegPictures();
  readonly #macroblocks = new Map<number, CodedMacroblocks>();
  readonly #onChange: () => void;
  readonly #stopping = new AbortController();
  #searched: EstimatorVectors | undefined;
  #figures: RunFigures | undefined;
  #isOver = false;

  /** `onChange` is called when something new is known. */
  constructor(clip: Clip, settings: Settings, onChange: () => void) {
    this.clip = clip;
    this.settings = settings;
    this.#onChange = onChange;
  }

  /** The pictures that JSMpeg has shown of the stream so far. */
  get shown(): readonly Frame[] {
    return this.#jsmpeg.frames;
  }

  /** The figures, once it is complete. */
  get figures(): RunFigures | undefined {
    return this.#figures;
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  /** Ends it at once. */
  stop(): void {
    this.#stopping.abort();
  }

  /** Encodes the clip. Rejects with the reason of a failure; resolves where it is stopped. */
  async encode(): Promise<void> {
    try {
      await this.#encode();
    } catch (error) {
      if (!this.#stopping.signal.aborted) throw error;
    } finally {
      this.#isOver = true;
      this.#onChange();
    }
  }

  /** What the stream says of the macroblocks of a picture; undefined before it is there. */
  macroblocks(number: number): CodedMacroblocks | undefined {
    const unit = this.#units[number];
    const frame = this.clip.frames[number];
    if (!unit || !frame) return undefined;
    const { mbWidth, mbHeight } = macroblockGrid(frame.width, frame.height);
    let read = this.#macroblocks.get(number);
    if (!read) {
      read = readMacroblocks(unit.data, mbWidth, mbHeight);
      this.#macroblocks.set(number, read);
    }
    return read;
  }

  /** The estimator's vectors of a picture from the one before; undefined before they are there. */
  searched(number: number): VectorPlanes | undefined {
    const first = this.clip.frames[0];
    if (!first) return undefined;
    this.#searched ??= new EstimatorVectors({
      frames: () => this.clip.read(),
      options: encoderOptions(this.settings, first),
      signal: this.#stopping.signal,
      onChange: this.#onChange,
    });
    return this.#searched.at(number);
  }

  /** The stream as a file. */
  file(container: 'mpg' | 'ts'): Blob {
    const writer = this.#writer(container, this.clip.frames[0]!);
    const parts = this.#units.flatMap(unit => writer.write(unit));
    const type = container === 'ts' ? 'video/mp2t' : 'video/mpeg';
    return new Blob([...parts, ...writer.end()] as BlobPart[], { type });
  }

  #writer(container: 'mpg' | 'ts', { width, height }: Frame): ContainerWriter {
    return createContainerWriter(container, { width, height, frameRate: FRAME_RATE });
  }

  async #encode(): Promise<void> {
    const frames = this.clip.read();
    const { value: first } = await frames.next();
    if (!first) return;
    const encoder = new WorkerEncoder({
      ...encoderOptions(this.settings, first),
      signal: this.#stopping.signal,
      onPicture: ({ type, bits, q, psnrY }) => {
        this.pictures.push({ type, bits, scale: q, psnrY });
      },
      onWarning: message => void this.warnings.push(message),
    });
    const taking = this.#take(encoder, first);
    taking.catch(() => {}); // `add` and `finish` tell of it
    const start = performance.now();
    try {
      await encoder.add(first);
      for await (const frame of frames) await encoder.add(frame);
      await encoder.finish();
    } finally {
      await encoder.close(); // where the clip has failed
    }
    const seconds = (performance.now() - start) / 1000;
    await taking;
    const { bits, psnr, estimator, threads } = encoder.statistics;
    const pictures = this.pictures.length;
    this.#figures = {
      pictures,
      kbitsPerSecond: (bits * FRAME_RATE) / pictures / 1000,
      psnrY: psnr.y,
      picturesPerSecond: pictures / seconds,
      estimator,
      threads,
    };
  }

  /** Puts each access unit into the transport stream that JSMpeg plays. */
  async #take(encoder: WorkerEncoder, first: Frame): Promise<void> {
    const writer = this.#writer('ts', first);
    for await (const unit of encoder) {
      this.#units.push(unit);
      for (const bytes of writer.write(unit)) this.#jsmpeg.write(bytes);
      this.#onChange();
      await new Promise(resolve => setTimeout(resolve)); // the page stays responsive
    }
    for (const bytes of writer.end()) this.#jsmpeg.write(bytes);
  }
}
