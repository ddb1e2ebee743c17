// Decodes a transport stream with JSMpeg.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { createContext, runInContext } from 'node:vm';
import { chromaLength, type Frame } from '../../src/picture/frame.js';

/** The parts of JSMpeg that are used here; it comes without types. */
interface JSMpeg {
  readonly Demuxer: { readonly TS: new (options: object) => Demuxer };
  readonly Decoder: { readonly MPEG1Video: new (options: object) => VideoDecoder };
}
interface Demuxer {
  connect(streamId: number, destination: object): void;
  write(buffer: ArrayBuffer): void;
}
interface VideoDecoder {
  readonly codedWidth: number;
  connect(renderer: Renderer): void;
  /** Decodes the next picture; false where there is none left. */
  decode(): boolean;
}
interface Renderer {
  resize(width: number, height: number): void;
  render(y: Uint8ClampedArray, cr: Uint8ClampedArray, cb: Uint8ClampedArray): void;
}

const VIDEO_STREAM_ID = 0xe0;

/** What JSMpeg shows of a stream. */
export interface JsmpegFrames {
  readonly width: number;
  readonly height: number;
  readonly frames: Frame[];
}

/**
 * Plays a whole MPEG transport stream with JSMpeg's own demultiplexer and decoder, the JavaScript one, in a context
 * with the few globals that it asks for while loading. It does not show B pictures. A picture whose end it cannot
 * see is not flushed, as in a browser.
 */
export function decodeWithJsmpeg(stream: Uint8Array): JsmpegFrames {
  const jsmpeg = loadJsmpeg();
  // Large enough from the start: JSMpeg's buffer does not always grow to what a write needs.
  const options = { streaming: false, videoBufferSize: stream.length + 1024 };
  const demuxer = new jsmpeg.Demuxer.TS(options);
  const decoder = new jsmpeg.Decoder.MPEG1Video(options);
  let width = 0;
  let height = 0;
  const frames: Frame[] = [];
  decoder.connect({
    resize: (newWidth, newHeight) => {
      width = newWidth;
      height = newHeight;
    },
    render: (y, cr, cb) => {
      const stride = decoder.codedWidth;
      const chroma = [chromaLength(width), chromaLength(height)] as const;
      frames.push({
        width,
        height,
        y: cut(y, stride, width, height),
        u: cut(cb, stride >> 1, ...chroma),
        v: cut(cr, stride >> 1, ...chroma),
      });
    },
  });
  demuxer.connect(VIDEO_STREAM_ID, decoder);
  demuxer.write(Uint8Array.from(stream).buffer); // slice of a Buffer would share its memory with others
  while (decoder.decode());
  return { width, height, frames };
}

function loadJsmpeg(): JSMpeg {
  const path = createRequire(import.meta.url).resolve('@seydx/jsmpeg');
  const module = { exports: {} };
  const document = { readyState: 'loading', addEventListener: () => {} };
  const context = createContext({ module, document, window: {}, console });
  runInContext(readFileSync(path, 'utf8'), context, { filename: path });
  return module.exports as JSMpeg;
}

function cut(pels: Uint8ClampedArray, stride: number, width: number, height: number): Uint8Array {
  const plane = new Uint8Array(width * height);
  for (let y = 0; y < height; y++) plane.set(pels.subarray(y * stride, y * stride + width), y * width);
  return plane;
}
