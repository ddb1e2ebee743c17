// Measures VMAF with ffmpeg, where it has libvmaf.
import { availableParallelism } from 'node:os';
import { PassThrough } from 'node:stream';
import { InputError, messageOf } from '../errors.js';
import type { Frame } from '../picture/frame.js';
import { type FfmpegRun, startFfmpeg } from './ffmpeg.js';
import { Y4M_FRAME, Y4M_MAGIC } from './frames/y4m/y4m-header.js';

/** Size of the frames in pels. */
interface FrameSize {
  readonly width: number;
  readonly height: number;
}

/** Chroma of gray. The model of VMAF looks at luma alone. */
const NO_CHROMA = 128;
/** The score that libvmaf prints at its end; its versions differ in the sign before it. */
const SCORE = /VMAF score *[:=] *(-?\d+(?:\.\d+)?)/;
/** An error of ffmpeg, and what it comes from. */
const ERROR_LINE = /^(?:\[[^\]]* @ [^\]]*\] *)*\[(?:error|fatal)\] *(.+)/;
const NO_FILTER = /No such filter/;

/**
 * How VMAF of frames of a size is measured here: each call of `open` starts a {@link VmafRun}. Or why it is left out,
 * in words: there is no ffmpeg, it has no libvmaf, or libvmaf fails. To know that, two gray pairs are measured.
 */
export async function findVmaf(
  size: FrameSize,
): Promise<{ readonly open: () => Promise<VmafRun> } | { readonly leftOut: string }> {
  const { width, height } = size;
  const gray = new Uint8Array(width * height).fill(NO_CHROMA);
  try {
    const run = await VmafRun.start(size);
    try {
      for (let pair = 0; pair < 2; pair++) await run.add({ y: gray }, { y: gray });
      await run.finish();
    } finally {
      await run.stop();
    }
    return { open: () => VmafRun.start(size) };
  } catch (error) {
    return { leftOut: messageOf(error) };
  }
}

/**
 * One run of ffmpeg that measures the VMAF of a sequence. Both frames of a pair travel in one picture, so that one pipe
 * is enough; ffmpeg cuts it in two. Planes of chroma are as large as those of luma, so that a frame may have any size.
 *
 *     +----------+
 *     | original |
 *     +----------+
 *     | decoded  |
 *     +----------+
 */
export class VmafRun {
  readonly #feed = new PassThrough();
  #run: FfmpegRun | undefined;

  private constructor(readonly size: FrameSize) {}

  /** Starts ffmpeg. Throws an UnsupportedError if there is none. */
  static async start(size: FrameSize): Promise<VmafRun> {
    const { width, height } = size;
    const vmaf = new VmafRun(size);
    vmaf.#feed.write(`${Y4M_MAGIC} W${width} H${2 * height} F25:1 Ip A1:1 C444\n`);
    const halves = '[0:v]split[a][b];[a]crop=iw:ih/2:0:ih/2[decoded];[b]crop=iw:ih/2:0:0[original]';
    const graph = `${halves};[decoded][original]libvmaf=n_threads=${availableParallelism()}`;
    vmaf.#run = await startFfmpeg({
      input: 'VMAF',
      stdin: vmaf.#feed,
      inputOptions: ['-f', 'yuv4mpegpipe'],
      outputOptions: ['-filter_complex', graph, '-f', 'null'],
    });
    return vmaf;
  }

  /** Takes the next pair, whose planes may be reused afterwards. Waits while ffmpeg is busy. */
  async add({ y: original }: Pick<Frame, 'y'>, { y: decoded }: Pick<Frame, 'y'>): Promise<void> {
    if (this.#feed.destroyed) return; // ffmpeg has ended: `finish` says why
    const start = new TextEncoder().encode(`${Y4M_FRAME}\n`);
    const { width, height } = this.size;
    const pels = width * height;
    const picture = new Uint8Array(start.length + 6 * pels).fill(NO_CHROMA);
    picture.set(start);
    picture.set(original.subarray(0, pels), start.length);
    picture.set(decoded.subarray(0, pels), start.length + pels);
    if (!this.#feed.write(picture)) await this.#room();
  }

  /** Resolves when ffmpeg has read enough, or has ended. */
  #room(): Promise<void> {
    return new Promise(resolve => {
      const go = () => {
        this.#feed.off('drain', go).off('close', go);
        resolve();
      };
      this.#feed.on('drain', go).on('close', go);
    });
  }

  /** The mean VMAF of all pairs, 0..100. Throws an InputError with the reason if it could not be measured. */
  async finish(): Promise<number> {
    const run = this.#run!;
    this.#feed.end();
    try {
      await run.done;
    } catch (error) {
      throw new InputError(vmafFailure(run.messages.lines, messageOf(error)), { cause: error });
    }
    const score = run.messages.lines.findLast(line => SCORE.test(line));
    if (score === undefined) throw new InputError('libvmaf of ffmpeg gave no score');
    return Number(SCORE.exec(score)![1]);
  }

  /** Kills ffmpeg if it still runs. Idempotent. */
  async stop(): Promise<void> {
    await this.#run?.stop();
  }
}

/** Why VMAF could not be measured, by what ffmpeg has printed. */
function vmafFailure(lines: readonly string[], message: string): string {
  if (lines.some(line => NO_FILTER.test(line))) return 'the ffmpeg that was found has no libvmaf';
  const [first] = lines.flatMap(line => ERROR_LINE.exec(line)?.[1] ?? []);
  return `libvmaf of ffmpeg fails: ${first ?? message.replace(/^VMAF: /, '')}`;
}
