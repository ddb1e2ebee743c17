// Films that people drop or choose, read by mediabunny and decoded by the browser.
import { ALL_FORMATS, BlobSource, Input, type InputVideoTrack, VideoSample, VideoSampleSink } from 'mediabunny';
import type { Frame } from 'mpegpu';
import { FrameConverter } from 'mpegpu/browser';
import { FRAME_RATE, fittedSize } from './clip.ts';

/** Films of fewer lines than this have the colours of BT.601 unless they say others, as players take them. */
const HIGH_DEFINITION_LINES = 720;
const BT601 = { primaries: 'smpte170m', transfer: 'smpte170m', matrix: 'smpte170m', fullRange: false } as const;

/**
 * What a film shows at each time of the clip. A <video> will not do: when a seek has ended, it may still show what it
 * showed before. Throws an Error for a film that the browser cannot decode.
 */
export async function* framesOfFilm(file: File, size: number): AsyncGenerator<Frame> {
  if (!('VideoDecoder' in globalThis)) {
    throw new Error(`${file.name} cannot be read: films take WebCodecs, which this browser does not offer here`);
  }
  const input = new Input({ source: new BlobSource(file), formats: ALL_FORMATS });
  try {
    const track = await input.getPrimaryVideoTrack().catch(() => undefined); // no film at all
    if (track === null) throw new Error(`${file.name} has sound, but no pictures`);
    if (!(await track?.canDecode())) {
      throw new Error(`${file.name} cannot be decoded by this browser: try WebM, or MP4 with H.264`);
    }
    yield* framesOfTrack(track!, size);
  } finally {
    input.dispose();
  }
}

async function* framesOfTrack(track: InputVideoTrack, size: number): AsyncGenerator<Frame> {
  const [width, height] = [await track.getDisplayWidth(), await track.getDisplayHeight()];
  const converter = new FrameConverter(fittedSize(width, height, size));
  const { matrix } = await track.getColorSpace();
  const isBt601 = !matrix && Math.min(width, height) < HIGH_DEFINITION_LINES;
  const times = clipTimes(await track.getFirstTimestamp(), await track.computeDuration());
  for await (const decoded of new VideoSampleSink(track).samplesAtTimestamps(times)) {
    if (!decoded) continue;
    const coloured = isBt601 ? await inBt601(decoded) : decoded;
    const isUpright = coloured.rotation === 0 && !coloured.flip;
    const sample = isUpright ? coloured : await coloured.transform({});
    try {
      yield await converter.convert(sample);
    } finally {
      for (const each of new Set([decoded, coloured, sample])) each.close();
    }
  }
}

/** The middles of the clip's pictures, in seconds of the film. */
function* clipTimes(start: number, end: number): Generator<number> {
  for (let number = 0; start + (number + 0.5) / FRAME_RATE < end; number++) yield start + (number + 0.5) / FRAME_RATE;
}

/** The same pels with another name for their colours: browsers take those that have none for BT.709. */
async function inBt601(sample: VideoSample): Promise<VideoSample> {
  const { format, timestamp, rotation, flip, visibleRect, squarePixelWidth, squarePixelHeight } = sample;
  if (format !== 'I420' && format !== 'NV12') return sample;
  const pels = new Uint8Array(sample.allocationSize());
  const layout = await sample.copyTo(pels);
  const isTurned = rotation % 180 !== 0;
  return new VideoSample(pels, {
    format,
    layout,
    timestamp,
    rotation,
    flip,
    codedWidth: visibleRect.width,
    codedHeight: visibleRect.height,
    displayWidth: isTurned ? squarePixelHeight : squarePixelWidth,
    displayHeight: isTurned ? squarePixelWidth : squarePixelHeight,
    colorSpace: BT601,
  });
}
