// Decodes the transport stream with JSMpeg while it is being made.
import JSMpeg from '@seydx/jsmpeg';
import { chromaLength, type Frame } from 'mpegpu';

const VIDEO_STREAM_ID = 0xe0;
/** Room for what has not been decoded. It grows by a multiple of itself. */
const BUFFER_BYTES = 4 << 20;

/** JSMpeg's demultiplexer and decoder: pieces of a `.ts` go in, pictures come out. */
export class JsmpegPictures {
  /** The pictures so far. */
  readonly frames: Frame[] = [];
  readonly #demuxer;
  readonly #decoder;

  constructor() {
    const options = { streaming: false, videoBufferSize: BUFFER_BYTES };
    this.#demuxer = new JSMpeg.Demuxer.TS(options);
    this.#decoder = new JSMpeg.Decoder.MPEG1Video(options);
    const size = { width: 0, height: 0 };
    this.#decoder.connect({
      resize: (width, height) => Object.assign(size, { width, height }),
      render: (y, cr, cb) => {
        const { width, height } = size;
        const stride = this.#decoder.codedWidth;
        const chroma = [chromaLength(width), chromaLength(height)] as const;
        this.frames.push({
          width,
          height,
          y: planeOf(y, stride, width, height),
          u: planeOf(cb, stride >> 1, ...chroma),
          v: planeOf(cr, stride >> 1, ...chroma),
        });
      },
    });
    this.#demuxer.connect(VIDEO_STREAM_ID, this.#decoder);
  }

  /** Takes the next bytes of the stream, and decodes what is complete. */
  write(bytes: Uint8Array): void {
    this.#demuxer.write(bytes.slice().buffer);
    while (this.#decoder.decode());
  }
}

function planeOf(pels: Uint8ClampedArray, stride: number, width: number, height: number): Uint8Array {
  const plane = new Uint8Array(width * height);
  for (let y = 0; y < height; y++) plane.set(pels.subarray(y * stride, y * stride + width), y * width);
  return plane;
}
