// Reads the RGB pictures that an ffmpeg of ours writes: PPM, one after the other.
import { FRAME_RATES, type FrameRate } from '../../bitstream/tables/frame-rate.js';
import { InputError } from '../../errors.js';
import { ByteReader, unfilledBytes } from '../frames/byte-reader.js';
import type { DecodedForm } from '../frames/video-file.js';
import type { RgbImage } from '../images/rgb-image.js';

/** A line of a PPM header is shorter than this. */
const MAX_LINE_BYTES = 64;

/** RGB pictures of a video, by ffmpeg's own conversion: with the matrix and the chroma of the stream. */
export const AS_RGB: DecodedForm<RgbImage> = {
  outputOptions: ['-pix_fmt', 'rgb24', '-c:v', 'ppm', '-f', 'image2pipe'],
  keepsMatrix: false,
  async open(name, run) {
    const bytes = new ByteReader(name, run.stdout);
    const reader = new PpmReader(bytes);
    const size = await reader.readHeader();
    if (!size) throw new InputError(`${name} holds no frames`);
    const frameRate = rateOf(await run.outputStream);
    return {
      name,
      ...size,
      ...(frameRate && { frameRate }),
      frames: signal => bytes.closedAfter(reader.pictures(size, signal), signal),
      close: async () => bytes.close(),
    };
  },
};

type Size = Pick<RgbImage, 'width' | 'height'>;

class PpmReader {
  readonly #bytes: ByteReader;

  constructor(bytes: ByteReader) {
    this.#bytes = bytes;
  }

  /** The size of the next picture; undefined at the end. */
  async readHeader(): Promise<Size | undefined> {
    const lines: string[] = [];
    while (lines.length < 3) {
      const line = await this.#bytes.readLine(MAX_LINE_BYTES);
      if (!line) return undefined;
      lines.push(line.text);
    }
    const [, width, height] = /^P6 (\d+) (\d+) 255$/.exec(lines.join(' ')) ?? [];
    if (width === undefined) throw new InputError(`${this.#bytes.name}: ffmpeg wrote no PPM: ${lines.join(' ')}`);
    return { width: Number(width), height: Number(height) };
  }

  /** The pictures, the first of which has a header that was read. */
  async *pictures(first: Size, signal?: AbortSignal): AsyncGenerator<RgbImage> {
    let size: Size | undefined = first;
    for (let index = 0; size; index++) {
      const pels = unfilledBytes(3 * size.width * size.height);
      const read = await this.#bytes.read(pels);
      signal?.throwIfAborted();
      if (read < pels.length) throw this.#bytes.truncatedFrame(index, read, pels.length);
      yield { ...size, pels };
      size = await this.readHeader();
    }
  }
}

/** ffmpeg prints rates with two decimals: 23.98 is 24000/1001. */
const PRINTED_DECIMALS = 2;

/** The rate of the pictures that ffmpeg writes, by its description; undefined if it gives none. */
function rateOf(outputStream = ''): FrameRate | undefined {
  const printed = /, (\d+(?:\.\d+)?) fps/.exec(outputStream)?.[1];
  if (printed === undefined || Number(printed) === 0) return undefined;
  const asPrinted = ({ numerator, denominator }: FrameRate) => (numerator / denominator).toFixed(PRINTED_DECIMALS);
  const known = FRAME_RATES.find(rate => asPrinted(rate) === Number(printed).toFixed(PRINTED_DECIMALS));
  return known ?? { numerator: Math.round(100 * Number(printed)), denominator: 100 };
}
