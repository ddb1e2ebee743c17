// The pictures of a film, with the colours that players show.
import { VideoSample, VideoSampleSink } from 'mediabunny';

/** Films of fewer lines than this have the colours of BT.601 unless they say others, as players take them. */
const HIGH_DEFINITION_LINES = 720;
const BT601 = { primaries: 'smpte170m', transfer: 'smpte170m', matrix: 'smpte170m', fullRange: false };

/** The samples of a track, decoded by WebCodecs as they are taken; each is to be closed. */
export async function* samplesOf(track) {
  const { matrix } = await track.getColorSpace();
  const lines = Math.min(await track.getDisplayWidth(), await track.getDisplayHeight());
  const isBt601 = !matrix && lines < HIGH_DEFINITION_LINES;
  for await (const sample of new VideoSampleSink(track).samples()) yield isBt601 ? await inBt601(sample) : sample;
}

/** The same pels with another name for their colours: browsers take those that have none for BT.709. */
async function inBt601(sample) {
  const { format, timestamp, duration, rotation, flip, visibleRect, squarePixelWidth, squarePixelHeight } = sample;
  if (format !== 'I420' && format !== 'NV12') return sample;
  const isTurned = rotation % 180 !== 0;
  try {
    const pels = new Uint8Array(sample.allocationSize());
    return new VideoSample(pels, {
      ...{ format, timestamp, duration, rotation, flip },
      layout: await sample.copyTo(pels),
      codedWidth: visibleRect.width,
      codedHeight: visibleRect.height,
      displayWidth: isTurned ? squarePixelHeight : squarePixelWidth,
      displayHeight: isTurned ? squarePixelWidth : squarePixelHeight,
      colorSpace: BT601,
    });
  } finally {
    sample.close();
  }
}
