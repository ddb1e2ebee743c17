// The overlays of all pairs as one MPEG-1 video.
import type { FrameRate } from '../../bitstream/tables/frame-rate.js';
import type { PendingOutput } from '../../encode-files/output-set.js';
import { Encoder } from '../../encoder/encoder.js';
import type { RgbImage } from '../../media/images/rgb-image.js';
import type { OutputOptions, OutputPlace } from '../../media/output/output-place.js';
import { VideoWriter } from '../../media/output/video-writer.js';
import { rgbToFrame } from '../../picture/rgb-to-frame.js';

/** The format of the video. */
export interface OverlayVideoFormat {
  /** Size of the pictures in pels. */
  readonly width: number;
  readonly height: number;
  readonly frameRate: FrameRate;
}

/** Fine enough that lines of one pel stay sharp; judged by eye. */
const QUANTIZER_SCALE = 3;

/** Takes pictures, encodes them with our own encoder and writes the video. */
export class OverlayVideo implements PendingOutput {
  readonly #failure = new AbortController();
  readonly #encoder: Encoder;
  readonly #writer: VideoWriter;
  readonly #writing: Promise<void>;

  private constructor(writer: VideoWriter, format: OverlayVideoFormat) {
    this.#writer = writer;
    this.#encoder = new Encoder({
      ...format,
      q: QUANTIZER_SCALE,
      estimator: 'cpu-mrmp',
      signal: this.#failure.signal,
    });
    this.#writing = this.#writeUnits();
    this.#writing.catch(error => this.#failure.abort(error));
  }

  /** Opens `path` as `VideoWriter.open` does, with its errors. */
  static async open(path: string, format: OverlayVideoFormat, options: OutputOptions): Promise<OverlayVideo> {
    return new OverlayVideo(await VideoWriter.open(path, format, options), format);
  }

  async write(image: RgbImage): Promise<void> {
    await this.#encoder.add(rgbToFrame(image));
  }

  get place(): OutputPlace {
    return this.#writer.place;
  }

  async complete(): Promise<void> {
    await this.#encoder.finish();
    await this.#writing;
    await this.#writer.complete();
  }

  async discard(): Promise<void> {
    this.#failure.abort(new Error('discarded'));
    await this.#encoder.finish().catch(() => {}); // it throws the error of the abort
    await this.#writing.catch(() => {});
    await this.#writer.discard();
  }

  async #writeUnits(): Promise<void> {
    for await (const unit of this.#encoder) await this.#writer.write(unit);
  }
}
